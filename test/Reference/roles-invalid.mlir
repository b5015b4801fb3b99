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
// RUN: not tile-run %s --entry=released_in_flight --on=reference 2>&1 | FileCheck %s --check-prefix=FLIGHT
// RUN: not tile-run %s --entry=barrier_of_two_sizes --on=reference 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not tile-run %s --entry=alone --on=reference 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not tile-opt %s --tile-compile="chip=sm_90a" 2>&1 | FileCheck %s --check-prefix=COMPILE
#shared = #gpu.address_space<workgroup>

// Each waits for the other to begin.
// DEADLOCK: roles-invalid.mlir:[[#@LINE+9]]:5: error: deadlock: each role that is left waits for another
// DEADLOCK: roles-invalid.mlir:[[#@LINE+10]]:{{.*}} note: producer waits for barrier 1, at which 1 of 2 warps have arrived
// DEADLOCK: roles-invalid.mlir:[[#@LINE+14]]:{{.*}} note: consumer waits for use 0 of a ring to be committed; the next use to be acquired is 0
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

// OVERWRITTEN: error: writes element 0 of buffer 'tile.alloc', which a product in flight reads; put its 'tile.wait' in front
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

// FLIGHT: error: releases a slot that a product in flight reads; put its 'tile.wait' in front
// FLIGHT: note: the product is from here
func.func @released_in_flight() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %a = arith.constant dense<1.0> : tensor<16x16xf16>
    %s = tile.alloc : memref<2x16x16xf16, #shared>
    %ring = tile.ring %s : memref<2x16x16xf16, #shared> -> !tile.ring<2>
    %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    %to = memref.subview %s[%slot, 0, 0] [1, 16, 16] [1, 1, 1] : memref<2x16x16xf16, #shared> to memref<16x16xf16, strided<[16, 1], offset: ?>, #shared>
    tile.store %a, %to : tensor<16x16xf16>, memref<16x16xf16, strided<[16, 1], offset: ?>, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %p = tile.gemm_async %a, %to : tensor<16x16xf16>, memref<16x16xf16, strided<[16, 1], offset: ?>, #shared> -> !tile.pending<tensor<16x16xf32>>
    tile.ring_release %ring[%c0] : !tile.ring<2>
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
// COMPILE: error: not implemented yet: tile.
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
