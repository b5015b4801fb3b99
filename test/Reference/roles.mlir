// Roles, rings and products in flight.
// RUN: tile-run %s --entry=tile.specialize --on=reference --data=iota | FileCheck %s --check-prefix=RING
// RUN: tile-run %s --entry=tile.specialize --on=reference --data=iota --seed=1 | FileCheck %s --check-prefix=RING
// RUN: tile-run %s --entry=tile.specialize --on=reference --data=iota --seed=2 | FileCheck %s --check-prefix=RING
// RUN: tile-run %s --entry=tile.ring_wait_ping_pong --on=reference --data=iota | FileCheck %s --check-prefix=PINGPONG
// RUN: tile-run %s --entry=tile.ring_release_by_two --on=reference --data=iota | FileCheck %s --check-prefix=READERS
// RUN: tile-run %s --entry=tile.barrier_of_roles --on=reference --data=iota | FileCheck %s --check-prefix=BARRIER
// RUN: tile-run %s --entry=tile.ring_without_roles --on=reference --data=iota | FileCheck %s --check-prefix=WITHOUT
// RUN: tile-run %s --entry=tile.gemm_async --on=reference --data=iota | FileCheck %s --check-prefix=FLIGHT
// RUN: tile-run %s --entry=tile.ring_placed --on=reference --data=iota | FileCheck %s --check-prefix=PLACED
// RUN: tile-run %s --entry=tile.ring_acquire --on=reference --data=iota | FileCheck %s --check-prefix=ACQUIRE
// RUN: tile-run %s --entry=tile.ring_commit --on=reference --data=iota | FileCheck %s --check-prefix=COMMIT
// RUN: tile-run %s --entry=tile.wait --on=reference --data=iota | FileCheck %s --check-prefix=WAIT
// RUN: tile-run %s --entry=tile.clone --on=reference --data=iota | FileCheck %s --check-prefix=CLONE
// RUN: tile-run %s --entry=tile.ring_release_behind_the_next_product --on=reference --data=iota | FileCheck %s --check-prefix=BEHIND
// RUN: tile-run %s --entry=tile.ring_release_shared_operand --on=reference --data=iota | FileCheck %s --check-prefix=OPERAND
// RUN: tile-run %s --entry=tile.ring_commit_two_slots --on=reference --data=iota | FileCheck %s --check-prefix=TWOSLOTS
// RUN: tile-run %s --entry=tile.barrier_in_a_call --on=reference --data=iota | FileCheck %s --check-prefix=CALL
// RUN: tile-run %s --entry=tile.ring_transform_in_place --on=reference --data=iota | FileCheck %s --check-prefix=INPLACE
#shared = #gpu.address_space<workgroup>

// Five tiles of 4 elements through a ring of 2 slots; the consumers add them up:
// 0 + 4 + 8 + 12 + 16 and so on. The producer's loop is nested, its last fill
// stands under a condition.
func.func @tile.specialize(%m: memref<20xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    tile.specialize
      producer warps(1) registers(40) {
        scf.for %i = %c0 to %c2 step %c1 {
          scf.for %j = %c0 to %c2 step %c1 {
            %i2 = arith.muli %i, %c2 : index
            %n = arith.addi %i2, %j : index
            %slot = tile.ring_acquire %ring[%n] : !tile.ring<2>
            %at = memref.subview %s[%slot, 0] [1, 4] [1, 1] : memref<2x4xf32, #shared> to memref<4xf32, strided<[1], offset: ?>, #shared>
            %from = arith.muli %n, %c4 : index
            tile.copy %m[%from] to %at : memref<20xf32> to memref<4xf32, strided<[1], offset: ?>, #shared>
            tile.ring_commit %ring[%n] : !tile.ring<2>
          }
        }
        %v = memref.load %m[%c4] : memref<20xf32>
        %f4 = arith.constant 4.0 : f32
        %is = arith.cmpf oeq, %v, %f4 : f32
        scf.if %is {
          %slot = tile.ring_acquire %ring[%c4] : !tile.ring<2>
          %at = memref.subview %s[%slot, 0] [1, 4] [1, 1] : memref<2x4xf32, #shared> to memref<4xf32, strided<[1], offset: ?>, #shared>
          %from = arith.muli %c4, %c4 : index
          tile.copy %m[%from] to %at : memref<20xf32> to memref<4xf32, strided<[1], offset: ?>, #shared>
          tile.ring_commit %ring[%c4] : !tile.ring<2>
        }
      }
      consumer warps(2) registers(232) {
        %zero = arith.constant dense<0.0> : tensor<4xf32>
        %n, %sum = scf.while (%k = %c0, %t = %zero) : (index, tensor<4xf32>) -> (index, tensor<4xf32>) {
          %more = arith.cmpi slt, %k, %c5 : index
          scf.condition(%more) %k, %t : index, tensor<4xf32>
        } do {
        ^bb0(%k: index, %t: tensor<4xf32>):
          %slot = tile.ring_wait %ring[%k] : !tile.ring<2>
          %at = memref.subview %s[%slot, 0] [1, 4] [1, 1] : memref<2x4xf32, #shared> to memref<4xf32, strided<[1], offset: ?>, #shared>
          %x = tile.load %at : memref<4xf32, strided<[1], offset: ?>, #shared> -> tensor<4xf32>
          tile.ring_release %ring[%k] : !tile.ring<2>
          %u = arith.addf %t, %x : tensor<4xf32>
          %next = arith.addi %k, %c1 : index
          scf.yield %next, %u : index, tensor<4xf32>
        }
        // RING: sum (block 0, 0, 0): [40, 45, 50, 55]
        tile.print "sum" %sum : tensor<4xf32>
      }
  }
  return
}

