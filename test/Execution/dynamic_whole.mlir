// Sizes that are arguments, of which facts say that tiles fill them: the grid and the loop
// count up to them, so that nothing is compared in the loop. What is not said is.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase --tile-schedule-phase --tile-outline-kernels | FileCheck %s
// RUN: tile-run %s --check --entry=whole --chip=sm_80 --shape=0:128x96 --shape=1:96x64 --shape=2:128x64
// RUN: tile-run %s --check --entry=whole --chip=sm_90a --shape=0:128x96 --shape=1:96x64 --shape=2:128x64
// RUN: tile-run %s --check --entry=ragged --chip=sm_80 --shape=0:120x88 --shape=1:88x56 --shape=2:120x56

#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @whole_kernel
// CHECK: scf.for
// CHECK: tile.copy {{.*}} in_bounds [true, true] to
// CHECK: tile.copy {{.*}} in_bounds [true, true] to
// CHECK: tile.store {{.*}} in_bounds [true, true]
// CHECK-LABEL: gpu.func @ragged_kernel
// CHECK-NOT: in_bounds [{{.*}}true{{.*}}] to
// CHECK-NOT: tile.store {{.*}} in_bounds
func.func @whole(%A: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 64, 32>}, %B: memref<?x?xf16> {tile.dims = ["K", "N"], tile.divisible = array<i64: 32, 32>}, %C: memref<?x?xf32> {tile.dims = ["M", "N"], tile.divisible = array<i64: 64, 32>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = memref.dim %A, %c0 : memref<?x?xf16>
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  %N = memref.dim %C, %c1 : memref<?x?xf32>
  %gx = arith.ceildivui %N, %c32 : index
  %gy = arith.ceildivui %M, %c64 : index
  tile.launch @whole_kernel blocks(%bx, %by) in (%gx, %gy) threads(64) {
    %row = arith.muli %by, %c64 : index
    %col = arith.muli %bx, %c32 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %r = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (tensor<64x32xf32>) {
      tile.copy %A[%row, %k] to %a : memref<?x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %col] to %b : memref<?x?xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %C[%row, %col] : tensor<64x32xf32>, memref<?x?xf32>
  }
  return
}

func.func @ragged(%A: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 8, 8>}, %B: memref<?x?xf16> {tile.dims = ["K", "N"], tile.divisible = array<i64: 8, 8>}, %C: memref<?x?xf32> {tile.dims = ["M", "N"], tile.divisible = array<i64: 8, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = memref.dim %A, %c0 : memref<?x?xf16>
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  %N = memref.dim %C, %c1 : memref<?x?xf32>
  %gx = arith.ceildivui %N, %c32 : index
  %gy = arith.ceildivui %M, %c64 : index
  tile.launch @ragged_kernel blocks(%bx, %by) in (%gx, %gy) threads(64) {
    %row = arith.muli %by, %c64 : index
    %col = arith.muli %bx, %c32 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %r = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (tensor<64x32xf32>) {
      tile.copy %A[%row, %k] to %a : memref<?x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %col] to %b : memref<?x?xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %C[%row, %col] : tensor<64x32xf32>, memref<?x?xf32>
  }
  return
}
