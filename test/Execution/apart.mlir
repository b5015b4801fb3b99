// Accesses whose places cannot meet, however their starts are computed, have no barrier
// between them; those that may meet have one. The emulator sees one that is missing.
// RUN: tile-run %s --entry=sums --on=emulator --chip=sm_80 --check --scalar=2:64
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_80 --check --scalar=2:256
// RUN: tile-run %s --entry=nests --on=emulator --chip=sm_80 --check --scalar=2:32 --scalar=3:128
// RUN: tile-run %s --entry=numbers --on=emulator --chip=sm_80 --check --scalar=2:2 --scalar=3:6
// RUN: tile-run %s --entry=walk --on=emulator --chip=sm_80 --check --scalar=2:2 --scalar=3:2
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_80 --check "--data=0:integers(-9,9)" "--data=1:values(7,0,3,9,1,2,30,31)"
// RUN: tile-run %s --entry=meet --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s

// A sum of what the block, the host and the program say.
// CHECK-LABEL: .entry sums_kernel(
// CHECK-NOT: bar.sync
func.func @sums(%x: memref<1024xf32>, %y: memref<1024xf32>, %n: index) {
  %c4 = arith.constant 4 : index
  tile.launch @sums_kernel blocks(%b) in (%c4) threads(128) {
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %own = arith.muli %b, %c256 : index
    %first = arith.addi %own, %n : index
    %later = arith.addi %own, %c64 : index
    %second = arith.addi %n, %later : index
    %t = tile.load %x[%own] : memref<1024xf32> -> tensor<64xf32>
    tile.store %t, %y[%first] : tensor<64xf32>, memref<1024xf32>
    tile.store %t, %y[%second] : tensor<64xf32>, memref<1024xf32>
  }
  return
}

// Counted by 32 bits, in halves that 32 bits are enough to tell apart.
// CHECK-LABEL: .entry narrow_kernel(
// CHECK-NOT: bar.sync
func.func @narrow(%x: memref<256xf32>, %y: memref<1024xf32>, %n: i32) {
  %c1 = arith.constant 1 : index
  tile.launch @narrow_kernel blocks(%b) in (%c1) threads(128) {
    %z = arith.constant 0 : i32
    %k32 = arith.constant 32 : i32
    %k64 = arith.constant 64 : i32
    %k512 = arith.constant 512 : i32
    scf.for %i = %z to %n step %k64 : i32 {
      %at = arith.index_cast %i : i32 to index
      %half = arith.addi %i, %k32 : i32
      %at_half = arith.index_cast %half : i32 to index
      %t = tile.load %x[%at] : memref<256xf32> -> tensor<32xf32>
      tile.store %t, %y[%at] : tensor<32xf32>, memref<1024xf32>
      tile.store %t, %y[%at_half] : tensor<32xf32>, memref<1024xf32>
    }
  }
  return
}

// Loops in loops: rows of an image, an image as one row, places that a loop carries, in a
// view that starts anywhere.
// CHECK-LABEL: .entry nests_kernel(
// CHECK-NOT: bar.sync
func.func @nests(%x: memref<32x128xf32>, %y: memref<32x128xf32>, %n: index, %m: index, %z: memref<4096xf32>, %u: memref<8192xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @nests_kernel blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %n step %c16 {
      scf.for %j = %c0 to %m step %c32 {
        %t = tile.load %x[%i, %j] : memref<32x128xf32> -> tensor<16x32xf32>
        tile.store %t, %y[%i, %j] : tensor<16x32xf32>, memref<32x128xf32>
      }
    }
    %view = memref.subview %u[%m] [4096] [1] : memref<8192xf32> to memref<4096xf32, strided<[1], offset: ?>>
    %end = scf.for %i = %c0 to %n step %one iter_args(%at = %m) -> (index) {
      scf.for %j = %c0 to %c128 step %c32 {
        %row = arith.muli %i, %c128 : index
        %place = arith.addi %row, %j : index
        %t = tile.load %x[%i, %j] [1, 32] : memref<32x128xf32> -> tensor<32xf32>
        tile.store %t, %z[%place] : tensor<32xf32>, memref<4096xf32>
      }
      %t = tile.load %x[%i, %c0] [1, 32] : memref<32x128xf32> -> tensor<32xf32>
      tile.store %t, %view[%at] : tensor<32xf32>, memref<4096xf32, strided<[1], offset: ?>>
      %next = arith.addi %at, %c32 : index
      scf.yield %next : index
    }
  }
  return
}