// Two consumers take every other use of one ring.
func.func @tile.ring_wait_ping_pong(%m: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %s = tile.alloc : memref<3x4xf32, #shared>
    %ring = tile.ring %s : memref<3x4xf32, #shared> -> !tile.ring<3>
    tile.specialize
      consumer warps(1) {
        scf.for %n = %c0 to %c4 step %c2 {
          %slot = tile.ring_wait %ring[%n] : !tile.ring<3>
          %v = memref.load %s[%slot, %c0] : memref<3x4xf32, #shared>
          // PINGPONG-DAG: even (block 0, 0, 0): 0
          // PINGPONG-DAG: even (block 0, 0, 0): 8
          tile.print "even" %v : f32
          tile.ring_release %ring[%n] : !tile.ring<3>
        }
      }
      consumer warps(1) {
        scf.for %n = %c1 to %c4 step %c2 {
          %slot = tile.ring_wait %ring[%n] : !tile.ring<3>
          %v = memref.load %s[%slot, %c0] : memref<3x4xf32, #shared>
          // PINGPONG-DAG: odd (block 0, 0, 0): 4
          // PINGPONG-DAG: odd (block 0, 0, 0): 12
          tile.print "odd" %v : f32
          tile.ring_release %ring[%n] : !tile.ring<3>
        }
      }
      producer warps(1) {
        scf.for %n = %c0 to %c4 step %c1 {
          %slot = tile.ring_acquire %ring[%n] : !tile.ring<3>
          %from = arith.muli %n, %c4 : index
          tile.copy %m[%from] [4] to %s[%slot, %c0] [1, 4] : memref<16xf32> to memref<3x4xf32, #shared>
          tile.ring_commit %ring[%n] : !tile.ring<3>
        }
      }
  }
  return
}

// Both consumers read every use: a slot is free after two releases.
func.func @tile.ring_release_by_two(%m: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %s = tile.alloc : memref<1x4xf32, #shared>
    %ring = tile.ring %s {consumers = 2 : i64} : memref<1x4xf32, #shared> -> !tile.ring<1>
    tile.specialize
      producer warps(1) {
        scf.for %n = %c0 to %c2 step %c1 {
          %slot = tile.ring_acquire %ring[%n] : !tile.ring<1>
          %from = arith.muli %n, %c4 : index
          %t = tile.load %m[%from] : memref<8xf32> -> tensor<4xf32>
          tile.store %t, %s[%slot, %c0] [1, 4] : tensor<4xf32>, memref<1x4xf32, #shared>
          tile.ring_commit %ring[%n] : !tile.ring<1>
        }
      }
      consumer warps(1) {
        scf.for %n = %c0 to %c2 step %c1 {
          %slot = tile.ring_wait %ring[%n] : !tile.ring<1>
          %v = memref.load %s[%slot, %c0] : memref<1x4xf32, #shared>
          // READERS-DAG: left (block 0, 0, 0): 0
          // READERS-DAG: left (block 0, 0, 0): 4
          tile.print "left" %v : f32
          tile.ring_release %ring[%n] : !tile.ring<1>
        }
      }
      consumer warps(1) {
        scf.for %n = %c0 to %c2 step %c1 {
          %slot = tile.ring_wait %ring[%n] : !tile.ring<1>
          %v = memref.load %s[%slot, %c1] : memref<1x4xf32, #shared>
          // READERS-DAG: right (block 0, 0, 0): 1
          // READERS-DAG: right (block 0, 0, 0): 5
          tile.print "right" %v : f32
          tile.ring_release %ring[%n] : !tile.ring<1>
        }
      }
  }
  return
}

