// `tile.im2col` by bulk tensor copies in im2col mode, from the choice to the launch:
// strides, dilations, padding, positions that go on to the next image, ragged last rows,
// starts in front of and behind the matrix, several boxes, images in which the kernel has
// no place.
// RUN: tile-run %s --entry=boxes --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=boxes --on=reference --chip=sm_90a --check-stages
// RUN: tile-run %s --entry=dilated --on=emulator --chip=sm_90a --check --seed=2
// RUN: tile-run %s --entry=panels --on=emulator --chip=sm_90a --check --seed=3
// RUN: tile-run %s --entry=tall --on=emulator --chip=sm_90a --check --seed=4
// RUN: tile-run %s --entry=words --on=emulator --chip=sm_90a --check --seed=5
// RUN: tile-run %s --entry=host_view --on=emulator --chip=sm_90a --check --shape=0:5x9x8x48 --scalar=2:2
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_90a --check --scalar=2:-70 --scalar=3:-2
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_90a --check --scalar=2:-33 --scalar=3:0
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_90a --check --scalar=2:-5 --scalar=3:3
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_90a --check --scalar=2:20 --scalar=3:5
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_90a --check --scalar=2:70 --scalar=3:8
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_90a --check --scalar=2:-9223372036854775808 --scalar=3:1
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_90a --check --scalar=2:9223372036854775700 --scalar=3:1
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_90a --check --scalar=2:154618822656 --scalar=3:1
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_90a --check --scalar=2:3 --scalar=3:1152921504606846975
// RUN: tile-run %s --entry=dynamic --on=emulator --chip=sm_90a --check --shape=0:2x7x9x16
// RUN: tile-run %s --entry=dynamic --on=emulator --chip=sm_90a --check --shape=0:3x4x4x32 --seed=6
// RUN: tile-run %s --entry=dynamic --on=emulator --chip=sm_90a --check --shape=0:1x1x1x16
// RUN: tile-run %s --entry=dynamic --on=emulator --chip=sm_90a --check --shape=0:9x1x5x16
// RUN: tile-run %s --entry=dynamic --on=emulator --chip=sm_90a --check --shape=0:0x4x4x16
// RUN: tile-run %s --entry=dynamic --on=emulator --chip=sm_90a --check --shape=0:2x4x0x16
// RUN: tile-run %s --entry=dynamic --on=emulator --chip=sm_90a --check --shape=0:2x4x4x0
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s

#shared = #gpu.address_space<workgroup>

// Rows of 64 positions of 5 images of 49: every block but the first begins within an
// image and goes on to the next.
// CHECK-LABEL: .entry boxes_0
// CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes
// CHECK-NOT: cp.async.c
func.func @boxes(%x: memref<5x13x13x32xf16>, %o: memref<256x288xf16>) {
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  tile.launch blocks(%i, %j) in (%c4, %c9) threads(64) {
    %c64 = arith.constant 64 : index
    %c32 = arith.constant 32 : index
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c32 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    tile.im2col %x[%row, %col] to %s {kernel = [3, 3], strides = [2, 2], dilations = [1, 1], padding = [1, 1]}
      : memref<5x13x13x32xf16> to memref<64x32xf16, #shared>
    tile.copy %s to %o[%row, %col] : memref<64x32xf16, #shared> to memref<256x288xf16>
  }
  return
}

// Both spatial dimensions differ in everything; no padding in one of them.
// CHECK-LABEL: .entry dilated_0
// CHECK: .global.im2col.mbarrier
func.func @dilated(%x: memref<2x17x14x64xi8>, %o: memref<64x384xi8>) {
  %c6 = arith.constant 6 : index
  tile.launch blocks(%j) in (%c6) threads(96) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %col = arith.muli %j, %c64 : index
    %s = tile.alloc : memref<64x64xi8, #shared>
    tile.im2col %x[%c0, %col] to %s {kernel = [2, 3], strides = [3, 2], dilations = [4, 3], padding = [3, 0]}
      : memref<2x17x14x64xi8> to memref<64x64xi8, #shared>
    tile.copy %s to %o[%c0, %col] : memref<64x64xi8, #shared> to memref<64x384xi8>
  }
  return
}

