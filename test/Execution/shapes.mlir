// Broadcast, transpose, reshape, slices, layouts fixed by hand.
// RUN: tile-run %s --entry=broadcast --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=broadcast --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=transpose --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=transpose --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=reshape --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=reshape --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=slice --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=slice --on=emulator --chip=sm_90a --check
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s --check-prefix=SLICE
// RUN: tile-run %s --entry=insert --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=insert --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=fixed --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=fixed --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=odd_transpose --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=odd_transpose --on=emulator --chip=sm_90a --check

func.func @broadcast(%a: memref<32xf32>, %b: memref<64xf32>, %o: memref<32x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %r = tile.load %a : memref<32xf32> -> tensor<32xf32>
    %c = tile.load %b : memref<64xf32> -> tensor<64xf32>
    %rr = tile.broadcast %r dims [1] : tensor<32xf32> -> tensor<32x64xf32>
    %cc = tile.broadcast %c dims [0] : tensor<64xf32> -> tensor<32x64xf32>
    %s = arith.mulf %rr, %cc : tensor<32x64xf32>
    tile.store %s, %o : tensor<32x64xf32>, memref<32x64xf32>
  }
  return
}

func.func @transpose(%a: memref<64x32xf32>, %o: memref<32x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x32xf32> -> tensor<64x32xf32>
    %u = tile.transpose %t [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
    tile.store %u, %o : tensor<32x64xf32>, memref<32x64xf32>
  }
  return
}

func.func @odd_transpose(%a: memref<3x5x7xf16>, %o: memref<7x3x5xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<3x5x7xf16> -> tensor<3x5x7xf16>
    %u = tile.transpose %t [2, 0, 1] : tensor<3x5x7xf16> -> tensor<7x3x5xf16>
    tile.store %u, %o : tensor<7x3x5xf16>, memref<7x3x5xf16>
  }
  return
}

func.func @reshape(%a: memref<64x32xf32>, %o: memref<16x4x32xf32>, %p: memref<2048xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x32xf32> -> tensor<64x32xf32>
    %u = tensor.expand_shape %t [[0, 1], [2]] output_shape [16, 4, 32] : tensor<64x32xf32> into tensor<16x4x32xf32>
    %v = tensor.collapse_shape %u [[0, 1, 2]] : tensor<16x4x32xf32> into tensor<2048xf32>
    tile.store %u, %o : tensor<16x4x32xf32>, memref<16x4x32xf32>
    tile.store %v, %p : tensor<2048xf32>, memref<2048xf32>
  }
  return
}

// The rows are whole registers. Of the column, which is none, 64 elements move, not 2048.
// SLICE: kernel slice_0
// SLICE: shared 256 bytes
// SLICE: conversions
// SLICE-NEXT: 256 bytes through shared
func.func @slice(%a: memref<64x32xf32>, %o: memref<16x32xf32>, %p: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<64x32xf32> -> tensor<64x32xf32>
    %u = tensor.extract_slice %t[24, 0] [16, 32] [1, 1] : tensor<64x32xf32> to tensor<16x32xf32>
    %v = tensor.extract_slice %t[0, 5] [64, 1] [1, 1] : tensor<64x32xf32> to tensor<64xf32>
    tile.store %u, %o : tensor<16x32xf32>, memref<16x32xf32>
    tile.store %v, %p : tensor<64xf32>, memref<64xf32>
  }
  return
}

func.func @insert(%a: memref<32x32xf32>, %b: memref<8x32xf32>, %o: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32>
    %u = tile.load %b : memref<8x32xf32> -> tensor<8x32xf32>
    %v = tensor.insert_slice %u into %t[16, 0] [8, 32] [1, 1] : tensor<8x32xf32> into tensor<32x32xf32>
    tile.store %v, %o : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}

#rows = #tile.fragment<[32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []>
#cols = #tile.fragment<[32, 32], register = [32 : (1, 0)], lane = [32 : (0, 1)], warp = []>
func.func @fixed(%a: memref<32x32xf32>, %o: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32, #rows>
    %u = tile.convert_layout %t : tensor<32x32xf32, #rows> to tensor<32x32xf32, #cols>
    %v = arith.addf %u, %u : tensor<32x32xf32, #cols>
    tile.store %v, %o : tensor<32x32xf32, #cols>, memref<32x32xf32>
  }
  return
}
