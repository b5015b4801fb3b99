// What is known of a memref: what divides the bytes of its address and its sizes and
// strides in elements, through each view.
// RUN: tile-test-opt %s --test-tile-index-facts --verify-diagnostics --split-input-file

func.func @arguments(
    // expected-remark @below {{align 16, sizes [64, 32], strides [32, 1], contiguous.}}
    %0: memref<64x32xf16> {test.tag = "a"},
    // expected-remark @below {{align 16, sizes [1, 32], strides [32, 1], contiguous.}}
    %1: memref<?x32xf16> {test.tag = "a"},
    // The pitch is the size inside of it.
    // expected-remark @below {{align 16, sizes [1, 8], strides [8, 1], contiguous.}}
    %2: memref<?x?xf16> {test.tag = "a", tile.divisible = array<i64: 1, 8>},
    // expected-remark @below {{align 128, sizes [4, 6, 8], strides [48, 8, 1], contiguous.}}
    %3: memref<?x?x?xf16> {test.tag = "a", tile.align = 128 : i64, tile.divisible = array<i64: 4, 6, 8>},
    // expected-remark @below {{align 4, sizes [1], strides [1], contiguous.}}
    %4: memref<?xf32> {test.tag = "a", tile.align = 4 : i64},
    // A pitch that only the call knows.
    // expected-remark @below {{align 16, sizes [64, 32], strides [1, 1], contiguous.}}
    %5: memref<64x32xf16, strided<[?, 1]>> {test.tag = "a"},
    // expected-remark @below {{align 16, sizes [64, 32], strides [1, 2].}}
    %6: memref<64x32xf16, strided<[?, 2]>> {test.tag = "a"},
    // An offset of six elements of two bytes.
    // expected-remark @below {{align 4, sizes [64], strides [1], contiguous.}}
    %7: memref<64xf16, strided<[1], offset: 6>> {test.tag = "a"},
    // expected-remark @below {{align 2, sizes [64], strides [1], contiguous.}}
    %8: memref<64xf16, strided<[1], offset: ?>> {test.tag = "a"}) {
  return
}

// -----

// Sizes of one name are one size, whichever argument something is said of.
func.func @equal_names(
    // expected-remark @below {{align 16, sizes [3, 40], strides [40, 1], contiguous.}}
    %0: memref<?x?xf16> {test.tag = "a", tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>},
    // expected-remark @below {{align 16, sizes [40, 3], strides [3, 1], contiguous.}}
    %1: memref<?x?xf16> {test.tag = "a", tile.dims = ["N", "M"], tile.divisible = array<i64: 1, 3>},
    // The size that a type says; one without a name.
    // expected-remark @below {{align 16, sizes [12, 1, 40], strides [40, 40, 1], contiguous.}}
    %2: memref<?x?x?xf16> {test.tag = "a", tile.dims = ["B", "", "N"], tile.divisible = array<i64: 4, 1, 1>},
    %3: memref<?x20xf16> {tile.dims = ["B", ""], tile.divisible = array<i64: 6, 1>},
    // What is assumed of a size, and what a type says, against which nothing counts.
    %4: memref<?x20xf16> {tile.dims = ["N", "P"]},
    // expected-remark @below {{align 16, sizes [20, 20], strides [20, 1], contiguous.}}
    %5: memref<?x20xf16> {test.tag = "a", tile.dims = ["P", "P"]}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %4, %c0 : memref<?x20xf16>
  %known = tile.assume_divisible %n by 5 : index
  // expected-remark @below {{divisor 40}}
  %size = arith.addi %n, %c0 {test.tag = "a"} : index
  return
}

// A view has the facts of a size where it has the size itself.
func.func @name_of_view(%0: memref<?x?xf16> {tile.dims = ["M", "N"]}, %1: memref<?xf16> {tile.dims = ["N"], tile.divisible = array<i64: 8>}, %n: index) {
  // expected-remark @below {{align 16, sizes [1, 8], strides [8, 1], contiguous.}}
  %2 = memref.cast %0 {test.tag = "a"} : memref<?x?xf16> to memref<?x?xf16, strided<[?, 1]>>
  // expected-remark @below {{align 16, sizes [1, 1], strides [8, 1], contiguous.}}
  %3 = memref.subview %0[0, 0] [%n, %n] [1, 1] {test.tag = "a"} : memref<?x?xf16> to memref<?x?xf16, strided<[?, 1]>>
  return
}

// -----

