// Where a block has to wait: the first pair of accesses that nothing orders in the
// program as it stands, and what the plan puts before which operation.
// RUN: tile-test-opt %s --test-tile-barrier-plan --verify-diagnostics

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[128]>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#g = #tile.fragment<[128], register = [], lane = [32 : (4)], warp = [4 : (1)]>
#h = #tile.fragment<[128], register = [2 : (16)], lane = [16 : (1), 2 : (0)], warp = [4 : (32)]>
#all = #tile.fragment<[128], register = [128 : (1)], lane = [32 : (0)], warp = [4 : (0)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// Two reads need no order.
func.func @reads(%n: index, %s: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = tile.load %s : memref<128xf32> -> tensor<128xf32, #f>
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #g>
  }
  return
}

func.func @read_after_write(%n: index, %s: memref<128xf32>, %f: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = tile.load %f : memref<128xf32> -> tensor<128xf32, #f>
    tile.store %0, %s {test.tag = "store"} : tensor<128xf32, #f>, memref<128xf32>
    // expected-remark @below {{first unordered, after store.}}
    // expected-remark @below {{before it: barrier.}}
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #g>
  }
  return
}

func.func @write_after_read(%n: index, %s: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = tile.load %s {test.tag = "load"} : memref<128xf32> -> tensor<128xf32, #g>
    %1 = arith.constant dense<0.0> : tensor<128xf32, #f>
    // expected-remark @below {{first unordered, after load.}}
    // expected-remark @below {{before it: barrier.}}
    tile.store %1, %s : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

func.func @write_after_write(%n: index, %s: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #g>
    %1 = arith.constant dense<1.0> : tensor<128xf32, #f>
    tile.store %0, %s {test.tag = "first"} : tensor<128xf32, #g>, memref<128xf32>
    // expected-remark @below {{first unordered, after first.}}
    // expected-remark @below {{before it: barrier.}}
    tile.store %1, %s : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// Each thread reads back what it wrote itself.
func.func @own_elements(%n: index, %s: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %0, %s : tensor<128xf32, #f>, memref<128xf32>
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #f>
  }
  return
}

// Not where other threads wrote it too.
func.func @replicated(%n: index, %s: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #all>
    tile.store %0, %s {test.tag = "store"} : tensor<128xf32, #all>, memref<128xf32>
    // expected-remark @below {{first unordered, after store.}}
    // expected-remark @below {{before it: barrier.}}
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #all>
  }
  return
}

// Nor at another place of the memref.
func.func @other_place(%n: index, %s: memref<256xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %0, %s[%c0] {test.tag = "store"} : tensor<128xf32, #f>, memref<256xf32>
    // expected-remark @below {{first unordered, after store.}}
    // expected-remark @below {{before it: barrier.}}
    %1 = tile.load %s[%c64] : memref<256xf32> -> tensor<128xf32, #f>
  }
  return
}

// The place moves from iteration to iteration.
func.func @moving_place(%n: index, %s: memref<?xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %n step %c64 {
      // expected-remark @below {{first unordered, after store.}}
      // expected-remark @below {{before it: barrier.}}
      %0 = tile.load %s[%i] : memref<?xf32> -> tensor<128xf32, #f>
      tile.store %0, %s[%i] {test.tag = "store"} : tensor<128xf32, #f>, memref<?xf32>
    }
  }
  return
}

// The same place in each iteration stays each thread's own.
func.func @fixed_place(%n: index, %s: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %0 = tile.load %s : memref<128xf32> -> tensor<128xf32, #f>
      tile.store %0, %s : tensor<128xf32, #f>, memref<128xf32>
    }
  }
  return
}

// Out of the loop that does not hold the earlier access.
func.func @before_the_loop(%n: index, %s: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %0, %s {test.tag = "store"} : tensor<128xf32, #f>, memref<128xf32>
    // expected-remark @below {{before it: barrier.}}
    scf.for %i = %c0 to %n step %c1 {
      // expected-remark @below {{first unordered, after store.}}
      %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #g>
    }
  }
  return
}

