// Transpositions between loads and stores go by rows on both sides, with an exchange
// through shared memory between them: no more sectors than there have to be, and of f32
// no bank conflicts. Ragged edges, a conversion of the type on the way, three
// dimensions, and what is left as it is: a sum of both sides, rows of one element.
// RUN: tile-run %s --entry=square --on=emulator --chip=sm_80 --check --stats=json | FileCheck %s --check-prefix=SQUARE
// RUN: tile-run %s --entry=small --on=emulator --chip=sm_80 --check --stats=json | FileCheck %s --check-prefix=SMALL
// RUN: tile-run %s --entry=half --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=half --on=emulator --chip=sm_80 --check --stats=json | FileCheck %s --check-prefix=HALF
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check --dim=M:75 --dim=N:52
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check --dim=M:128 --dim=N:64
// RUN: tile-run %s --entry=batched --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_80 --check

// SQUARE: "wavefronts": 2048, "ideal_wavefronts": 2048
// SQUARE: "sectors": 8192, "ideal_sectors": 8192
func.func @square(%a: memref<128x256xf32>, %o: memref<256x128xf32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  tile.launch blocks(%x, %y) in (%c4, %c2) threads(256) {
    %r = arith.muli %y, %c64 : index
    %c = arith.muli %x, %c64 : index
    %t = tile.load %a[%r, %c] [64, 64] : memref<128x256xf32> -> tensor<64x64xf32>
    %u = tile.transpose %t [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
    tile.store %u, %o[%c, %r] [64, 64] : tensor<64x64xf32>, memref<256x128xf32>
  }
  return
}

// Blocks of 2 x 4 elements a thread: vectors of two are written.
// SMALL: "wavefronts": 512, "ideal_wavefronts": 512
// SMALL: "sectors": 2048, "ideal_sectors": 2048
func.func @small(%a: memref<64x128xf32>, %o: memref<128x64xf32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  tile.launch blocks(%x, %y) in (%c4, %c2) threads(128) {
    %r = arith.muli %y, %c32 : index
    %c = arith.muli %x, %c32 : index
    %t = tile.load %a[%r, %c] [32, 32] : memref<64x128xf32> -> tensor<32x32xf32>
    %u = tile.transpose %t [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
    tile.store %u, %o[%c, %r] [32, 32] : tensor<32x32xf32>, memref<128x64xf32>
  }
  return
}

// What is loaded is rounded and scaled in front of the exchange, negated behind it.
// HALF: "sectors": 1536, "ideal_sectors": 1536
func.func @half(%a: memref<128x64xf32>, %o: memref<64x128xf16>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  tile.launch blocks(%x, %y) in (%c1, %c2) threads(256) {
    %c0 = arith.constant 0 : index
    %two = arith.constant dense<2.0> : tensor<64x64xf16>
    %r = arith.muli %y, %c64 : index
    %t = tile.load %a[%r, %c0] [64, 64] : memref<128x64xf32> -> tensor<64x64xf32>
    %h = arith.truncf %t : tensor<64x64xf32> to tensor<64x64xf16>
    %s = arith.mulf %h, %two : tensor<64x64xf16>
    %u = tile.transpose %s [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %n = arith.negf %u : tensor<64x64xf16>
    tile.store %n, %o[%c0, %r] [64, 64] : tensor<64x64xf16>, memref<64x128xf16>
  }
  return
}

func.func @ragged(%a: memref<?x?xf32> {tile.dims = ["M", "N"]}, %o: memref<?x?xf32> {tile.dims = ["N", "M"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %rows = arith.ceildivui %m, %c32 : index
  %columns = arith.ceildivui %n, %c32 : index
  tile.launch blocks(%x, %y) in (%columns, %rows) threads(64) {
    %r = arith.muli %y, %c32 : index
    %c = arith.muli %x, %c32 : index
    %t = tile.load %a[%r, %c] [32, 32] : memref<?x?xf32> -> tensor<32x32xf32>
    %u = tile.transpose %t [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
    tile.store %u, %o[%c, %r] [32, 32] : tensor<32x32xf32>, memref<?x?xf32>
  }
  return
}

func.func @batched(%a: memref<4x32x16xi8>, %o: memref<16x4x32xi8>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<4x32x16xi8> -> tensor<4x32x16xi8>
    %u = tile.transpose %t [2, 0, 1] : tensor<4x32x16xi8> -> tensor<16x4x32xi8>
    tile.store %u, %o : tensor<16x4x32xi8>, memref<16x4x32xi8>
  }
  return
}

func.func @both(%a: memref<32x32xf32>, %b: memref<32x1xf32>, %o: memref<32x32xf32>, %p: memref<1x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32>
    %u = tile.transpose %t [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
    %s = arith.addf %t, %u : tensor<32x32xf32>
    tile.store %s, %o : tensor<32x32xf32>, memref<32x32xf32>
    %v = tile.load %b : memref<32x1xf32> -> tensor<32x1xf32>
    %w = tile.transpose %v [1, 0] : tensor<32x1xf32> -> tensor<1x32xf32>
    tile.store %w, %p : tensor<1x32xf32>, memref<1x32xf32>
  }
  return
}
