// The operations that move tiles, a case per operation; values worked out by hand.
// Arguments hold their own element numbers: (r, c) of %m is 4 r + c.
// RUN: tile-run %s --entry=all --on=reference --data=iota --data=3:zeros | sed 's/ (block 0, 0, 0)//' | FileCheck %s
#shared = #gpu.address_space<workgroup>

func.func @all(%m: memref<3x4xf32>, %q: memref<2x3x2x4xf32>, %i: memref<6xi32>, %sums: memref<5xi32>, %x: memref<1x3x3x1xf16>, %y: memref<2x2x3x2xf16>) {
  call @tile.load(%m) : (memref<3x4xf32>) -> ()
  call @tile.load_outside(%m) : (memref<3x4xf32>) -> ()
  call @tile.load_box(%q) : (memref<2x3x2x4xf32>) -> ()
  call @tile.load_rows(%m) : (memref<3x4xf32>) -> ()
  call @tile.load_converts(%i) : (memref<6xi32>) -> ()
  call @tile.load_packed() : () -> ()
  call @tile.load_dynamic(%m) : (memref<3x4xf32>) -> ()
  call @tile.store() : () -> ()
  call @tile.store_rows() : () -> ()
  call @tile.store_converts() : () -> ()
  call @tile.copy(%m) : (memref<3x4xf32>) -> ()
  call @tile.copy_pads(%m) : (memref<3x4xf32>) -> ()
  call @tile.copy_rows(%m) : (memref<3x4xf32>) -> ()
  call @tile.copy_undefined() : () -> ()
  call @tile.atomic_rmw(%sums) : (memref<5xi32>) -> ()
  call @tile.atomic_rmw_kinds() : () -> ()
  call @tile.im2col(%x) : (memref<1x3x3x1xf16>) -> ()
  call @tile.im2col_strided(%y) : (memref<2x2x3x2xf16>) -> ()
  return
}

func.func private @tile.load(%m: memref<3x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %a = tile.load %m[%i1, %i2] : memref<3x4xf32> -> tensor<2x2xf32>
    // CHECK: load [0, 0]: [6, 7]
    // CHECK-NEXT: load [1, 0]: [10, 11]
    tile.print "load" %a : tensor<2x2xf32>
    // Without indices the memref is taken whole.
    %w = tile.load %m : memref<3x4xf32> -> tensor<3x4xf32>
    // CHECK: load whole [0, 0]: [0, 1, 2, 3]
    // CHECK-NEXT: load whole [1, 0]: [4, 5, 6, 7]
    // CHECK-NEXT: load whole [2, 0]: [8, 9, 10, 11]
    tile.print "load whole" %w : tensor<3x4xf32>
  }
  return
}

// Starts are signed; outside the source it reads as `pad`, zero by default.
func.func private @tile.load_outside(%m: memref<3x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %n1 = arith.constant -1 : index
    %i2 = arith.constant 2 : index
    %i9 = arith.constant 9 : index
    %last = arith.constant 9223372036854775807 : index
    %pad = arith.constant 7.0 : f32
    %a = tile.load %m[%n1, %i2] : memref<3x4xf32> -> tensor<3x3xf32>
    // CHECK: negative start [0, 0]: [0, 0, 0]
    // CHECK-NEXT: negative start [1, 0]: [2, 3, 0]
    // CHECK-NEXT: negative start [2, 0]: [6, 7, 0]
    tile.print "negative start" %a : tensor<3x3xf32>
    %p = tile.load %m[%i2, %n1] pad(%pad) : memref<3x4xf32> -> tensor<2x2xf32>
    // CHECK: padded [0, 0]: [7, 8]
    // CHECK-NEXT: padded [1, 0]: [7, 7]
    tile.print "padded" %p : tensor<2x2xf32>
    %e = tile.load %m[%i9, %b] pad(%pad) : memref<3x4xf32> -> tensor<1x2xf32>
    // CHECK: past the end: [7, 7]
    tile.print "past the end" %e : tensor<1x2xf32>
    // Where start + position has no 64-bit value it is outside too.
    %f = tile.load %m[%b, %last] pad(%pad) : memref<3x4xf32> -> tensor<1x3xf32>
    // CHECK: far past the end: [7, 7, 7]
    tile.print "far past the end" %f : tensor<1x3xf32>
    // The pad is a value of the destination's type and not converted: -inf in f16.
    %inf = arith.constant 0xFC00 : f16
    %h = tile.load %m[%b, %i2] pad(%inf) : memref<3x4xf32> -> tensor<1x4xf16>
    // CHECK: padded f16: [2, 3, -inf, -inf]
    tile.print "padded f16" %h : tensor<1x4xf16>
  }
  return
}