// One barrier serves both branches' accesses.
func.func @after_branches(%n: index, %s: memref<128xf32>, %t: memref<128xf32>, %c: i1) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    scf.if %c {
      tile.store %0, %s {test.tag = "then"} : tensor<128xf32, #f>, memref<128xf32>
    } else {
      tile.store %0, %t {test.tag = "else"} : tensor<128xf32, #f>, memref<128xf32>
    }
    // expected-remark @below {{first unordered, after then.}}
    // expected-remark @below {{before it: barrier.}}
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #g>
    %2 = tile.load %t : memref<128xf32> -> tensor<128xf32, #g>
  }
  return
}

// A barrier that is there is enough; one that is too early is not.
func.func @given(%n: index, %s: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %0, %s : tensor<128xf32, #f>, memref<128xf32>
    tile.barrier
    %1 = tile.load %s {test.tag = "load"} : memref<128xf32> -> tensor<128xf32, #g>
    // expected-remark @below {{first unordered, after load.}}
    // expected-remark @below {{before it: barrier.}}
    tile.store %0, %s : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// Additions commute with additions, not with products or assignments.
func.func @atomics(%n: index, %s: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = arith.constant dense<1.0> : tensor<128xf32, #f>
    %1 = arith.constant dense<1.0> : tensor<128xf32, #g>
    tile.atomic_rmw addf %0, %s : tensor<128xf32, #f>, memref<128xf32>
    tile.atomic_rmw addf %1, %s {test.tag = "add"} : tensor<128xf32, #g>, memref<128xf32>
    // expected-remark @below {{first unordered, after ?.}}
    // expected-remark @below {{before it: barrier.}}
    tile.atomic_rmw maximumf %1, %s : tensor<128xf32, #g>, memref<128xf32>
  }
  return
}

// A memref that is one of two conflicts with both.
func.func @choice(%n: index, %s: memref<128xf32>, %t: memref<128xf32>, %c: i1) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    %m = arith.select %c, %s, %t : memref<128xf32>
    tile.store %0, %m {test.tag = "store"} : tensor<128xf32, #f>, memref<128xf32>
    // expected-remark @below {{first unordered, after store.}}
    // expected-remark @below {{before it: barrier.}}
    %1 = tile.load %t : memref<128xf32> -> tensor<128xf32, #g>
  }
  return
}

func.func @may_alias(%n: index, %s: memref<128xf32>, %t: memref<128xf32> {tile.may_alias}) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %0, %s {test.tag = "store"} : tensor<128xf32, #f>, memref<128xf32>
    // expected-remark @below {{first unordered, after store.}}
    // expected-remark @below {{before it: barrier.}}
    %1 = tile.load %t : memref<128xf32> -> tensor<128xf32, #g>
  }
  return
}

