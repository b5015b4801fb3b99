// What tile-lower-rings says of rings that are used out of step, with the operation that
// brought the use to where it is.
// RUN: tile-opt %s --tile-lower-rings -split-input-file -verify-diagnostics -o /dev/null

// What is acquired is committed.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @never_committed(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    // expected-note@+1 {{the ring is from here}}
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    // expected-error@+1 {{this is the last of a use that is acquired and not committed where its ring ends}}
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
  }
  return
}
}

// -----

// A commit is of what is acquired, once.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @committed_twice(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    // expected-note@+1 {{the use got there here}}
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    // expected-error@+1 {{commits what has to be acquired, but this use is committed and not waited for}}
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}
}

// -----

// What is committed is waited for.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @never_waited_for(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    // expected-note@+1 {{the ring is from here}}
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    // expected-error@+1 {{this is the last of a use that is committed and not waited for where its ring ends}}
    tile.ring_commit %ring[%c0] : !tile.ring<2>
  }
  return
}
}

// -----

// What is waited for is released before a round later its slot is filled.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @never_released(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %t = tile.ring_acquire %ring[%c1] : !tile.ring<2>
    tile.store %zero, %buf[%t, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c1] : !tile.ring<2>
    // expected-note@+1 {{the use got there here}}
    %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
    // expected-error@+1 {{acquires the slot of a use, 2 before, that is waited for and not released}}
    %u = tile.ring_acquire %ring[%c2] : !tile.ring<2>
    tile.ring_commit %ring[%c2] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
    %v = tile.ring_wait %ring[%c1] : !tile.ring<2>
    %xv = tile.load %buf[%v, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %xv, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%c1] : !tile.ring<2>
    %w = tile.ring_wait %ring[%c2] : !tile.ring<2>
    %xw = tile.load %buf[%w, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %xw, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%c2] : !tile.ring<2>
  }
  return
}
}

// -----

// The same in a loop, where a use is never released.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @loop_without_release(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    // expected-note@+1 {{the ring is from here}}
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %next = arith.addi %use, %c1 : index
      // expected-error@+1 {{acquires the slot of a use, 2 before, that is waited for and not released}}
      %t = tile.ring_acquire %ring[%next] : !tile.ring<2>
      tile.ring_commit %ring[%next] : !tile.ring<2>
      // expected-note@+2 {{the use got there here}}
      // expected-warning@+1 {{this is the last of a use that possibly is waited for and not released where its ring ends}}
      %r = tile.ring_wait %ring[%use] : !tile.ring<2>
      scf.yield %next : index
    }
    %r = tile.ring_wait %ring[%u] : !tile.ring<2>
    %xr = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %xr, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%u] : !tile.ring<2>
  }
  return
}
}

// -----

// Nothing has committed what is waited for.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @waited_for_before(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    // expected-error@+1 {{waits for what has to be committed, but this use is not acquired, or was released}}
    %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}
}

// -----

// In a loop the use behind the last one that is committed is waited for.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @off_by_one(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    // expected-note@+1 {{the ring is from here}}
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    // expected-note@+2 {{the use got there here}}
    // expected-warning@+1 {{this is the last of a use that possibly is committed and not waited for where its ring ends}}
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %next = arith.addi %use, %c1 : index
      // expected-error@+1 {{waits for what has to be committed, but this use is not acquired, or was released}}
      %r = tile.ring_wait %ring[%next] : !tile.ring<2>
      tile.ring_release %ring[%next] : !tile.ring<2>
      // expected-warning@+1 {{acquires the slot of a use, 2 before, that possibly is committed and not waited for}}
      %t = tile.ring_acquire %ring[%next] : !tile.ring<2>
      tile.ring_commit %ring[%next] : !tile.ring<2>
      scf.yield %next : index
    }
  }
  return
}
}

// -----

// One iteration ahead, but committed only where there are two more: the last iteration
// waits for nothing.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @guard_too_far(%n: index, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %any = arith.cmpi slt, %c0, %n : index
    scf.if %any {
      %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
      tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
      tile.ring_commit %ring[%c0] : !tile.ring<2>
    }
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %next = arith.addi %use, %c1 : index
      %later = arith.addi %i, %c2 : index
      %exists = arith.cmpi slt, %later, %n : index
      scf.if %exists {
        %t = tile.ring_acquire %ring[%next] : !tile.ring<2>
        tile.store %zero, %buf[%t, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
        // expected-note@+1 {{the use got there here}}
        tile.ring_commit %ring[%next] : !tile.ring<2>
      }
      // expected-error@+1 {{waits for what has to be committed, but in the last iterations it is not: the condition of the commit asks for an iteration further ahead}}
      %r = tile.ring_wait %ring[%use] : !tile.ring<2>
      %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.ring_release %ring[%use] : !tile.ring<2>
      scf.yield %next : index
    }
  }
  return
}
}

// -----

// A use is waited for once.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @waited_for_twice(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    // expected-note@+1 {{the use got there here}}
    %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
    // expected-error@+1 {{waits for what has to be committed, but this use is waited for and not released}}
    %t = tile.ring_wait %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}
}