// What stands before a meeting in one role is seen after it in the other.
func.func @tile.barrier_of_roles(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<1xf32, #shared>
    tile.specialize
      producer warps(1) {
        %c3 = arith.constant 3 : index
        %v = memref.load %m[%c3] : memref<4xf32>
        memref.store %v, %s[%c0] : memref<1xf32, #shared>
        tile.barrier
        tile.barrier {id = 1 : i64, warps = 2 : i64}
        tile.barrier {id = 2 : i64, warps = 2 : i64}
        %w = memref.load %s[%c0] : memref<1xf32, #shared>
        // BARRIER-DAG: second (block 0, 0, 0): 1
        tile.print "second" %w : f32
      }
      consumer warps(1) {
        tile.barrier {id = 1 : i64, warps = 2 : i64}
        %v = memref.load %s[%c0] : memref<1xf32, #shared>
        // BARRIER-DAG: first (block 0, 0, 0): 3
        tile.print "first" %v : f32
        %w = memref.load %m[%c1] : memref<4xf32>
        memref.store %w, %s[%c0] : memref<1xf32, #shared>
        tile.barrier {id = 2 : i64, warps = 2 : i64}
      }
  }
  return
}

// One role fills and empties a ring by itself, one use ahead.
func.func @tile.ring_without_roles(%m: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.copy %m[%c0] [4] to %s[%s0, %c0] [1, 4] : memref<8xf32> to memref<2x4xf32, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %s1 = tile.ring_acquire %ring[%c1] : !tile.ring<2>
    tile.copy %m[%c4] [4] to %s[%s1, %c0] [1, 4] : memref<8xf32> to memref<2x4xf32, #shared>
    tile.ring_commit %ring[%c1] : !tile.ring<2>
    %r0 = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %v = memref.load %s[%r0, %c1] : memref<2x4xf32, #shared>
    // WITHOUT: value (block 0, 0, 0): 1
    tile.print "value" %v : f32
    tile.ring_release %ring[%c0] : !tile.ring<2>
    %r1 = tile.ring_wait %ring[%c1] : !tile.ring<2>
    %w = memref.load %s[%r1, %c1] : memref<2x4xf32, #shared>
    // WITHOUT: value (block 0, 0, 0): 5
    tile.print "value" %w : f32
    tile.ring_release %ring[%c1] : !tile.ring<2>
  }
  return
}

// Two products on one accumulator, carried through a loop and a branch: with
// a = 1 everywhere and b(k, n) = 1, each adds K = 16.
func.func @tile.gemm_async() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %a = arith.constant dense<1.0> : tensor<16x16xf16>
    %s = tile.alloc : memref<16x8xf16, #shared>
    %ones = arith.constant dense<1.0> : tensor<16x8xf16>
    tile.store %ones, %s : tensor<16x8xf16>, memref<16x8xf16, #shared>
    %c = arith.constant dense<0.5> : tensor<16x8xf32>
    %kept = tile.clone %c : tensor<16x8xf32>
    %p0 = tile.gemm_async %a, %s, %c : tensor<16x16xf16>, memref<16x8xf16, #shared>, tensor<16x8xf32> -> !tile.pending<tensor<16x8xf32>>
    %p1 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %p0) -> (!tile.pending<tensor<16x8xf32>>) {
      %first = arith.cmpi eq, %i, %c0 : index
      %r = scf.if %first -> (!tile.pending<tensor<16x8xf32>>) {
        %q = tile.gemm_async %a, %s, %p : tensor<16x16xf16>, memref<16x8xf16, #shared>, !tile.pending<tensor<16x8xf32>> -> !tile.pending<tensor<16x8xf32>>
        scf.yield %q : !tile.pending<tensor<16x8xf32>>
      } else {
        scf.yield %p : !tile.pending<tensor<16x8xf32>>
      }
      scf.yield %r : !tile.pending<tensor<16x8xf32>>
    }
    %d = tile.wait %p1 : !tile.pending<tensor<16x8xf32>>
    tile.store %ones, %s : tensor<16x8xf16>, memref<16x8xf16, #shared>
    %v = tensor.extract %d[%c0, %c1] : tensor<16x8xf32>
    // FLIGHT: value (block 0, 0, 0): 32.5
    tile.print "value" %v : f32
    %w = tensor.extract %kept[%c0, %c1] : tensor<16x8xf32>
    // FLIGHT: kept (block 0, 0, 0): 0.5
    tile.print "kept" %w : f32
  }
  return
}