// Copies in flight: what they write is there after a wait and a barrier.
func.func @in_flight(%n: index, %m: memref<128xf32>) {
  tile.launch @in_flight_kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 512 : memref<512xi8, #shared>
    %s = tile.view %arena[0] layout(#l) : memref<512xi8, #shared> to memref<128xf32, #shared>
    tile.copy %m to %s {test.tag = "copy", layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    // expected-remark @below {{first unordered, after copy.}}
    // expected-remark @below {{before it: wait and barrier.}}
    %0 = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #g>
  }
  return
}

// A barrier without a wait completes nothing.
func.func @barrier_is_no_wait(%n: index, %m: memref<128xf32>) {
  tile.launch @barrier_is_no_wait_kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 512 : memref<512xi8, #shared>
    %s = tile.view %arena[0] layout(#l) : memref<512xi8, #shared> to memref<128xf32, #shared>
    tile.copy %m to %s {test.tag = "copy", layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    tile.barrier
    // expected-remark @below {{first unordered, after copy.}}
    // expected-remark @below {{before it: wait and barrier.}}
    %0 = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #g>
  }
  return
}

// For the thread that copied it is there after a wait alone.
func.func @own_copy(%n: index, %m: memref<128xf32>) {
  tile.launch @own_copy_kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 512 : memref<512xi8, #shared>
    %s = tile.view %arena[0] layout(#l) : memref<512xi8, #shared> to memref<128xf32, #shared>
    tile.copy %m to %s {test.tag = "copy", layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    // expected-remark @below {{first unordered, after copy.}}
    // expected-remark @below {{before it: wait.}}
    %0 = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
  }
  return
}

// Other lanes of the same warp: the warp has to meet.
func.func @own_warp(%n: index, %s: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %0, %s {test.tag = "store"} : tensor<128xf32, #f>, memref<128xf32>
    // expected-remark @below {{first unordered, after store.}}
    // expected-remark @below {{before it: warp barrier.}}
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #h>
  }
  return
}

// A barrier of warps is no order with what other warps do later.
func.func @own_warp_then_others(%n: index, %s: memref<128xf32>, %f: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = tile.load %f : memref<128xf32> -> tensor<128xf32, #f>
    tile.store %0, %s {test.tag = "store"} : tensor<128xf32, #f>, memref<128xf32>
    // expected-remark @below {{first unordered, after store.}}
    // expected-remark @below {{before it: warp barrier.}}
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #h>
    // expected-remark @below {{before it: barrier.}}
    %2 = tile.load %s : memref<128xf32> -> tensor<128xf32, #g>
  }
  return
}

// A barrier of each warp that is there is enough, and none for other warps.
func.func @given_warp(%n: index, %s: memref<128xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %0, %s {test.tag = "store"} : tensor<128xf32, #f>, memref<128xf32>
    tile.barrier {scope = #tile.scope<warp>}
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #h>
    // expected-remark @below {{first unordered, after store.}}
    // expected-remark @below {{before it: barrier.}}
    %2 = tile.load %s : memref<128xf32> -> tensor<128xf32, #g>
  }
  return
}

// Boxes apart have no byte in common, wherever they start.
func.func @boxes_apart(%n: index, %s: memref<512xf32>, %i: index) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c128 = arith.constant 128 : index
    %c64 = arith.constant 64 : index
    %next = arith.addi %i, %c128 : index
    %half = arith.addi %i, %c64 : index
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %0, %s[%i] {test.tag = "store"} : tensor<128xf32, #f>, memref<512xf32>
    %1 = tile.load %s[%next] : memref<512xf32> -> tensor<128xf32, #g>
    // expected-remark @below {{first unordered, after store.}}
    // expected-remark @below {{before it: barrier.}}
    %2 = tile.load %s[%half] : memref<512xf32> -> tensor<128xf32, #f>
  }
  return
}

// Buffers at the same bytes of the arena, of other element types: what each thread
// touches is compared byte by byte.
func.func @bytes_of_warps(%n: index) {
  tile.launch @bytes_of_warps_kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 1024 : memref<1024xi8, #shared>
    %s = tile.view %arena[0] layout(#l) : memref<1024xi8, #shared> to memref<128xf32, #shared>
    %t = tile.view %arena[0] layout(#tile.shared<[256]>) : memref<1024xi8, #shared> to memref<256xf16, #shared>
    %u = tile.view %arena[0] layout(#tile.shared<[256]>) : memref<1024xi8, #shared> to memref<256xf16, #shared>
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %0, %s {test.tag = "store"} : tensor<128xf32, #f>, memref<128xf32, #shared>
    // The same four bytes: 32 x 4 a warp, 64 x 2 a warp.
    %1 = tile.load %t : memref<256xf16, #shared> -> tensor<256xf16, #tile.fragment<[256], register = [2 : (1)], lane = [32 : (2)], warp = [4 : (64)]>>
    // expected-remark @below {{first unordered, after store.}}
    // expected-remark @below {{before it: warp barrier.}}
    %2 = tile.load %u : memref<256xf16, #shared> -> tensor<256xf16, #tile.fragment<[256], register = [2 : (32)], lane = [32 : (1)], warp = [4 : (64)]>>
  }
  return
}

// A box that moves on by its own size never meets itself, one that moves on by less
// does.
func.func @moving_on(%n: index, %s: memref<?xf32>, %t: memref<?xf32>, %u: memref<?xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    scf.for %i = %c0 to %n step %c128 {
      tile.store %0, %s[%i] : tensor<128xf32, #f>, memref<?xf32>
    }
    scf.for %i = %c0 to %n step %c1 {
      %at = arith.muli %i, %c128 : index
      tile.store %0, %t[%at] : tensor<128xf32, #f>, memref<?xf32>
    }
    scf.for %i = %c0 to %n step %c64 {
      // expected-remark @below {{first unordered, after store.}}
      // expected-remark @below {{before it: barrier.}}
      tile.store %0, %u[%i] {test.tag = "store"} : tensor<128xf32, #f>, memref<?xf32>
    }
  }
  return
}

// Not where a loop around begins anew.
func.func @moving_anew(%n: index, %s: memref<?xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    scf.for %j = %c0 to %n step %c1 {
      // expected-remark @below {{before it: barrier.}}
      scf.for %i = %c0 to %n step %c128 {
        // expected-remark @below {{first unordered, after store.}}
        tile.store %0, %s[%i] {test.tag = "store"} : tensor<128xf32, #f>, memref<?xf32>
      }
    }
  }
  return
}