func.func @subviews(%m: memref<64x32xf16>, %i: index) {
  %a = tile.assume_divisible %i by 4 : index
  // 8 x 32 + 8 elements of two bytes from the start.
  // expected-remark @below {{align 16, sizes [16, 16], strides [32, 1], contiguous.}}
  %0 = memref.subview %m[8, 8] [16, 16] [1, 1] {test.tag = "a"} : memref<64x32xf16> to memref<16x16xf16, strided<[32, 1], offset: 264>>
  // expected-remark @below {{align 2, sizes [16, 16], strides [32, 1], contiguous.}}
  %1 = memref.subview %m[8, 9] [16, 16] [1, 1] {test.tag = "a"} : memref<64x32xf16> to memref<16x16xf16, strided<[32, 1], offset: 265>>
  // expected-remark @below {{align 8, sizes [16, 16], strides [32, 1], contiguous.}}
  %2 = memref.subview %m[%i, %a] [16, 16] [1, 1] {test.tag = "a"} : memref<64x32xf16> to memref<16x16xf16, strided<[32, 1], offset: ?>>
  // Steps of two elements.
  // expected-remark @below {{align 16, sizes [16, 8], strides [32, 2].}}
  %3 = memref.subview %m[0, 0] [16, 8] [1, 2] {test.tag = "a"} : memref<64x32xf16> to memref<16x8xf16, strided<[32, 2]>>
  // A row of it.
  // expected-remark @below {{align 16, sizes [16], strides [1], contiguous.}}
  %4 = memref.subview %m[%i, 16] [1, 16] [1, 1] {test.tag = "a"} : memref<64x32xf16> to memref<16xf16, strided<[1], offset: ?>>
  // A column of it.
  // expected-remark @below {{align 2, sizes [16], strides [32].}}
  %5 = memref.subview %m[0, %i] [16, 1] [1, 1] {test.tag = "a"} : memref<64x32xf16> to memref<16xf16, strided<[32], offset: ?>>
  // A size that is assumed.
  // expected-remark @below {{align 16, sizes [4, 32], strides [32, 1], contiguous.}}
  %6 = memref.subview %m[0, 0] [%a, 32] [1, 1] {test.tag = "a"} : memref<64x32xf16> to memref<?x32xf16, strided<[32, 1]>>
  // A view of a view.
  // expected-remark @below {{align 4, sizes [8, 8], strides [32, 1], contiguous.}}
  %7 = memref.subview %0[0, 2] [8, 8] [1, 1] {test.tag = "a"} : memref<16x16xf16, strided<[32, 1], offset: 264>> to memref<8x8xf16, strided<[32, 1], offset: 266>>
  return
}

// -----

func.func @other_views(%m: memref<64x?xf16> {tile.align = 64 : i64, tile.divisible = array<i64: 1, 8>}, %c: i1, %n: memref<64x?xf16>) {
  // A cast forgets the type, not the facts.
  // expected-remark @below {{align 64, sizes [64, 8], strides [8, 1], contiguous.}}
  %0 = memref.cast %m {test.tag = "a"} : memref<64x?xf16> to memref<?x?xf16>
  // expected-remark @below {{align 64, sizes [64, 8], strides [8, 1], contiguous.}}
  %1 = memref.cast %m {test.tag = "a"} : memref<64x?xf16> to memref<64x?xf16, strided<[?, 1]>>
  // expected-remark @below {{align 16, sizes [4, 16, 1], strides [16, 1, 1], contiguous.}}
  %2 = memref.expand_shape %n [[0, 1], [2]] output_shape [4, 16, 8] {test.tag = "a"} : memref<64x?xf16> into memref<4x16x?xf16>
  // expected-remark @below {{align 2, sizes [64, 1], strides [1, 1], contiguous.}}
  %3 = arith.select %c, %m, %n {test.tag = "a"} : memref<64x?xf16>
  // expected-remark @below {{align 16, sizes [64, 3], strides [3, 1], contiguous.}}
  %4 = memref.alloc() {test.tag = "a"} : memref<64x3xf16>
  return
}

// -----

// What is said of the results of memref.dim counts where it is certain to be checked.
// expected-remark @below {{align 16, sizes [1, 8], strides [8, 1], contiguous.}}
func.func @assumed_before(%m: memref<?x?xf16> {test.tag = "a"}, %g: index) {
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c1 : memref<?x?xf16>
  %e = tile.assume_divisible %d by 8 : index
  tile.launch blocks(%x) in (%g) threads(32) {
  }
  return
}

// -----

// expected-remark @below {{align 16, sizes [1, 8], strides [8, 1], contiguous.}}
func.func @assumed_in_the_launch(%m: memref<?x?xf16> {test.tag = "a"}, %g: index) {
  tile.launch blocks(%x) in (%g) threads(32) {
    %c1 = arith.constant 1 : index
    %d = memref.dim %m, %c1 : memref<?x?xf16>
    %e = tile.assume_divisible %d by 8 : index
  }
  return
}

// -----

// Not what another launch assumes, nor what stands under a condition.
// expected-remark @below {{align 16, sizes [1, 1], strides [1, 1], contiguous.}}
func.func @assumed_elsewhere(%m: memref<?x?xf16> {test.tag = "a"}, %g: index, %c: i1) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(32) {
    scf.if %c {
      %d1 = memref.dim %m, %c1 : memref<?x?xf16>
      %e1 = tile.assume_divisible %d1 by 16 : index
    }
  }
  tile.launch blocks(%x) in (%g) threads(32) {
    %d = memref.dim %m, %c1 : memref<?x?xf16>
    %e = tile.assume_divisible %d by 8 : index
  }
  scf.if %c {
    %d2 = memref.dim %m, %c1 : memref<?x?xf16>
    %e2 = tile.assume_divisible %d2 by 32 : index
  }
  return
}

// -----

// What the type says is all where it says something else: such a launch never runs.
func.func @assumed_of_what_is_viewed(%m: memref<48x?xf16>, %g: index) {
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c1 : memref<48x?xf16>
  %e = tile.assume_divisible %d by 32 : index
  // expected-remark @below {{align 16, sizes [48, 52], strides [52, 1], contiguous.}}
  %0 = memref.cast %m {test.tag = "a"} : memref<48x?xf16> to memref<?x52xf16>
  // expected-remark @below {{align 16, sizes [48, 64], strides [64, 1], contiguous.}}
  %1 = memref.cast %m {test.tag = "a"} : memref<48x?xf16> to memref<48x64xf16>
  return
}
