// Boxes of memory: starts outside, padding, gathered rows, conversions, atomics,
// im2col. Arguments are iota unless said otherwise.
// RUN: tile-run %s --entry=edges --on=reference --data=iota | FileCheck %s --check-prefix=EDGE
// RUN: tile-run %s --entry=rows --on=reference --data=iota | FileCheck %s --check-prefix=ROWS
// RUN: tile-run %s --entry=boxes --on=reference --data=iota | FileCheck %s --check-prefix=BOX
// RUN: tile-run %s --entry=conversions --on=reference --data=iota | FileCheck %s --check-prefix=CONVERT
// RUN: tile-run %s --entry=atomics --on=reference --data=zeros | FileCheck %s --check-prefix=ATOMIC
// RUN: tile-run %s --entry=image --on=reference --data=iota | FileCheck %s --check-prefix=IMAGE
// RUN: tile-run %s --entry=views --on=reference --data=iota | FileCheck %s --check-prefix=VIEW
#shared = #gpu.address_space<workgroup>

func.func @edges(%m: memref<3x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %n1 = arith.constant -1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %pad = arith.constant 7.0 : f32
    %a = tile.load %m[%n1, %c2] : memref<3x4xf32> -> tensor<3x3xf32>
    // EDGE: zero (block 0, 0, 0) [0, 0]: [0, 0, 0]
    // EDGE-NEXT: zero (block 0, 0, 0) [1, 0]: [2, 3, 0]
    // EDGE-NEXT: zero (block 0, 0, 0) [2, 0]: [6, 7, 0]
    tile.print "zero" %a : tensor<3x3xf32>
    %c = tile.load %m[%c2, %n1] pad(%pad) : memref<3x4xf32> -> tensor<2x2xf32>
    // EDGE: pad (block 0, 0, 0) [0, 0]: [7, 8]
    // EDGE-NEXT: pad (block 0, 0, 0) [1, 0]: [7, 7]
    tile.print "pad" %c : tensor<2x2xf32>
    %d = tile.load %m[%c9, %c9] pad(%pad) : memref<3x4xf32> -> tensor<1x2xf32>
    // EDGE: past (block 0, 0, 0): [7, 7]
    tile.print "past" %d : tensor<1x2xf32>
    // Outside the destination nothing is written.
    tile.store %c, %m[%c2, %c3] : tensor<2x2xf32>, memref<3x4xf32>
    %e = tile.load %m : memref<3x4xf32> -> tensor<3x4xf32>
    // EDGE: stored (block 0, 0, 0) [0, 0]: [0, 1, 2, 3]
    // EDGE-NEXT: stored (block 0, 0, 0) [1, 0]: [4, 5, 6, 7]
    // EDGE-NEXT: stored (block 0, 0, 0) [2, 0]: [8, 9, 10, 7]
    tile.print "stored" %e : tensor<3x4xf32>
  }
  return
}

func.func @rows(%m: memref<4x3xf32>, %o: memref<4x3xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c1i = arith.constant 1 : index
    %r = arith.constant dense<[2, 0, 2, 9]> : tensor<4xi32>
    %a = tile.load %m[%c0, %c1i] rows(%r : tensor<4xi32>) dim 0 : memref<4x3xf32> -> tensor<4x2xf32>
    // ROWS: gathered (block 0, 0, 0) [0, 0]: [7, 8]
    // ROWS-NEXT: gathered (block 0, 0, 0) [1, 0]: [1, 2]
    // ROWS-NEXT: gathered (block 0, 0, 0) [2, 0]: [7, 8]
    // ROWS-NEXT: gathered (block 0, 0, 0) [3, 0]: [0, 0]
    tile.print "gathered" %a : tensor<4x2xf32>
    // The start counts too: rows 1 + r.
    %q = arith.constant dense<[2, 0, 1, -1]> : tensor<4xi32>
    %v = arith.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
    tile.store %v, %o[%c1i, %c0] rows(%q : tensor<4xi32>) dim 0 : tensor<4x1xf32>, memref<4x3xf32>
    %s = tile.load %o : memref<4x3xf32> -> tensor<4x3xf32>
    // ROWS: scattered (block 0, 0, 0) [0, 0]: [4, 1, 2]
    // ROWS-NEXT: scattered (block 0, 0, 0) [1, 0]: [2, 4, 5]
    // ROWS-NEXT: scattered (block 0, 0, 0) [2, 0]: [3, 7, 8]
    // ROWS-NEXT: scattered (block 0, 0, 0) [3, 0]: [1, 10, 11]
    tile.print "scattered" %s : tensor<4x3xf32>
  }
  return
}

func.func @boxes(%m: memref<2x3x2x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c1i = arith.constant 1 : index
    // Element (1, r, 1, c) is 24 + 8 r + 4 + c.
    %a = tile.load %m[%c1i, %c0, %c1i, %c1i] [1, 3, 1, 2] : memref<2x3x2x4xf32> -> tensor<3x2xf32>
    // BOX: box (block 0, 0, 0) [0, 0]: [29, 30]
    // BOX-NEXT: box (block 0, 0, 0) [1, 0]: [37, 38]
    // BOX-NEXT: box (block 0, 0, 0) [2, 0]: [45, 46]
    tile.print "box" %a : tensor<3x2xf32>
    %s = tile.alloc : memref<3x2xf32, #shared>
    tile.copy %m[%c1i, %c0, %c1i, %c1i] [1, 3, 1, 2] to %s : memref<2x3x2x4xf32> to memref<3x2xf32, #shared>
    %c = tile.load %s : memref<3x2xf32, #shared> -> tensor<3x2xf32>
    // BOX: copied (block 0, 0, 0) [0, 0]: [29, 30]
    // BOX-NEXT: copied (block 0, 0, 0) [1, 0]: [37, 38]
    // BOX-NEXT: copied (block 0, 0, 0) [2, 0]: [45, 46]
    tile.print "copied" %c : tensor<3x2xf32>
  }
  return
}

