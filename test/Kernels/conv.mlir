// A convolution of 3 x 3 with stride 2 and padding, as a product.
// DEFINE: %{run} = tile-run %s --entry=conv --dim=B:2 --shape=2:144x64
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel conv_kernel
// CHECK: threads 160, consumer 4 warps, producer 1 warp
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @conv(%X: memref<?x15x17x32xf16> {tile.dims = ["B", "", "", ""]}, %W: memref<288x64xf16>, %Y: memref<?x64xf16> {tile.divisible = array<i64: 72, 1>}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  %c288 = arith.constant 288 : index
  %M = memref.dim %Y, %c0 : memref<?x64xf16>
  %g = arith.ceildivui %M, %c64 : index
  tile.launch @conv_kernel blocks(%b) in (%g) threads(128) {
    %row = arith.muli %b, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c288 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.im2col %X[%row, %k] to %As {kernel = [3, 3], strides = [2, 2], dilations = [1, 1], padding = [1, 1]} : memref<?x15x17x32xf16> to memref<64x32xf16, #shared>
      tile.copy %W[%k, %c0] to %Bs : memref<288x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %relu = arith.maximumf %acc, %none : tensor<64x64xf32>
    tile.store %relu, %Y[%row, %c0] : tensor<64x64xf32>, memref<?x64xf16>
  }
  return
}