// Element (1, r, 1, c) is 24 + 8 r + 4 + c; unit dimensions of the box are dropped.
func.func private @tile.load_box(%q: memref<2x3x2x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i1 = arith.constant 1 : index
    %n1 = arith.constant -1 : index
    %a = tile.load %q[%i1, %b, %i1, %i1] [1, 3, 1, 2] : memref<2x3x2x4xf32> -> tensor<3x2xf32>
    // CHECK: box [0, 0]: [29, 30]
    // CHECK-NEXT: box [1, 0]: [37, 38]
    // CHECK-NEXT: box [2, 0]: [45, 46]
    tile.print "box" %a : tensor<3x2xf32>
    // A dropped dimension outside leaves nothing inside.
    %e = tile.load %q[%i1, %b, %n1, %i1] [1, 3, 1, 2] : memref<2x3x2x4xf32> -> tensor<3x2xf32>
    // CHECK: box outside [0, 0]: [0, 0]
    // CHECK-NEXT: box outside [1, 0]: [0, 0]
    // CHECK-NEXT: box outside [2, 0]: [0, 0]
    tile.print "box outside" %e : tensor<3x2xf32>
  }
  return
}

func.func private @tile.load_rows(%m: memref<3x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i1 = arith.constant 1 : index
    // Rows repeat and lie outside; coordinate i is start + r[i].
    %r = arith.constant dense<[2, 0, 2, 9, -1]> : tensor<5xi32>
    %a = tile.load %m[%b, %i1] rows(%r : tensor<5xi32>) dim 0 : memref<3x4xf32> -> tensor<5x2xf32>
    // CHECK: rows [0, 0]: [9, 10]
    // CHECK-NEXT: rows [1, 0]: [1, 2]
    // CHECK-NEXT: rows [2, 0]: [9, 10]
    // CHECK-NEXT: rows [3, 0]: [0, 0]
    // CHECK-NEXT: rows [4, 0]: [0, 0]
    tile.print "rows" %a : tensor<5x2xf32>
    %s = tile.load %m[%i1, %i1] rows(%r : tensor<5xi32>) dim 0 : memref<3x4xf32> -> tensor<5x1xf32>
    %f = tensor.collapse_shape %s [[0, 1]] : tensor<5x1xf32> into tensor<5xf32>
    // CHECK: rows from 1: [0, 5, 0, 0, 1]
    tile.print "rows from 1" %f : tensor<5xf32>
    // Along the last dimension: columns 3, 0 and 1 of rows 0 and 1.
    %k = arith.constant dense<[3, 0, 1]> : tensor<3xi32>
    %c = tile.load %m[%b, %b] rows(%k : tensor<3xi32>) dim 1 : memref<3x4xf32> -> tensor<2x3xf32>
    // CHECK: columns [0, 0]: [3, 0, 1]
    // CHECK-NEXT: columns [1, 0]: [7, 4, 5]
    tile.print "columns" %c : tensor<2x3xf32>
  }
  return
}

