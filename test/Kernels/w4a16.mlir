// Y = X * transpose(W), two 4-bit weights in a byte: of each 64 columns of K the low halves
// are the first 32, the high halves the others.
// DEFINE: %{run} = tile-run %s --entry=w4a16 --dim=M:70 --dim=N:136 --dim=K:192 --dim=K2:96 --dim=G:3 "--data=1:integers(-100,100)"
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel w4a16_kernel
// CHECK: threads 384, consumer 8 warps with 232 registers, producer 4 warps with 40 registers
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @w4a16(%X: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 64>},
                 %W: memref<?x?xi8> {tile.dims = ["N", "K2"], tile.divisible = array<i64: 8, 32>},
                 %S: memref<?x?xf16> {tile.dims = ["G", "N"], tile.divisible = array<i64: 1, 8>},
                 %Y: memref<?x?xf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %X, %c0 : memref<?x?xf16>
  %K = memref.dim %X, %c1 : memref<?x?xf16>
  %N = memref.dim %W, %c0 : memref<?x?xi8>
  %gx = arith.ceildivui %M, %c64 : index
  %gy = arith.ceildivui %N, %c128 : index
  tile.launch @w4a16_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %m = arith.muli %bx, %c64 : index
    %n = arith.muli %by, %c128 : index
    %Ws = tile.alloc : memref<128x32xi8, #shared>
    %Xl = tile.alloc : memref<64x32xf16, #shared>
    %Xh = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %four = arith.constant dense<4> : tensor<128x32xi8>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %g = arith.divui %k, %c64 : index
      %kb = arith.muli %g, %c32 : index
      %kh = arith.addi %k, %c32 : index
      tile.copy %W[%n, %kb] to %Ws : memref<?x?xi8> to memref<128x32xi8, #shared>
      tile.copy %X[%m, %k] to %Xl : memref<?x?xf16> to memref<64x32xf16, #shared>
      tile.copy %X[%m, %kh] to %Xh : memref<?x?xf16> to memref<64x32xf16, #shared>
      %w = tile.load %Ws : memref<128x32xi8, #shared> -> tensor<128x32xi8>
      %up = arith.shli %w, %four : tensor<128x32xi8>
      %lo = arith.shrsi %up, %four : tensor<128x32xi8>
      %hi = arith.shrsi %w, %four : tensor<128x32xi8>
      %s = tile.load %S[%g, %n] [1, 128] : memref<?x?xf16> -> tensor<128xf16>
      %sb = tile.broadcast %s dims [1] : tensor<128xf16> -> tensor<128x32xf16>
      %lof = arith.sitofp %lo : tensor<128x32xi8> to tensor<128x32xf16>
      %hif = arith.sitofp %hi : tensor<128x32xi8> to tensor<128x32xf16>
      %los = arith.mulf %lof, %sb : tensor<128x32xf16>
      %his = arith.mulf %hif, %sb : tensor<128x32xf16>
      %d = tile.gemm %los, %Xl, %c {transpose_b} : tensor<128x32xf16>, memref<64x32xf16, #shared> -> tensor<128x64xf32>
      %e = tile.gemm %his, %Xh, %d {transpose_b} : tensor<128x32xf16>, memref<64x32xf16, #shared> -> tensor<128x64xf32>
      scf.yield %e : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    %yt = tile.transpose %acc [1, 0] : tensor<128x64xf32> -> tensor<64x128xf32>
    tile.store %yt, %Y[%m, %n] : tensor<64x128xf32>, memref<?x?xf16>
  }
  return
}