// Two panels of 64 channels, each of another element of the kernel.
// CHECK-LABEL: .entry panels_0
// CHECK-COUNT-2: .global.im2col.mbarrier
func.func @panels(%x: memref<1x8x8x64xf16>, %o: memref<64x640xf16>) {
  %c5 = arith.constant 5 : index
  tile.launch blocks(%j) in (%c5) threads(128) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %col = arith.muli %j, %c128 : index
    %s = tile.alloc : memref<64x128xf16, #shared>
    tile.im2col %x[%c0, %col] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
      : memref<1x8x8x64xf16> to memref<64x128xf16, #shared>
    tile.copy %s to %o[%c0, %col] : memref<64x128xf16, #shared> to memref<64x640xf16>
  }
  return
}

// More pixels than a box has, and the last of them behind the matrix.
// CHECK-LABEL: .entry tall_0
// CHECK-COUNT-2: .global.im2col.mbarrier
func.func @tall(%x: memref<3x12x11x16xf16>, %o: memref<512x16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%j) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c48 = arith.constant 48 : index
    %s = tile.alloc : memref<512x16xf16, #shared>
    tile.im2col %x[%c0, %c48] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
      : memref<3x12x11x16xf16> to memref<512x16xf16, #shared>
    tile.copy %s to %o : memref<512x16xf16, #shared> to memref<512x16xf16>
  }
  return
}

// CHECK-LABEL: .entry words_0
// CHECK: .global.im2col.mbarrier
func.func @words(%x: memref<4x6x5x8xf32>, %o: memref<4x32x8xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%i) in (%c4) threads(64) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %row = arith.muli %i, %c32 : index
    %col = arith.muli %i, %c8 : index
    %s = tile.alloc : memref<32x8xf32, #shared>
    tile.im2col %x[%row, %col] to %s {kernel = [2, 2], strides = [1, 1], dilations = [2, 1], padding = [1, 0]}
      : memref<4x6x5x8xf32> to memref<32x8xf32, #shared>
    tile.copy %s to %o[%i, %c0, %c0] [1, 32, 8] : memref<32x8xf32, #shared> to memref<4x32x8xf32>
  }
  return
}

// The host shows some channels of some images.
// CHECK-LABEL: .entry host_view_0
// CHECK: .global.im2col.mbarrier
func.func @host_view(%x: memref<5x9x8x48xf16>, %o: memref<128x32xf16>, %first: index) {
  %c1 = arith.constant 1 : index
  %v = memref.subview %x[%first, 0, 0, 16] [3, 9, 8, 32] [1, 1, 1, 1]
    : memref<5x9x8x48xf16> to memref<3x9x8x32xf16, strided<[3456, 384, 48, 1], offset: ?>>
  tile.launch blocks(%i) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c160 = arith.constant 160 : index
    %s = tile.alloc : memref<128x32xf16, #shared>
    tile.im2col %v[%c0, %c160] to %s {kernel = [3, 3], strides = [2, 1], dilations = [1, 1], padding = [1, 1]}
      : memref<3x9x8x32xf16, strided<[3456, 384, 48, 1], offset: ?>> to memref<128x32xf16, #shared>
    tile.copy %s to %o : memref<128x32xf16, #shared> to memref<128x32xf16>
  }
  return
}

// Starts anywhere: in front of the matrix, within it, behind it.
// CHECK-LABEL: .entry starts_0
// CHECK: .global.im2col.mbarrier
func.func @starts(%x: memref<2x5x6x8xf16>, %o: memref<64x8xf16>, %row: index, %position: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(64) {
    %c8 = arith.constant 8 : index
    %col = arith.muli %position, %c8 : index
    %s = tile.alloc : memref<64x8xf16, #shared>
    tile.im2col %x[%row, %col] to %s {kernel = [2, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
      : memref<2x5x6x8xf16> to memref<64x8xf16, #shared>
    tile.copy %s to %o : memref<64x8xf16, #shared> to memref<64x8xf16>
  }
  return
}

// CHECK-LABEL: .entry dynamic_0
// CHECK: .global.im2col.mbarrier
func.func @dynamic(%x: memref<?x?x?x?xf16> {tile.divisible = array<i64: 1, 1, 1, 16>}, %o: memref<2x7x64x16xf16>) {
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  tile.launch blocks(%i, %j) in (%c2, %c7) threads(64) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c16 : index
    %s = tile.alloc : memref<64x16xf16, #shared>
    tile.im2col %x[%row, %col] to %s {kernel = [3, 2], strides = [2, 1], dilations = [1, 2], padding = [0, 1]}
      : memref<?x?x?x?xf16> to memref<64x16xf16, #shared>
    tile.copy %s to %o[%i, %j, %c0, %c0] [1, 1, 64, 16] : memref<64x16xf16, #shared> to memref<2x7x64x16xf16>
  }
  return
}
