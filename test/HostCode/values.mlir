// What host code computes and hands over: numbers of every type, results, arithmetic and
// functions, divisions that must not end the process, views, copies of every shape, on the
// emulator and through the driver. Files are compared with the reference's.
// DEFINE: %{expect} = tile-run %s --on=reference --in=0:%t.on/x.npy --in=1:%t.on/x.npy
// RUN: rm -rf %t.on %t.emulator %t.driver && mkdir %t.on %t.emulator %t.driver
// RUN: tile-opt %s --chip=sm_80 --emit=object -o %t.on/values.o
// RUN: tile-opt %s --chip=sm_80 --emit=header -o %t.on/values.h
// RUN: %host_cc -std=c99 -Wall -Wextra -Werror -pedantic -I%t.on -I%S/Inputs %S/Inputs/values.c %t.on/values.o %link_tile_rt -o %t.on/values
// RUN: env TILE_RT_DEVICE=emulator %t.on/values %t.on %t.emulator | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current %t.on/values %t.on %t.driver | FileCheck %s
// RUN: diff -r %t.emulator %t.driver
// RUN: %{expect} --entry=copies --scalar=2:3 --expect=1:%t.emulator/copies.npy
// RUN: %{expect} --entry=moves --scalar=2:5 --expect=1:%t.emulator/moves.npy
// RUN: %{expect} --entry=views --scalar=2:7 --expect=1:%t.emulator/views.npy
// RUN: tile-run %s --on=reference --entry=strided --in=0:%t.on/x.npy --shape=1:16x32 --in=1:%t.on/y.npy --expect=1:%t.emulator/strided.npy

// Sums, halves of numbers, a bit, and the same numbers back.
// CHECK: numbers: -7 -3 200 1 0x3e00 0x3fc0 0x38
func.func @numbers(%o: memref<16xf32>, %a: i8, %b: i4, %c: index, %d: i1, %e: f16, %f: bf16, %g: f8E4M3FN) -> (i8, i4, index, i1, f16, bf16, f8E4M3FN) {
  %c1 = arith.constant 1 : index
  tile.launch @numbers_kernel blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %a32 = arith.sitofp %a : i8 to f32
    %b32 = arith.sitofp %b : i4 to f32
    %d32 = arith.uitofp %d : i1 to f32
    %e32 = arith.extf %e : f16 to f32
    %f32 = arith.extf %f : bf16 to f32
    %g32 = arith.extf %g : f8E4M3FN to f32
    %ab = arith.addf %a32, %b32 : f32
    %de = arith.addf %d32, %e32 : f32
    %fg = arith.addf %f32, %g32 : f32
    %abde = arith.addf %ab, %de : f32
    %sum = arith.addf %abde, %fg : f32
    %s = tensor.splat %sum : tensor<16xf32>
    tile.store %s, %o : tensor<16xf32>, memref<16xf32>
  }
  return %a, %b, %c, %d, %e, %f, %g : i8, i4, index, i1, f16, bf16, f8E4M3FN
}
// CHECK-NEXT: sum: -5

// CHECK: arithmetic: 2 -3 -2 -1 15 4.5 0.765625 20
func.func @arithmetic(%o: memref<16xf32>, %a: index, %b: index, %c: f32, %d: bf16) -> (index, index, index, index, index, f32, f32, i32) {
  %one = arith.constant 1 : index
  %p = arith.ceildivsi %a, %b : index
  %q = arith.floordivsi %a, %b : index
  %r = arith.divsi %a, %b : index
  %s = arith.remsi %a, %b : index
  %t = arith.maxsi %a, %b : index
  %root = math.sqrt %c : f32
  %e = arith.mulf %d, %d : bf16
  %f = arith.extf %e : bf16 to f32
  %g = math.exp2 %root : f32
  %h = arith.fptosi %c : f32 to i32
  tile.launch @unused blocks(%x) in (%one) threads(32) {
    %y = tensor.splat %g : tensor<16xf32>
    tile.store %y, %o : tensor<16xf32>, memref<16xf32>
  }
  return %p, %q, %r, %s, %t, %root, %f, %h : index, index, index, index, index, f32, f32, i32
}