// Integers as truncations, i1 the low bit; %i holds 0 to 5.
func.func private @tile.load_converts(%i: memref<6xi32>) {
  %c1 = arith.constant 1 : index
  %bits = memref.alloc() : memref<4xi1>
  %f = memref.alloc() : memref<4xf32>
  %w = memref.alloc() : memref<4xi32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %low = tile.load %i : memref<6xi32> -> tensor<6xi1>
    // CHECK: i1 from i32: [0, 1, 0, 1, 0, 1]
    tile.print "i1 from i32" %low : tensor<6xi1>
    // Unlike extsi, i1 widens as 0 or 1.
    %t = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
    tile.store %t, %bits : tensor<4xi1>, memref<4xi1>
    %wide = tile.load %bits : memref<4xi1> -> tensor<4xi32>
    // CHECK: i32 from i1: [1, 0, 1, 1]
    tile.print "i32 from i1" %wide : tensor<4xi32>
    %v = arith.constant dense<[300, -300, 127, 128]> : tensor<4xi32>
    tile.store %v, %w : tensor<4xi32>, memref<4xi32>
    %cut = tile.load %w : memref<4xi32> -> tensor<4xi8>
    // CHECK: i8 from i32: [44, -44, 127, -128]
    tile.print "i8 from i32" %cut : tensor<4xi8>
    // Floats round once: 0.3 lies between 0.28125 and 0.3125, 2049 saturates.
    %g = arith.constant dense<[1000.0, 0.3, -5.0, 2049.0]> : tensor<4xf32>
    tile.store %g, %f : tensor<4xf32>, memref<4xf32>
    %e = tile.load %f : memref<4xf32> -> tensor<4xf8E4M3FN>
    // CHECK: f8E4M3FN from f32: [448, 0.3125, -5, 448]
    tile.print "f8E4M3FN from f32" %e : tensor<4xf8E4M3FN>
    %h = tile.load %f : memref<4xf32> -> tensor<4xf16>
    %hi = arith.fptosi %h : tensor<4xf16> to tensor<4xi32>
    // CHECK: f16 from f32: [1000, 0, -5, 2048]
    tile.print "f16 from f32" %hi : tensor<4xi32>
  }
  return
}

// Half bytes, the low half first; neighbours in a byte are elements of their own.
func.func private @tile.load_packed() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi4>
  %n = memref.alloc() : memref<2xi4>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i1 = arith.constant 1 : index
    %v = arith.constant dense<[1, -2, 3, -8]> : tensor<4xi4>
    tile.store %v, %m : tensor<4xi4>, memref<4xi4>
    %t = tile.load %m : memref<4xi4> -> tensor<4xi4>
    // CHECK: i4: [1, -2, 3, -8]
    tile.print "i4" %t : tensor<4xi4>
    %w = tile.load %m : memref<4xi4> -> tensor<4xi8>
    // CHECK: i8 from i4: [1, -2, 3, -8]
    tile.print "i8 from i4" %w : tensor<4xi8>
    %s = arith.constant 5 : i4
    memref.store %s, %n[%i1] : memref<2xi4>
    %u = tile.load %n : memref<2xi4> -> tensor<2xi4>
    // CHECK: half a byte: [poison, 5]
    tile.print "half a byte" %u : tensor<2xi4>
    // Two iterations write two elements.
    tile.parallel (%i) in (4) {
      %k = arith.index_cast %i : index to i4
      memref.store %k, %m[%i] : memref<4xi4>
    }
    %x = tile.load %m : memref<4xi4> -> tensor<4xi4>
    // CHECK: i4 by iteration: [0, 1, 2, 3]
    tile.print "i4 by iteration" %x : tensor<4xi4>
  }
  return
}

