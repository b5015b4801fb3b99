// memref operations, a case per operation; values worked out by hand. %iota holds its
// own element numbers, and a view is arithmetic on them.
// RUN: tile-run %s --entry=all --on=reference --data=iota | sed 's/ (block 0, 0, 0)//' | FileCheck %s

func.func @all(%iota: memref<4x6xf32>) {
  call @memref.alloc() : () -> ()
  call @memref.dealloc() : () -> ()
  call @memref.dim(%iota) : (memref<4x6xf32>) -> ()
  call @memref.copy(%iota) : (memref<4x6xf32>) -> ()
  call @memref.cast(%iota) : (memref<4x6xf32>) -> ()
  call @memref.subview(%iota) : (memref<4x6xf32>) -> ()
  call @memref.reinterpret_cast(%iota) : (memref<4x6xf32>) -> ()
  call @memref.expand_shape(%iota) : (memref<4x6xf32>) -> ()
  call @memref.collapse_shape(%iota) : (memref<4x6xf32>) -> ()
  call @memref.load(%iota) : (memref<4x6xf32>) -> ()
  call @memref.store() : () -> ()
  call @memref.atomic_rmw() : () -> ()
  return
}

// A fresh buffer is undefined; sizes may be zero, and a size known late.
func.func private @memref.alloc() {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc(%c3) : memref<?xf32>
  %z = memref.alloc(%c0) : memref<2x?xf32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %a[%b] : memref<?xf32> -> tensor<3xf32>
    // CHECK: alloc: [poison, poison, poison]
    tile.print "alloc" %t : tensor<3xf32>
    // Everything is outside of a memref without elements.
    %u = tile.load %z[%b, %b] : memref<2x?xf32> -> tensor<2x2xf32>
    // CHECK: alloc of nothing [0, 0]: [0, 0]
    // CHECK-NEXT: alloc of nothing [1, 0]: [0, 0]
    tile.print "alloc of nothing" %u : tensor<2x2xf32>
  }
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %z : memref<2x?xf32>
  return
}

// The buffer of one allocation ends, not another's; errors.mlir uses one afterwards.
func.func private @memref.dealloc() {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi32>
  %k = memref.alloc() : memref<2xi32>
  memref.dealloc %a : memref<2xi32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %v = arith.constant dense<[5, 6]> : tensor<2xi32>
    tile.store %v, %k : tensor<2xi32>, memref<2xi32>
    %t = tile.load %k : memref<2xi32> -> tensor<2xi32>
    // CHECK: dealloc: [5, 6]
    tile.print "dealloc" %t : tensor<2xi32>
  }
  memref.dealloc %k : memref<2xi32>
  return
}

func.func private @memref.dim(%m: memref<4x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = memref.subview %m[1, 0] [%c2, 6] [1, 1] : memref<4x6xf32> to memref<?x6xf32, strided<[6, 1], offset: 6>>
  %host = memref.dim %v, %c0 : memref<?x6xf32, strided<[6, 1], offset: 6>>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i1 = arith.constant 1 : index
    // The dimension may be known late: the block's number is 0.
    %r = memref.dim %v, %b : memref<?x6xf32, strided<[6, 1], offset: 6>>
    %c = memref.dim %v, %i1 : memref<?x6xf32, strided<[6, 1], offset: 6>>
    %t = tensor.from_elements %host, %r, %c : tensor<3xindex>
    // CHECK: dim: [2, 2, 6]
    tile.print "dim" %t : tensor<3xindex>
  }
  return
}

// Views are copied element by element; undefined elements stay undefined.
func.func private @memref.copy(%m: memref<4x6xf32>) {
  %c1 = arith.constant 1 : index
  %w = memref.alloc() : memref<2x3xf32>
  %v = memref.subview %m[2, 1] [2, 3] [1, 2] : memref<4x6xf32> to memref<2x3xf32, strided<[6, 2], offset: 13>>
  memref.copy %v, %w : memref<2x3xf32, strided<[6, 2], offset: 13>> to memref<2x3xf32>
  %x = memref.alloc() : memref<2x3xf32>
  %y = memref.alloc() : memref<2x3xf32>
  memref.copy %x, %y : memref<2x3xf32> to memref<2x3xf32>
  %row = memref.subview %w[1, 0] [1, 3] [1, 1] : memref<2x3xf32> to memref<3xf32, strided<[1], offset: 3>>
  %to = memref.subview %y[0, 0] [1, 3] [1, 1] : memref<2x3xf32> to memref<3xf32, strided<[1]>>
  memref.copy %row, %to : memref<3xf32, strided<[1], offset: 3>> to memref<3xf32, strided<[1]>>
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Rows 2 and 3, columns 1, 3 and 5: 6 r + c.
    %t = tile.load %w : memref<2x3xf32> -> tensor<2x3xf32>
    // CHECK: copy [0, 0]: [13, 15, 17]
    // CHECK-NEXT: copy [1, 0]: [19, 21, 23]
    tile.print "copy" %t : tensor<2x3xf32>
    %u = tile.load %y : memref<2x3xf32> -> tensor<2x3xf32>
    // CHECK: copy of a part [0, 0]: [19, 21, 23]
    // CHECK-NEXT: copy of a part [1, 0]: [poison, poison, poison]
    tile.print "copy of a part" %u : tensor<2x3xf32>
  }
  return
}