// What is infinite, what becomes bf16 and f16, functions of libm.
// CHECK: functions: 1 0 1 0x4040 0x42f6 0x3ee0
func.func @functions(%o: memref<16xf32>, %a: f32, %b: i8, %c: f64) -> (i1, i1, i1, bf16, bf16, f16) {
  %one = arith.constant 1 : index
  %p = math.isinf %a : f32
  %q = math.isfinite %a : f32
  %n = arith.subf %a, %a : f32
  %r = math.isnan %n : f32
  %s = arith.sitofp %b : i8 to bf16
  %t = arith.constant 123.0 : f32
  %u = arith.truncf %t : f32 to bf16
  %v = math.erf %c : f64
  %w = math.expm1 %v : f64
  %x = arith.truncf %w : f64 to f16
  %y = math.tanh %x : f16
  %z = arith.addf %x, %y : f16
  tile.launch @functions_kernel blocks(%i) in (%one) threads(32) {
    %1 = arith.constant dense<1.0> : tensor<16xf32>
    tile.store %1, %o : tensor<16xf32>, memref<16xf32>
  }
  return %p, %q, %r, %s, %u, %z : i1, i1, i1, bf16, bf16, f16
}

// A division by zero is anything, but no signal; so is the overflowing one.
// CHECK: divisions: went on
func.func @divisions(%o: memref<16xf32>, %a: i32, %b: i32, %c: index, %d: index) -> (i32, i32, i32, i32, index, index) {
  %one = arith.constant 1 : index
  %p = arith.divsi %a, %b : i32
  %q = arith.remsi %a, %b : i32
  %r = arith.divui %a, %b : i32
  %s = arith.remui %a, %b : i32
  %t = arith.ceildivsi %c, %d : index
  %u = arith.floordivsi %c, %d : index
  tile.launch @some blocks(%x) in (%one) threads(32) {
    %y = arith.constant dense<1.0> : tensor<16xf32>
    tile.store %y, %o : tensor<16xf32>, memref<16xf32>
  }
  return %p, %q, %r, %s, %t, %u : i32, i32, i32, i32, index, index
}

// Iterations are counted over the integers, also where the number behind the last one does
// not fit; what does not go forward, and a dimension that is not there, are errors.
// CHECK: loops: 2 100, 2 -56, 2 4611686018427387904, 48 64
// CHECK: step: 1 {{.*}}values.mlir:[[@LINE+9]]:10: the step of a loop is 0; it must be positive
// CHECK: step: 1 {{.*}}values.mlir:[[@LINE+8]]:10: the step of a loop is -1; it must be positive
// CHECK: step: 1 {{.*}}values.mlir:[[@LINE+11]]:10: the step of a loop is 0; it must be positive
// CHECK: dimension: 1 {{.*}}values.mlir:[[@LINE+19]]:8: dimension 2 of a memref of rank 2
// CHECK: dimension: 1 {{.*}}values.mlir:[[@LINE+18]]:8: dimension -1 of a memref of rank 2
func.func @loops(%o: memref<?x64xf32>, %a: i8, %b: i8, %c: i8, %d: i8, %e: index, %f: index, %dim: index) -> (i8, i8, i8, i8, index, index, index) {
  %one = arith.constant 1 : index
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %p:2 = scf.for %i = %c0 to %a step %b iter_args(%n = %c0, %l = %c0) -> (i8, i8) : i8 {
    %m = arith.addi %n, %c1 : i8
    scf.yield %m, %i : i8, i8
  }
  %q:2 = scf.for unsigned %i = %c0 to %c step %d iter_args(%n = %c0, %l = %c0) -> (i8, i8) : i8 {
    %m = arith.addi %n, %c1 : i8
    scf.yield %m, %i : i8, i8
  }
  %z = arith.constant 0 : index
  %r:2 = scf.for %i = %z to %e step %f iter_args(%n = %z, %l = %z) -> (index, index) {
    %m = arith.addi %n, %one : index
    scf.yield %m, %i : index, index
  }
  %s = memref.dim %o, %dim : memref<?x64xf32>
  tile.launch @loops_kernel blocks(%x) in (%one) threads(32) {
    %z0 = arith.constant 0 : index
    %y = arith.constant dense<1.0> : tensor<1x64xf32>
    tile.store %y, %o[%z0, %z0] : tensor<1x64xf32>, memref<?x64xf32>
  }
  return %p#0, %p#1, %q#0, %q#1, %r#0, %r#1, %s : i8, i8, i8, i8, index, index, index
}

