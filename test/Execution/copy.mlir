// Copies between global and shared memory: ragged edges, padding, negative starts,
// rank-reducing boxes, gathered rows, conversions, user-fixed layouts.
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check --shape=0:100x77 --shape=1:100x77
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_90a --check --shape=0:100x77 --shape=1:100x77
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_90a --check --shape=0:128x64 --shape=1:128x64
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check --shape=0:128x64 --shape=1:128x64
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check --shape=0:0x64 --shape=1:0x64
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_90a --check --shape=0:0x64 --shape=1:0x64
// RUN: tile-run %s --entry=shifted --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=shifted --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=heads --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=heads --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=gather --on=emulator --chip=sm_80 --check --data=2:perm
// RUN: tile-run %s --entry=gather --on=emulator --chip=sm_90a --check --data=2:perm
// RUN: tile-run %s --entry=convert --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=convert --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=swizzled --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=swizzled --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=views --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=views --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=rows_of_a_result --on=emulator --chip=sm_80 --check --data=1:perm
// RUN: tile-run %s --entry=rows_of_a_result --on=emulator --chip=sm_90a --check --data=1:perm
// RUN: tile-run %s --entry=padded_alike --on=emulator --chip=sm_80 --check --scalar=3:3
#shared = #gpu.address_space<workgroup>

// The stored fragment is a result that its users see in another layout than the
// operation gives it in: the rows follow what the store sees.
func.func @rows_of_a_result(%a: memref<64x32xf32>, %rows: memref<16xi32>, %o: memref<16x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %r = tile.load %rows[%c0] : memref<16xi32> -> tensor<16xi32>
    %t = tile.load %a : memref<64x32xf32> -> tensor<64x32xf32>
    %u = tensor.extract_slice %t[24, 0] [16, 32] [1, 1] : tensor<64x32xf32> to tensor<16x32xf32>
    %v = arith.addf %u, %u : tensor<16x32xf32>
    tile.store %u, %o[%c0, %c0] rows(%r : tensor<16xi32>) dim 0 : tensor<16x32xf32>, memref<16x32xf32>
    tile.atomic_rmw addf %v, %o[%c0, %c0] rows(%r : tensor<16xi32>) dim 0 : tensor<16x32xf32>, memref<16x32xf32>
  }
  return
}

func.func @ragged(%a: memref<?x?xf16>, %b: memref<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  %m = memref.dim %a, %c0 : memref<?x?xf16>
  %n = memref.dim %a, %c1 : memref<?x?xf16>
  %gy = arith.ceildivsi %m, %c64 : index
  %gx = arith.ceildivsi %n, %c32 : index
  tile.launch blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %i = arith.muli %by, %c64 : index
    %j = arith.muli %bx, %c32 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    tile.copy %a[%i, %j] to %s : memref<?x?xf16> to memref<64x32xf16, #shared>
    tile.copy %s to %b[%i, %j] : memref<64x32xf16, #shared> to memref<?x?xf16>
  }
  return
}

func.func @shifted(%a: memref<40x40xf32>, %b: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %m3 = arith.constant -3 : index
    %m8 = arith.constant -8 : index
    %c0 = arith.constant 0 : index
    %pad = arith.constant 7.0 : f32
    %s = tile.alloc : memref<64x64xf32, #shared>
    tile.copy %a[%m3, %m8] pad(%pad) to %s : memref<40x40xf32> to memref<64x64xf32, #shared>
    tile.copy %s to %b[%c0, %c0] : memref<64x64xf32, #shared> to memref<64x64xf32>
  }
  return
}

func.func @heads(%q: memref<2x64x3x32xf16>, %o: memref<2x3x64x32xf16>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  tile.launch blocks(%h, %b) in (%c3, %c2) threads(64) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    tile.copy %q[%b, %c0, %h, %c0] [1, 64, 1, 32] to %s : memref<2x64x3x32xf16> to memref<64x32xf16, #shared>
    tile.copy %s to %o[%b, %h, %c0, %c0] [1, 1, 64, 32] : memref<64x32xf16, #shared> to memref<2x3x64x32xf16>
  }
  return
}

