// Causal linear attention in chunks of 64: what came before is a state of 64 x 64.
// DEFINE: %{run} = tile-run %s --entry=linear_attention --dim=B:1 --dim=T:200 --dim=H:2 "--data=0:normal(0,0.3)"
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel linear_attention_kernel
// CHECK: threads 160, consumer 4 warps, producer 1 warp
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16.ss
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16.rs
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16.ss
// CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @linear_attention(%Q: memref<?x?x?x64xbf16> {tile.dims = ["B", "T", "H", ""]}, %K: memref<?x?x?x64xbf16> {tile.dims = ["B", "T", "H", ""]},
                            %V: memref<?x?x?x64xbf16> {tile.dims = ["B", "T", "H", ""]}, %O: memref<?x?x?x64xbf16> {tile.dims = ["B", "T", "H", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %B = memref.dim %Q, %c0 : memref<?x?x?x64xbf16>
  %T = memref.dim %Q, %c1 : memref<?x?x?x64xbf16>
  %H = memref.dim %Q, %c2 : memref<?x?x?x64xbf16>
  tile.launch @linear_attention_kernel blocks(%h, %b) in (%H, %B) threads(128) {
    %Qs = tile.alloc : memref<64x64xbf16, #shared>
    %Ks = tile.alloc : memref<64x64xbf16, #shared>
    %Vs = tile.alloc : memref<64x64xbf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %end = scf.for %t = %c0 to %T step %c64 iter_args(%state = %zero) -> (tensor<64x64xf32>) {
      tile.copy %Q[%b, %t, %h, %c0] [1, 64, 1, 64] to %Qs : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>
      tile.copy %K[%b, %t, %h, %c0] [1, 64, 1, 64] to %Ks : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>
      tile.copy %V[%b, %t, %h, %c0] [1, 64, 1, 64] to %Vs : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>
      %s = tile.gemm %Qs, %Ks {transpose_b} : memref<64x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      %p = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xbf16>) {
        %e = tensor.extract %s[%i, %j] : tensor<64x64xf32>
        %none = arith.constant 0.0 : f32
        %sees = arith.cmpi ule, %j, %i : index
        %x = arith.select %sees, %e, %none : f32
        %xh = arith.truncf %x : f32 to bf16
        tile.yield %xh : bf16
      }
      %sh = arith.truncf %state : tensor<64x64xf32> to tensor<64x64xbf16>
      %o0 = tile.gemm %Qs, %sh : memref<64x64xbf16, #shared>, tensor<64x64xbf16> -> tensor<64x64xf32>
      %o = tile.gemm %p, %Vs, %o0 : tensor<64x64xbf16>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      tile.store %o, %O[%b, %t, %h, %c0] [1, 64, 1, 64] : tensor<64x64xf32>, memref<?x?x?x64xbf16>
      %next = tile.gemm %Ks, %Vs, %state {transpose_a} : memref<64x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
