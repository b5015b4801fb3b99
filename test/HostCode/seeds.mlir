// Host functions as objects, called from C, on the emulator and through the driver, whose
// test double it is here; what they leave in memory is what the reference makes of the
// same arguments.
// DEFINE: %{object} = tile-opt %s --chip=sm_80 --emit
// DEFINE: %{expect} = tile-run %s --on=reference --in=0:%t.on/x.npy --in=1:%t.on/x.npy
// RUN: rm -rf %t.on %t.emulator %t.driver && mkdir %t.on %t.emulator %t.driver
// RUN: %{object}=object -o %t.on/seeds.o && %{object}=header -o %t.on/seeds.h
// RUN: %host_cc -std=c99 -Wall -Wextra -Werror -pedantic -I%t.on -I%S/Inputs %S/Inputs/seeds.c %t.on/seeds.o %link_tile_rt -o %t.on/seeds
// RUN: env TILE_RT_DEVICE=emulator %t.on/seeds %t.on %t.emulator
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current %t.on/seeds %t.on %t.driver
// RUN: %{expect} --entry=siblings --expect=1:%t.emulator/siblings.npy
// RUN: %{expect} --entry=helper --scalar=2:200 --expect=1:%t.emulator/helper.npy
// RUN: %{expect} --entry=workspace --scalar=2:3 --expect=1:%t.emulator/workspace.npy
// RUN: %{expect} --entry=conditional --scalar=2:1 --expect=1:%t.emulator/then.npy
// RUN: %{expect} --entry=conditional --scalar=2:0 --expect=1:%t.emulator/else.npy
// RUN: %{expect} --entry=empty --scalar=2:0 --expect=1:%t.emulator/empty.npy
// RUN: diff -r %t.emulator %t.driver
// RUN: not cmp -s %t.emulator/then.npy %t.emulator/else.npy
#shared = #gpu.address_space<workgroup>

// Two launches whose shared memory differs, one of them more than a block gets unasked.
func.func @siblings(%x: memref<128x128xf32>, %y: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  tile.launch @large blocks(%b) in (%c1) threads(256) {
    %s = tile.alloc : memref<128x128xf32, #shared>
    tile.copy %x to %s : memref<128x128xf32> to memref<128x128xf32, #shared>
    %t = tile.load %s : memref<128x128xf32, #shared> -> tensor<128x128xf32>
    %u = arith.addf %t, %t : tensor<128x128xf32>
    tile.store %u, %y : tensor<128x128xf32>, memref<128x128xf32>
  }
  tile.launch @small blocks(%b) in (%c8) threads(64) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %row = arith.muli %b, %c16 : index
    %s = tile.alloc : memref<16x128xf32, #shared>
    tile.copy %y[%row, %c0] to %s : memref<128x128xf32> to memref<16x128xf32, #shared>
    %t = tile.load %s : memref<16x128xf32, #shared> -> tensor<16x128xf32>
    %u = arith.mulf %t, %t : tensor<16x128xf32>
    tile.store %u, %y[%row, %c0] : tensor<16x128xf32>, memref<128x128xf32>
  }
  return
}

// How far a tile of so many elements reaches, for the host and for the kernel.
func.func private @round_up(%n: index) -> index {
  %c32 = arith.constant 32 : index
  %tiles = arith.ceildivsi %n, %c32 : index
  %end = arith.muli %tiles, %c32 : index
  return %end : index
}

func.func @helper(%x: memref<128x128xf32>, %y: memref<128x128xf32>, %n: index) {
  %c32 = arith.constant 32 : index
  %end = call @round_up(%n) : (index) -> index
  %blocks = arith.divui %end, %c32 : index
  tile.launch blocks(%b) in (%blocks) threads(32) {
    %size = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %i = arith.muli %b, %size : index
    %last = func.call @round_up(%i) : (index) -> index
    %c100 = arith.constant 100 : index
    %row = arith.divui %last, %c100 : index
    %t = tile.load %x[%row, %c0] [1, 32] : memref<128x128xf32> -> tensor<32xf32>
    tile.store %t, %y[%b, %c0] [1, 32] : tensor<32xf32>, memref<128x128xf32>
  }
  return
}

// Three launches that hand a buffer of the program's own to each other, in a loop.
func.func @workspace(%x: memref<128x128xf32>, %y: memref<128x128xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %size = arith.constant 128 : index
  scf.for %i = %c0 to %n step %c1 {
    %w = memref.alloc(%size) : memref<?x128xf32>
    tile.launch blocks(%b) in (%c4) threads(128) {
      %z = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %row = arith.muli %b, %c32 : index
      %t = tile.load %x[%row, %z] : memref<128x128xf32> -> tensor<32x128xf32>
      tile.store %t, %w[%row, %z] : tensor<32x128xf32>, memref<?x128xf32>
    }
    tile.launch blocks(%b) in (%c4) threads(128) {
      %z = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %row = arith.muli %b, %c32 : index
      %t = tile.load %w[%row, %z] : memref<?x128xf32> -> tensor<32x128xf32>
      %j = arith.index_cast %i : index to i32
      %f = arith.sitofp %j : i32 to f32
      %s = tensor.splat %f : tensor<32x128xf32>
      %u = arith.addf %t, %s : tensor<32x128xf32>
      tile.store %u, %w[%row, %z] : tensor<32x128xf32>, memref<?x128xf32>
    }
    tile.launch blocks(%b) in (%c4) threads(128) {
      %z = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %row = arith.muli %b, %c32 : index
      %t = tile.load %w[%row, %z] : memref<?x128xf32> -> tensor<32x128xf32>
      %u = arith.addf %t, %t : tensor<32x128xf32>
      tile.store %u, %y[%row, %z] : tensor<32x128xf32>, memref<128x128xf32>
    }
    memref.dealloc %w : memref<?x128xf32>
  }
  return
}

func.func @conditional(%x: memref<128x128xf32>, %y: memref<128x128xf32>, %twice: i1) {
  %c1 = arith.constant 1 : index
  scf.if %twice {
    tile.launch blocks(%b) in (%c1) threads(128) {
      %t = tile.load %x : memref<128x128xf32> -> tensor<128x128xf32>
      %u = arith.addf %t, %t : tensor<128x128xf32>
      tile.store %u, %y : tensor<128x128xf32>, memref<128x128xf32>
    }
  }
  return
}

// A grid without blocks starts nothing.
func.func @empty(%x: memref<128x128xf32>, %y: memref<128x128xf32>, %n: index) {
  tile.launch blocks(%b) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%b, %c0] : memref<128x128xf32> -> tensor<16x128xf32>
    %u = arith.mulf %t, %t : tensor<16x128xf32>
    tile.store %u, %y[%b, %c0] : tensor<16x128xf32>, memref<128x128xf32>
  }
  return
}
