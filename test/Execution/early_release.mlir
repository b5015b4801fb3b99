// Slots that are filled in the step of their last use: two for three stages. Where a
// multiprocessor then holds two blocks instead of one, and where other blocks and long
// products hide it.
// RUN: tile-run %s --entry=gemm --chip=sm_80 --check
// RUN: tile-run %s --entry=gemm --chip=sm_80 --check --seed=2
// RUN: tile-run %s --entry=hidden --chip=sm_80 --check
// RUN: tile-run %s --entry=eighth --chip=sm_80 --check
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase --tile-schedule-phase | FileCheck %s --check-prefix=ORDER
// On chips with more shared memory two blocks would have all slots, and hide it as well.
// RUN: tile-opt %s --emit=report --chip=sm_100a | FileCheck %s --check-prefix=LARGER

#shared = #gpu.address_space<workgroup>

// CHECK: shared 65536 bytes
// CHECK: barriers 4
// CHECK: memref<2x128x64xf16
// CHECK: 3 stages: Pipelined: 3 stages, 2 copies run ahead
// Two blocks before and after: the copies take a sixteenth of the products' cycles.
// CHECK: kernel hidden
// CHECK: shared 32768 bytes
// CHECK: memref<2x128x32xf16
// CHECK: 3 stages: Pipelined: 3 stages, 2 copies run ahead
// CHECK: other blocks fill its waits
// So it is with an eighth.
// CHECK: kernel eighth
// CHECK: shared 16384 bytes
// CHECK: memref<2x64x32xf16
// More of them would stand alone between two barriers, and so would an eighth with the
// bounds of sizes that only the launch knows.
// CHECK: kernel short
// CHECK: shared 15360 bytes
// CHECK: memref<3x32x64xf16
// CHECK: kernel unknown_wide
// CHECK: memref<3x64x32xf16
// A block of a multiprocessor has nobody to work while it waits.
// CHECK: kernel alone
// CHECK: shared 73728 bytes
// CHECK: memref<3x128x32xf16
// LARGER: shared 65536 bytes
// LARGER: barriers 4
// LARGER: memref<2x128x64xf16
// LARGER: other blocks fill its waits
// ORDER: scf.for
// ORDER: tile.copy_wait {pending = 1 : i64}
// ORDER: tile.barrier
// ORDER: tile.gemm
// ORDER: tile.gemm
// ORDER: tile.barrier
// ORDER: tile.copy
// ORDER: tile.copy_commit
func.func @gemm(%A: memref<128x320xf16>, %B: memref<320x128xf16>, %C: memref<128x128xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %a = tile.alloc : memref<128x64xf16, #shared>
    %b = tile.alloc : memref<64x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %r = scf.for %k = %c0 to %c320 step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<128x320xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<320x128xf16> to memref<64x128xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<128x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
    tile.store %h, %C : tensor<128x128xf16>, memref<128x128xf16>
  }
  return
}

func.func @hidden(%A: memref<128x160xf16>, %B: memref<160x128xf16>, %C: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @hidden blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c160 = arith.constant 160 : index
    %a = tile.alloc : memref<128x32xf16, #shared>
    %b = tile.alloc : memref<32x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %r = scf.for %k = %c0 to %c160 step %c32 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<128x160xf16> to memref<128x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<160x128xf16> to memref<32x128xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<128x32xf16, #shared>, memref<32x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %C : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}

func.func @eighth(%A: memref<64x160xf16>, %B: memref<160x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @eighth blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c160 = arith.constant 160 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %k = %c0 to %c160 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x160xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<160x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

func.func @short(%A: memref<16x160xf16>, %B: memref<160x64xf16>, %C: memref<16x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @short blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c160 = arith.constant 160 : index
    %a = tile.alloc : memref<16x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %r = scf.for %k = %c0 to %c160 step %c32 iter_args(%c = %zero) -> (tensor<16x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<16x160xf16> to memref<16x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<160x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<16x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<16x64xf32>
      scf.yield %d : tensor<16x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %C : tensor<16x64xf32>, memref<16x64xf32>
  }
  return
}

func.func @unknown(%A: memref<64x?xf16>, %B: memref<?x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @unknown blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %size = memref.dim %A, %c1 : memref<64x?xf16>
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %k = %c0 to %size step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<?x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

func.func @alone(%A: memref<128x160xf16>, %B: memref<160x256xf16>, %C: memref<128x256xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @alone blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c160 = arith.constant 160 : index
    %a = tile.alloc : memref<128x32xf16, #shared>
    %b = tile.alloc : memref<32x256xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x256xf32>
    %r = scf.for %k = %c0 to %c160 step %c32 iter_args(%c = %zero) -> (tensor<128x256xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<128x160xf16> to memref<128x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<160x256xf16> to memref<32x256xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<128x32xf16, #shared>, memref<32x256xf16, #shared> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %C : tensor<128x256xf32>, memref<128x256xf32>
  }
  return
}
