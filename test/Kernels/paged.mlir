// Decoding with paged keys: a block has the 16 heads of queries that share a head of keys,
// and walks over the pages of its sequence, whose numbers are loaded.
// DEFINE: %{run} = tile-run %s --entry=paged --dim=B:3 --dim=HK:2 --dim=P:9 --dim=PP:4 "--data=3:integers(0,8)" "--data=4:integers(1,128)"
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel paged_kernel
// CHECK: threads 64, consumer 1 warp, producer 1 warp
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @paged(%Q: memref<?x?x16x64xf16> {tile.dims = ["B", "HK", "", ""]},
                 %K: memref<?x32x?x64xf16> {tile.dims = ["P", "", "HK", ""]},
                 %V: memref<?x32x?x64xf16> {tile.dims = ["P", "", "HK", ""]},
                 %table: memref<?x?xi32> {tile.dims = ["B", "PP"]}, %lengths: memref<?xi32> {tile.dims = ["B"]},
                 %O: memref<?x?x16x64xf16> {tile.dims = ["B", "HK", "", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %B = memref.dim %Q, %c0 : memref<?x?x16x64xf16>
  %HK = memref.dim %Q, %c1 : memref<?x?x16x64xf16>
  tile.launch @paged_kernel blocks(%h, %b) in (%HK, %B) threads(32) {
    %n32 = memref.load %lengths[%b] : memref<?xi32>
    %n = arith.index_cast %n32 : i32 to index
    %pages = arith.ceildivsi %n, %c32 : index
    %Qs = tile.alloc : memref<16x64xf16, #shared>
    %Ks = tile.alloc : memref<32x64xf16, #shared>
    %Vs = tile.alloc : memref<32x64xf16, #shared>
    tile.copy %Q[%b, %h, %c0, %c0] [1, 1, 16, 64] to %Qs : memref<?x?x16x64xf16> to memref<16x64xf16, #shared>
    %scale = arith.constant dense<0.180336880> : tensor<16x32xf32>
    %hidden = arith.constant dense<0xFF800000> : tensor<16x32xf32>
    %m0 = arith.constant dense<-1.0e30> : tensor<16xf32>
    %l0 = arith.constant dense<0.0> : tensor<16xf32>
    %o0 = arith.constant dense<0.0> : tensor<16x64xf32>
    %max, %sum, %acc = scf.for %i = %c0 to %pages step %c1 iter_args(%m = %m0, %l = %l0, %o = %o0) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>) {
      %p32 = memref.load %table[%b, %i] : memref<?x?xi32>
      %page = arith.index_cast %p32 : i32 to index
      tile.copy %K[%page, %c0, %h, %c0] [1, 32, 1, 64] to %Ks : memref<?x32x?x64xf16> to memref<32x64xf16, #shared>
      tile.copy %V[%page, %c0, %h, %c0] [1, 32, 1, 64] to %Vs : memref<?x32x?x64xf16> to memref<32x64xf16, #shared>
      %s = tile.gemm %Qs, %Ks {transpose_b} : memref<16x64xf16, #shared>, memref<32x64xf16, #shared> -> tensor<16x32xf32>
      %key = arith.muli %i, %c32 : index
      %visible = tile.parallel (%a, %j) in (16, 32) -> (tensor<16x32xi1>) {
        %kp = arith.addi %key, %j : index
        %is = arith.cmpi slt, %kp, %n : index
        tile.yield %is : i1
      }
      %raw = arith.mulf %s, %scale : tensor<16x32xf32>
      %x = arith.select %visible, %raw, %hidden : tensor<16x32xi1>, tensor<16x32xf32>
      %mn = tile.reduce <maximumf> %x dims [1] init(%m) : tensor<16x32xf32> -> tensor<16xf32>
      %mb = tile.broadcast %mn dims [1] : tensor<16xf32> -> tensor<16x32xf32>
      %xs = arith.subf %x, %mb : tensor<16x32xf32>
      %p = math.exp2 %xs : tensor<16x32xf32>
      %dm = arith.subf %m, %mn : tensor<16xf32>
      %r = math.exp2 %dm : tensor<16xf32>
      %lr = arith.mulf %l, %r : tensor<16xf32>
      %ln = tile.reduce <add> %p dims [1] init(%lr) : tensor<16x32xf32> -> tensor<16xf32>
      %rb = tile.broadcast %r dims [1] : tensor<16xf32> -> tensor<16x64xf32>
      %or = arith.mulf %o, %rb : tensor<16x64xf32>
      %ph = arith.truncf %p : tensor<16x32xf32> to tensor<16x32xf16>
      %on = tile.gemm %ph, %Vs, %or : tensor<16x32xf16>, memref<32x64xf16, #shared> -> tensor<16x64xf32>
      scf.yield %mn, %ln, %on : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>
    } {tile.stages = 3 : i32}
    %lb = tile.broadcast %sum dims [1] : tensor<16xf32> -> tensor<16x64xf32>
    %res = arith.divf %acc, %lb : tensor<16x64xf32>
    tile.store %res, %O[%b, %h, %c0, %c0] [1, 1, 16, 64] : tensor<16x64xf32>, memref<?x?x16x64xf16>
  }
  return
}
