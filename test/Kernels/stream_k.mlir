// Stream-K: the blocks share all k-steps of all tiles evenly; a block that has a part of a
// tile adds it.
// DEFINE: %{run} = tile-run %s --entry=stream_k --dim=M:130 --dim=N:72 --dim=K:200 --scalar=3:5
// DEFINE: %{run2} = tile-run %s --entry=stream_k --dim=M:64 --dim=N:64 --dim=K:520 --scalar=3:4
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: %{run2} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run2} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run2} --on=emulator --chip=sm_90a --check --seed=3
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel stream_k_kernel
// CHECK: threads 160, consumer 4 warps, producer 1 warp
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @stream_k(%A: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>},
                    %B: memref<?x?xf16> {tile.dims = ["K", "N"], tile.divisible = array<i64: 8, 8>},
                    %C: memref<?x?xf32> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 4>}, %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = memref.dim %A, %c0 : memref<?x?xf16>
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  %N = memref.dim %B, %c1 : memref<?x?xf16>
  %mt = arith.ceildivui %M, %c64 : index
  %nt = arith.ceildivui %N, %c64 : index
  %kt = arith.ceildivui %K, %c64 : index
  %tiles = arith.muli %mt, %nt : index
  %total = arith.muli %tiles, %kt : index
  tile.launch @stream_k_kernel blocks(%b) in (%blocks) threads(128) {
    %after = arith.addi %b, %c1 : index
    %p = arith.muli %b, %total : index
    %q = arith.muli %after, %total : index
    %first = arith.divui %p, %blocks : index
    %end = arith.divui %q, %blocks : index
    %As = tile.alloc : memref<64x64xf16, #shared>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %last = scf.while (%i = %first) : (index) -> index {
      %more = arith.cmpi ult, %i, %end : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %tile = arith.divui %i, %kt : index
      %k0 = arith.remui %i, %kt : index
      %ty = arith.divui %tile, %nt : index
      %tx = arith.remui %tile, %nt : index
      %row = arith.muli %ty, %c64 : index
      %col = arith.muli %tx, %c64 : index
      %left = arith.subi %end, %i : index
      %far = arith.addi %k0, %left : index
      %k1 = arith.minui %far, %kt : index
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %acc = scf.for %s = %k0 to %k1 step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        %k = arith.muli %s, %c64 : index
        tile.copy %A[%row, %k] to %As : memref<?x?xf16> to memref<64x64xf16, #shared>
        tile.copy %B[%k, %col] to %Bs : memref<?x?xf16> to memref<64x64xf16, #shared>
        %d = tile.gemm %As, %Bs, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 3 : i32}
      tile.atomic_rmw addf %acc, %C[%row, %col] : tensor<64x64xf32>, memref<?x?xf32>
      %done = arith.subi %k1, %k0 : index
      %next = arith.addi %i, %done : index
      scf.yield %next : index
    }
  }
  return
}
