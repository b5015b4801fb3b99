// silu(X * G) * (X * U): two products of one operand.
// DEFINE: %{run} = tile-run %s --entry=swiglu --dim=M:150 --dim=N:136 --dim=K:200 "--data=0:normal(0,0.3)"
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel swiglu_kernel
// CHECK: threads 384, consumer 8 warps with 232 registers, producer 4 warps with 40 registers
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16.ss
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16.ss
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @swiglu(%X: memref<?x?xbf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>}, %G: memref<?x?xbf16> {tile.dims = ["K", "N"], tile.divisible = array<i64: 8, 8>},
                  %U: memref<?x?xbf16> {tile.dims = ["K", "N"], tile.divisible = array<i64: 8, 8>}, %Y: memref<?x?xbf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %X, %c0 : memref<?x?xbf16>
  %K = memref.dim %X, %c1 : memref<?x?xbf16>
  %N = memref.dim %G, %c1 : memref<?x?xbf16>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %M, %c128 : index
  tile.launch @swiglu_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) attributes {rasterize = #tile.rasterize<row, 2>} {
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c64 : index
    %Xs = tile.alloc : memref<128x64xbf16, #shared>
    %Gs = tile.alloc : memref<64x64xbf16, #shared>
    %Us = tile.alloc : memref<64x64xbf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %g, %u = scf.for %k = %c0 to %K step %c64 iter_args(%a = %zero, %b = %zero) -> (tensor<128x64xf32>, tensor<128x64xf32>) {
      tile.copy %X[%row, %k] to %Xs : memref<?x?xbf16> to memref<128x64xbf16, #shared>
      tile.copy %G[%k, %col] to %Gs : memref<?x?xbf16> to memref<64x64xbf16, #shared>
      tile.copy %U[%k, %col] to %Us : memref<?x?xbf16> to memref<64x64xbf16, #shared>
      %d = tile.gemm %Xs, %Gs, %a : memref<128x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<128x64xf32>
      %e = tile.gemm %Xs, %Us, %b : memref<128x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<128x64xf32>
      scf.yield %d, %e : tensor<128x64xf32>, tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    %one = arith.constant dense<1.0> : tensor<128x64xf32>
    %neg = arith.negf %g : tensor<128x64xf32>
    %ex = math.exp %neg : tensor<128x64xf32>
    %den = arith.addf %ex, %one : tensor<128x64xf32>
    %silu = arith.divf %g, %den : tensor<128x64xf32>
    %y = arith.mulf %silu, %u : tensor<128x64xf32>
    tile.store %y, %Y[%row, %col] : tensor<128x64xf32>, memref<?x?xbf16>
  }
  return
}
