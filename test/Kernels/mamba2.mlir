// The state-space scan of Mamba-2 in chunks of 64: within a chunk a product with decays,
// across chunks a state of 64 x 64.
// DEFINE: %{run} = tile-run %s --entry=mamba2 --dim=B:1 --dim=T:200 --dim=H:2 "--data=0:normal(0,0.3)" "--data=1:uniform(-0.2,0)"
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel mamba2_kernel
// CHECK: threads 160, consumer 4 warps, producer 1 warp
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs
// CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @mamba2(%X: memref<?x?x?x64xf16> {tile.dims = ["B", "T", "H", ""]}, %A: memref<?x?x?xf32> {tile.dims = ["B", "H", "T"], tile.divisible = array<i64: 1, 1, 4>},
                  %Bm: memref<?x?x64xf16> {tile.dims = ["B", "T", ""]}, %Cm: memref<?x?x64xf16> {tile.dims = ["B", "T", ""]},
                  %Y: memref<?x?x?x64xf16> {tile.dims = ["B", "T", "H", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %B = memref.dim %X, %c0 : memref<?x?x?x64xf16>
  %T = memref.dim %X, %c1 : memref<?x?x?x64xf16>
  %H = memref.dim %X, %c2 : memref<?x?x?x64xf16>
  tile.launch @mamba2_kernel blocks(%h, %b) in (%H, %B) threads(128) {
    %Xs = tile.alloc : memref<64x64xf16, #shared>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %Cs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %end = scf.for %t = %c0 to %T step %c64 iter_args(%state = %zero) -> (tensor<64x64xf32>) {
      tile.copy %X[%b, %t, %h, %c0] [1, 64, 1, 64] to %Xs : memref<?x?x?x64xf16> to memref<64x64xf16, #shared>
      tile.copy %Bm[%b, %t, %c0] [1, 64, 64] to %Bs : memref<?x?x64xf16> to memref<64x64xf16, #shared>
      tile.copy %Cm[%b, %t, %c0] [1, 64, 64] to %Cs : memref<?x?x64xf16> to memref<64x64xf16, #shared>
      %a = tile.load %A[%b, %h, %t] [1, 1, 64] : memref<?x?x?xf32> -> tensor<64xf32>
      %cum = tile.scan <add> %a dim 0 : tensor<64xf32>
      %total = tile.reduce <add> %a dims [0] : tensor<64xf32> -> tensor<f32>
      %all = tensor.extract %total[] : tensor<f32>
      %s = tile.gemm %Cs, %Bs {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %p = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xf16>) {
        %e = tensor.extract %s[%i, %j] : tensor<64x64xf32>
        %ci = tensor.extract %cum[%i] : tensor<64xf32>
        %cj = tensor.extract %cum[%j] : tensor<64xf32>
        %none = arith.constant 0.0 : f32
        %sees = arith.cmpi ule, %j, %i : index
        %df = arith.subf %ci, %cj : f32
        %arg = arith.select %sees, %df, %none : f32
        %dec = math.exp %arg : f32
        %v = arith.mulf %e, %dec : f32
        %x = arith.select %sees, %v, %none : f32
        %xh = arith.truncf %x : f32 to f16
        tile.yield %xh : f16
      }
      %sh = arith.truncf %state : tensor<64x64xf32> to tensor<64x64xf16>
      %o0 = tile.gemm %Cs, %sh : memref<64x64xf16, #shared>, tensor<64x64xf16> -> tensor<64x64xf32>
      %ec = math.exp %cum : tensor<64xf32>
      %ecb = tile.broadcast %ec dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %o1 = arith.mulf %o0, %ecb : tensor<64x64xf32>
      %o = tile.gemm %p, %Xs, %o1 : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      tile.store %o, %Y[%b, %t, %h, %c0] [1, 64, 1, 64] : tensor<64x64xf32>, memref<?x?x?x64xf16>
      %allv = tensor.splat %all : tensor<64xf32>
      %rest = arith.subf %allv, %cum : tensor<64xf32>
      %er = math.exp %rest : tensor<64xf32>
      %erb = tile.broadcast %er dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %bt = tile.load %Bs : memref<64x64xf16, #shared> -> tensor<64x64xf16>
      %bf = arith.extf %bt : tensor<64x64xf16> to tensor<64x64xf32>
      %bd = arith.mulf %bf, %erb : tensor<64x64xf32>
      %bh = arith.truncf %bd : tensor<64x64xf32> to tensor<64x64xf16>
      %ea = math.exp %all : f32
      %eab = tensor.splat %ea : tensor<64x64xf32>
      %kept = arith.mulf %state, %eab : tensor<64x64xf32>
      %next = tile.gemm %bh, %Xs, %kept {transpose_a} : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