// Copies by rows, by elements, by rows of rows, within a buffer, and of half bytes.
func.func @copies(%x: memref<48x64xf32>, %y: memref<48x64xf32>, %n: index) {
  %a = memref.subview %x[%n, 4] [16, 32] [2, 1] : memref<48x64xf32> to memref<16x32xf32, strided<[128, 1], offset: ?>>
  %b = memref.subview %y[0, 8] [16, 32] [1, 1] : memref<48x64xf32> to memref<16x32xf32, strided<[64, 1], offset: 8>>
  memref.copy %a, %b : memref<16x32xf32, strided<[128, 1], offset: ?>> to memref<16x32xf32, strided<[64, 1], offset: 8>>
  %c = memref.subview %x[0, 0] [8, 16] [3, 4] : memref<48x64xf32> to memref<8x16xf32, strided<[192, 4]>>
  %d = memref.subview %y[20, 1] [8, 16] [1, 3] : memref<48x64xf32> to memref<8x16xf32, strided<[64, 3], offset: 1281>>
  memref.copy %c, %d : memref<8x16xf32, strided<[192, 4]>> to memref<8x16xf32, strided<[64, 3], offset: 1281>>
  %e = memref.subview %y[0, 0] [40, 64] [1, 1] : memref<48x64xf32> to memref<40x64xf32, strided<[64, 1]>>
  %f = memref.subview %y[4, 0] [40, 64] [1, 1] : memref<48x64xf32> to memref<40x64xf32, strided<[64, 1], offset: 256>>
  memref.copy %e, %f : memref<40x64xf32, strided<[64, 1]>> to memref<40x64xf32, strided<[64, 1], offset: 256>>
  %one = arith.constant 1 : index
  tile.launch @bump blocks(%i) in (%one) threads(32) {
    %c0 = arith.constant 0 : index
    %t = tile.load %y[%c0, %c0] : memref<48x64xf32> -> tensor<1x64xf32>
    %u = arith.addf %t, %t : tensor<1x64xf32>
    tile.store %u, %y[%c0, %c0] : tensor<1x64xf32>, memref<48x64xf32>
  }
  return
}

// Buffers of the program, of half bytes and of sizes that are known late, change places.
func.func @moves(%x: memref<48x64xf32>, %y: memref<48x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %u = memref.alloc() : memref<48x64xf32>
  %v = memref.alloc() : memref<48x64xf32>
  %p = memref.alloc(%n) : memref<?x16xi4>
  %q = memref.alloc(%n) : memref<?x16xi4>
  memref.copy %x, %u : memref<48x64xf32> to memref<48x64xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%from = %u, %to = %v) -> (memref<48x64xf32>, memref<48x64xf32>) {
    tile.launch @shift blocks(%b) in (%c48) threads(64) {
      %z = arith.constant 0 : index
      %t = tile.load %from[%b, %z] : memref<48x64xf32> -> tensor<1x64xf32>
      %one = arith.constant dense<1.0> : tensor<1x64xf32>
      %s = arith.addf %t, %one : tensor<1x64xf32>
      tile.store %s, %to[%b, %z] : tensor<1x64xf32>, memref<48x64xf32>
    }
    scf.yield %to, %from : memref<48x64xf32>, memref<48x64xf32>
  }
  tile.launch @narrow blocks(%b) in (%n) threads(32) {
    %z = arith.constant 0 : index
    %t = arith.constant dense<-3> : tensor<1x16xi4>
    tile.store %t, %p[%b, %z] : tensor<1x16xi4>, memref<?x16xi4>
  }
  memref.copy %p, %q : memref<?x16xi4> to memref<?x16xi4>
  memref.copy %r#0, %y : memref<48x64xf32> to memref<48x64xf32>
  tile.launch @widen blocks(%b) in (%n) threads(32) {
    %z = arith.constant 0 : index
    %t = tile.load %q[%b, %z] : memref<?x16xi4> -> tensor<1x16xi4>
    %f = arith.sitofp %t : tensor<1x16xi4> to tensor<1x16xf32>
    tile.store %f, %y[%b, %z] : tensor<1x16xf32>, memref<48x64xf32>
  }
  memref.dealloc %u : memref<48x64xf32>
  memref.dealloc %p : memref<?x16xi4>
  return
}