// No size is static and one is zero.
func.func private @tile.load_dynamic(%m: memref<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = memref.subview %m[1, 0] [%c2, %c2] [1, 1] : memref<3x4xf32> to memref<?x?xf32, strided<[4, 1], offset: 4>>
  %z = memref.subview %m[1, 0] [%c0, %c2] [1, 1] : memref<3x4xf32> to memref<?x?xf32, strided<[4, 1], offset: 4>>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i1 = arith.constant 1 : index
    %a = tile.load %d[%b, %i1] : memref<?x?xf32, strided<[4, 1], offset: 4>> -> tensor<3x2xf32>
    // CHECK: bounds of the view [0, 0]: [5, 0]
    // CHECK-NEXT: bounds of the view [1, 0]: [9, 0]
    // CHECK-NEXT: bounds of the view [2, 0]: [0, 0]
    tile.print "bounds of the view" %a : tensor<3x2xf32>
    %e = tile.load %z[%b, %b] : memref<?x?xf32, strided<[4, 1], offset: 4>> -> tensor<1x2xf32>
    // CHECK: zero extent: [0, 0]
    tile.print "zero extent" %e : tensor<1x2xf32>
  }
  return
}

// Outside the destination nothing is written.
func.func private @tile.store() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2x3xf32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %n1 = arith.constant -1 : index
    %i1 = arith.constant 1 : index
    %z = arith.constant dense<0.0> : tensor<2x3xf32>
    tile.store %z, %m : tensor<2x3xf32>, memref<2x3xf32>
    %v = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    tile.store %v, %m[%n1, %n1] : tensor<2x2xf32>, memref<2x3xf32>
    %w = arith.constant dense<[5.0, 6.0, 7.0]> : tensor<3xf32>
    tile.store %w, %m[%i1, %i1] [1, 3] : tensor<3xf32>, memref<2x3xf32>
    %t = tile.load %m : memref<2x3xf32> -> tensor<2x3xf32>
    // CHECK: store [0, 0]: [4, 0, 0]
    // CHECK-NEXT: store [1, 0]: [0, 5, 6]
    tile.print "store" %t : tensor<2x3xf32>
  }
  return
}

func.func private @tile.store_rows() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4x2xi32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i1 = arith.constant 1 : index
    %z = arith.constant dense<0> : tensor<4x2xi32>
    tile.store %z, %m : tensor<4x2xi32>, memref<4x2xi32>
    // Rows 1 + r: 3, 1, outside, 0; repeated rows are an error (errors.mlir).
    %r = arith.constant dense<[2, 0, 5, -1]> : tensor<4xi32>
    %v = arith.constant dense<[[1], [2], [3], [4]]> : tensor<4x1xi32>
    tile.store %v, %m[%i1, %i1] rows(%r : tensor<4xi32>) dim 0 : tensor<4x1xi32>, memref<4x2xi32>
    %t = tile.load %m : memref<4x2xi32> -> tensor<4x2xi32>
    // CHECK: store rows [0, 0]: [0, 4]
    // CHECK-NEXT: store rows [1, 0]: [0, 2]
    // CHECK-NEXT: store rows [2, 0]: [0, 0]
    // CHECK-NEXT: store rows [3, 0]: [0, 1]
    tile.print "store rows" %t : tensor<4x2xi32>
  }
  return
}

func.func private @tile.store_converts() {
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : memref<3xbf16>
  %w = memref.alloc() : memref<3xi64>
  %n = memref.alloc() : memref<3xi1>
  tile.launch blocks(%b) in (%c1) threads(32) {
    // f16 to bf16, types of one width, goes through f32: 257 and 259 are halfway
    // between two bf16 and 255 is exact.
    %v = arith.constant dense<[257.0, 259.0, -255.0]> : tensor<3xf16>
    tile.store %v, %h : tensor<3xf16>, memref<3xbf16>
    %t = tile.load %h : memref<3xbf16> -> tensor<3xbf16>
    // CHECK: bf16 from f16: [256, 260, -255]
    tile.print "bf16 from f16" %t : tensor<3xbf16>
    %i = arith.constant dense<[-7, 4, 5]> : tensor<3xi8>
    tile.store %i, %w : tensor<3xi8>, memref<3xi64>
    %u = tile.load %w : memref<3xi64> -> tensor<3xi64>
    // CHECK: i64 from i8: [-7, 4, 5]
    tile.print "i64 from i8" %u : tensor<3xi64>
    tile.store %i, %n : tensor<3xi8>, memref<3xi1>
    %p = tile.load %n : memref<3xi1> -> tensor<3xi1>
    // CHECK: i1 from i8: [1, 0, 1]
    tile.print "i1 from i8" %p : tensor<3xi1>
  }
  return
}

