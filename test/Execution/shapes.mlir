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
// RUN: tile-run %s --entry=cuts --on=emulator --chip=sm_80 --check --check-stages
// RUN: tile-run %s --entry=cuts --on=emulator --chip=sm_90a --check
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=CUTS
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

// Reshapes and insertions that cut what lanes and warps hold: each thread stores what it has
// and loads what it is to have.
// CUTS-LABEL: .entry cuts_0(
// CUTS-NOT: .reg .b32 {{.*}}<{{[0-9][0-9][0-9][0-9]+}}>
// CUTS: ret;
func.func @cuts(%a: memref<97x51xf32>, %o: memref<51x97xf32>, %b: memref<2310xi4>, %p: memref<22x105xi4>,
                %c: memref<5x6xf32>, %d: memref<7xf32>, %q: memref<97x51xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(96) {
    %t = tile.load %a : memref<97x51xf32> -> tensor<97x51xf32>
    %flat = tensor.collapse_shape %t [[0, 1]] : tensor<97x51xf32> into tensor<4947xf32>
    %u = tensor.expand_shape %flat [[0, 1]] output_shape [51, 97] : tensor<4947xf32> into tensor<51x97xf32>
    tile.store %u, %o : tensor<51x97xf32>, memref<51x97xf32>
    %narrow = tile.load %b : memref<2310xi4> -> tensor<2310xi4>
    %v = tensor.expand_shape %narrow [[0, 1]] output_shape [22, 105] : tensor<2310xi4> into tensor<22x105xi4>
    tile.store %v, %p : tensor<22x105xi4>, memref<22x105xi4>
    %part = tile.load %c : memref<5x6xf32> -> tensor<5x6xf32>
    %column = tile.load %d : memref<7xf32> -> tensor<7xf32>
    %once = tensor.insert_slice %part into %t[3, 5] [5, 6] [1, 1] : tensor<5x6xf32> into tensor<97x51xf32>
    %twice = tensor.insert_slice %column into %once[5, 7] [7, 1] [1, 1] : tensor<7xf32> into tensor<97x51xf32>
    %sum = arith.addf %twice, %once : tensor<97x51xf32>
    tile.store %sum, %q : tensor<97x51xf32>, memref<97x51xf32>
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
