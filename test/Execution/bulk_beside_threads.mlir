// Slots that bulk copies fill, and between these one that threads fill: the ring of two
// bulk copies around it would be acquired under one condition and committed under
// another. The loop around has slots, too, and takes nothing out of the inner one's.
// DEFINE: %{run} = tile-run %s --entry=beside --data=0:integers(-3,3) --data=1:integers(-3,3) --data=2:integers(-3,3) --data=3:integers(-3,3)
// RUN: %{run} --on=emulator --chip=sm_90a --check --scalar=4:0 --scalar=5:2
// RUN: %{run} --on=emulator --chip=sm_90a --check --scalar=4:1 --scalar=5:1 --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --scalar=4:2 --scalar=5:0 --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --scalar=4:3 --scalar=5:3 --seed=3
// RUN: %{run} --on=emulator --chip=sm_90a --check --scalar=4:5 --scalar=5:6 --seed=4
// RUN: %{run} --on=emulator --chip=sm_80 --check --scalar=4:2 --scalar=5:3 --seed=5
// RUN: %{run} --on=reference --chip=sm_90a --check-stages --scalar=4:3 --scalar=5:4
// RUN: tile-opt %s --tile-compile=chip=sm_90a -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: {{.}}
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s
// RUN: tile-opt %s --tile-logical-phase=chip=sm_90a --tile-layout-phase --tile-schedule-phase | FileCheck %s --check-prefix=GUARDS
// No fill has a guard of its own behind its slot's.
// GUARDS-COUNT-15: scf.if
// GUARDS-NOT: scf.if

#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: kernel beside_kernel
// A ring for each, with words of its own.
// CHECK-COUNT-3: memref<2x3xi64
// CHECK-NOT: memref<2x3xi64
// CHECK: lifetimes
// CHECK: copies
// CHECK: cp.async.bulk.tensor.1d
// CHECK: cp.async.bulk.tensor.2d
// CHECK: cp.async, 8 bytes
// CHECK: cp.async.bulk.tensor.2d
// CHECK: loops
// CHECK: 3 stages: Pipelined: 3 stages, 1 copies run ahead
// CHECK: 3 stages: Pipelined: 3 stages, 3 copies run ahead
func.func @beside(%row: memref<1024xf32>, %a: memref<256x32xi8>, %b: memref<256x32xf64>, %c: memref<256x32xi8>,
                  %outer: index, %inner: index, %o: memref<32x32xf32>, %p: memref<128xf32>) {
  %one = arith.constant 1 : index
  tile.launch @beside_kernel blocks(%x) in (%one) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %none = arith.constant dense<0.0> : tensor<128xf32>
    %r = tile.alloc : memref<128xf32, #shared>
    %sum, %rows = scf.for %i = %c0 to %outer step %c1 iter_args(%s = %zero, %t = %none) -> (tensor<32x32xf32>, tensor<128xf32>) {
      %start = arith.muli %i, %c128 : index
      tile.copy %row[%start] to %r : memref<1024xf32> to memref<128xf32, #shared>
      %v = tile.load %r : memref<128xf32, #shared> -> tensor<128xf32>
      %u = arith.addf %t, %v : tensor<128xf32>
      %d = scf.for %j = %c0 to %inner step %c1 iter_args(%e = %s) -> (tensor<32x32xf32>) {
        %sa = tile.alloc : memref<32x32xi8, #shared>
        %sb = tile.alloc layout(#tile.shared<[32, 32], offset = [32 : (0, 1), 32 : (1, 0) weight 33]>) : memref<32x32xf64, #shared>
        %sc = tile.alloc : memref<32x32xi8, #shared>
        %k = arith.muli %j, %c32 : index
        tile.copy %a[%k, %c0] to %sa : memref<256x32xi8> to memref<32x32xi8, #shared>
        tile.copy %b[%k, %c0] to %sb : memref<256x32xf64> to memref<32x32xf64, #shared>
        tile.copy %c[%k, %c0] to %sc : memref<256x32xi8> to memref<32x32xi8, #shared>
        %ta = tile.load %sa : memref<32x32xi8, #shared> -> tensor<32x32xi8>
        %tb = tile.load %sb : memref<32x32xf64, #shared> -> tensor<32x32xf64>
        %tc = tile.load %sc : memref<32x32xi8, #shared> -> tensor<32x32xi8>
        %fa = arith.sitofp %ta : tensor<32x32xi8> to tensor<32x32xf32>
        %fb = arith.truncf %tb : tensor<32x32xf64> to tensor<32x32xf32>
        %fc = arith.sitofp %tc : tensor<32x32xi8> to tensor<32x32xf32>
        %ab = arith.mulf %fa, %fb : tensor<32x32xf32>
        %abc = arith.addf %ab, %fc : tensor<32x32xf32>
        %next = arith.addf %e, %abc : tensor<32x32xf32>
        scf.yield %next : tensor<32x32xf32>
      } {tile.stages = 3 : i32}
      scf.yield %d, %u : tensor<32x32xf32>, tensor<128xf32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %o : tensor<32x32xf32>, memref<32x32xf32>
    tile.store %rows, %p : tensor<128xf32>, memref<128xf32>
  }
  return
}