// Views that the host makes, each kind of them.
func.func @views(%x: memref<48x64xf32>, %y: memref<48x64xf32>, %n: index) {
  %one = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %flat = memref.collapse_shape %x [[0, 1]] : memref<48x64xf32> into memref<3072xf32>
  %cube = memref.expand_shape %flat [[0, 1, 2]] output_shape [12, 16, 16] : memref<3072xf32> into memref<12x16x16xf32>
  %slice = memref.subview %cube[%n, 0, 0] [1, 16, 16] [1, 1, 1] : memref<12x16x16xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
  %open = memref.cast %slice : memref<16x16xf32, strided<[16, 1], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %shut = memref.cast %open : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<16x16xf32, strided<[16, 1], offset: ?>>
  %part = memref.reinterpret_cast %y to offset: [%n], sizes: [16, 16], strides: [64, 1] : memref<48x64xf32> to memref<16x16xf32, strided<[64, 1], offset: ?>>
  // It steps over elements, and the last of its dimensions of size 1 is the source's.
  %column = memref.subview %cube[%n, 0, 3] [1, %c16, 1] [5, 1, 2] : memref<12x16x16xf32> to memref<?x1xf32, strided<[16, 2], offset: ?>>
  tile.launch @through_views blocks(%b) in (%one) threads(32) {
    %c0 = arith.constant 0 : index
    %c20 = arith.constant 20 : index
    %c40 = arith.constant 40 : index
    %u = tile.load %column[%c0, %c0] : memref<?x1xf32, strided<[16, 2], offset: ?>> -> tensor<16x1xf32>
    tile.store %u, %y[%c20, %c40] : tensor<16x1xf32>, memref<48x64xf32>
    %t = tile.load %shut : memref<16x16xf32, strided<[16, 1], offset: ?>> -> tensor<16x16xf32>
    tile.store %t, %part : tensor<16x16xf32>, memref<16x16xf32, strided<[64, 1], offset: ?>>
  }
  return
}

// A view that the caller makes.
// CHECK: outside: 1 {{.*}}values.mlir:{{[0-9]+}}:8: the view leaves its source: offset 30, size 16, stride 2 in dimension 0 of size 48
// CHECK: cast: 1 {{.*}}values.mlir:{{[0-9]+}}:8: the result's type says that dimension 0 has size 16, but it has 15
func.func @strided(%x: memref<48x64xf32>, %y: memref<?x?xf32, strided<[?, 1], offset: ?>> {tile.divisible = array<i64: 1, 1>}) {
  %one = arith.constant 1 : index
  %z = memref.cast %y : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<16x32xf32, strided<[?, 1], offset: ?>>
  tile.launch @to_view blocks(%b) in (%one) threads(32) {
    %c3 = arith.constant 3 : index
    %t = tile.load %x[%c3, %c3] : memref<48x64xf32> -> tensor<16x32xf32>
    tile.store %t, %z : tensor<16x32xf32>, memref<16x32xf32, strided<[?, 1], offset: ?>>
  }
  return
}
