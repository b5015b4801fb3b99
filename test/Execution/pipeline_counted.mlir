// Inner loops to a loaded number, one that fills parts of a buffer and one that uses them: without
// roles a schedule runs the copies ahead, with roles the producer.
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_80 --check --scalar=3:0 "--data=1:integers(0,2)" --seed=1
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check --scalar=3:0 "--data=1:integers(0,2)" --seed=1
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_80 --check --scalar=3:1 "--data=1:integers(0,2)" --seed=2
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check --scalar=3:1 "--data=1:integers(0,2)" --seed=2
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_80 --check --scalar=3:2 "--data=1:integers(0,2)" --seed=3
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check --scalar=3:2 "--data=1:integers(0,2)" --seed=3
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_80 --check --scalar=3:4 "--data=1:integers(0,2)" --seed=5
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check --scalar=3:4 "--data=1:integers(0,2)" --seed=5
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_80 --check --scalar=3:7 "--data=1:integers(0,2)" --seed=8
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check --scalar=3:7 "--data=1:integers(0,2)" --seed=8
// RUN: tile-run %s --entry=counted --on=reference --check-stages --chip=sm_80 --scalar=3:5 "--data=1:integers(0,2)"
// RUN: tile-run %s --entry=counted --on=reference --check-stages --chip=sm_90a --scalar=3:5 "--data=1:integers(0,2)"
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s --check-prefixes=CHECK,AHEAD
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefixes=CHECK,ROLES
// CHECK: 3 stages: Pipelined: 3 stages, 1 copies run ahead
// AHEAD-NEXT: prologue: 3 steps peeled
// ROLES-NEXT: prologue: 0 steps peeled
#shared = #gpu.address_space<workgroup>
func.func @counted(%A: memref<512x32xf16>, %N: memref<16xi32>, %O: memref<32x32xf32>, %n: index) {
  %h1 = arith.constant 1 : index
  tile.launch @counted blocks(%bx) in (%h1) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %a = tile.alloc : memref<32x32xf16, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) {
      %k = arith.muli %i, %c32 : index
      %p = memref.load %N[%i] : memref<16xi32>
      %count = arith.index_cast %p : i32 to index
      scf.for %q = %c0 to %count step %c1 {
        %row = arith.muli %q, %c16 : index
        %from = arith.addi %k, %row : index
        tile.copy %A[%from, %c0] [16, 32] to %a[%row, %c0] : memref<512x32xf16> to memref<32x32xf16, #shared>
      }
      %d = scf.for %q = %c0 to %count step %c1 iter_args(%in = %acc) -> (tensor<16x16xf32>) {
        %row = arith.muli %q, %c16 : index
        %v = memref.subview %a[%row, 0] [16, 32] [1, 1] : memref<32x32xf16, #shared> to memref<16x32xf16, strided<[32, 1], offset: ?>, #shared>
        %e = tile.gemm %v, %v, %in {transpose_b} : memref<16x32xf16, strided<[32, 1], offset: ?>, #shared>, memref<16x32xf16, strided<[32, 1], offset: ?>, #shared> -> tensor<16x16xf32>
        scf.yield %e : tensor<16x16xf32>
      }
      scf.yield %d : tensor<16x16xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %O[%c0, %c0] [16, 16] : tensor<16x16xf32>, memref<32x32xf32>
  }
  return
}
