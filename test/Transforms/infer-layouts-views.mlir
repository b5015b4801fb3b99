// What a launch copies from a view that it makes itself is named in the memref from outside,
// where it is proved to be the same; else a remark says what is not known.
// RUN: tile-opt %s --tile-infer-layouts=bulk-copies --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter-missed=tile-infer-layouts | FileCheck %s

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func.func @same
func.func @same(%n: index, %a: memref<4x?x64xf16> {tile.dims = ["", "M", ""]}, %b: memref<?x192xf16>, %m: memref<?x64xf32> {tile.dims = ["M", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = memref.dim %a, %c1 : memref<4x?x64xf16>
  %named = memref.dim %m, %c0 : memref<?x64xf32>
  %count = memref.dim %b, %c0 : memref<?x192xf16>
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.alloc : memref<64x64xf16, #shared>
    %v = memref.subview %a[%x, 0, 0] [1, %rows, 64] [1, 1, 1] : memref<4x?x64xf16> to memref<?x64xf16, strided<[64, 1], offset: ?>>
    // Nothing is cut off, so that places may be anywhere.
    // CHECK: tile.copy %{{.*}}[%[[X:.*]], %{{.*}}, %{{.*}}] [1, 64, 64] in_bounds [true, false, true] to %{{.*}} {instruction = {{.*}}3d.shared
    tile.copy %v[%n, %c0] to %t : memref<?x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #shared>
    // By the name of the size.
    %w = memref.subview %a[%x, 0, 0] [1, %named, 64] [1, 1, 1] : memref<4x?x64xf16> to memref<?x64xf16, strided<[64, 1], offset: ?>>
    // CHECK: tile.copy %{{.*}} [1, 64, 64] in_bounds [true, false, true] to %{{.*}}3d.shared
    tile.copy %w[%n, %c0] to %t : memref<?x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #shared>
    // A head of three, and the rows behind some.
    %split = memref.expand_shape %b [[0], [1, 2]] output_shape [%count, 3, 64] : memref<?x192xf16> into memref<?x3x64xf16>
    %left = arith.subi %count, %x : index
    %head = memref.subview %split[%x, 1, 0] [%left, 1, 64] [1, 1, 1] : memref<?x3x64xf16> to memref<?x64xf16, strided<[192, 1], offset: ?>>
    // CHECK: %[[ROW:.*]] = arith.addi %[[X]], %[[X]]
    // CHECK: tile.copy %{{.*}}[%[[ROW]], %c64{{.*}}] [64, 64] in_bounds [false, true] to %{{.*}}2d.shared
    tile.copy %head[%x, %c0] to %t : memref<?x64xf16, strided<[192, 1], offset: ?>> to memref<64x64xf16, #shared>
    // Dimensions of size 1 come and go.
    %unit = memref.expand_shape %v [[0, 1], [2]] output_shape [1, %rows, 64] : memref<?x64xf16, strided<[64, 1], offset: ?>> into memref<1x?x64xf16, strided<[?, 64, 1], offset: ?>>
    %back = memref.collapse_shape %unit [[0, 1], [2]] : memref<1x?x64xf16, strided<[?, 64, 1], offset: ?>> into memref<?x64xf16, strided<[?, 1], offset: ?>>
    %cast = memref.cast %back : memref<?x64xf16, strided<[?, 1], offset: ?>> to memref<?x?xf16, strided<[?, 1], offset: ?>>
    // CHECK: tile.copy %{{.*}} [1, 64, 64] in_bounds [true, false, true] to %{{.*}}3d.shared
    tile.copy %cast[%c64, %c0] to %t : memref<?x?xf16, strided<[?, 1], offset: ?>> to memref<64x64xf16, #shared>
  }
  return
}
}

// -----