func.func @gather(%a: memref<64x32xf32>, %b: memref<64x32xf32>, %rows: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %r = tile.load %rows[%c0] : memref<64xi32> -> tensor<64xi32>
    %s = tile.alloc : memref<64x32xf32, #shared>
    tile.copy %a[%c0, %c0] rows(%r : tensor<64xi32>) dim 0 to %s : memref<64x32xf32> to memref<64x32xf32, #shared>
    %t = tile.load %s : memref<64x32xf32, #shared> -> tensor<64x32xf32>
    tile.store %t, %b[%c0, %c0] rows(%r : tensor<64xi32>) dim 0 : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

func.func @convert(%a: memref<64x64xf32>, %b: memref<64x64xbf16>, %i: memref<64x64xi8>, %j: memref<64x64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a to %s : memref<64x64xf32> to memref<64x64xf16, #shared>
    tile.copy %s to %b : memref<64x64xf16, #shared> to memref<64x64xbf16>
    %u = tile.alloc : memref<64x64xi32, #shared>
    tile.copy %i to %u : memref<64x64xi8> to memref<64x64xi32, #shared>
    tile.copy %u to %j : memref<64x64xi32, #shared> to memref<64x64xi32>
  }
  return
}

func.func @swizzled(%a: memref<64x128xf16>, %b: memref<64x128xf16>, %c: memref<128x64xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc layout(#tile.shared<[64, 128], swizzle = 128>) : memref<64x128xf16, #shared>
    tile.copy %a to %s : memref<64x128xf16> to memref<64x128xf16, #shared>
    tile.copy %s to %b : memref<64x128xf16, #shared> to memref<64x128xf16>
    %p = tile.alloc layout(#tile.shared<[64, 128], order = [0, 1], pad = 8>) : memref<64x128xf16, #shared>
    tile.copy %s to %p : memref<64x128xf16, #shared> to memref<64x128xf16, #shared>
    %t = tile.load %p : memref<64x128xf16, #shared> -> tensor<64x128xf16>
    %tt = tile.transpose %t [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
    tile.store %tt, %c : tensor<128x64xf16>, memref<128x64xf16>
  }
  return
}

func.func @views(%a: memref<64x64xf32>, %b: memref<32x64xf32>, %c: memref<4096xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<64x64xf32, #shared>
    tile.copy %a to %s : memref<64x64xf32> to memref<64x64xf32, #shared>
    %v = memref.subview %s[32, 0] [32, 64] [1, 1] : memref<64x64xf32, #shared> to memref<32x64xf32, strided<[64, 1], offset: 2048>, #shared>
    tile.copy %v to %b : memref<32x64xf32, strided<[64, 1], offset: 2048>, #shared> to memref<32x64xf32>
    %f = memref.collapse_shape %s [[0, 1]] : memref<64x64xf32, #shared> into memref<4096xf32, #shared>
    tile.copy %f to %c : memref<4096xf32, #shared> to memref<4096xf32>
  }
  return
}

// Two layouts with as much padding, of other threads.
func.func @padded_alike(%a: memref<3x20xi8> {tile.align = 4}, %b: memref<3x20xf32>, %o: memref<20xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @padded_alike_kernel blocks(%x) in (%c1) threads(96) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<1x20xi8, #shared>
    %t = tile.alloc : memref<1x20xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<1x20xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<1x20xf32>) {
      tile.copy %a[%i, %c0] to %s : memref<3x20xi8> to memref<1x20xi8, #shared>
      tile.copy %b[%i, %c0] to %t : memref<3x20xf32> to memref<1x20xf32, #shared>
      %v = tile.load %s : memref<1x20xi8, #shared> -> tensor<1x20xi8>
      %f = arith.sitofp %v : tensor<1x20xi8> to tensor<1x20xf32>
      %w = tile.load %t : memref<1x20xf32, #shared> -> tensor<1x20xf32>
      %p = arith.mulf %f, %w : tensor<1x20xf32>
      %next = arith.addf %sum, %p : tensor<1x20xf32>
      scf.yield %next : tensor<1x20xf32>
    } {tile.stages = 3 : i32}
    %flat = tile.reduce <add> %r dims [0] : tensor<1x20xf32> -> tensor<20xf32>
    tile.store %flat, %o : tensor<20xf32>, memref<20xf32>
  }
  return
}
