// Misuse of roles, rings and products in flight that the reference interpreter
// reports, with the other place involved.
// RUN: not tile-run %s --entry=deadlock --on=reference 2>&1 | FileCheck %s --check-prefix=DEADLOCK
// RUN: not tile-run %s --entry=out_of_order --on=reference 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not tile-run %s --entry=not_acquired --on=reference 2>&1 | FileCheck %s --check-prefix=ACQUIRED
// RUN: not tile-run %s --entry=not_waited --on=reference 2>&1 | FileCheck %s --check-prefix=WAITED
// RUN: not tile-run %s --entry=read_after_release --on=reference 2>&1 | FileCheck %s --check-prefix=RELEASED
// RUN: not tile-run %s --entry=slot_off_by_one --on=reference 2>&1 | FileCheck %s --check-prefix=SLOT
// RUN: not tile-run %s --entry=never_committed --on=reference 2>&1 | FileCheck %s --check-prefix=COMMITTED
// RUN: not tile-run %s --entry=never_consumed --on=reference 2>&1 | FileCheck %s --check-prefix=CONSUMED
// RUN: not tile-run %s --entry=never_released --on=reference 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not tile-run %s --entry=stale_wait --on=reference 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: not tile-run %s --entry=operand_overwritten --on=reference 2>&1 | FileCheck %s --check-prefix=OVERWRITTEN
// RUN: not tile-run %s --entry=barrier_of_two_sizes --on=reference 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not tile-run %s --entry=alone --on=reference 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not tile-opt %s --tile-compile="chip=sm_90a" 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: not tile-run %s --entry=store_after_copy --on=reference 2>&1 | FileCheck %s --check-prefix=AFTERCOPY
// RUN: not tile-run %s --entry=not_committed_by_us --on=reference 2>&1 | FileCheck %s --check-prefix=NOTOURS
// RUN: not tile-run %s --entry=waited_twice --on=reference 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not tile-run %s --entry=released_before_wait --on=reference 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not tile-run %s --entry=negative --on=reference 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tile-run %s --entry=one_of_two --on=reference 2>&1 | FileCheck %s --check-prefix=ONEOFTWO
// RUN: not tile-run %s --entry=too_many_readers --on=reference 2>&1 | FileCheck %s --check-prefix=READERS
// RUN: not tile-run %s --entry=too_many_warps --on=reference 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not tile-run %s --entry=id_without_roles --on=reference 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not tile-run %s --entry=on_host --on=reference 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not tile-run %s --entry=written_by_one_of_two --on=reference 2>&1 | FileCheck %s --check-prefix=ONEWRITES
#shared = #gpu.address_space<workgroup>

// Each waits for the other to begin.
// DEADLOCK: roles-invalid.mlir:[[#@LINE+10]]:5: error: deadlock: each role that is left waits for another
// DEADLOCK: roles-invalid.mlir:[[#@LINE+11]]:{{.*}} note: producer waits for barrier 1, at which 1 of 2 warps have arrived
// DEADLOCK: roles-invalid.mlir:[[#@LINE+15]]:{{.*}} note: consumer waits for use 0 of a ring to be committed; the next use to be acquired is 0
// COMPILE: error: not implemented yet: tile.specialize
func.func @deadlock() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    tile.specialize
      producer warps(1) {
        tile.barrier {id = 1 : i64, warps = 2 : i64}
        %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
        tile.ring_commit %ring[%c0] : !tile.ring<2>
      }
      consumer warps(1) {
        %slot = tile.ring_wait %ring[%c0] : !tile.ring<2>
        tile.ring_release %ring[%c0] : !tile.ring<2>
        tile.barrier {id = 1 : i64, warps = 2 : i64}
      }
  }
  return
}

// ORDER: error: acquires use 1 of a ring, whose next use is 0; uses are acquired in order, each once
func.func @out_of_order() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c1] : !tile.ring<2>
    tile.ring_commit %ring[%c1] : !tile.ring<2>
  }
  return
}