func.func private @tile.copy(%m: memref<3x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %s = tile.alloc : memref<2x3xf32, #shared>
    // The side with indices takes the extents of the other one.
    tile.copy %m[%i1, %i1] to %s : memref<3x4xf32> to memref<2x3xf32, #shared>
    %t = tile.load %s : memref<2x3xf32, #shared> -> tensor<2x3xf32>
    // CHECK: copy [0, 0]: [5, 6, 7]
    // CHECK-NEXT: copy [1, 0]: [9, 10, 11]
    tile.print "copy" %t : tensor<2x3xf32>
    // Boxes on both sides, of different rank, and conversion to f16.
    %h = tile.alloc : memref<2x1x2xf16, #shared>
    tile.copy %m[%b, %i2] [2, 2] to %h[%b, %b, %b] [2, 1, 2] : memref<3x4xf32> to memref<2x1x2xf16, #shared>
    %u = tile.load %h[%b, %b, %b] [2, 1, 2] : memref<2x1x2xf16, #shared> -> tensor<2x2xf16>
    // CHECK: copy of boxes [0, 0]: [2, 3]
    // CHECK-NEXT: copy of boxes [1, 0]: [6, 7]
    tile.print "copy of boxes" %u : tensor<2x2xf16>
    // Parts of one buffer that do not overlap.
    tile.copy %s[%b, %b] [1, 3] to %s[%i1, %b] [1, 3] : memref<2x3xf32, #shared> to memref<2x3xf32, #shared>
    %w = tile.load %s : memref<2x3xf32, #shared> -> tensor<2x3xf32>
    // CHECK: copy within [0, 0]: [5, 6, 7]
    // CHECK-NEXT: copy within [1, 0]: [5, 6, 7]
    tile.print "copy within" %w : tensor<2x3xf32>
  }
  return
}

// Outside the source is padding; outside the destination nothing is written.
func.func private @tile.copy_pads(%m: memref<3x4xf32>) {
  %c1 = arith.constant 1 : index
  %g = memref.alloc() : memref<3xi32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %pad = arith.constant -1.0 : f16
    %s = tile.alloc : memref<2x2xf16, #shared>
    tile.copy %m[%i2, %i3] pad(%pad) to %s : memref<3x4xf32> to memref<2x2xf16, #shared>
    %t = tile.load %s : memref<2x2xf16, #shared> -> tensor<2x2xf16>
    // CHECK: copy pads [0, 0]: [11, -1]
    // CHECK-NEXT: copy pads [1, 0]: [-1, -1]
    tile.print "copy pads" %t : tensor<2x2xf16>
    %a = tile.alloc : memref<3xi32, #shared>
    %v = arith.constant dense<[4, 5, 6]> : tensor<3xi32>
    tile.store %v, %a : tensor<3xi32>, memref<3xi32, #shared>
    %z = arith.constant dense<0> : tensor<3xi32>
    tile.store %z, %g : tensor<3xi32>, memref<3xi32>
    tile.copy %a to %g[%i1] : memref<3xi32, #shared> to memref<3xi32>
    %u = tile.load %g : memref<3xi32> -> tensor<3xi32>
    // CHECK: copy clips: [0, 4, 5]
    tile.print "copy clips" %u : tensor<3xi32>
  }
  return
}

