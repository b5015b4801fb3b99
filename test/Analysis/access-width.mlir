// How many elements one access may move, and which dimensions need no check: the four
// conditions of AccessWidth.h one by one.
// RUN: tile-test-opt %s --test-tile-access-width --verify-diagnostics

#shared = #gpu.address_space<workgroup>

// Start, pitch, alignment and edge each halve the width of 8 elements of f16.
func.func @loads(%g: index, %i: index, %m: memref<64x64xf16>, %pitch: memref<64x68xf16>,
    %align: memref<64x64xf16> {tile.align = 4 : i64}, %edge: memref<64x?xf16, strided<[64, 1]>>,
    %n: memref<?x64xf16>) {
  %a = tile.assume_divisible %i by 4 : index
  %c0 = arith.constant 0 : index
  tile.launch blocks(%x) in (%g) threads(32) {
    // expected-remark @below {{width 8, 8 if inside, along 1, inside [yes, yes].}}
    %0 = tile.load %m {test.tag = "a"} : memref<64x64xf16> -> tensor<64x64xf16>
    // expected-remark @below {{width 4, 4 if inside, along 1, inside [yes, no].}}
    %1 = tile.load %m[%c0, %a] {test.tag = "a"} : memref<64x64xf16> -> tensor<16x16xf16>
    // expected-remark @below {{width 1, 1 if inside, along 1, inside [yes, no].}}
    %2 = tile.load %m[%c0, %i] {test.tag = "a"} : memref<64x64xf16> -> tensor<16x16xf16>
    // Rows may start anywhere.
    // expected-remark @below {{width 8, 8 if inside, along 1, inside [no, yes].}}
    %3 = tile.load %m[%i, %c0] {test.tag = "a"} : memref<64x64xf16> -> tensor<16x16xf16>
    // expected-remark @below {{width 4, 4 if inside, along 1, inside [yes, yes].}}
    %4 = tile.load %pitch[%c0, %c0] {test.tag = "a"} : memref<64x68xf16> -> tensor<16x16xf16>
    // One row of it takes no step along the pitch.
    // expected-remark @below {{width 8, 8 if inside, along 0, inside [yes, yes].}}
    %5 = tile.load %pitch[%c0, %c0] [1, 64] {test.tag = "a"} : memref<64x68xf16> -> tensor<64xf16>
    // expected-remark @below {{width 2, 2 if inside, along 1, inside [yes, yes].}}
    %6 = tile.load %align[%c0, %c0] {test.tag = "a"} : memref<64x64xf16> -> tensor<16x16xf16>
    // The edge may cut anywhere, but inside it cuts nothing.
    // expected-remark @below {{width 1, 8 if inside, along 1, inside [yes, no].}}
    %7 = tile.load %edge[%c0, %c0] {test.tag = "a"} : memref<64x?xf16, strided<[64, 1]>> -> tensor<16x16xf16>
    // expected-remark @below {{width 8, 8 if inside, along 1, inside [no, yes].}}
    %8 = tile.load %n[%c0, %c0] {test.tag = "a"} : memref<?x64xf16> -> tensor<16x16xf16>
  }
  return
}

// Elements of less than a byte and of more; columns; strides that are not one.
func.func @elements(%g: index, %bits: memref<64x64xi1>, %wide: memref<64x64xf64>,
    %column: memref<64x64xf16, strided<[1, 64]>>, %sparse: memref<64x64xf16, strided<[128, 2]>>) {
  tile.launch blocks(%x) in (%g) threads(32) {
    // expected-remark @below {{width 16, 16 if inside, along 1,}}
    %0 = tile.load %bits {test.tag = "a"} : memref<64x64xi1> -> tensor<64x64xi1>
    // expected-remark @below {{width 2, 2 if inside, along 1,}}
    %1 = tile.load %wide {test.tag = "a"} : memref<64x64xf64> -> tensor<64x64xf64>
    // expected-remark @below {{width 1, 1 if inside, along 0,}}
    %2 = tile.load %column {test.tag = "a"} : memref<64x64xf16, strided<[1, 64]>> -> tensor<64x64xf16>
    // expected-remark @below {{width 1, 1 if inside, along 1,}}
    %3 = tile.load %sparse {test.tag = "a"} : memref<64x64xf16, strided<[128, 2]>> -> tensor<64x64xf16>
  }
  return
}

