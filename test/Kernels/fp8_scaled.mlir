// An fp8 product with a scale for each 128 columns of K: the sum of a step is promoted.
// DEFINE: %{run} = tile-run %s --entry=fp8_scaled --dim=M:140 --dim=N:136 --dim=K:272 --dim=G:3 --dim=NG:2
// RUN: %{run} --on=emulator --chip=sm_89 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel fp8_scaled_kernel
// CHECK: threads 384, consumer 8 warps with 232 registers, producer 4 warps with 40 registers
// CHECK: wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e5m2.ss
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @fp8_scaled(%A: memref<?x?xf8E4M3FN> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 16>}, %B: memref<?x?xf8E5M2> {tile.dims = ["N", "K"], tile.divisible = array<i64: 8, 16>},
                      %SA: memref<?x?xf32> {tile.dims = ["G", "M"], tile.divisible = array<i64: 1, 4>}, %SB: memref<?x?xf32> {tile.dims = ["G", "NG"]}, %C: memref<?x?xbf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %A, %c0 : memref<?x?xf8E4M3FN>
  %K = memref.dim %A, %c1 : memref<?x?xf8E4M3FN>
  %N = memref.dim %B, %c0 : memref<?x?xf8E5M2>
  %gx = arith.ceildivui %N, %c128 : index
  %gy = arith.ceildivui %M, %c128 : index
  tile.launch @fp8_scaled_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x128xf8E4M3FN, #shared>
    %Bs = tile.alloc : memref<128x128xf8E5M2, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %K step %c128 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf8E4M3FN> to memref<128x128xf8E4M3FN, #shared>
      tile.copy %B[%col, %k] to %Bs : memref<?x?xf8E5M2> to memref<128x128xf8E5M2, #shared>
      %g = arith.divui %k, %c128 : index
      %sa = tile.load %SA[%g, %row] [1, 128] : memref<?x?xf32> -> tensor<128xf32>
      %sb = memref.load %SB[%g, %bx] : memref<?x?xf32>
      %p = tile.gemm %As, %Bs {transpose_b} : memref<128x128xf8E4M3FN, #shared>, memref<128x128xf8E5M2, #shared> -> tensor<128x128xf32>
      %sbv = tensor.splat %sb : tensor<128xf32>
      %sab = arith.mulf %sa, %sbv : tensor<128xf32>
      %f = tile.broadcast %sab dims [1] : tensor<128xf32> -> tensor<128x128xf32>
      %d = math.fma %p, %f, %c : tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<128x128xf32>, memref<?x?xbf16>
  }
  return
}
