// Loops behind one another are planned beside the rings of those in front: the second
// would have a slot less of each buffer if that let a multiprocessor hold twice as many
// blocks. The first, of two products, keeps its slots and with them all of the bytes.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase --tile-schedule-phase | FileCheck %s
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase --tile-pipeline-loops | FileCheck %s --check-prefix=RINGS

#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: func @behind
// CHECK-NOT: memref<2x128x64xf16
// CHECK: tile.view {{.*}} to memref<3x128x64xf16
// CHECK-NOT: memref<2x128x64xf16
// CHECK: tile.view {{.*}} to memref<3x128x64xf16
// CHECK-NOT: memref<2x128x64xf16
func.func @behind(%A: memref<128x320xf16>, %B: memref<320x128xf16>, %C: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @behind_kernel blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %a0 = tile.alloc : memref<128x64xf16, #shared>
    %b0 = tile.alloc : memref<64x128xf16, #shared>
    %a1 = tile.alloc : memref<128x64xf16, #shared>
    %b1 = tile.alloc : memref<64x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %first = scf.for %k = %c0 to %c320 step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %a0 : memref<128x320xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%k, %c0] to %b0 : memref<320x128xf16> to memref<64x128xf16, #shared>
      %d = tile.gemm %a0, %b0, %c : memref<128x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
      %scaled = arith.mulf %d, %d : tensor<128x128xf32>
      %e = tile.gemm %a0, %b0, %scaled : memref<128x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %e : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    %second = scf.for %k = %c0 to %c320 step %c64 iter_args(%c = %first) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %a1 : memref<128x320xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%k, %c0] to %b1 : memref<320x128xf16> to memref<64x128xf16, #shared>
      %d = tile.gemm %a1, %b1, %c : memref<128x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    tile.store %second, %C : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}

// A loop that leaves something in a buffer is made first: the one behind it, which may run
// no iteration, goes on with its ring.
// RINGS-LABEL: func @held
// RINGS: %[[RING:.*]] = tile.ring {{.*}} : memref<3x64x32xf16
// RINGS: scf.for
// RINGS: tile.ring_release %[[RING]]
// RINGS-NOT: tile.ring {{.*}} : memref<3x64x32xf16
// RINGS: scf.for
// RINGS: tile.ring_release %[[RING]]
// RINGS: tile.load
// RINGS: return
func.func @held(%A: memref<64x1024xf16>, %B: memref<1024x64xf16>, %C: memref<64x64xf32>, %last: memref<64x32xf16>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @held_kernel blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %first = scf.for %k = %c0 to %c256 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x1024xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<1024x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %second = scf.for %k = %c256 to %n step %c32 iter_args(%c = %first) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x1024xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<1024x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %second, %C : tensor<64x64xf32>, memref<64x64xf32>
    %rest = tile.load %a : memref<64x32xf16, #shared> -> tensor<64x32xf16>
    tile.store %rest, %last : tensor<64x32xf16>, memref<64x32xf16>
  }
  return
}
