// Y = X * transpose(W), W in i8 with a scale for each row: the weights are operand A from
// registers, where they become f16.
// DEFINE: %{run} = tile-run %s --entry=w8a16 --dim=M:70 --dim=N:136 --dim=K:208
// DEFINE: %{run2} = tile-run %s --entry=w8a16 --dim=M:64 --dim=N:128 --dim=K:0
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: %{run2} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run2} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run2} --on=emulator --chip=sm_90a --check --seed=3
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel w8a16_kernel
// CHECK: threads 384, consumer 8 warps with 232 registers, producer 4 warps with 40 registers
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @w8a16(%X: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>},
                 %W: memref<?x?xi8> {tile.dims = ["N", "K"], tile.divisible = array<i64: 8, 16>},
                 %S: memref<?xf16> {tile.dims = ["N"]},
                 %Y: memref<?x?xf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %X, %c0 : memref<?x?xf16>
  %K = memref.dim %X, %c1 : memref<?x?xf16>
  %N = memref.dim %W, %c0 : memref<?x?xi8>
  %gx = arith.ceildivui %M, %c64 : index
  %gy = arith.ceildivui %N, %c128 : index
  tile.launch @w8a16_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %m = arith.muli %bx, %c64 : index
    %n = arith.muli %by, %c128 : index
    %Ws = tile.alloc : memref<128x64xi8, #shared>
    %Xs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      tile.copy %W[%n, %k] to %Ws : memref<?x?xi8> to memref<128x64xi8, #shared>
      tile.copy %X[%m, %k] to %Xs : memref<?x?xf16> to memref<64x64xf16, #shared>
      %w = tile.load %Ws : memref<128x64xi8, #shared> -> tensor<128x64xi8>
      %wf = arith.sitofp %w : tensor<128x64xi8> to tensor<128x64xf16>
      %d = tile.gemm %wf, %Xs, %c {transpose_b} : tensor<128x64xf16>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    %s = tile.load %S[%n] : memref<?xf16> -> tensor<128xf16>
    %sf = arith.extf %s : tensor<128xf16> to tensor<128xf32>
    %sb = tile.broadcast %sf dims [1] : tensor<128xf32> -> tensor<128x64xf32>
    %y = arith.mulf %acc, %sb : tensor<128x64xf32>
    %yt = tile.transpose %y [1, 0] : tensor<128x64xf32> -> tensor<64x128xf32>
    tile.store %yt, %Y[%m, %n] : tensor<64x128xf32>, memref<?x?xf16>
  }
  return
}