// From the placed stage on a ring's buffer is a view of bytes.
func.func @tile.ring_placed(%m: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) attributes {roles = #tile.roles<<producer, warps = 1>, <consumer, warps = 1, registers = 240>>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %arena = tile.arena 64 : memref<64xi8, #shared>
    %s = tile.view %arena[16] layout(#tile.shared<[2, 4]>) : memref<64xi8, #shared> to memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    tile.specialize
      producer warps(1) {
        scf.for %n = %c0 to %c2 step %c1 {
          %slot = tile.ring_acquire %ring[%n] : !tile.ring<2>
          %from = arith.muli %n, %c4 : index
          tile.copy %m[%from] [4] to %s[%slot, %c0] [1, 4] : memref<8xf32> to memref<2x4xf32, #shared>
          tile.ring_commit %ring[%n] : !tile.ring<2>
        }
      }
      consumer warps(1) registers(240) {
        scf.for %n = %c0 to %c2 step %c1 {
          %slot = tile.ring_wait %ring[%n] : !tile.ring<2>
          %v = memref.load %s[%slot, %c2] : memref<2x4xf32, #shared>
          // PLACED: value (block 0, 0, 0): 2
          // PLACED: value (block 0, 0, 0): 6
          tile.print "value" %v : f32
          tile.ring_release %ring[%n] : !tile.ring<2>
        }
      }
  }
  return
}

// Use n lies in slot n mod 2.
func.func @tile.ring_acquire() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    scf.for %n = %c0 to %c4 step %c1 {
      %slot = tile.ring_acquire %ring[%n] : !tile.ring<2>
      // ACQUIRE: slot (block 0, 0, 0): 0
      // ACQUIRE-NEXT: slot (block 0, 0, 0): 1
      // ACQUIRE-NEXT: slot (block 0, 0, 0): 0
      // ACQUIRE-NEXT: slot (block 0, 0, 0): 1
      tile.print "slot" %slot : index
      tile.ring_commit %ring[%n] : !tile.ring<2>
      %full = tile.ring_wait %ring[%n] : !tile.ring<2>
      tile.ring_release %ring[%n] : !tile.ring<2>
    }
  }
  return
}

// A commit covers what was written since the acquire, by stores and by copies,
// to all buffers of the ring.
func.func @tile.ring_commit(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %seven = arith.constant 7.0 : f32
    %s = tile.alloc : memref<3x4xf32, #shared>
    %t = tile.alloc : memref<3x1xf32, #shared>
    %ring = tile.ring %s, %t : memref<3x4xf32, #shared>, memref<3x1xf32, #shared> -> !tile.ring<3>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    tile.copy %m[%c0] [4] to %s[%slot, %c0] [1, 4] : memref<4xf32> to memref<3x4xf32, #shared>
    memref.store %seven, %t[%slot, %c0] : memref<3x1xf32, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<3>
    %x = tile.load %s[%full, %c0] [1, 4] : memref<3x4xf32, #shared> -> tensor<4xf32>
    // COMMIT: copied (block 0, 0, 0): [0, 1, 2, 3]
    tile.print "copied" %x : tensor<4xf32>
    %y = memref.load %t[%full, %c0] : memref<3x1xf32, #shared>
    // COMMIT: stored (block 0, 0, 0): 7
    tile.print "stored" %y : f32
    tile.ring_release %ring[%c0] : !tile.ring<3>
  }
  return
}