// Starts that are sums differ by what differs of each: what loops around and inside count,
// what they carry, and numbers of which the quotient and the remainder are of one.
func.func @distances(%n: index, %s: memref<?xf32>, %t: memref<?xf32>, %u: memref<?xf32>, %v: memref<?x?xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    %1 = arith.constant dense<0.0> : tensor<1x128xf32, #tile.fragment<[1, 128], register = [], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %c512 step %c128 {
        %row = arith.muli %i, %c512 : index
        %base = arith.addi %row, %x : index
        %at = arith.addi %base, %j : index
        tile.store %0, %s[%at] : tensor<128xf32, #f>, memref<?xf32>
      }
    }
    %e = scf.for %i = %c0 to %n step %c1 iter_args(%at = %n) -> (index) {
      tile.store %0, %t[%at] : tensor<128xf32, #f>, memref<?xf32>
      %next = arith.subi %at, %c128 : index
      scf.yield %next : index
    }
    tile.store %0, %u[%c0] : tensor<128xf32, #f>, memref<?xf32>
    scf.for %i = %c128 to %n step %c128 {
      tile.store %0, %u[%i] : tensor<128xf32, #f>, memref<?xf32>
    }
    scf.for %i = %x to %n step %c512 {
      %q = arith.divui %i, %n : index
      %r = arith.remui %i, %n : index
      %col = arith.muli %r, %c128 : index
      tile.store %1, %v[%q, %col] : tensor<1x128xf32, #tile.fragment<[1, 128], register = [], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>>, memref<?x?xf32>
    }
  }
  return
}

// Not where inner loops go further than one step of the loop around.
func.func @inner_loop_goes_further(%n: index, %s: memref<?xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %c448 = arith.constant 448 : index
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    scf.for %i = %c0 to %n step %c1 {
      // expected-remark @below {{before it: barrier.}}
      scf.for %j = %c0 to %c512 step %c128 {
        %row = arith.muli %i, %c448 : index
        %at = arith.addi %row, %j : index
        // expected-remark @below {{first unordered, after store.}}
        tile.store %0, %s[%at] {test.tag = "store"} : tensor<128xf32, #f>, memref<?xf32>
      }
    }
  }
  return
}

// Nor where quotient and remainder are by different numbers.
func.func @quotient_of_another(%n: index, %m: index, %v: memref<?x?xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %1 = arith.constant dense<0.0> : tensor<1x128xf32, #tile.fragment<[1, 128], register = [], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>>
    scf.for %i = %c0 to %n step %c1 {
      %q = arith.divui %i, %n : index
      %r = arith.remui %i, %m : index
      %col = arith.muli %r, %c128 : index
      // expected-remark @below {{first unordered, after store.}}
      // expected-remark @below {{before it: barrier.}}
      tile.store %1, %v[%q, %col] {test.tag = "store"} : tensor<1x128xf32, #tile.fragment<[1, 128], register = [], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>>, memref<?x?xf32>
    }
  }
  return
}

// Sums of 32 bits wrap: steps of 128 stay apart, their multiples need not.
func.func @narrow_sums(%n: i32, %s: memref<?xf32>, %t: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    %c128 = arith.constant 128 : i32
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    scf.for %i = %c0 to %n step %c128 : i32 {
      %sum = arith.addi %i, %n : i32
      %at = arith.index_cast %sum : i32 to index
      tile.store %0, %s[%at] : tensor<128xf32, #f>, memref<?xf32>
    }
    scf.for %i = %c0 to %n step %c128 : i32 {
      %product = arith.muli %i, %c3 : i32
      %at = arith.index_cast %product : i32 to index
      // expected-remark @below {{first unordered, after store.}}
      // expected-remark @below {{before it: barrier.}}
      tile.store %0, %t[%at] {test.tag = "store"} : tensor<128xf32, #f>, memref<?xf32>
    }
  }
  return
}