// -----

// Uses are acquired in the order of their numbers.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @out_of_order(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    // expected-error@+1 {{acquires use 1 behind the next one of the ring; uses are acquired in order}}
    %s = tile.ring_acquire %ring[%c1] : !tile.ring<2>
    tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c1] : !tile.ring<2>
    %r = tile.ring_wait %ring[%c1] : !tile.ring<2>
    %xr = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %xr, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%c1] : !tile.ring<2>
  }
  return
}
}

// -----

// A use is acquired once.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @acquired_again(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %xr = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %xr, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%c0] : !tile.ring<2>
    // expected-error@+1 {{acquires use 1 before the next one of the ring, a second time}}
    %t = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.store %zero, %buf[%t, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %u = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %xu = tile.load %buf[%u, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %xu, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}
}

// -----

// A slot is read until its release.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @read_after_release(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
    // expected-error@+1 {{touches a slot between acquire and commit or wait and release only, but this use is not acquired, or was released}}
    %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}
}

// -----

// A slot is filled until its commit.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @filled_after_commit(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    // expected-note@+1 {{the use got there here}}
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    // expected-error@+1 {{touches a slot between acquire and commit or wait and release only, but this use is committed and not waited for}}
    tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}
}

// -----

// The slot is the one of an acquire or a wait: what else it is is not decided.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @read_of_next_slot(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    // expected-note@+1 {{the ring is from here}}
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
    // expected-warning@+1 {{touches a ring's buffer at a slot that no acquire and no wait has given; whose use it is is not known}}
    %x = tile.load %buf[%c1, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}
}

// -----

// A commit on one path only.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @committed_in_one_branch(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    // expected-note@+1 {{the use got there here}}
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    scf.if %c {
      tile.ring_commit %ring[%c0] : !tile.ring<2>
    }
    // expected-warning@+1 {{waits for what has to be committed, but this use possibly is acquired and not committed}}
    %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}
}

// -----

// A number that has nothing to do with the others.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @unrelated_numbers(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    // expected-warning@+1 {{waits for what has to be committed; whether that is so is not known, as its number has no known distance from others of the ring}}
    %r = tile.ring_wait %ring[%n] : !tile.ring<2>
    tile.ring_release %ring[%n] : !tile.ring<2>
    %t = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %xt = tile.load %buf[%t, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %xt, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}
}

// -----

// Without roles there is one consumer.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @two_consumers(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    // expected-error@+1 {{'tile.ring' op has 2 consumers, but a launch without roles is one; remove 'consumers'}}
    %ring = tile.ring %buf {consumers = 2 : i64} : !buffer -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
  }
  return
}
}

// -----

// One condition for all of a use: nothing to say.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @under_one_condition(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    scf.if %c {
      %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
      tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
      tile.ring_commit %ring[%c0] : !tile.ring<2>
    }
    scf.if %c {
      %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
      %xr = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.store %xr, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.ring_release %ring[%c0] : !tile.ring<2>
    }
  }
  return
}
}

// -----

// Waited for under another condition than it is committed under, and never else.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @under_two_conditions(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    // expected-note@+1 {{the ring is from here}}
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    scf.if %c {
      %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
      tile.store %zero, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
      // expected-error@+1 {{this is the last of a use that is committed and not waited for where its ring ends}}
      tile.ring_commit %ring[%c0] : !tile.ring<2>
    }
  }
  return
}
}

// -----

// One number for all iterations: the second acquires a use that there was.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @same_number(%n: index, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    scf.for %i = %c0 to %n step %c1 {
      // expected-warning@+1 {{possibly acquires a use a second time}}
      %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
      tile.ring_commit %ring[%c0] : !tile.ring<2>
      %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
      tile.ring_release %ring[%c0] : !tile.ring<2>
    }
  }
  return
}
}

// -----

// No distance between the number of one use and of the next.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @products(%n: index, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    scf.for %i = %c0 to %n step %c1 {
      %use = arith.muli %i, %c2 : index
      // expected-warning@+1 {{acquires a use whose number has no known distance from the one before; whether uses are acquired in order is not known}}
      %s = tile.ring_acquire %ring[%use] : !tile.ring<2>
      tile.ring_commit %ring[%use] : !tile.ring<2>
      %r = tile.ring_wait %ring[%use] : !tile.ring<2>
      tile.ring_release %ring[%use] : !tile.ring<2>
    }
  }
  return
}
}

// -----

// The slot comes from one condition to another on the same value: nothing to say.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @slot_through_condition(%n: index, %c: i1, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    %slot = scf.if %c -> (index) {
      %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
      scf.yield %s : index
    } else {
      scf.yield %c0 : index
    }
    scf.if %c {
      tile.store %zero, %buf[%slot, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
      tile.ring_commit %ring[%c0] : !tile.ring<2>
      %r = tile.ring_wait %ring[%c0] : !tile.ring<2>
      tile.ring_release %ring[%c0] : !tile.ring<2>
    }
  }
  return
}
}