func.func @conversions(%i: memref<4xi32>, %p: memref<4xi1>, %f: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // To i1 the low bit counts; from i1, 0 or 1.
    %a = tile.load %i : memref<4xi32> -> tensor<4xi1>
    // CONVERT: low (block 0, 0, 0): [0, 1, 0, 1]
    tile.print "low" %a : tensor<4xi1>
    tile.store %a, %p : tensor<4xi1>, memref<4xi1>
    %c = tile.load %p : memref<4xi1> -> tensor<4xi32>
    // CONVERT: wide (block 0, 0, 0): [0, 1, 0, 1]
    tile.print "wide" %c : tensor<4xi32>
    %v = arith.constant dense<[300, -300, 127, 128]> : tensor<4xi32>
    tile.store %v, %i : tensor<4xi32>, memref<4xi32>
    %d = tile.load %i : memref<4xi32> -> tensor<4xi8>
    // CONVERT: cut (block 0, 0, 0): [44, -44, 127, -128]
    tile.print "cut" %d : tensor<4xi8>
    %w = arith.constant dense<[1000.0, 0.3, -5.0, 2049.0]> : tensor<4xf32>
    tile.store %w, %f : tensor<4xf32>, memref<4xf32>
    %e = tile.load %f : memref<4xf32> -> tensor<4xf8E4M3FN>
    // 0.3 lies between 0.28125 and 0.3125.
    // CONVERT: fp8 (block 0, 0, 0): [448, 0.3125, -5, 448]
    tile.print "fp8" %e : tensor<4xf8E4M3FN>
  }
  return
}

func.func @atomics(%o: memref<3xi32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%b) in (%c4) threads(32) {
    %c0 = arith.constant 0 : index
    %r = arith.constant dense<[1, 1, 2, 5]> : tensor<4xi32>
    %v = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    tile.atomic_rmw addi %v, %o[%c0] rows(%r : tensor<4xi32>) dim 0 : tensor<4xi32>, memref<3xi32>
  }
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %o : memref<3xi32> -> tensor<3xi32>
    // ATOMIC: sums (block 0, 0, 0): [0, 12, 12]
    tile.print "sums" %t : tensor<3xi32>
  }
  return
}

func.func @image(%x: memref<1x3x3x1xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<10x9xf16, #shared>
    tile.im2col %x[%c0, %c0] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
      : memref<1x3x3x1xf16> to memref<10x9xf16, #shared>
    %t = tile.load %s : memref<10x9xf16, #shared> -> tensor<10x9xf16>
    // Position (0, 0) sees the upper left corner, (1, 1) the whole image; row 9
    // is past the matrix.
    // IMAGE: im2col (block 0, 0, 0) [0, 0]: [0, 0, 0, 0, 0, 1, 0, 3, 4]
    // IMAGE: im2col (block 0, 0, 0) [4, 0]: [0, 1, 2, 3, 4, 5, 6, 7, 8]
    // IMAGE: im2col (block 0, 0, 0) [9, 0]: [0, 0, 0, 0, 0, 0, 0, 0, 0]
    tile.print "im2col" %t : tensor<10x9xf16>
  }
  return
}

func.func @views(%m: memref<4x6xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = memref.subview %m[1, %c2] [2, 4] [1, 1] : memref<4x6xf32> to memref<2x4xf32, strided<[6, 1], offset: ?>>
  %e = memref.expand_shape %v [[0], [1, 2]] output_shape [2, 2, 2] : memref<2x4xf32, strided<[6, 1], offset: ?>> into memref<2x2x2xf32, strided<[6, 2, 1], offset: ?>>
  %f = memref.collapse_shape %m [[0, 1]] : memref<4x6xf32> into memref<24xf32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %a = tile.load %e : memref<2x2x2xf32, strided<[6, 2, 1], offset: ?>> -> tensor<2x2x2xf32>
    // VIEW: expanded (block 0, 0, 0) [0, 0, 0]: [8, 9]
    // VIEW-NEXT: expanded (block 0, 0, 0) [0, 1, 0]: [10, 11]
    // VIEW-NEXT: expanded (block 0, 0, 0) [1, 0, 0]: [14, 15]
    // VIEW-NEXT: expanded (block 0, 0, 0) [1, 1, 0]: [16, 17]
    tile.print "expanded" %a : tensor<2x2x2xf32>
    // The view's bounds count, not the buffer's.
    %c = tile.load %v[%c0, %c0] : memref<2x4xf32, strided<[6, 1], offset: ?>> -> tensor<1x5xf32>
    // VIEW: clipped (block 0, 0, 0): [8, 9, 10, 11, 0]
    tile.print "clipped" %c : tensor<1x5xf32>
    %k = arith.constant 20 : index
    %s = memref.load %f[%k] : memref<24xf32>
    // VIEW: element (block 0, 0, 0): 20
    tile.print "element" %s : f32
  }
  return
}