// ACQUIRED: error: writes slot 1 of a ring, which this role has not acquired, or has committed
// ACQUIRED: note: the ring is from here
func.func @not_acquired() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    memref.store %one, %s[%c1, %c0] : memref<2x4xf32, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
  }
  return
}

// WAITED: error: reads slot 0 of a ring, which this role has not waited for, or has released
// WAITED: note: the ring is from here
// WAITED: note: the slot last changed hands here
func.func @not_waited() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<1x4xf32>
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    tile.specialize
      producer warps(1) {
        %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
        tile.store %zero, %s[%slot, %c0] : tensor<1x4xf32>, memref<2x4xf32, #shared>
        tile.ring_commit %ring[%c0] : !tile.ring<2>
        tile.barrier {id = 1 : i64, warps = 2 : i64}
      }
      consumer warps(1) {
        tile.barrier {id = 1 : i64, warps = 2 : i64}
        %v = memref.load %s[%c0, %c0] : memref<2x4xf32, #shared>
        %slot = tile.ring_wait %ring[%c0] : !tile.ring<2>
        tile.ring_release %ring[%c0] : !tile.ring<2>
      }
  }
  return
}

// RELEASED: error: reads slot 0 of a ring, which this role has not waited for, or has released
// RELEASED: note: the slot last changed hands here
func.func @read_after_release() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<1x4xf32>
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.store %zero, %s[%slot, %c0] : tensor<1x4xf32>, memref<2x4xf32, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
    %v = memref.load %s[%full, %c0] : memref<2x4xf32, #shared>
  }
  return
}

// A view of the wrong slot is noticed too.
// SLOT: error: reads slot 1 of a ring, which this role has not waited for, or has released
func.func @slot_off_by_one() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<1x4xf32>
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.store %zero, %s[%slot, %c0] : tensor<1x4xf32>, memref<2x4xf32, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %wrong = arith.addi %full, %c1 : index
    %view = memref.subview %s[%wrong, 0] [1, 4] [1, 1] : memref<2x4xf32, #shared> to memref<4xf32, strided<[1], offset: ?>, #shared>
    %t = tile.load %view : memref<4xf32, strided<[1], offset: ?>, #shared> -> tensor<4xf32>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}

// COMMITTED: error: use 0 of a ring was acquired but never committed
// COMMITTED: note: the ring is from here
func.func @never_committed() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
  }
  return
}

// CONSUMED: error: use 0 of a ring was committed but never waited for, so that its copies may arrive after the block has ended
func.func @never_consumed() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
  }
  return
}

// NEVER: error: use 0 of a ring was waited for but never released
func.func @never_released() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<2>
  }
  return
}

// STALE: error: waits for use 0 of a ring, whose slot was released already
// STALE: note: slot 0 has use 0, last changed here
func.func @stale_wait() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
    %again = tile.ring_wait %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}

// OVERWRITTEN: error: writes to buffer 'tile.alloc' what a product in flight reads; put its 'tile.wait' in front
// OVERWRITTEN: note: the product is from here
func.func @operand_overwritten() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %a = arith.constant dense<1.0> : tensor<16x16xf16>
    %s = tile.alloc : memref<16x16xf16, #shared>
    tile.store %a, %s : tensor<16x16xf16>, memref<16x16xf16, #shared>
    %p = tile.gemm_async %a, %s : tensor<16x16xf16>, memref<16x16xf16, #shared> -> !tile.pending<tensor<16x16xf32>>
    tile.store %a, %s : tensor<16x16xf16>, memref<16x16xf16, #shared>
    %d = tile.wait %p : !tile.pending<tensor<16x16xf32>>
  }
  return
}