func.func private @tile.copy_rows(%m: memref<3x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i2 = arith.constant 2 : index
    %s = tile.alloc : memref<3x2xf32, #shared>
    %r = arith.constant dense<[2, 2, 0]> : tensor<3xi32>
    %d = arith.constant dense<[1, 2, 0]> : tensor<3xi32>
    // Gathered on one side and scattered on the other.
    tile.copy %m[%b, %i2] rows(%r : tensor<3xi32>) dim 0 to %s[%b, %b] [3, 2] rows(%d : tensor<3xi32>) dim 0 : memref<3x4xf32> to memref<3x2xf32, #shared>
    %t = tile.load %s : memref<3x2xf32, #shared> -> tensor<3x2xf32>
    // CHECK: copy rows [0, 0]: [2, 3]
    // CHECK-NEXT: copy rows [1, 0]: [10, 11]
    // CHECK-NEXT: copy rows [2, 0]: [10, 11]
    tile.print "copy rows" %t : tensor<3x2xf32>
  }
  return
}

// A copy to shared memory carries undefined elements along.
func.func private @tile.copy_undefined() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i1 = arith.constant 1 : index
    %a = tile.alloc : memref<3xi32, #shared>
    %s = tile.alloc : memref<3xi32, #shared>
    %v = arith.constant 8 : i32
    memref.store %v, %a[%i1] : memref<3xi32, #shared>
    tile.copy %a to %s : memref<3xi32, #shared> to memref<3xi32, #shared>
    %t = tile.load %s : memref<3xi32, #shared> -> tensor<3xi32>
    // CHECK: copy undefined: [poison, 8, poison]
    tile.print "copy undefined" %t : tensor<3xi32>
  }
  return
}

// Four blocks; rows may repeat and lie outside.
func.func private @tile.atomic_rmw(%o: memref<5xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  tile.launch blocks(%b) in (%c4) threads(32) {
    %i0 = arith.constant 0 : index
    %r = arith.constant dense<[1, 1, 2, 5, -1]> : tensor<5xi32>
    %v = arith.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
    tile.atomic_rmw addi %v, %o[%i0] rows(%r : tensor<5xi32>) dim 0 : tensor<5xi32>, memref<5xi32>
  }
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %o : memref<5xi32> -> tensor<5xi32>
    // CHECK: atomic_rmw: [0, 12, 12, 0, 0]
    tile.print "atomic_rmw" %t : tensor<5xi32>
  }
  return
}