func.func private @memref.cast(%m: memref<4x6xf32>) {
  %c1 = arith.constant 1 : index
  %d = memref.cast %m : memref<4x6xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %s = memref.cast %d : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<4x6xf32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i2 = arith.constant 2 : index
    %v = memref.load %d[%i2, %b] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %w = memref.load %s[%i2, %b] : memref<4x6xf32>
    %t = tensor.from_elements %v, %w : tensor<2xf32>
    // CHECK: cast: [12, 12]
    tile.print "cast" %t : tensor<2xf32>
  }
  return
}

func.func private @memref.subview(%m: memref<4x6xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  // Offset (1, 2), every second column; then without its first dimension.
  %v = memref.subview %m[1, %c2] [2, 2] [1, %c2] : memref<4x6xf32> to memref<2x2xf32, strided<[6, ?], offset: ?>>
  %r = memref.subview %v[1, 0] [1, 2] [1, 1] : memref<2x2xf32, strided<[6, ?], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
  // A view of no rows, at the end.
  %c4 = arith.constant 4 : index
  %z = memref.subview %m[%c4, 0] [%c0, 6] [1, 1] : memref<4x6xf32> to memref<?x6xf32, strided<[6, 1], offset: ?>>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %v : memref<2x2xf32, strided<[6, ?], offset: ?>> -> tensor<2x2xf32>
    // CHECK: subview [0, 0]: [8, 10]
    // CHECK-NEXT: subview [1, 0]: [14, 16]
    tile.print "subview" %t : tensor<2x2xf32>
    %u = tile.load %r : memref<2xf32, strided<[?], offset: ?>> -> tensor<2xf32>
    // CHECK: subview of lower rank: [14, 16]
    tile.print "subview of lower rank" %u : tensor<2xf32>
    // The view's bounds count, not the buffer's.
    %w = tile.load %r[%b] : memref<2xf32, strided<[?], offset: ?>> -> tensor<3xf32>
    // CHECK: subview is clipped: [14, 16, 0]
    tile.print "subview is clipped" %w : tensor<3xf32>
    %y = tile.load %z[%b, %b] : memref<?x6xf32, strided<[6, 1], offset: ?>> -> tensor<1x2xf32>
    // CHECK: subview of no rows: [0, 0]
    tile.print "subview of no rows" %y : tensor<1x2xf32>
  }
  return
}

func.func private @memref.reinterpret_cast(%m: memref<4x6xf32>) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  // Element 5 + 7 i + 2 j, whatever the source's shape is.
  %v = memref.reinterpret_cast %m to offset: [5], sizes: [2, 3], strides: [%c7, 2] : memref<4x6xf32> to memref<2x3xf32, strided<[?, 2], offset: 5>>
  // A stride of zero repeats a row.
  %r = memref.reinterpret_cast %m to offset: [3], sizes: [2, 2], strides: [0, 1] : memref<4x6xf32> to memref<2x2xf32, strided<[0, 1], offset: 3>>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %v : memref<2x3xf32, strided<[?, 2], offset: 5>> -> tensor<2x3xf32>
    // CHECK: reinterpret_cast [0, 0]: [5, 7, 9]
    // CHECK-NEXT: reinterpret_cast [1, 0]: [12, 14, 16]
    tile.print "reinterpret_cast" %t : tensor<2x3xf32>
    %u = tile.load %r : memref<2x2xf32, strided<[0, 1], offset: 3>> -> tensor<2x2xf32>
    // CHECK: reinterpret_cast repeats [0, 0]: [3, 4]
    // CHECK-NEXT: reinterpret_cast repeats [1, 0]: [3, 4]
    tile.print "reinterpret_cast repeats" %u : tensor<2x2xf32>
  }
  return
}

func.func private @memref.expand_shape(%m: memref<4x6xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %v = memref.subview %m[1, 2] [2, %c4] [1, 1] : memref<4x6xf32> to memref<2x?xf32, strided<[6, 1], offset: 8>>
  %e = memref.expand_shape %v [[0], [1, 2]] output_shape [2, %c2, 2] : memref<2x?xf32, strided<[6, 1], offset: 8>> into memref<2x?x2xf32, strided<[6, 2, 1], offset: 8>>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %e[%b, %b, %b] : memref<2x?x2xf32, strided<[6, 2, 1], offset: 8>> -> tensor<2x2x2xf32>
    // CHECK: expand_shape [0, 0, 0]: [8, 9]
    // CHECK-NEXT: expand_shape [0, 1, 0]: [10, 11]
    // CHECK-NEXT: expand_shape [1, 0, 0]: [14, 15]
    // CHECK-NEXT: expand_shape [1, 1, 0]: [16, 17]
    tile.print "expand_shape" %t : tensor<2x2x2xf32>
  }
  return
}