// A quotient and a remainder are those of one number.
// CHECK-LABEL: .entry numbers_kernel(
// CHECK-NOT: bar.sync
func.func @numbers(%x: memref<48x64xf32>, %y: memref<48x64xf32>, %n: index, %tiles: index) {
  %c2 = arith.constant 2 : index
  tile.launch @numbers_kernel blocks(%b) in (%c2) threads(128) {
    %two = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    scf.for %tile = %b to %tiles step %two {
      %q = arith.divui %tile, %n : index
      %r = arith.remui %tile, %n : index
      %row = arith.muli %q, %c16 : index
      %col = arith.muli %r, %c32 : index
      %t = tile.load %x[%row, %col] : memref<48x64xf32> -> tensor<16x32xf32>
      tile.store %t, %y[%row, %col] : tensor<16x32xf32>, memref<48x64xf32>
    }
  }
  return
}

// A launch that walks over its grid.
// CHECK-LABEL: .entry walk_kernel(
// CHECK-NOT: bar.sync
func.func @walk(%x: memref<32x64xf32>, %y: memref<32x64xf32>, %n: index, %m: index) {
  tile.launch @walk_kernel blocks(%i, %j) in (%n, %m) threads(128) attributes {persistent} {
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %row = arith.muli %j, %c16 : index
    %col = arith.muli %i, %c32 : index
    %t = tile.load %x[%row, %col] : memref<32x64xf32> -> tensor<16x32xf32>
    tile.store %t, %y[%row, %col] : tensor<16x32xf32>, memref<32x64xf32>
  }
  return
}

// Rows that are read and written by the same threads, once each; behind an atomic, which
// may repeat a row, there is a barrier.
// CHECK-LABEL: .entry rows_kernel(
// CHECK: ld.global
// CHECK-NOT: bar.sync
// CHECK: st.global
// CHECK-LABEL: .entry repeated_kernel(
// CHECK: atom.global.add
// CHECK: bar.sync
// CHECK: st.global
func.func @rows(%y: memref<32x64xf32>, %names: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @rows_kernel blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %names_row = tile.load %names[%c0] : memref<8xi32> -> tensor<8xi32>
    %t = tile.load %y[%c0, %c0] rows(%names_row : tensor<8xi32>) dim 0 : memref<32x64xf32> -> tensor<8x64xf32>
    %u = arith.addf %t, %t : tensor<8x64xf32>
    tile.store %u, %y[%c0, %c0] rows(%names_row : tensor<8xi32>) dim 0 : tensor<8x64xf32>, memref<32x64xf32>
  }
  tile.launch @repeated_kernel blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %none = tile.parallel (%i) in (8) -> (tensor<8xi32>) {
      %zero = arith.constant 0 : i32
      tile.yield %zero : i32
    }
    %t = tile.load %y[%c0, %c0] : memref<32x64xf32> -> tensor<8x64xf32>
    tile.atomic_rmw addf %t, %y[%c0, %c0] rows(%none : tensor<8xi32>) dim 0 : tensor<8x64xf32>, memref<32x64xf32>
    %u = tile.load %y[%c0, %c0] rows(%none : tensor<8xi32>) dim 0 : memref<32x64xf32> -> tensor<8x64xf32>
    tile.store %u, %y[%c0, %c0] : tensor<8x64xf32>, memref<32x64xf32>
  }
  return
}

// A row of 96 behind one of 128: the last of one step and the first of the next but one
// meet, in other threads.
// CHECK-LABEL: .entry meet_kernel(
// CHECK: bar.sync
func.func @meet(%x: memref<128xf32>, %y: memref<512xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @meet_kernel blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %n step %one {
      scf.for %j = %c0 to %c128 step %c32 {
        %row = arith.muli %i, %c96 : index
        %place = arith.addi %row, %j : index
        %t = tile.load %x[%j] : memref<128xf32> -> tensor<32xf32>
        tile.store %t, %y[%place] : tensor<32xf32>, memref<512xf32>
      }
    }
  }
  return
}