// Two elements of 4 bits a byte: an access begins with a byte where starts, pitches and
// the memref itself do.
func.func @halves(%g: index, %n: index, %m: memref<64x64xi4>, %odd: memref<64x33xi4>, %even: memref<64x34xi4>,
    %any: memref<?x?xi4>, %known: memref<?x?xi4> {tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  tile.launch blocks(%x) in (%g) threads(32) {
    // expected-remark @below {{width 32, 32 if inside, along 1,}}
    %0 = tile.load %m {test.tag = "a"} : memref<64x64xi4> -> tensor<64x64xi4>
    // expected-remark @below {{width 1, 1 if inside, along 1,}}
    %1 = tile.load %odd[%c0, %c0] {test.tag = "a"} : memref<64x33xi4> -> tensor<64x32xi4>
    // expected-remark @below {{width 2, 2 if inside, along 1,}}
    %2 = tile.load %even[%c0, %c0] {test.tag = "a"} : memref<64x34xi4> -> tensor<64x32xi4>
    // expected-remark @below {{width 2, 2 if inside, along 1,}}
    %3 = tile.load %m[%c0, %c6] {test.tag = "a"} : memref<64x64xi4> -> tensor<64x32xi4>
    // expected-remark @below {{width 1, 1 if inside, along 1,}}
    %4 = tile.load %m[%c0, %c3] {test.tag = "a"} : memref<64x64xi4> -> tensor<64x32xi4>
    // expected-remark @below {{width 1, 1 if inside, along 1,}}
    %5 = tile.load %m[%c0, %n] {test.tag = "a"} : memref<64x64xi4> -> tensor<64x32xi4>
    // expected-remark @below {{width 1, 1 if inside, along 1,}}
    %6 = tile.load %any[%x, %c0] {test.tag = "a"} : memref<?x?xi4> -> tensor<64x32xi4>
    // expected-remark @below {{width 8, 8 if inside, along 1,}}
    %7 = tile.load %known[%x, %c0] {test.tag = "a"} : memref<?x?xi4> -> tensor<64x32xi4>
    %view = memref.subview %m[0, %n] [64, 32] [1, 1] : memref<64x64xi4> to memref<64x32xi4, strided<[64, 1], offset: ?>>
    // expected-remark @below {{width 1, 1 if inside, along 1,}}
    %8 = tile.load %view {test.tag = "a"} : memref<64x32xi4, strided<[64, 1], offset: ?>> -> tensor<64x32xi4>
    %later = memref.subview %m[2, 16] [32, 32] [1, 1] : memref<64x64xi4> to memref<32x32xi4, strided<[64, 1], offset: 144>>
    // expected-remark @below {{width 16, 16 if inside, along 1,}}
    %9 = tile.load %later {test.tag = "a"} : memref<32x32xi4, strided<[64, 1], offset: 144>> -> tensor<32x32xi4>
  }
  return
}

// What is inside: the first element not before the memref, the last not behind it, in
// every block.
func.func @bounds(%g: index, %m: memref<128x64xf32>) {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %m4 = arith.constant -4 : index
  tile.launch blocks(%x) in (%c4) threads(32) {
    %row = arith.muli %x, %c32 : index
    // expected-remark @below {{inside [yes, yes].}}
    %0 = tile.load %m[%row, %c0] {test.tag = "a"} : memref<128x64xf32> -> tensor<32x64xf32>
    // One row more than there are.
    // expected-remark @below {{inside [no, yes].}}
    %1 = tile.load %m[%row, %c0] {test.tag = "a"} : memref<128x64xf32> -> tensor<33x64xf32>
    // expected-remark @below {{inside [yes, no].}}
    %2 = tile.load %m[%row, %m4] {test.tag = "a"} : memref<128x64xf32> -> tensor<32x64xf32>
    // expected-remark @below {{inside [yes, yes].}}
    %3 = tile.load %m[%row, %c32] {test.tag = "a"} : memref<128x64xf32> -> tensor<32x32xf32>
    // What the program asserts is taken.
    // expected-remark @below {{inside [yes, yes].}}
    %4 = tile.load %m[%row, %m4] {test.tag = "a", source_in_bounds = array<i1: false, true>} : memref<128x64xf32> -> tensor<32x64xf32>
  }
  tile.launch blocks(%x) in (%c5) threads(32) {
    %row = arith.muli %x, %c32 : index
    // expected-remark @below {{inside [no, yes].}}
    %0 = tile.load %m[%row, %c0] {test.tag = "a"} : memref<128x64xf32> -> tensor<32x64xf32>
  }
  tile.launch blocks(%x) in (%g) threads(32) {
    %row = arith.muli %x, %c32 : index
    // expected-remark @below {{inside [no, yes].}}
    %0 = tile.load %m[%row, %c0] {test.tag = "a"} : memref<128x64xf32> -> tensor<32x64xf32>
  }
  return
}

// Shared buffers: the runs of their layout, and where views of them begin.
func.func @shared(%g: index, %m: memref<64x64xf16>, %i: index) {
  %a = tile.assume_divisible %i by 4 : index
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc layout(#tile.shared<[64, 64]>) : memref<64x64xf16, #shared>
    // expected-remark @below {{from: width 8, 8 if inside, along 1, inside [yes, yes].}}
    // expected-remark @below {{to: width 8, 8 if inside, along 1, inside [yes, yes].}}
    tile.copy %m to %s {test.tag = "a"} : memref<64x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{from: width 4, 4 if inside, along 1, inside [yes, no].}}
    // expected-remark @below {{to: width 8, 8 if inside, along 1, inside [yes, yes].}}
    tile.copy %m[%c0, %a] to %s {test.tag = "a"} : memref<64x64xf16> to memref<64x64xf16, #shared>
    // A view that begins at an element of which nothing is known.
    %v = memref.subview %s[0, %i] [64, 16] [1, 1] : memref<64x64xf16, #shared> to memref<64x16xf16, strided<[64, 1], offset: ?>, #shared>
    // expected-remark @below {{width 1, 1 if inside, along 1,}}
    %0 = tile.load %v {test.tag = "a"} : memref<64x16xf16, strided<[64, 1], offset: ?>, #shared> -> tensor<64x16xf16>
    %w = memref.subview %s[%i, %a] [16, 16] [1, 1] : memref<64x64xf16, #shared> to memref<16x16xf16, strided<[64, 1], offset: ?>, #shared>
    // expected-remark @below {{width 4, 4 if inside, along 1,}}
    %1 = tile.load %w {test.tag = "a"} : memref<16x16xf16, strided<[64, 1], offset: ?>, #shared> -> tensor<16x16xf16>
    // Every other element.
    %u = memref.subview %s[0, 0] [64, 32] [1, 2] : memref<64x64xf16, #shared> to memref<64x32xf16, strided<[64, 2]>, #shared>
    // expected-remark @below {{width 1, 1 if inside, along 1,}}
    %2 = tile.load %u {test.tag = "a"} : memref<64x32xf16, strided<[64, 2]>, #shared> -> tensor<64x32xf16>
    // A padded pitch of 66 elements keeps pairs together.
    %p = tile.alloc layout(#tile.shared<[64, 64], pad = 2>) : memref<64x64xf16, #shared>
    // expected-remark @below {{width 2, 2 if inside, along 1,}}
    %3 = tile.load %p {test.tag = "a"} : memref<64x64xf16, #shared> -> tensor<64x64xf16>
  }
  return
}

// Channels of an image that stand together.
func.func @images(%g: index, %i: index, %m: memref<2x8x8x16xf16>, %three: memref<2x8x8x3xf16>, %d: memref<2x8x8x?xf16>) {
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc layout(#tile.shared<[64, 48]>) : memref<64x48xf16, #shared>
    // expected-remark @below {{image: width 8.}}
    tile.im2col %m[%x, %c0] to %s {test.tag = "a", kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<2x8x8x16xf16> to memref<64x48xf16, #shared>
    // expected-remark @below {{image: width 1.}}
    tile.im2col %m[%x, %i] to %s {test.tag = "a", kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<2x8x8x16xf16> to memref<64x48xf16, #shared>
    // expected-remark @below {{image: width 1.}}
    tile.im2col %three[%x, %c0] to %s {test.tag = "a", kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<2x8x8x3xf16> to memref<64x48xf16, #shared>
    // expected-remark @below {{image: width 1.}}
    tile.im2col %d[%x, %c0] to %s {test.tag = "a", kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<2x8x8x?xf16> to memref<64x48xf16, #shared>
  }
  return
}
