// Boxes of the im2col matrix: by asynchronous copies of 16, 8 and 4 bytes and
// through registers, strides, dilations, padding, ragged ends, dynamic sizes, and a
// convolution made of them.
// RUN: tile-run %s --entry=wide --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=wide --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=strided --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=bytes --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=dynamic --on=emulator --chip=sm_80 --check --shape=0:2x7x9x5
// RUN: tile-run %s --entry=dynamic --on=emulator --chip=sm_90a --check --shape=0:1x1x1x3
// RUN: tile-run %s --entry=dynamic --on=emulator --chip=sm_80 --check --shape=0:0x4x4x3
// RUN: tile-run %s --entry=dynamic --on=emulator --chip=sm_80 --check --stats --shape=0:2x5x3x8 | FileCheck %s --check-prefix=WIDE
// RUN: tile-run %s --entry=convolution --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=convolution --on=emulator --chip=sm_90a --check --check-stages
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=PTX

#shared = #gpu.address_space<workgroup>

// PTX-LABEL: .entry wide_0
// PTX: cp.async.cg.shared.global {{.*}}, 16
func.func @wide(%x: memref<2x8x8x16xf16>, %o: memref<128x144xf16>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  tile.launch blocks(%i, %j) in (%c2, %c3) threads(64) {
    %c64 = arith.constant 64 : index
    %c48 = arith.constant 48 : index
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c48 : index
    %s = tile.alloc : memref<64x48xf16, #shared>
    tile.im2col %x[%row, %col] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
      : memref<2x8x8x16xf16> to memref<64x48xf16, #shared>
    tile.copy %s to %o[%row, %col] : memref<64x48xf16, #shared> to memref<128x144xf16>
  }
  return
}

func.func @strided(%x: memref<1x13x11x4xf32>, %o: memref<40x24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(96) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<40x24xf32, #shared>
    tile.im2col %x[%c0, %c0] to %s {kernel = [2, 3], strides = [2, 3], dilations = [3, 2], padding = [2, 0]}
      : memref<1x13x11x4xf32> to memref<40x24xf32, #shared>
    tile.copy %s to %o : memref<40x24xf32, #shared> to memref<40x24xf32>
  }
  return
}

// Three channels: no access is wider than an element, and f16 goes through registers.
// PTX-LABEL: .entry narrow_0
// PTX-NOT: cp.async.c
// PTX: .entry bytes_0
func.func @narrow(%x: memref<2x5x6x3xf16>, %o: memref<64x27xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<64x27xf16, #shared>
    tile.im2col %x[%c0, %c0] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
      : memref<2x5x6x3xf16> to memref<64x27xf16, #shared>
    tile.copy %s to %o : memref<64x27xf16, #shared> to memref<64x27xf16>
  }
  return
}

func.func @bytes(%x: memref<2x5x6x8xi8>, %o: memref<20x32xi8>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c9 = arith.constant 9 : index
    %s = tile.alloc : memref<20x32xi8, #shared>
    tile.im2col %x[%c9, %c0] to %s {kernel = [2, 2], strides = [1, 1], dilations = [1, 1], padding = [0, 0]}
      : memref<2x5x6x8xi8> to memref<20x32xi8, #shared>
    tile.copy %s to %o : memref<20x32xi8, #shared> to memref<20x32xi8>
  }
  return
}

// Starts before and past the matrix, and in the middle of a position's channels.
func.func @starts(%x: memref<2x5x6x4xf16>, %o: memref<3x16x16xf16>) {
  %c3 = arith.constant 3 : index
  tile.launch blocks(%i) in (%c3) threads(64) {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c15 = arith.constant 15 : index
    %c17 = arith.constant 17 : index
    %k = arith.muli %i, %c17 : index
    %row = arith.subi %k, %c5 : index
    %l = arith.muli %i, %c15 : index
    %col = arith.subi %l, %c3 : index
    %s = tile.alloc : memref<16x16xf16, #shared>
    tile.im2col %x[%row, %col] to %s {kernel = [2, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
      : memref<2x5x6x4xf16> to memref<16x16xf16, #shared>
    tile.copy %s to %o[%i, %c0, %c0] [1, 16, 16] : memref<16x16xf16, #shared> to memref<3x16x16xf16>
  }
  return
}

// Channels of which 4 divide the number: the launch that has that as a fact.
// WIDE: kernel dynamic_0_wide
func.func @dynamic(%x: memref<?x?x?x?xf32>, %o: memref<2x32x32xf32>) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%i) in (%c2) threads(64) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %row = arith.muli %i, %c32 : index
    %s = tile.alloc : memref<32x32xf32, #shared>
    tile.im2col %x[%row, %c0] to %s {kernel = [3, 2], strides = [2, 1], dilations = [1, 2], padding = [0, 1]}
      : memref<?x?x?x?xf32> to memref<32x32xf32, #shared>
    tile.copy %s to %o[%i, %c0, %c0] [1, 32, 32] : memref<32x32xf32, #shared> to memref<2x32x32xf32>
  }
  return
}

// 3 x 3, 16 channels to 32: the matrix is never in global memory.
func.func @convolution(%x: memref<1x8x8x16xf16>, %w: memref<144x32xf16>, %o: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c48 = arith.constant 48 : index
    %c144 = arith.constant 144 : index
    %a = tile.alloc : memref<64x48xf16, #shared>
    %b = tile.alloc : memref<48x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %d = scf.for %k = %c0 to %c144 step %c48 iter_args(%c = %zero) -> (tensor<64x32xf32>) {
      tile.im2col %x[%c0, %k] to %a {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
        : memref<1x8x8x16xf16> to memref<64x48xf16, #shared>
      tile.copy %w[%k, %c0] to %b : memref<144x32xf16> to memref<48x32xf16, #shared>
      %e = tile.gemm %a, %b, %c : memref<64x48xf16, #shared>, memref<48x32xf16, #shared> -> tensor<64x32xf32>
      scf.yield %e : tensor<64x32xf32>
    } {tile.stages = 2 : i32}
    tile.store %d, %o : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}