// SIZES: error: barrier 1 is of {{[23]}} warps here, but of {{[23]}} where the others arrive
// SIZES: note: the first to arrive at it is here
func.func @barrier_of_two_sizes() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    tile.specialize
      producer warps(1) {
        tile.barrier {id = 1 : i64, warps = 2 : i64}
      }
      consumer warps(1) {
        tile.barrier {id = 1 : i64, warps = 3 : i64}
      }
  }
  return
}

// ALONE: error: deadlock: the block waits for use 0 of a ring to be committed; the next use to be acquired is 0, and nothing else runs in it
func.func @alone() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}

// NOTOURS: error: commits use 1 of a ring, which this role has not acquired
func.func @not_committed_by_us() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.ring_commit %ring[%c1] : !tile.ring<2>
  }
  return
}

// TWICE: error: waits for use 0 of a ring a second time without a release
func.func @waited_twice() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %again = tile.ring_wait %ring[%c0] : !tile.ring<2>
  }
  return
}

// BEFORE: error: releases use 0 of a ring, which this role has not waited for
func.func @released_before_wait() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}

// NEGATIVE: error: uses of a ring are numbered from 0, got -1
func.func @negative() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %minus = arith.constant -1 : index
    %slot = tile.ring_acquire %ring[%minus] : !tile.ring<2>
  }
  return
}

// ONEOFTWO: error: use 0 of a ring was released by fewer consumers than the ring has
func.func @one_of_two() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s {consumers = 2 : i64} : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<2>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}

// READERS: error: waits for use 0 of a ring, which has 1 consumers that all have waited for it; say how many read each use by 'consumers'
func.func @too_many_readers() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    tile.specialize
      producer warps(1) {
        %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
        tile.ring_commit %ring[%c0] : !tile.ring<2>
      }
      consumer warps(1) {
        %slot = tile.ring_wait %ring[%c0] : !tile.ring<2>
        tile.barrier {id = 1 : i64, warps = 2 : i64}
        tile.ring_release %ring[%c0] : !tile.ring<2>
      }
      consumer warps(1) {
        %slot = tile.ring_wait %ring[%c0] : !tile.ring<2>
        tile.barrier {id = 1 : i64, warps = 2 : i64}
        tile.ring_release %ring[%c0] : !tile.ring<2>
      }
  }
  return
}

// A copy into a slot may arrive after the store.
// AFTERCOPY: error: writes to buffer 'tile.alloc' where an asynchronous copy that nobody has waited for is still to arrive
// AFTERCOPY: note: the copy is here
func.func @store_after_copy(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %v = arith.constant 100.0 : f32
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.copy %m[%c0] [4] to %s[%slot, %c0] [1, 4] : memref<4xf32> to memref<2x4xf32, #shared>
    memref.store %v, %s[%slot, %c1] : memref<2x4xf32, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
  }
  return
}

// WARPS: error: 2 warps arrive at barrier 1, which is of 1
// WARPS: note: the first to arrive at it is here
func.func @too_many_warps() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    tile.specialize
      consumer warps(2) {
        tile.barrier {id = 1 : i64, warps = 1 : i64}
      }
  }
  return
}

// WITHOUT: error: a barrier with an id is where roles meet, and stands in a 'tile.specialize'; the barrier of the block is 'tile.barrier'
func.func @id_without_roles() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    tile.barrier {id = 1 : i64, warps = 2 : i64}
  }
  return
}

// HOST: error: 'tile.barrier' acts on a block; put it inside a 'tile.launch'
func.func @on_host() {
  tile.barrier
  return
}

// Another consumer reads what this one writes.
// ONEWRITES: error: writes slot 0 of a ring, which this role has not acquired, or has committed
func.func @written_by_one_of_two() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s {consumers = 2 : i64} : memref<2x4xf32, #shared> -> !tile.ring<2>
    %fill = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %slot = tile.ring_wait %ring[%c0] : !tile.ring<2>
    memref.store %v, %s[%slot, %c1] : memref<2x4xf32, #shared>
    tile.ring_release %ring[%c0] : !tile.ring<2>
  }
  return
}
