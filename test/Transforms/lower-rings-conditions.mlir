// Uses under conditions: that each is waited for where it was committed, and only there,
// is proved, or it is said that it is not.
// RUN: tile-opt %s --tile-lower-rings -split-input-file -verify-diagnostics -o /dev/null

// The guard of the commit looks one iteration less ahead than the use is, and than those
// in front of the loop: whether each is there is not decided.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<3x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @guard_too_near(%n: index, %m: index, %s: index, %c: i1, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %first = arith.addi %c0, %c0 : index
    %e0 = arith.cmpi slt, %first, %m : index
    scf.if %e0 {
      %t0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      // expected-note@+1 {{the use got there here}}
      tile.ring_commit %ring[%c0] : !tile.ring<3>
    }
    %second = arith.addi %c0, %c1 : index
    %e1 = arith.cmpi slt, %second, %m : index
    scf.if %e1 {
      %t1 = tile.ring_acquire %ring[%c1] : !tile.ring<3>
      tile.ring_commit %ring[%c1] : !tile.ring<3>
    }
    scf.for %i = %c0 to %m step %c1 iter_args(%use = %c0) -> (index) {
      // expected-warning@+1 {{waits for what has to be committed, but this use possibly is not acquired, or was released}}
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %later = arith.addi %i, %c1 : index
      %exists = arith.cmpi slt, %later, %m : index
      scf.if %exists {
        %two = arith.addi %use, %c2 : index
        %t = tile.ring_acquire %ring[%two] : !tile.ring<3>
        tile.ring_commit %ring[%two] : !tile.ring<3>
      }
      %next = arith.addi %use, %c1 : index
      scf.yield %next : index
    }
  }
  return
}
}

// -----

// The first use is committed only where there are two iterations.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<3x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @first_guard_off_by_one(%n: index, %m: index, %s: index, %c: i1, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %first = arith.addi %c0, %c1 : index
    %e0 = arith.cmpi slt, %first, %m : index
    scf.if %e0 {
      %t0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      // expected-note@+1 {{the use got there here}}
      tile.ring_commit %ring[%c0] : !tile.ring<3>
    }
    %second = arith.addi %c0, %c1 : index
    %e1 = arith.cmpi slt, %second, %m : index
    scf.if %e1 {
      %t1 = tile.ring_acquire %ring[%c1] : !tile.ring<3>
      tile.ring_commit %ring[%c1] : !tile.ring<3>
    }
    scf.for %i = %c0 to %m step %c1 iter_args(%use = %c0) -> (index) {
      // expected-warning@+1 {{waits for what has to be committed, but this use possibly is not acquired, or was released}}
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %later = arith.addi %i, %c2 : index
      %exists = arith.cmpi slt, %later, %m : index
      scf.if %exists {
        %two = arith.addi %use, %c2 : index
        %t = tile.ring_acquire %ring[%two] : !tile.ring<3>
        tile.ring_commit %ring[%two] : !tile.ring<3>
      }
      %next = arith.addi %use, %c1 : index
      scf.yield %next : index
    }
  }
  return
}
}

// -----

// A wait for the next iteration, where there may be none.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<3x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wait_without_guard(%n: index, %m: index, %s: index, %c: i1, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %e0 = arith.cmpi slt, %c0, %m : index
    scf.if %e0 {
      %t = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      tile.ring_commit %ring[%c0] : !tile.ring<3>
      %r = tile.ring_wait %ring[%c0] : !tile.ring<3>
      tile.ring_release %ring[%c0] : !tile.ring<3>
    }
    scf.for %i = %c0 to %m step %c1 iter_args(%use = %c0) -> (index) {
      %next = arith.addi %use, %c1 : index
      %later = arith.addi %i, %c1 : index
      %exists = arith.cmpi slt, %later, %m : index
      scf.if %exists {
        %t = tile.ring_acquire %ring[%next] : !tile.ring<3>
        // expected-note@+1 {{the use got there here}}
        tile.ring_commit %ring[%next] : !tile.ring<3>
      }
      // expected-error@+1 {{waits for what has to be committed, but in the last iterations it is not}}
      %r = tile.ring_wait %ring[%next] : !tile.ring<3>
      tile.ring_release %ring[%next] : !tile.ring<3>
      scf.yield %next : index
    }
  }
  return
}
}

// -----

// Fills ahead by a step that is not known, from a bound that is not: proved.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<3x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @proved_dynamic(%n: index, %m: index, %s: index, %c: i1, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %twice = arith.muli %s, %c2 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %first = arith.addi %n, %c0 : index
    %e0 = arith.cmpi slt, %first, %m : index
    scf.if %e0 {
      %t0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      tile.ring_commit %ring[%c0] : !tile.ring<3>
    }
    %second = arith.addi %n, %s : index
    %e1 = arith.cmpi slt, %second, %m : index
    scf.if %e1 {
      %t1 = tile.ring_acquire %ring[%c1] : !tile.ring<3>
      tile.ring_commit %ring[%c1] : !tile.ring<3>
    }
    scf.for %i = %n to %m step %s iter_args(%use = %c0) -> (index) {
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %later = arith.addi %i, %twice : index
      %exists = arith.cmpi slt, %later, %m : index
      scf.if %exists {
        %two = arith.addi %use, %c2 : index
        %t = tile.ring_acquire %ring[%two] : !tile.ring<3>
        tile.ring_commit %ring[%two] : !tile.ring<3>
      }
      %next = arith.addi %use, %c1 : index
      scf.yield %next : index
    }
  }
  return
}
}