// Views that end before the memref does, and boxes that do not reach as far.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func.func @inside
func.func @inside(%from: index, %length: index, %a: memref<?x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %even = tile.assume_divisible %length by 64 : index
  %grid = arith.divui %even, %c64 : index
  tile.launch @k blocks(%x) in (%grid) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.alloc : memref<64x64xf16, #shared>
    %fixed = memref.subview %a[%from, 0] [256, 64] [1, 1] : memref<?x64xf16> to memref<256x64xf16, strided<[64, 1], offset: ?>>
    // CHECK: tile.copy %{{.*}} [64, 64] in_bounds [true, true] to %{{.*}}2d.shared
    tile.copy %fixed[%c64, %c0] to %t : memref<256x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #shared>
    // The author says so.
    // CHECK: tile.copy %{{.*}} [64, 64] in_bounds [true, true] to %{{.*}}2d.shared
    tile.copy %fixed[%n, %c0] in_bounds [true, false] to %t : memref<256x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #shared>
    // Over the blocks of the grid, and in a loop.
    %v = memref.subview %a[%from, 0] [%even, 64] [1, 1] : memref<?x64xf16> to memref<?x64xf16, strided<[64, 1], offset: ?>>
    %row = arith.muli %x, %c64 : index
    // CHECK: tile.copy %{{.*}} [64, 64] in_bounds [true, true] to %{{.*}}2d.shared
    tile.copy %v[%row, %c0] to %t : memref<?x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #shared>
    scf.for %i = %c0 to %even step %c64 {
      // CHECK: tile.copy %{{.*}} [64, 64] in_bounds [true, true] to %{{.*}}2d.shared
      tile.copy %v[%i, %c0] to %t : memref<?x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #shared>
    }
  }
  return
}
}

// -----

// What is not known.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: cp.async.bulk
func.func @unknown(%from: index, %length: index, %a: memref<?x64xf16>, %p: memref<?x192xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %count = memref.dim %a, %c0 : memref<?x64xf16>
  %even = tile.assume_divisible %length by 32 : index
  %grid = arith.divui %even, %c64 : index
  tile.launch @k blocks(%x) in (%grid) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.alloc : memref<64x64xf16, #shared>
    %u = tile.alloc : memref<32x2x64xf16, #shared>
    %v = memref.subview %a[%from, 0] [%even, 64] [1, 1] : memref<?x64xf16> to memref<?x64xf16, strided<[64, 1], offset: ?>>
    scf.for %i = %c0 to %even step %c64 {
      // Only half a box may be left.
      // expected-remark @below {{"its box of 64 elements may reach out of the view along dimension 0, where the memref may go on; take its size by 'memref.dim' of the memref, state 'in_bounds', or by 'tile.assume_divisible' that 64 divides the start and the size, up to which a loop or the grid counts"}}
      tile.copy %v[%i, %c0] to %t : memref<?x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #shared>
    }
    // In front of the view there is something.
    %left = arith.subi %count, %from : index
    %w = memref.subview %a[%from, 0] [%left, 64] [1, 1] : memref<?x64xf16> to memref<?x64xf16, strided<[64, 1], offset: ?>>
    // expected-remark @below {{"its box of 64 elements may reach out of the view along dimension 0}}
    tile.copy %w[%n, %c0] to %t : memref<?x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #shared>
    // The next head.
    %rows = memref.dim %p, %c0 : memref<?x192xf16>
    %split = memref.expand_shape %p [[0], [1, 2]] output_shape [%rows, 3, 64] : memref<?x192xf16> into memref<?x3x64xf16>
    // expected-remark @below {{"it may reach out of dimension 2 of a view that goes on in the next row; state 'in_bounds'"}}
    // expected-remark @below {{NarrowCopy}}
    tile.copy %split[%c0, %c1, %x] [64, 1, 64] to %t : memref<?x3x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"its box has several rows of dimension 1 of a view, which are one dimension of the memref; index the memref that it views"}}
    tile.copy %split[%c0, %c0, %c0] in_bounds [false, true, true] to %u : memref<?x3x64xf16> to memref<32x2x64xf16, #shared>
  }
  return
}
}
