// Attention backward: a block has 64 keys and walks over the queries; dQ is added up by
// atomics. `L` is the logarithm (base 2) of each row's sum, `D` the dot of dO and O.
// DEFINE: %{run} = tile-run %s --entry=backward --dim=H:1 --dim=S:200 "--data=0:normal(0,0.3)" "--data=4:uniform(3,6)"
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel backward_kernel
// CHECK: threads 160, consumer 4 warps, producer 1 warp
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs
// CHECK: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @backward(%Q: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]}, %K: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]},
                    %V: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]}, %dO: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]},
                    %L: memref<?x?xf32> {tile.dims = ["H", "S"], tile.divisible = array<i64: 1, 4>}, %D: memref<?x?xf32> {tile.dims = ["H", "S"], tile.divisible = array<i64: 1, 4>},
                    %dQ: memref<?x?x64xf32> {tile.dims = ["H", "S", ""]}, %dK: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]},
                    %dV: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %H = memref.dim %Q, %c0 : memref<?x?x64xf16>
  %S = memref.dim %Q, %c1 : memref<?x?x64xf16>
  %tiles = arith.ceildivui %S, %c64 : index
  tile.launch @backward_kernel blocks(%t, %h) in (%tiles, %H) threads(128) {
    %key = arith.muli %t, %c64 : index
    %Ks = tile.alloc : memref<64x64xf16, #shared>
    %Vs = tile.alloc : memref<64x64xf16, #shared>
    %Qs = tile.alloc : memref<64x64xf16, #shared>
    %Os = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %K[%h, %key, %c0] [1, 64, 64] to %Ks : memref<?x?x64xf16> to memref<64x64xf16, #shared>
    tile.copy %V[%h, %key, %c0] [1, 64, 64] to %Vs : memref<?x?x64xf16> to memref<64x64xf16, #shared>
    %scale = arith.constant dense<0.180336880> : tensor<64x64xf32>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %k, %v = scf.for %q = %c0 to %S step %c64 iter_args(%ak = %zero, %av = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      tile.copy %Q[%h, %q, %c0] [1, 64, 64] to %Qs : memref<?x?x64xf16> to memref<64x64xf16, #shared>
      tile.copy %dO[%h, %q, %c0] [1, 64, 64] to %Os : memref<?x?x64xf16> to memref<64x64xf16, #shared>
      %l = tile.load %L[%h, %q] [1, 64] : memref<?x?xf32> -> tensor<64xf32>
      %d = tile.load %D[%h, %q] [1, 64] : memref<?x?xf32> -> tensor<64xf32>
      %s = tile.gemm %Ks, %Qs {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %x = arith.mulf %s, %scale : tensor<64x64xf32>
      %lb = tile.broadcast %l dims [0] : tensor<64xf32> -> tensor<64x64xf32>
      %y = arith.subf %x, %lb : tensor<64x64xf32>
      %p = math.exp2 %y : tensor<64x64xf32>
      %ph = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %nv = tile.gemm %ph, %Os, %av : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %dp = tile.gemm %Vs, %Os {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %db = tile.broadcast %d dims [0] : tensor<64xf32> -> tensor<64x64xf32>
      %e = arith.subf %dp, %db : tensor<64x64xf32>
      %ds = arith.mulf %p, %e : tensor<64x64xf32>
      %dsh = arith.truncf %ds : tensor<64x64xf32> to tensor<64x64xf16>
      %nk = tile.gemm %dsh, %Qs, %ak : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %dq = tile.gemm %dsh, %Ks {transpose_a} : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      tile.atomic_rmw addf %dq, %dQ[%h, %q, %c0] [1, 64, 64] : tensor<64x64xf32>, memref<?x?x64xf32>
      scf.yield %nk, %nv : tensor<64x64xf32>, tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %k, %dK[%h, %key, %c0] [1, 64, 64] : tensor<64x64xf32>, memref<?x?x64xf16>
    tile.store %v, %dV[%h, %key, %c0] [1, 64, 64] : tensor<64x64xf32>, memref<?x?x64xf16>
  }
  return
}