// -----

// The same without signs: proved.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<3x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @proved_unsigned(%n: index, %m: index, %s: index, %c: i1, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %first = arith.addi %c0, %c0 : index
    %e0 = arith.cmpi ult, %first, %m : index
    scf.if %e0 {
      %t0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      tile.ring_commit %ring[%c0] : !tile.ring<3>
    }
    %second = arith.addi %c0, %c1 : index
    %e1 = arith.cmpi ult, %second, %m : index
    scf.if %e1 {
      %t1 = tile.ring_acquire %ring[%c1] : !tile.ring<3>
      tile.ring_commit %ring[%c1] : !tile.ring<3>
    }
    scf.for unsigned %i = %c0 to %m step %c1 iter_args(%use = %c0) -> (index) {
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %later = arith.addi %i, %c2 : index
      %exists = arith.cmpi ult, %later, %m : index
      scf.if %exists {
        %two = arith.addi %use, %c2 : index
        %t = tile.ring_acquire %ring[%two] : !tile.ring<3>
        tile.ring_commit %ring[%two] : !tile.ring<3>
      }
      %next = arith.addi %use, %c1 : index
      scf.yield %next : index
    }
  }
  return
}
}

// -----

// A condition that one iteration hands to the next: proved.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<3x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @proved_carried(%n: index, %m: index, %s: index, %c: i1, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    scf.if %c {
      %t = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      tile.ring_commit %ring[%c0] : !tile.ring<3>
    }
    %u:2 = scf.for %i = %c0 to %m step %c1 iter_args(%use = %c0, %has = %c) -> (index, i1) {
      scf.if %has {
        %r = tile.ring_wait %ring[%use] : !tile.ring<3>
        tile.ring_release %ring[%use] : !tile.ring<3>
      }
      %bit = arith.remui %i, %c2 : index
      %more = arith.cmpi eq, %bit, %c0 : index
      %both = arith.andi %has, %more : i1
      %next = arith.addi %use, %c1 : index
      scf.if %both {
        %t = tile.ring_acquire %ring[%next] : !tile.ring<3>
        tile.ring_commit %ring[%next] : !tile.ring<3>
      }
      scf.yield %next, %both : index, i1
    }
    scf.if %u#1 {
      %r = tile.ring_wait %ring[%u#0] : !tile.ring<3>
      tile.ring_release %ring[%u#0] : !tile.ring<3>
    }
  }
  return
}
}

// -----

// A while loop: proved.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<3x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @proved_while(%n: index, %m: index, %s: index, %c: i1, %o: memref<128xf32>) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %e0 = arith.cmpi slt, %c0, %m : index
    scf.if %e0 {
      %t = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      tile.ring_commit %ring[%c0] : !tile.ring<3>
    }
    %w:2 = scf.while (%i = %c0, %use = %c0) : (index, index) -> (index, index) {
      %more = arith.cmpi slt, %i, %m : index
      scf.condition(%more) %i, %use : index, index
    } do {
    ^bb0(%j: index, %at: index):
      %r = tile.ring_wait %ring[%at] : !tile.ring<3>
      tile.ring_release %ring[%at] : !tile.ring<3>
      %next = arith.addi %at, %c1 : index
      %later = arith.addi %j, %c1 : index
      %exists = arith.cmpi slt, %later, %m : index
      scf.if %exists {
        %t = tile.ring_acquire %ring[%next] : !tile.ring<3>
        tile.ring_commit %ring[%next] : !tile.ring<3>
      }
      scf.yield %later, %next : index, index
    }
  }
  return
}
}

// -----

// Every round of a loop whose length is constant is there, though its bounds are not.
#shared = #gpu.address_space<workgroup>
!buffer = memref<4x128xf32, #shared>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @constant_length(%n: index) {
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c256 = arith.constant 256 : index
    %lower = arith.muli %b, %c256 : index
    %upper = arith.addi %lower, %c256 : index
    %buf = tile.alloc layout(#tile.shared<[4, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<4>
    %e0 = arith.cmpi slt, %lower, %upper : index
    scf.if %e0 {
      %t0 = tile.ring_acquire %ring[%c0] : !tile.ring<4>
      tile.ring_commit %ring[%c0] : !tile.ring<4>
    }
    %second = arith.addi %lower, %c32 : index
    %e1 = arith.cmpi slt, %second, %upper : index
    scf.if %e1 {
      %t1 = tile.ring_acquire %ring[%c1] : !tile.ring<4>
      tile.ring_commit %ring[%c1] : !tile.ring<4>
    }
    %third = arith.addi %lower, %c64 : index
    %e2 = arith.cmpi slt, %third, %upper : index
    scf.if %e2 {
      %t2 = tile.ring_acquire %ring[%c2] : !tile.ring<4>
      tile.ring_commit %ring[%c2] : !tile.ring<4>
    }
    scf.for %i = %lower to %upper step %c32 iter_args(%use = %c0) -> (index) {
      %r = tile.ring_wait %ring[%use] : !tile.ring<4>
      %later = arith.addi %i, %c96 : index
      %exists = arith.cmpi slt, %later, %upper : index
      scf.if %exists {
        %ahead = arith.addi %use, %c3 : index
        %t = tile.ring_acquire %ring[%ahead] : !tile.ring<4>
        tile.ring_commit %ring[%ahead] : !tile.ring<4>
      }
      tile.ring_release %ring[%use] : !tile.ring<4>
      %next = arith.addi %use, %c1 : index
      scf.yield %next : index
    }
  }
  return
}
}
