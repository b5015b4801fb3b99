// The emulator prints what the reference prints, line by line; blocks and
// iterations of a parallel loop print in any order.
// RUN: tile-run %s --entry=lines --on=reference > %t.reference
// RUN: tile-run %s --entry=lines --on=emulator --chip=sm_80 > %t.sm_80
// RUN: tile-run %s --entry=lines --on=emulator --chip=sm_90a > %t.sm_90a
// RUN: grep block %t.reference | sort > %t.expected
// RUN: grep block %t.sm_80 | sort | diff %t.expected -
// RUN: grep block %t.sm_90a | sort | diff %t.expected -
// RUN: grep "block 1, 0, 0" %t.sm_80 | FileCheck %s --check-prefix=LINES
// RUN: grep "block 1, 0, 0" %t.reference | FileCheck %s --check-prefix=LINES
// RUN: tile-run %s --entry=iterations --on=reference > %t.iterations
// RUN: tile-run %s --entry=iterations --on=emulator --chip=sm_80 > %t.iterations.sm_80
// RUN: grep block %t.iterations | sort > %t.expected
// RUN: grep block %t.iterations.sm_80 | sort | diff %t.expected -
// RUN: FileCheck %s --check-prefix=ITERATIONS < %t.expected
// RUN: tile-run %s --entry=lines --on=emulator --chip=sm_80 --check --check-stages
// RUN: tile-run %s --entry=rasterized --on=reference | grep block | sort > %t.rasterized
// RUN: tile-run %s --entry=rasterized --on=emulator --chip=sm_80 | grep block | sort | diff %t.rasterized -
// RUN: FileCheck %s --check-prefix=RASTERIZED < %t.rasterized
// RUN: tile-run %s --entry=narrow --on=reference | grep block > %t.narrow
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_80 | grep block | diff %t.narrow -
// RUN: FileCheck %s --check-prefix=NARROW < %t.narrow

// RUN: tile-run %s --entry=fragments --on=reference | grep block | sort > %t.fragments
// RUN: tile-run %s --entry=fragments --on=emulator --chip=sm_80 --check | grep block | sort | diff %t.fragments -
// RUN: tile-run %s --entry=fragments --on=emulator --chip=sm_90a --check | grep block | sort | diff %t.fragments -
// RUN: FileCheck %s --check-prefix=FRAGMENTS < %t.fragments

// LINES: scalar (block 1, 0, 0): -0.25
// LINES-NEXT: none (block 1, 0, 0): nan
// LINES-NEXT: 100% sure (block 1, 0, 0): 7
// LINES-NEXT: bit (block 1, 0, 0): 1
// LINES-NEXT: wide (block 1, 0, 0): 1099511627776
// LINES-NEXT: one line (block 1, 0, 0): [0, 1, 2, 3, 4]
// LINES-NEXT: total (block 1, 0, 0): 10
// LINES-NEXT: table (block 1, 0, 0) [0, 0]: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// LINES-NEXT: table (block 1, 0, 0) [0, 16]: [16, 17, 18]
// LINES-NEXT: table (block 1, 0, 0) [1, 0]: [19,
// LINES: half (block 1, 0, 0): [0.5, 1, 1.5]
// LINES: bytes (block 1, 0, 0): [-3, -2, -1]
// LINES: bits (block 1, 0, 0): [1, 1, 0]
// LINES: in a loop (block 1, 0, 0): [0, 1, 2, 3, 4]
// LINES: in a loop (block 1, 0, 0): [0, 2, 4, 6, 8]
func.func @lines(%a: memref<2x2x5xf32>) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%x, %y) in (%c2, %c2) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant -0.25 : f32
    tile.print "scalar" %f : f32
    %none = arith.constant 0xFFC00000 : f32
    tile.print "none" %none : f32
    %i = arith.constant 7 : i8
    tile.print "100% sure" %i : i8
    %b = arith.constant true
    tile.print "bit" %b : i1
    %w = arith.constant 1099511627776 : i64
    tile.print "wide" %w : i64
    %v = tile.parallel (%p) in (5) -> (tensor<5xf32>) {
      %k = arith.index_cast %p : index to i32
      %g = arith.sitofp %k : i32 to f32
      tile.yield %g : f32
    }
    tile.print "one line" %v : tensor<5xf32>
    %s = tile.reduce <add> %v dims [0] : tensor<5xf32> -> tensor<f32>
    tile.print "total" %s : tensor<f32>
    %t = tile.parallel (%p, %q) in (3, 19) -> (tensor<3x19xindex>) {
      %c19 = arith.constant 19 : index
      %m = arith.muli %p, %c19 : index
      %n = arith.addi %m, %q : index
      tile.yield %n : index
    }
    tile.print "table" %t : tensor<3x19xindex>
    %h = arith.constant dense<[0.5, 1.0, 1.5]> : tensor<3xf16>
    tile.print "half" %h : tensor<3xf16>
    %e = arith.constant dense<[-3, -2, -1]> : tensor<3xi8>
    tile.print "bytes" %e : tensor<3xi8>
    %d = arith.constant dense<[true, true, false]> : tensor<3xi1>
    tile.print "bits" %d : tensor<3xi1>
    %fp8 = arith.truncf %h : tensor<3xf16> to tensor<3xf8E4M3FN>
    tile.print "fp8" %fp8 : tensor<3xf8E4M3FN>
    %z = arith.constant dense<0.0> : tensor<5xf32>
    %r = scf.for %n = %c0 to %c2 step %c1 iter_args(%c = %z) -> (tensor<5xf32>) {
      %next = arith.addf %c, %v : tensor<5xf32>
      tile.print "in a loop" %next : tensor<5xf32>
      scf.yield %next : tensor<5xf32>
    }
    tile.store %r, %a[%x, %y, %c0] [1, 1, 5] : tensor<5xf32>, memref<2x2x5xf32>
  }
  return
}