func.func private @tile.atomic_rmw_kinds() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i = tile.alloc : memref<4xi32, #shared>
    %x = arith.constant dense<[5, -5, 12, 2147483647]> : tensor<4xi32>
    %y = arith.constant dense<[3, 2, 10, 1]> : tensor<4xi32>
    tile.store %x, %i : tensor<4xi32>, memref<4xi32, #shared>
    tile.atomic_rmw addi %y, %i : tensor<4xi32>, memref<4xi32, #shared>
    %t0 = tile.load %i : memref<4xi32, #shared> -> tensor<4xi32>
    // CHECK: addi: [8, -3, 22, -2147483648]
    tile.print "addi" %t0 : tensor<4xi32>
    tile.store %x, %i : tensor<4xi32>, memref<4xi32, #shared>
    tile.atomic_rmw muli %y, %i : tensor<4xi32>, memref<4xi32, #shared>
    %t1 = tile.load %i : memref<4xi32, #shared> -> tensor<4xi32>
    // CHECK: muli: [15, -10, 120, 2147483647]
    tile.print "muli" %t1 : tensor<4xi32>
    tile.store %x, %i : tensor<4xi32>, memref<4xi32, #shared>
    tile.atomic_rmw maxs %y, %i : tensor<4xi32>, memref<4xi32, #shared>
    %t2 = tile.load %i : memref<4xi32, #shared> -> tensor<4xi32>
    // CHECK: maxs: [5, 2, 12, 2147483647]
    tile.print "maxs" %t2 : tensor<4xi32>
    tile.store %x, %i : tensor<4xi32>, memref<4xi32, #shared>
    tile.atomic_rmw mins %y, %i : tensor<4xi32>, memref<4xi32, #shared>
    %t3 = tile.load %i : memref<4xi32, #shared> -> tensor<4xi32>
    // CHECK: mins: [3, -5, 10, 1]
    tile.print "mins" %t3 : tensor<4xi32>
    tile.store %x, %i : tensor<4xi32>, memref<4xi32, #shared>
    tile.atomic_rmw maxu %y, %i : tensor<4xi32>, memref<4xi32, #shared>
    %t4 = tile.load %i : memref<4xi32, #shared> -> tensor<4xi32>
    // CHECK: maxu: [5, -5, 12, 2147483647]
    tile.print "maxu" %t4 : tensor<4xi32>
    tile.store %x, %i : tensor<4xi32>, memref<4xi32, #shared>
    tile.atomic_rmw minu %y, %i : tensor<4xi32>, memref<4xi32, #shared>
    %t5 = tile.load %i : memref<4xi32, #shared> -> tensor<4xi32>
    // CHECK: minu: [3, 2, 10, 1]
    tile.print "minu" %t5 : tensor<4xi32>
    tile.store %x, %i : tensor<4xi32>, memref<4xi32, #shared>
    tile.atomic_rmw andi %y, %i : tensor<4xi32>, memref<4xi32, #shared>
    %t6 = tile.load %i : memref<4xi32, #shared> -> tensor<4xi32>
    // 101 and 011; ..1011 and 0010; 1100 and 1010.
    // CHECK: andi: [1, 2, 8, 1]
    tile.print "andi" %t6 : tensor<4xi32>
    tile.store %x, %i : tensor<4xi32>, memref<4xi32, #shared>
    tile.atomic_rmw ori %y, %i : tensor<4xi32>, memref<4xi32, #shared>
    %t7 = tile.load %i : memref<4xi32, #shared> -> tensor<4xi32>
    // CHECK: ori: [7, -5, 14, 2147483647]
    tile.print "ori" %t7 : tensor<4xi32>
    tile.store %x, %i : tensor<4xi32>, memref<4xi32, #shared>
    tile.atomic_rmw xori %y, %i : tensor<4xi32>, memref<4xi32, #shared>
    %t8 = tile.load %i : memref<4xi32, #shared> -> tensor<4xi32>
    // CHECK: xori: [6, -7, 6, 2147483646]
    tile.print "xori" %t8 : tensor<4xi32>
    tile.store %x, %i : tensor<4xi32>, memref<4xi32, #shared>
    tile.atomic_rmw assign %y, %i : tensor<4xi32>, memref<4xi32, #shared>
    %t9 = tile.load %i : memref<4xi32, #shared> -> tensor<4xi32>
    // CHECK: assign: [3, 2, 10, 1]
    tile.print "assign" %t9 : tensor<4xi32>

    // f16 rounds each step: 2048 + 1 goes to 2048, 2048 + 3 to 2052.
    %h = tile.alloc : memref<3xf16, #shared>
    %p = arith.constant dense<[2048.0, 2048.0, 0x7E00]> : tensor<3xf16>
    %q = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf16>
    tile.store %p, %h : tensor<3xf16>, memref<3xf16, #shared>
    tile.atomic_rmw addf %q, %h : tensor<3xf16>, memref<3xf16, #shared>
    %u0 = tile.load %h : memref<3xf16, #shared> -> tensor<3xf16>
    // CHECK: addf: [2048, 2052, nan]
    tile.print "addf" %u0 : tensor<3xf16>
    tile.store %p, %h : tensor<3xf16>, memref<3xf16, #shared>
    tile.atomic_rmw mulf %q, %h : tensor<3xf16>, memref<3xf16, #shared>
    %u1 = tile.load %h : memref<3xf16, #shared> -> tensor<3xf16>
    // CHECK: mulf: [2048, 6144, nan]
    tile.print "mulf" %u1 : tensor<3xf16>
    tile.store %p, %h : tensor<3xf16>, memref<3xf16, #shared>
    tile.atomic_rmw maximumf %q, %h : tensor<3xf16>, memref<3xf16, #shared>
    %u2 = tile.load %h : memref<3xf16, #shared> -> tensor<3xf16>
    // CHECK: maximumf: [2048, 2048, nan]
    tile.print "maximumf" %u2 : tensor<3xf16>
    tile.store %p, %h : tensor<3xf16>, memref<3xf16, #shared>
    tile.atomic_rmw maxnumf %q, %h : tensor<3xf16>, memref<3xf16, #shared>
    %u3 = tile.load %h : memref<3xf16, #shared> -> tensor<3xf16>
    // CHECK: maxnumf: [2048, 2048, 2]
    tile.print "maxnumf" %u3 : tensor<3xf16>
    tile.store %p, %h : tensor<3xf16>, memref<3xf16, #shared>
    tile.atomic_rmw minimumf %q, %h : tensor<3xf16>, memref<3xf16, #shared>
    %u4 = tile.load %h : memref<3xf16, #shared> -> tensor<3xf16>
    // CHECK: minimumf: [1, 3, nan]
    tile.print "minimumf" %u4 : tensor<3xf16>
    tile.store %p, %h : tensor<3xf16>, memref<3xf16, #shared>
    tile.atomic_rmw minnumf %q, %h : tensor<3xf16>, memref<3xf16, #shared>
    %u5 = tile.load %h : memref<3xf16, #shared> -> tensor<3xf16>
    // CHECK: minnumf: [1, 3, 2]
    tile.print "minnumf" %u5 : tensor<3xf16>
  }
  return
}

