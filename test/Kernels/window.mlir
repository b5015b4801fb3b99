// Causal attention over a window of 96 keys, with a sink logit for each head, several heads
// of queries for each head of keys, in base 2.
// DEFINE: %{run} = tile-run %s --entry=window --dim=B:1 --dim=S:300 --dim=H:4 --dim=HK:2
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel window_kernel
// CHECK: threads 160, consumer 4 warps, producer 1 warp
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16.ss
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16.rs
// CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @window(%Q: memref<?x?x?x64xbf16> {tile.dims = ["B", "S", "H", ""]},
                  %K: memref<?x?x?x64xbf16> {tile.dims = ["B", "S", "HK", ""]},
                  %V: memref<?x?x?x64xbf16> {tile.dims = ["B", "S", "HK", ""]},
                  %sink: memref<?xf32> {tile.dims = ["H"]},
                  %O: memref<?x?x?x64xbf16> {tile.dims = ["B", "S", "H", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c95 = arith.constant 95 : index
  %B = memref.dim %Q, %c0 : memref<?x?x?x64xbf16>
  %S = memref.dim %Q, %c1 : memref<?x?x?x64xbf16>
  %H = memref.dim %Q, %c2 : memref<?x?x?x64xbf16>
  %HK = memref.dim %K, %c2 : memref<?x?x?x64xbf16>
  %group = arith.divui %H, %HK : index
  %tiles = arith.ceildivui %S, %c64 : index
  tile.launch @window_kernel blocks(%t, %h, %b) in (%tiles, %H, %B) threads(128) {
    %row = arith.muli %t, %c64 : index
    %hk = arith.divui %h, %group : index
    %end = arith.addi %row, %c64 : index
    %far = arith.subi %row, %c95 : index
    %pos = arith.maxsi %far, %c0 : index
    %tile0 = arith.divui %pos, %c64 : index
    %begin = arith.muli %tile0, %c64 : index
    %Qs = tile.alloc : memref<64x64xbf16, #shared>
    %Ks = tile.alloc : memref<64x64xbf16, #shared>
    %Vs = tile.alloc : memref<64x64xbf16, #shared>
    tile.copy %Q[%b, %row, %h, %c0] [1, 64, 1, 64] to %Qs : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>
    %scale = arith.constant dense<0.180336880> : tensor<64x64xf32>
    %hidden = arith.constant dense<0xFF800000> : tensor<64x64xf32>
    %sv = memref.load %sink[%h] : memref<?xf32>
    %m0 = tensor.splat %sv : tensor<64xf32>
    %l0 = arith.constant dense<1.0> : tensor<64xf32>
    %o0 = arith.constant dense<0.0> : tensor<64x64xf32>
    %max, %sum, %acc = scf.for %key = %begin to %end step %c64 iter_args(%m = %m0, %l = %l0, %o = %o0) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) {
      tile.copy %K[%b, %key, %hk, %c0] [1, 64, 1, 64] to %Ks : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>
      tile.copy %V[%b, %key, %hk, %c0] [1, 64, 1, 64] to %Vs : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>
      %s = tile.gemm %Qs, %Ks {transpose_b} : memref<64x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      %visible = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xi1>) {
        %qp = arith.addi %row, %i : index
        %kp = arith.addi %key, %j : index
        %low = arith.subi %qp, %c95 : index
        %a = arith.cmpi sle, %kp, %qp : index
        %z = arith.cmpi sge, %kp, %low : index
        %both = arith.andi %a, %z : i1
        tile.yield %both : i1
      }
      %raw = arith.mulf %s, %scale : tensor<64x64xf32>
      %x = arith.select %visible, %raw, %hidden : tensor<64x64xi1>, tensor<64x64xf32>
      %mn = tile.reduce <maximumf> %x dims [1] init(%m) : tensor<64x64xf32> -> tensor<64xf32>
      %mb = tile.broadcast %mn dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %xs = arith.subf %x, %mb : tensor<64x64xf32>
      %p = math.exp2 %xs : tensor<64x64xf32>
      %dm = arith.subf %m, %mn : tensor<64xf32>
      %r = math.exp2 %dm : tensor<64xf32>
      %lr = arith.mulf %l, %r : tensor<64xf32>
      %ln = tile.reduce <add> %p dims [1] init(%lr) : tensor<64x64xf32> -> tensor<64xf32>
      %rb = tile.broadcast %r dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %or = arith.mulf %o, %rb : tensor<64x64xf32>
      %ph = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>
      %on = tile.gemm %ph, %Vs, %or : tensor<64x64xbf16>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      scf.yield %mn, %ln, %on : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    %lb = tile.broadcast %sum dims [1] : tensor<64xf32> -> tensor<64x64xf32>
    %res = arith.divf %acc, %lb : tensor<64x64xf32>
    tile.store %res, %O[%b, %row, %h, %c0] [1, 64, 1, 64] : tensor<64x64xf32>, memref<?x?x?x64xbf16>
  }
  return
}