// ITERATIONS: odd (block 0, 0, 0) [0, 1]: 1
// ITERATIONS: odd (block 0, 0, 0) [0, 3]: 3
// ITERATIONS-NOT: odd {{.*}} 2
func.func @iterations(%a: memref<5xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    tile.parallel (%p, %q) in (3, 5) {
      %c2 = arith.constant 2 : index
      %one = arith.constant 1 : index
      %m = arith.remui %q, %c2 : index
      %is = arith.cmpi eq, %m, %one : index
      scf.if %is {
        tile.print "odd" %q : index
      }
    }
  }
  return
}

// RASTERIZED: place (block 0, 0, 0): 0
// RASTERIZED: place (block 0, 1, 0): 10
// RASTERIZED: place (block 2, 1, 0): 12
func.func @rasterized() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  tile.launch blocks(%x, %y) in (%c3, %c2) threads(32) attributes {rasterize = #tile.rasterize<column, 1>} {
    %c10 = arith.constant 10 : index
    %row = arith.muli %y, %c10 : index
    %place = arith.addi %row, %x : index
    tile.print "place" %place : index
  }
  return
}

// Each iteration prints the whole of a fragment.
// FRAGMENTS: all (block 0, 0, 0) [1, 0]: 3
// FRAGMENTS-NEXT: all (block 0, 0, 0) [1, 1]: 3
// FRAGMENTS-NEXT: row (block 0, 0, 0) [1, 1] [0, 0]: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// FRAGMENTS-NEXT: row (block 0, 0, 0) [1, 1] [0, 16]: [16, 17]
// FRAGMENTS-NEXT: row (block 0, 0, 0) [1, 1] [1, 0]: [18,
// FRAGMENTS-NEXT: row (block 0, 0, 0) [1, 1] [1, 16]: [34, 35]
// FRAGMENTS-NEXT: short (block 0, 0, 0) [0, 0]: [0, 1, 2]
// FRAGMENTS-NEXT: short (block 0, 0, 0) [0, 1]: [0, 1, 2]
// FRAGMENTS-NEXT: short (block 0, 0, 0) [1, 0]: [0, 1, 2]
// FRAGMENTS-NEXT: short (block 0, 0, 0) [1, 1]: [0, 1, 2]
func.func @fragments(%a: memref<2x2xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %v = tile.parallel (%p) in (3) -> (tensor<3xf32>) {
      %k = arith.index_cast %p : index to i32
      %g = arith.sitofp %k : i32 to f32
      tile.yield %g : f32
    }
    %s = tile.reduce <add> %v dims [0] : tensor<3xf32> -> tensor<f32>
    %t = tile.parallel (%p, %q) in (2, 18) -> (tensor<2x18xindex>) {
      %c18 = arith.constant 18 : index
      %m = arith.muli %p, %c18 : index
      %n = arith.addi %m, %q : index
      tile.yield %n : index
    }
    tile.parallel (%i, %j) in (2, 2) {
      %one = arith.constant 1 : index
      %isLow = arith.cmpi eq, %i, %one : index
      %isRight = arith.cmpi eq, %j, %one : index
      tile.print "short" %v : tensor<3xf32>
      scf.if %isLow {
        tile.print "all" %s : tensor<f32>
        scf.if %isRight {
          tile.print "row" %t : tensor<2x18xindex>
        }
      }
      %z = arith.constant 0.0 : f32
      memref.store %z, %a[%i, %j] : memref<2x2xf32>
    }
  }
  return
}

// NARROW: i4 (block 0, 0, 0): [-8, -7, -1, 7]
// NARROW: f4 (block 0, 0, 0): [0.5, 1, -6]
// NARROW: one (block 0, 0, 0): -8
func.func @narrow() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %i = arith.constant dense<[-8, -7, -1, 7]> : tensor<4xi4>
    tile.print "i4" %i : tensor<4xi4>
    %f = arith.constant dense<[0.5, 1.0, -6.0]> : tensor<3xf4E2M1FN>
    tile.print "f4" %f : tensor<3xf4E2M1FN>
    %e = tensor.extract %i[%c0] : tensor<4xi4>
    tile.print "one" %e : i4
  }
  return
}
