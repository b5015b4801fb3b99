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
// DEFINE: %{apart} = tile-run %s --entry=apart --data=0:integers(-3,3) --data=1:integers(-3,3) --data=2:integers(-3,3) --data=3:integers(-3,3)
// RUN: %{apart} --on=emulator --chip=sm_90a --check --scalar=4:0 --scalar=5:2
// RUN: %{apart} --on=emulator --chip=sm_90a --check --scalar=4:2 --scalar=5:0 --seed=1
// RUN: %{apart} --on=emulator --chip=sm_90a --check --scalar=4:3 --scalar=5:3 --seed=2
// RUN: %{apart} --on=emulator --chip=sm_90a --check --scalar=4:5 --scalar=5:6 --seed=3
// RUN: %{apart} --on=reference --chip=sm_90a --check-stages --scalar=4:3 --scalar=5:4
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s

#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: kernel beside_kernel
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

// The guard of what threads fill begins behind the bulk copies, and gets its slot from
// outside: to the loop around it looks like a fill of its own.
// CHECK-LABEL: kernel apart_kernel
// CHECK: loops
// CHECK: 3 stages: Pipelined: 3 stages, 2 copies run ahead
// CHECK: 3 stages: Pipelined: 3 stages, 3 copies run ahead
func.func @apart(%row: memref<1024xf32>, %a: memref<256x32xi8>, %b: memref<256x32xf64>, %c: memref<256x32xi8>,
                 %outer: index, %inner: index, %o: memref<32x32xf32>, %p: memref<128xf32>, %h: memref<1024xbf16>) {
  %one = arith.constant 1 : index
  tile.launch @apart_kernel blocks(%x) in (%one) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %none = arith.constant dense<0.0> : tensor<128xf32>
    %r = tile.alloc : memref<128xf32, #shared>
    %q = tile.alloc layout(#tile.shared<[128]>) : memref<128xbf16, #shared>
    %rows, %last = scf.for %i = %c0 to %outer step %c1 iter_args(%t = %none, %before = %zero) -> (tensor<128xf32>, tensor<32x32xf32>) {
      %start = arith.muli %i, %c128 : index
      tile.copy %row[%start] to %r : memref<1024xf32> to memref<128xf32, #shared>
      %v = tile.load %r : memref<128xf32, #shared> -> tensor<128xf32>
      %u = arith.addf %t, %v : tensor<128xf32>
      tile.copy %h[%start] to %q : memref<1024xbf16> to memref<128xbf16, #shared>
      %d = scf.for %j = %c0 to %inner step %c1 iter_args(%e = %zero) -> (tensor<32x32xf32>) {
        %sa = tile.alloc layout(#tile.shared<[32, 32], order = [1, 0], swizzle = 32>) : memref<32x32xi8, #shared>
        %sc = tile.alloc : memref<32x32xi8, #shared>
        %sb = tile.alloc layout(#tile.shared<[32, 32], offset = [2 : (0, 16), 4 : (0, 1), 4 : (0, 4), 32 : (1, 0) weight 33]>) : memref<32x32xf64, #shared>
        %k = arith.muli %j, %c32 : index
        tile.copy %c[%k, %c0] to %sc : memref<256x32xi8> to memref<32x32xi8, #shared>
        tile.copy %a[%k, %c0] to %sa : memref<256x32xi8> to memref<32x32xi8, #shared>
        %ta = tile.parallel (%m, %n) in (32, 32) -> (tensor<32x32xi8>) {
          %c31 = arith.constant 31 : index
          %from = arith.subi %c31, %m : index
          %g = memref.load %sa[%from, %n] : memref<32x32xi8, #shared>
          tile.yield %g : i8
        }
        %fa = arith.sitofp %ta : tensor<32x32xi8> to tensor<32x32xf32>
        %ea = arith.addf %e, %fa : tensor<32x32xf32>
        tile.copy %b[%k, %c0] to %sb : memref<256x32xf64> to memref<32x32xf64, #shared>
        %tb = tile.parallel (%m, %n) in (32, 32) -> (tensor<32x32xf64>) {
          %c31 = arith.constant 31 : index
          %from = arith.subi %c31, %m : index
          %g = memref.load %sb[%from, %n] : memref<32x32xf64, #shared>
          tile.yield %g : f64
        }
        %fb = arith.truncf %tb : tensor<32x32xf64> to tensor<32x32xf32>
        %eb = arith.addf %ea, %fb : tensor<32x32xf32>
        %tc = tile.load %sc : memref<32x32xi8, #shared> -> tensor<32x32xi8>
        %fc = arith.sitofp %tc : tensor<32x32xi8> to tensor<32x32xf32>
        %ec = arith.addf %eb, %fc : tensor<32x32xf32>
        scf.yield %ec : tensor<32x32xf32>
      } {tile.stages = 3 : i32}
      scf.yield %u, %d : tensor<128xf32>, tensor<32x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %last, %o : tensor<32x32xf32>, memref<32x32xf32>
    tile.store %rows, %p : tensor<128xf32>, memref<128xf32>
  }
  return
}