func.func private @memref.collapse_shape(%m: memref<4x6xf32>) {
  %c1 = arith.constant 1 : index
  %f = memref.collapse_shape %m [[0, 1]] : memref<4x6xf32> into memref<24xf32>
  %v = memref.subview %f[0] [8] [3] : memref<24xf32> to memref<8xf32, strided<[3]>>
  %e = memref.expand_shape %v [[0, 1]] output_shape [2, 4] : memref<8xf32, strided<[3]>> into memref<2x4xf32, strided<[12, 3]>>
  %c = memref.collapse_shape %e [[0, 1]] : memref<2x4xf32, strided<[12, 3]>> into memref<8xf32, strided<[3]>>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i5 = arith.constant 5 : index
    %i20 = arith.constant 20 : index
    %v0 = memref.load %f[%i20] : memref<24xf32>
    // CHECK: collapse_shape: 20
    tile.print "collapse_shape" %v0 : f32
    // Element 5 of every third one.
    %v1 = memref.load %c[%i5] : memref<8xf32, strided<[3]>>
    // CHECK: collapse_shape with a stride: 15
    tile.print "collapse_shape with a stride" %v1 : f32
  }
  return
}

func.func private @memref.load(%m: memref<4x6xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i3 = arith.constant 3 : index
    %i5 = arith.constant 5 : index
    %v = memref.load %m[%i3, %i5] : memref<4x6xf32>
    // CHECK: load: 23
    tile.print "load" %v : f32
    // Gathers: (i, 5 - i).
    %t = tile.parallel (%i) in (4) -> (tensor<4xf32>) {
      %j = arith.subi %i5, %i : index
      %e = memref.load %m[%i, %j] : memref<4x6xf32>
      tile.yield %e : f32
    }
    // CHECK: load by iteration: [5, 10, 15, 20]
    tile.print "load by iteration" %t : tensor<4xf32>
  }
  return
}

func.func private @memref.store() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2x3xi8>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %v = arith.constant 9 : i8
    memref.store %v, %m[%i1, %i2] : memref<2x3xi8>
    // Iterations scatter: column 2 - i of row 0; the others stay undefined.
    tile.parallel (%i) in (2) {
      %j = arith.subi %i2, %i : index
      %k = arith.constant 0 : index
      %e = arith.index_cast %i : index to i8
      memref.store %e, %m[%k, %j] : memref<2x3xi8>
    }
    %t = tile.load %m : memref<2x3xi8> -> tensor<2x3xi8>
    // CHECK: store [0, 0]: [poison, 1, 0]
    // CHECK-NEXT: store [1, 0]: [poison, poison, 9]
    tile.print "store" %t : tensor<2x3xi8>
  }
  return
}

// It gives the element from before; the kinds are combined one after another.
func.func private @memref.atomic_rmw() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<1xi32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %five = arith.constant 5 : i32
    %three = arith.constant 3 : i32
    %minus = arith.constant -2 : i32
    memref.store %five, %m[%b] : memref<1xi32>
    // 5 + 3 = 8, 8 * 3 = 24, max(24, -2) = 24, min(24, -2) = -2, -2 as unsigned is
    // large, unsigned min 3, 3 | 5 = 7, 7 & 3 = 3, 3 ^ 5 = 6, 6 is replaced by -2.
    %r0 = memref.atomic_rmw addi %three, %m[%b] : (i32, memref<1xi32>) -> i32
    %r1 = memref.atomic_rmw muli %three, %m[%b] : (i32, memref<1xi32>) -> i32
    %r2 = memref.atomic_rmw maxs %minus, %m[%b] : (i32, memref<1xi32>) -> i32
    %r3 = memref.atomic_rmw mins %minus, %m[%b] : (i32, memref<1xi32>) -> i32
    %r4 = memref.atomic_rmw maxu %three, %m[%b] : (i32, memref<1xi32>) -> i32
    %r5 = memref.atomic_rmw minu %three, %m[%b] : (i32, memref<1xi32>) -> i32
    %r6 = memref.atomic_rmw ori %five, %m[%b] : (i32, memref<1xi32>) -> i32
    %r7 = memref.atomic_rmw andi %three, %m[%b] : (i32, memref<1xi32>) -> i32
    %r8 = memref.atomic_rmw xori %five, %m[%b] : (i32, memref<1xi32>) -> i32
    %r9 = memref.atomic_rmw assign %minus, %m[%b] : (i32, memref<1xi32>) -> i32
    %last = memref.load %m[%b] : memref<1xi32>
    %t = tensor.from_elements %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %last : tensor<11xi32>
    // CHECK: atomic_rmw: [5, 8, 24, 24, -2, -2, 3, 7, 3, 6, -2]
    tile.print "atomic_rmw" %t : tensor<11xi32>
    // All iterations update one element: 0 + 1 + 2 + 3 - 2.
    tile.parallel (%i) in (4) {
      %e = arith.index_cast %i : index to i32
      %z = arith.constant 0 : index
      %o = memref.atomic_rmw addi %e, %m[%z] : (i32, memref<1xi32>) -> i32
    }
    %s = memref.load %m[%b] : memref<1xi32>
    // CHECK: atomic_rmw by iteration: 4
    tile.print "atomic_rmw by iteration" %s : i32
  }
  return
}