// 16 products of 1 and 2, and the operand may change after the wait.
func.func @tile.wait() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %a = arith.constant dense<1.0> : tensor<16x16xf16>
    %twos = arith.constant dense<2.0> : tensor<16x8xf16>
    %s = tile.alloc : memref<16x8xf16, #shared>
    tile.store %twos, %s : tensor<16x8xf16>, memref<16x8xf16, #shared>
    %p = tile.gemm_async %a, %s : tensor<16x16xf16>, memref<16x8xf16, #shared> -> !tile.pending<tensor<16x8xf32>>
    %d = tile.wait %p : !tile.pending<tensor<16x8xf32>>
    %zero = arith.constant dense<0.0> : tensor<16x8xf16>
    tile.store %zero, %s : tensor<16x8xf16>, memref<16x8xf16, #shared>
    %v = tensor.extract %d[%c0, %c0] : tensor<16x8xf32>
    // WAIT: product (block 0, 0, 0): 32
    tile.print "product" %v : f32
  }
  return
}

func.func @tile.clone(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %m : memref<4xf32> -> tensor<4xf32>
    %u = tile.clone %t : tensor<4xf32>
    // CLONE: copy (block 0, 0, 0): [0, 1, 2, 3]
    tile.print "copy" %u : tensor<4xf32>
  }
  return
}

// One product stays in flight: a slot is released behind the start of the next
// product, and filled again while that one goes on. Four of them add 16 each.
func.func @tile.ring_release_behind_the_next_product() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %ones = arith.constant dense<1.0> : tensor<16x16xf16>
    %s = tile.alloc : memref<2x16x16xf16, #shared>
    %ring = tile.ring %s : memref<2x16x16xf16, #shared> -> !tile.ring<2>
    tile.specialize
      producer warps(1) {
        %ones_here = arith.constant dense<1.0> : tensor<16x16xf16>
        scf.for %n = %c0 to %c4 step %c1 {
          %slot = tile.ring_acquire %ring[%n] : !tile.ring<2>
          %to = memref.subview %s[%slot, 0, 0] [1, 16, 16] [1, 1, 1] : memref<2x16x16xf16, #shared> to memref<16x16xf16, strided<[16, 1], offset: ?>, #shared>
          tile.store %ones_here, %to : tensor<16x16xf16>, memref<16x16xf16, strided<[16, 1], offset: ?>, #shared>
          tile.ring_commit %ring[%n] : !tile.ring<2>
        }
      }
      consumer warps(1) {
        %a = arith.constant dense<1.0> : tensor<16x16xf16>
        %zero = arith.constant dense<0.0> : tensor<16x16xf32>
        %first = tile.ring_wait %ring[%c0] : !tile.ring<2>
        %b0 = memref.subview %s[%first, 0, 0] [1, 16, 16] [1, 1, 1] : memref<2x16x16xf16, #shared> to memref<16x16xf16, strided<[16, 1], offset: ?>, #shared>
        %p0 = tile.gemm_async %a, %b0, %zero : tensor<16x16xf16>, memref<16x16xf16, strided<[16, 1], offset: ?>, #shared>, tensor<16x16xf32> -> !tile.pending<tensor<16x16xf32>>
        %last = scf.for %n = %c1 to %c4 step %c1 iter_args(%p = %p0) -> (!tile.pending<tensor<16x16xf32>>) {
          %slot = tile.ring_wait %ring[%n] : !tile.ring<2>
          %b = memref.subview %s[%slot, 0, 0] [1, 16, 16] [1, 1, 1] : memref<2x16x16xf16, #shared> to memref<16x16xf16, strided<[16, 1], offset: ?>, #shared>
          %q = tile.gemm_async %a, %b, %p : tensor<16x16xf16>, memref<16x16xf16, strided<[16, 1], offset: ?>, #shared>, !tile.pending<tensor<16x16xf32>> -> !tile.pending<tensor<16x16xf32>>
          %before = arith.subi %n, %c1 : index
          tile.ring_release %ring[%before] : !tile.ring<2>
          scf.yield %q : !tile.pending<tensor<16x16xf32>>
        }
        %d = tile.wait %last : !tile.pending<tensor<16x16xf32>>
        %c3 = arith.constant 3 : index
        tile.ring_release %ring[%c3] : !tile.ring<2>
        %v = tensor.extract %d[%c0, %c0] : tensor<16x16xf32>
        // BEHIND: sum (block 0, 0, 0): 64{{$}}
        tile.print "sum" %v : f32
      }
  }
  return
}

