// Products that the program starts and waits for itself, on every chip: carried by a loop,
// chosen by a condition, and with a copy of the accumulator. On sm_90a the sum of the loop stays
// in flight as that of a plain product does.
// DEFINE: %{run} = tile-run %s --entry=awaited --check
// RUN: %{run} --on=emulator --chip=sm_80 --seed=1 --scalar=3:0
// RUN: %{run} --on=emulator --chip=sm_80 --seed=2 --scalar=3:3
// RUN: %{run} --on=emulator --chip=sm_90a --seed=3 --scalar=3:0
// RUN: %{run} --on=emulator --chip=sm_90a --seed=4 --scalar=3:1
// RUN: %{run} --on=emulator --chip=sm_90a --seed=5 --scalar=3:4
// RUN: tile-run %s --entry=awaited --on=reference --chip=sm_90a --check-stages --scalar=3:3
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s
// CHECK-LABEL: .entry awaited_kernel(
// CHECK: wgmma.wait_group.sync.aligned 1;

#shared = #gpu.address_space<workgroup>
!pending = !tile.pending<tensor<64x64xf32>>
!sum = tensor<64x64xf32>

func.func @awaited(%A: memref<64x320xf16>, %B: memref<64x320xf16>, %C: memref<2x64x64xf32>, %n: index) {
  %g1 = arith.constant 1 : index
  tile.launch @awaited_kernel blocks(%x) in (%g1) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : !sum
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) {
      %k = arith.muli %i, %c64 : index
      tile.copy %A[%c0, %k] to %a : memref<64x320xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%c0, %k] to %b : memref<64x320xf16> to memref<64x64xf16, #shared>
      %p = tile.gemm_async %a, %b, %acc {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared>, !sum -> !pending
      %d = tile.wait %p : !pending
      scf.yield %d : !sum
    } {tile.stages = 2 : i32}
    tile.store %r, %C[%c0, %c0, %c0] [1, 64, 64] : !sum, memref<2x64x64xf32>
    %c = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A[%c0, %c0] to %c : memref<64x320xf16> to memref<64x64xf16, #shared>
    %copy = tile.clone %r : !sum
    %even = arith.cmpi sgt, %n, %c1 : index
    %chosen = scf.if %even -> (!pending) {
      %p = tile.gemm_async %c, %c, %copy {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared>, !sum -> !pending
      scf.yield %p : !pending
    } else {
      %p = tile.gemm_async %c, %c, %copy : memref<64x64xf16, #shared>, memref<64x64xf16, #shared>, !sum -> !pending
      scf.yield %p : !pending
    }
    %last = tile.wait %chosen : !pending
    %difference = arith.subf %last, %r : !sum
    tile.store %difference, %C[%c1, %c0, %c0] [1, 64, 64] : !sum, memref<2x64x64xf32>
  }
  return
}