// A 3 x 3 image of one channel, 0 to 8, with a 3 x 3 kernel and a border of one: a
// row per output position, a column per position in the kernel.
func.func private @tile.im2col(%x: memref<1x3x3x1xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i4 = arith.constant 4 : index
    %s = tile.alloc : memref<6x9xf16, #shared>
    // Outputs (1, 1) to (2, 2), and one row past them.
    tile.im2col %x[%i4, %b] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
      : memref<1x3x3x1xf16> to memref<6x9xf16, #shared>
    %t = tile.load %s : memref<6x9xf16, #shared> -> tensor<6x9xf16>
    // CHECK: im2col [0, 0]: [0, 1, 2, 3, 4, 5, 6, 7, 8]
    // CHECK-NEXT: im2col [1, 0]: [1, 2, 0, 4, 5, 0, 7, 8, 0]
    // CHECK-NEXT: im2col [2, 0]: [0, 3, 4, 0, 6, 7, 0, 0, 0]
    // CHECK-NEXT: im2col [3, 0]: [3, 4, 5, 6, 7, 8, 0, 0, 0]
    // CHECK-NEXT: im2col [4, 0]: [4, 5, 0, 7, 8, 0, 0, 0, 0]
    // CHECK-NEXT: im2col [5, 0]: [0, 0, 0, 0, 0, 0, 0, 0, 0]
    tile.print "im2col" %t : tensor<6x9xf16>
  }
  return
}

// Two images of 2 x 3 with two channels: (n, h, w, c) is 12 n + 6 h + 2 w + c. The
// kernel is 1 x 2, its columns 2 apart, outputs 2 rows apart: one output an image, at
// h 0, w 0 and 2. Column 1 on, and before the first row.
func.func private @tile.im2col_strided(%y: memref<2x2x3x2xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %n1 = arith.constant -1 : index
    %i1 = arith.constant 1 : index
    %s = tile.alloc : memref<4x4xf16, #shared>
    tile.im2col %y[%n1, %i1] to %s {kernel = [1, 2], strides = [2, 1], dilations = [1, 2], padding = [0, 0]}
      : memref<2x2x3x2xf16> to memref<4x4xf16, #shared>
    %t = tile.load %s : memref<4x4xf16, #shared> -> tensor<4x4xf16>
    // CHECK: im2col strided [0, 0]: [0, 0, 0, 0]
    // CHECK-NEXT: im2col strided [1, 0]: [1, 4, 5, 0]
    // CHECK-NEXT: im2col strided [2, 0]: [13, 16, 17, 0]
    // CHECK-NEXT: im2col strided [3, 0]: [0, 0, 0, 0]
    tile.print "im2col strided" %t : tensor<4x4xf16>
  }
  return
}