// Both consumers' products read one slot; the first releases it while the other's
// is in flight.
func.func @tile.ring_release_shared_operand() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<1x16x16xf16, #shared>
    %ring = tile.ring %s {consumers = 2 : i64} : memref<1x16x16xf16, #shared> -> !tile.ring<1>
    tile.specialize
      producer warps(1) {
        %ones = arith.constant dense<1.0> : tensor<16x16xf16>
        %slot = tile.ring_acquire %ring[%c0] : !tile.ring<1>
        tile.store %ones, %s[%slot, %c0, %c0] [1, 16, 16] : tensor<16x16xf16>, memref<1x16x16xf16, #shared>
        tile.ring_commit %ring[%c0] : !tile.ring<1>
      }
      consumer warps(1) {
        %a = arith.constant dense<1.0> : tensor<16x16xf16>
        %slot = tile.ring_wait %ring[%c0] : !tile.ring<1>
        %b = memref.subview %s[%slot, 0, 0] [1, 16, 16] [1, 1, 1] : memref<1x16x16xf16, #shared> to memref<16x16xf16, strided<[16, 1], offset: ?>, #shared>
        %p = tile.gemm_async %a, %b : tensor<16x16xf16>, memref<16x16xf16, strided<[16, 1], offset: ?>, #shared> -> !tile.pending<tensor<16x16xf32>>
        tile.barrier {id = 1 : i64, warps = 2 : i64}
        tile.barrier {id = 2 : i64, warps = 2 : i64}
        %d = tile.wait %p : !tile.pending<tensor<16x16xf32>>
        tile.ring_release %ring[%c0] : !tile.ring<1>
        %v = tensor.extract %d[%c0, %c0] : tensor<16x16xf32>
        // OPERAND: product (block 0, 0, 0): 16{{$}}
        tile.print "product" %v : f32
      }
      consumer warps(1) {
        %slot = tile.ring_wait %ring[%c0] : !tile.ring<1>
        tile.barrier {id = 1 : i64, warps = 2 : i64}
        tile.ring_release %ring[%c0] : !tile.ring<1>
        tile.barrier {id = 2 : i64, warps = 2 : i64}
      }
  }
  return
}

// One copy fills two slots; each commit covers its part.
func.func @tile.ring_commit_two_slots(%m: memref<2x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    %s1 = tile.ring_acquire %ring[%c1] : !tile.ring<2>
    tile.copy %m to %s : memref<2x4xf32> to memref<2x4xf32, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    tile.ring_commit %ring[%c1] : !tile.ring<2>
    %f0 = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %f1 = tile.ring_wait %ring[%c1] : !tile.ring<2>
    %t = tile.load %s : memref<2x4xf32, #shared> -> tensor<2x4xf32>
    %u = tensor.collapse_shape %t [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    // TWOSLOTS: both (block 0, 0, 0): [0, 1, 2, 3, 4, 5, 6, 7]
    tile.print "both" %u : tensor<8xf32>
    tile.ring_release %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c1] : !tile.ring<2>
  }
  return
}

// A role may wait inside of a function that it calls.
func.func private @meet(%n: index) -> index {
  tile.barrier {id = 1 : i64, warps = 2 : i64}
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  return %m : index
}

func.func @tile.barrier_in_a_call() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c4 = arith.constant 4 : index
    tile.specialize
      producer warps(1) {
        %n = func.call @meet(%c4) : (index) -> index
        // CALL-DAG: producer (block 0, 0, 0): 5{{$}}
        tile.print "producer" %n : index
      }
      consumer warps(1) {
        %n = func.call @meet(%c1) : (index) -> index
        // CALL-DAG: consumer (block 0, 0, 0): 2{{$}}
        tile.print "consumer" %n : index
      }
  }
  return
}

// What fills a ring and is its only consumer may write a slot that it has waited for.
func.func @tile.ring_transform_in_place(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %fill = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.copy %m [4] to %s[%fill, %c0] [1, 4] : memref<4xf32> to memref<2x4xf32, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %slot = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %v = memref.load %s[%slot, %c1] : memref<2x4xf32, #shared>
    %w = arith.addf %v, %v : f32
    memref.store %w, %s[%slot, %c1] : memref<2x4xf32, #shared>
    %x = memref.load %s[%slot, %c1] : memref<2x4xf32, #shared>
    // INPLACE: twice (block 0, 0, 0): 2
    tile.print "twice" %x : f32
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}
