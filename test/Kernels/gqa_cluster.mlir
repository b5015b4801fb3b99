// Attention in which the heads of queries that share a head of keys are a cluster: its blocks
// bring each tile of keys and values together, while the two warpgroups of each take turns.
// Tiles of 64 keys; S may be none.
// DEFINE: %{run} = tile-run %s --entry=gqa --dim=B:1 --dim=T:256 --dim=H:4 --dim=HK:2 "--data=0:integers(-1,1)" "--data=1:integers(-1,1)" "--data=2:integers(-2,2)"
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2 --dim=S:0
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3 --dim=S:64
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=4 --dim=S:192
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=5 --dim=S:448
// RUN: %{run} --on=reference --chip=sm_90a --check-stages --dim=S:192
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel gqa_kernel
// CHECK: threads 384, consumer 8 warps with {{[0-9]+}} registers in turns, producer 4 warps with {{[0-9]+}} registers, in clusters of 1 x 2 x 1 blocks
// CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes, {{[0-9]+}} bytes an access, multicast by each of 2 blocks
// CHECK-NEXT: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes, {{[0-9]+}} bytes an access, multicast by each of 2 blocks

#shared = #gpu.address_space<workgroup>

func.func @gqa(%Q: memref<?x?x?x64xf16> {tile.dims = ["B", "T", "H", ""]},
               %K: memref<?x?x?x64xf16> {tile.dims = ["B", "S", "HK", ""], tile.divisible = array<i64: 1, 64, 1, 64>},
               %V: memref<?x?x?x64xf16> {tile.dims = ["B", "S", "HK", ""], tile.divisible = array<i64: 1, 64, 1, 64>},
               %O: memref<?x?x?x64xf16> {tile.dims = ["B", "T", "H", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %B = memref.dim %Q, %c0 : memref<?x?x?x64xf16>
  %T = memref.dim %Q, %c1 : memref<?x?x?x64xf16>
  %H = memref.dim %Q, %c2 : memref<?x?x?x64xf16>
  %S = memref.dim %K, %c1 : memref<?x?x?x64xf16>
  %tiles = arith.ceildivui %T, %c128 : index
  tile.launch @gqa_kernel blocks(%tile, %head, %batch) in (%tiles, %H, %B) threads(256) cluster(1, 2, 1) {
    %row = arith.muli %tile, %c128 : index
    %group = arith.divui %head, %c2 : index
    %Qs = tile.alloc : memref<128x64xf16, #shared>
    %Ks = tile.alloc : memref<64x64xf16, #shared>
    %Vs = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q[%batch, %row, %head, %c0] [1, 128, 1, 64] to %Qs
      : memref<?x?x?x64xf16> to memref<128x64xf16, #shared>
    %scale = arith.constant dense<0.18033688> : tensor<128x64xf32> // log2(e) / sqrt(64)
    %row_scale = arith.constant dense<0.18033688> : tensor<128xf32>
    %max0 = arith.constant dense<-1.0e30> : tensor<128xf32>
    %sum0 = arith.constant dense<0.0> : tensor<128xf32>
    %acc0 = arith.constant dense<0.0> : tensor<128x64xf32>
    %max, %sum, %acc = scf.for %key = %c0 to %S step %c64
        iter_args(%m = %max0, %l = %sum0, %o = %acc0)
        -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>) {
      tile.copy %K[%batch, %key, %group, %c0] [1, 64, 1, 64] to %Ks
        : memref<?x?x?x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%batch, %key, %group, %c0] [1, 64, 1, 64] to %Vs
        : memref<?x?x?x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %Qs, %Ks {transpose_b, warps = #tile.warps<rows>}
        : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      %m_new = tile.reduce <maximumf> %s dims [1] init(%m)
        : tensor<128x64xf32> -> tensor<128xf32>
      %m_scaled = arith.mulf %m_new, %row_scale : tensor<128xf32>
      %m_negated = arith.negf %m_scaled : tensor<128xf32>
      %m_rows = tile.broadcast %m_negated dims [1] : tensor<128xf32> -> tensor<128x64xf32>
      %shifted = math.fma %s, %scale, %m_rows : tensor<128x64xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<128x64xf32>
      %m_change = math.fma %m, %row_scale, %m_negated : tensor<128xf32>
      %shrink = math.exp2 %m_change fastmath<afn> : tensor<128xf32>
      %l_old = arith.mulf %l, %shrink : tensor<128xf32>
      %l_new = tile.reduce <add> %p dims [1] init(%l_old)
        : tensor<128x64xf32> -> tensor<128xf32>
      %shrink_rows = tile.broadcast %shrink dims [1] : tensor<128xf32> -> tensor<128x64xf32>
      %o_old = arith.mulf %o, %shrink_rows : tensor<128x64xf32>
      %p_half = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xf16>
      %o_new = tile.gemm %p_half, %Vs, %o_old {warps = #tile.warps<rows>}
        : tensor<128x64xf16>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %m_new, %l_new, %o_new
        : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    // Without keys the sum is zero, and so is the result.
    %one = arith.constant dense<1.0> : tensor<128xf32>
    %none = arith.cmpf oeq, %sum, %sum0 : tensor<128xf32>
    %divisor = arith.select %none, %one, %sum : tensor<128xi1>, tensor<128xf32>
    %inverse = arith.divf %one, %divisor : tensor<128xf32>
    %inverse_rows = tile.broadcast %inverse dims [1] : tensor<128xf32> -> tensor<128x64xf32>
    %result = arith.mulf %acc, %inverse_rows : tensor<128x64xf32>
    tile.store %result, %O[%batch, %row, %head, %c0] [1, 128, 1, 64]
      : tensor<128x64xf32>, memref<?x?x?x64xf16>
  }
  return
}