// Rows of one fragment are those of the same threads.
func.func @same_rows(%n: index, %s: memref<?x128xf32>, %r: memref<2xi32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %rows = tile.load %r[%c0] : memref<2xi32> -> tensor<2xi32, #tile.fragment<[2], register = [2 : (1)], lane = [32 : (0)], warp = [4 : (0)]>>
    %0 = tile.load %s[%c0, %c0] rows(%rows : tensor<2xi32, #tile.fragment<[2], register = [2 : (1)], lane = [32 : (0)], warp = [4 : (0)]>>) dim 0 {test.tag = "load"} : memref<?x128xf32> -> tensor<2x128xf32, #tile.fragment<[2, 128], register = [2 : (1, 0)], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>>
    tile.store %0, %s[%c0, %c0] rows(%rows : tensor<2xi32, #tile.fragment<[2], register = [2 : (1)], lane = [32 : (0)], warp = [4 : (0)]>>) dim 0 : tensor<2x128xf32, #tile.fragment<[2, 128], register = [2 : (1, 0)], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>>, memref<?x128xf32>
    // Another place of these rows is other threads'.
    // expected-remark @below {{first unordered, after load.}}
    // expected-remark @below {{before it: barrier.}}
    tile.store %0, %s[%c0, %c32] rows(%rows : tensor<2xi32, #tile.fragment<[2], register = [2 : (1)], lane = [32 : (0)], warp = [4 : (0)]>>) dim 0 : tensor<2x128xf32, #tile.fragment<[2, 128], register = [2 : (1, 0)], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>>, memref<?x128xf32>
  }
  return
}

// One thread is in order with itself.
func.func @one_thread(%n: index, %s: memref<1xi32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %0 = arith.constant 0 : i32
    tile.once {
      memref.store %0, %s[%c0] : memref<1xi32>
    }
    tile.once {
      memref.store %0, %s[%c0] : memref<1xi32>
    }
    // expected-remark @below {{first unordered, after ?.}}
    // expected-remark @below {{before it: barrier.}}
    %1 = memref.load %s[%c0] : memref<1xi32>
  }
  return
}

// Different slots of one buffer are different bytes; the same slot, and a slot that
// is not known, are not.
func.func @constant_slots(%n: index, %m: memref<128xf32>) {
  tile.launch @constant_slots_kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %arena = tile.arena 1024 : memref<1024xi8, #shared>
    %ring = tile.view %arena[0] layout(#tile.shared<[2, 128]>) : memref<1024xi8, #shared> to memref<2x128xf32, #shared>
    %a = memref.subview %ring[%c0, 0] [1, 128] [1, 1] : memref<2x128xf32, #shared> to memref<128xf32, strided<[1], offset: ?>, #shared>
    %b = memref.subview %ring[%c1, 0] [1, 128] [1, 1] : memref<2x128xf32, #shared> to memref<128xf32, strided<[1], offset: ?>, #shared>
    tile.copy %m to %a {test.tag = "copy", layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, strided<[1], offset: ?>, #shared>
    %0 = tile.load %b : memref<128xf32, strided<[1], offset: ?>, #shared> -> tensor<128xf32, #g>
    // expected-remark @below {{first unordered, after copy.}}
    // expected-remark @below {{before it: wait and barrier.}}
    %1 = tile.load %a : memref<128xf32, strided<[1], offset: ?>, #shared> -> tensor<128xf32, #g>
  }
  return
}

func.func @unknown_slot(%n: index, %m: memref<128xf32>, %i: index) {
  tile.launch @unknown_slot_kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %arena = tile.arena 1024 : memref<1024xi8, #shared>
    %ring = tile.view %arena[0] layout(#tile.shared<[2, 128]>) : memref<1024xi8, #shared> to memref<2x128xf32, #shared>
    %a = memref.subview %ring[%c0, 0] [1, 128] [1, 1] : memref<2x128xf32, #shared> to memref<128xf32, strided<[1], offset: ?>, #shared>
    %b = memref.subview %ring[%i, 0] [1, 128] [1, 1] : memref<2x128xf32, #shared> to memref<128xf32, strided<[1], offset: ?>, #shared>
    tile.copy %m to %a {test.tag = "copy", layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, strided<[1], offset: ?>, #shared>
    // expected-remark @below {{first unordered, after copy.}}
    // expected-remark @below {{before it: wait and barrier.}}
    %0 = tile.load %b : memref<128xf32, strided<[1], offset: ?>, #shared> -> tensor<128xf32, #g>
  }
  return
}

// Two rounds follow each copy, and the second finds it complete: nothing is in flight behind
// the loop, whose barriers order the copies with the store.
func.func @landed(%n: index, %end: index, %m: memref<128xf32>) {
  tile.launch @landed_kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %ahead = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %arena = tile.arena 4096 : memref<4096xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[8, 128]>) : memref<4096xi8, #shared> to memref<8x128xf32, #shared>
    scf.for %i = %c0 to %end step %c1 {
      tile.copy_wait {pending = 1 : i64}
      tile.barrier
      %next = arith.addi %i, %ahead : index
      %exists = arith.cmpi slt, %next, %end : index
      scf.if %exists {
        %row = memref.subview %s[%i, 0] [1, 128] [1, 1] : memref<8x128xf32, #shared> to memref<128xf32, strided<[1], offset: ?>, #shared>
        tile.copy %m to %row {test.tag = "copy", layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, strided<[1], offset: ?>, #shared>
      }
      tile.copy_commit
    }
    %first = memref.subview %s[0, 0] [1, 128] [1, 1] : memref<8x128xf32, #shared> to memref<128xf32, strided<[1]>, #shared>
    tile.store %zero, %first : tensor<128xf32, #f>, memref<128xf32, strided<[1]>, #shared>
  }
  return
}

// Of one round that follows the wait lets the copy be.
func.func @not_landed(%n: index, %end: index, %m: memref<128xf32>) {
  tile.launch @not_landed_kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %ahead = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %arena = tile.arena 4096 : memref<4096xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[8, 128]>) : memref<4096xi8, #shared> to memref<8x128xf32, #shared>
    scf.for %i = %c0 to %end step %c1 {
      tile.copy_wait {pending = 1 : i64}
      tile.barrier
      %next = arith.addi %i, %ahead : index
      %exists = arith.cmpi slt, %next, %end : index
      scf.if %exists {
        %row = memref.subview %s[%i, 0] [1, 128] [1, 1] : memref<8x128xf32, #shared> to memref<128xf32, strided<[1], offset: ?>, #shared>
        tile.copy %m to %row {test.tag = "copy", layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, strided<[1], offset: ?>, #shared>
      }
      tile.copy_commit
    }
    %first = memref.subview %s[0, 0] [1, 128] [1, 1] : memref<8x128xf32, #shared> to memref<128xf32, strided<[1]>, #shared>
    // expected-remark @below {{first unordered, after copy.}}
    // expected-remark @below {{before it: wait and barrier.}}
    tile.store %zero, %first : tensor<128xf32, #f>, memref<128xf32, strided<[1]>, #shared>
  }
  return
}

// A wait completes the groups closed before the `pending` youngest, and no copy that
// is in none.
func.func @groups(%n: index, %m: memref<128xf32>) {
  tile.launch @groups_kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 1536 : memref<1536xi8, #shared>
    %r = tile.view %arena[0] layout(#l) : memref<1536xi8, #shared> to memref<128xf32, #shared>
    %s = tile.view %arena[512] layout(#l) : memref<1536xi8, #shared> to memref<128xf32, #shared>
    %t = tile.view %arena[1024] layout(#l) : memref<1536xi8, #shared> to memref<128xf32, #shared>
    tile.copy %m to %r {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    tile.copy_commit
    tile.copy %m to %s {test.tag = "second", layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    tile.copy_commit
    tile.copy %m to %t {test.tag = "third", layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    tile.copy_wait {pending = 1 : i64}
    tile.barrier
    %0 = tile.load %r : memref<128xf32, #shared> -> tensor<128xf32, #g>
    // expected-remark @below {{first unordered, after second.}}
    // expected-remark @below {{before it: wait and barrier.}}
    %1 = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #g>
    tile.copy_wait {pending = 0 : i64}
    %2 = tile.load %t : memref<128xf32, #shared> -> tensor<128xf32, #g>
  }
  return
}
}
