// Both sides of copies, loads, stores and atomics in every form: rows on either side
// and dimension, boxes that drop dimensions, starts before, at and far past the ends,
// promises that all is in bounds, global to global and shared to shared memory.
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_80 --check --data=1:perm --data='2:values(5,5,-1,99,0,23,5,7)'
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_90a --check --data=1:perm --data='2:values(5,5,-1,99,0,23,5,7)'
// RUN: tile-run %s --entry=boxes --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=boxes --on=emulator --chip=sm_90a --check
// DEFINE: %{one} = tile-run %s --entry=one_row --check --data='1:values(5)' --data='2:values(0,1,1,0)'
// RUN: %{one} --on=emulator --chip=sm_80 --check-stages
// RUN: %{one} --on=emulator --chip=sm_90a --data=0:integers
// RUN: tile-run %s --entry=one_row --on=reference --data=0:iota --data='1:values(5)' --data='2:values(0,1,1,0)' | FileCheck %s
// CHECK: argument 3: {{.*}} from -1 to 39,
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_80 --check --dim=M:21 --dim=N:30
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_90a --check --dim=M:21 --dim=N:30
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_80 --check --dim=M:1 --dim=N:64
// RUN: tile-run %s --entry=starts --on=emulator --chip=sm_90a --check --dim=M:64 --dim=N:1
// RUN: tile-run %s --entry=promised --on=emulator --chip=sm_80 --check --dim=N:64
// RUN: tile-run %s --entry=promised --on=emulator --chip=sm_90a --check --dim=N:96
// RUN: tile-run %s --entry=direct --on=emulator --chip=sm_80 --check --dim=N:45
// RUN: tile-run %s --entry=direct --on=emulator --chip=sm_90a --check --dim=N:45
#shared = #gpu.address_space<workgroup>

func.func @rows(%a: memref<24x40xf32>, %p: memref<24xi32>, %r: memref<8xi32>, %o: memref<24x40xf32>, %q: memref<8x40xf32>,
                %s: memref<40x24xf32>, %t: memref<24x40xf32>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %m3 = arith.constant -3 : index
    %perm = tile.load %p : memref<24xi32> -> tensor<24xi32>
    %some = tile.load %r : memref<8xi32> -> tensor<8xi32>
    %pad = arith.constant -1.0 : f32
    // Rows of the source, some of them outside, the start added.
    %b = tile.alloc : memref<8x40xf32, #shared>
    tile.copy %a[%c2, %c0] rows(%some : tensor<8xi32>) dim 0 pad(%pad) to %b : memref<24x40xf32> to memref<8x40xf32, #shared>
    tile.copy %b to %q : memref<8x40xf32, #shared> to memref<8x40xf32>
    // Rows of the destination.
    %c = tile.load %a[%c0, %m3] : memref<24x40xf32> -> tensor<24x40xf32>
    tile.store %c, %o[%c0, %c0] rows(%perm : tensor<24xi32>) dim 0 : tensor<24x40xf32>, memref<24x40xf32>
    // Columns, gathered from shared memory and scattered to global memory.
    %e = tile.alloc : memref<24x24xf32, #shared>
    tile.copy %a[%c0, %c0] [24, 24] to %e : memref<24x40xf32> to memref<24x24xf32, #shared>
    %f = tile.load %e[%c0, %c0] rows(%perm : tensor<24xi32>) dim 1 : memref<24x24xf32, #shared> -> tensor<24x24xf32>
    tile.store %f, %s[%c2, %c0] rows(%perm : tensor<24xi32>) dim 1 : tensor<24x24xf32>, memref<40x24xf32>
    // Rows that repeat.
    %h = tile.load %a[%c0, %c0] [8, 40] : memref<24x40xf32> -> tensor<8x40xf32>
    tile.atomic_rmw maximumf %h, %t[%c0, %c0] rows(%some : tensor<8xi32>) dim 0 : tensor<8x40xf32>, memref<24x40xf32>
  }
  return
}

// The row of a dimension that the tile drops; rows of i1 are 0 or 1, not -1.
func.func @one_row(%a: memref<24x40xi32>, %r: memref<1xi32>, %f: memref<4xi1>, %o: memref<4x40xi32>, %q: memref<24x40xi32>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %m1 = arith.constant -1 : index
    %pad = arith.constant -1 : i32
    %bits = tile.load %f : memref<4xi1> -> tensor<4xi1>
    %t = tile.load %a[%m1, %c0] rows(%bits : tensor<4xi1>) dim 0 pad(%pad) : memref<24x40xi32> -> tensor<4x40xi32>
    tile.store %t, %o : tensor<4x40xi32>, memref<4x40xi32>
    %row = tile.load %r : memref<1xi32> -> tensor<1xi32>
    %u = tile.load %a[%m1, %c0] [1, 40] rows(%row : tensor<1xi32>) dim 0 : memref<24x40xi32> -> tensor<40xi32>
    tile.store %u, %q[%c0, %c0] [1, 40] rows(%row : tensor<1xi32>) dim 0 : tensor<40xi32>, memref<24x40xi32>
    tile.atomic_rmw addi %u, %q[%c0, %c0] [1, 40] rows(%row : tensor<1xi32>) dim 0 : tensor<40xi32>, memref<24x40xi32>
    %b = tile.alloc : memref<40xi32, #shared>
    %bit = tensor.extract_slice %bits[1] [1] [1] : tensor<4xi1> to tensor<1xi1>
    tile.copy %a[%c0, %c0] [1, 40] rows(%bit : tensor<1xi1>) dim 0 to %b : memref<24x40xi32> to memref<40xi32, #shared>
    tile.copy %b to %q[%c0, %c0] [1, 40] rows(%bit : tensor<1xi1>) dim 0 : memref<40xi32, #shared> to memref<24x40xi32>
  }
  return
}

func.func @boxes(%a: memref<3x24x2x40xf16>, %o: memref<2x3x24x40xf16>, %p: memref<24x40xf16>, %q: memref<6x24x1x40xf16>) {
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %g = arith.constant 1 : index
  tile.launch blocks(%z, %y, %x) in (%g, %c2, %c3) threads(96) {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %m4 = arith.constant -4 : index
    %b = tile.alloc : memref<24x40xf16, #shared>
    tile.copy %a[%x, %m4, %y, %c5] [1, 24, 1, 40] to %b : memref<3x24x2x40xf16> to memref<24x40xf16, #shared>
    tile.copy %b to %o[%y, %x, %c0, %c0] [1, 1, 24, 40] : memref<24x40xf16, #shared> to memref<2x3x24x40xf16>
    %t = tile.load %b[%c5, %c0] [1, 40] : memref<24x40xf16, #shared> -> tensor<40xf16>
    %last = arith.cmpi eq, %x, %c0 : index
    scf.if %last {
      tile.store %t, %p[%y, %c0] [1, 40] : tensor<40xf16>, memref<24x40xf16>
    }
    %two = arith.constant 2 : index
    %i = arith.muli %x, %two : index
    %j = arith.addi %i, %y : index
    tile.copy %a[%x, %c0, %y, %c0] [1, 24, 1, 40] to %q[%j, %c0, %c0, %c5] [1, 24, 1, 40] : memref<3x24x2x40xf16> to memref<6x24x1x40xf16>
  }
  return
}

// A grid of starts around the memref, among them those that no start plus extent fits.
func.func @starts(%a: memref<?x?xi32> {tile.dims = ["M", "N"]}, %o: memref<5x5x16x24xi32>, %p: memref<?x?xi32> {tile.dims = ["M", "N"]}) {
  %c5 = arith.constant 5 : index
  tile.launch @reads blocks(%x, %y) in (%c5, %c5) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %far = arith.constant 4611686018427387904 : index
    %near = arith.constant -9 : index
    %step = arith.constant 11 : index
    %pad = arith.constant 77 : i32
    %i0 = arith.muli %y, %step : index
    %i = arith.addi %i0, %near : index
    %j0 = arith.muli %x, %step : index
    %j1 = arith.addi %j0, %near : index
    %c4 = arith.constant 4 : index
    %is_last = arith.cmpi eq, %x, %c4 : index
    %j = arith.select %is_last, %far, %j1 : index
    %t = tile.load %a[%i, %j] pad(%pad) : memref<?x?xi32> -> tensor<16x24xi32>
    tile.store %t, %o[%y, %x, %c0, %c0] [1, 1, 16, 24] : tensor<16x24xi32>, memref<5x5x16x24xi32>
  }
  %c1 = arith.constant 1 : index
  tile.launch @writes blocks(%x) in (%c1) threads(64) {
    %far = arith.constant -4611686018427387904 : index
    %c0 = arith.constant 0 : index
    %m9 = arith.constant -9 : index
    %c15 = arith.constant 15 : index
    %s = tile.alloc : memref<16x24xi32, #shared>
    tile.copy %a[%c0, %c0] to %s : memref<?x?xi32> to memref<16x24xi32, #shared>
    tile.copy %s to %p[%m9, %c15] : memref<16x24xi32, #shared> to memref<?x?xi32>
    tile.copy %s to %p[%c15, %far] : memref<16x24xi32, #shared> to memref<?x?xi32>
    %t = tile.load %s : memref<16x24xi32, #shared> -> tensor<16x24xi32>
    tile.store %t, %p[%c15, %m9] : tensor<16x24xi32>, memref<?x?xi32>
    tile.atomic_rmw addi %t, %p[%m9, %m9] : tensor<16x24xi32>, memref<?x?xi32>
  }
  return
}

func.func @promised(%a: memref<?x40xf32> {tile.dims = ["N", ""], tile.divisible = array<i64: 32, 1>}, %o: memref<?x40xf32> {tile.dims = ["N", ""]}) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %a, %c0 : memref<?x40xf32>
  %g = arith.divui %n, %c32 : index
  tile.launch blocks(%x) in (%g) threads(64) {
    %z = arith.constant 0 : index
    %tile = arith.constant 32 : index
    %i = arith.muli %x, %tile : index
    %s = tile.alloc : memref<32x48xf32, #shared>
    tile.copy %a[%i, %z] in_bounds [true, false] to %s : memref<?x40xf32> to memref<32x48xf32, #shared>
    %t = tile.load %s : memref<32x48xf32, #shared> -> tensor<32x48xf32>
    tile.store %t, %o[%i, %z] in_bounds [true, false] : tensor<32x48xf32>, memref<?x40xf32>
    %u = tile.load %a[%i, %z] [32, 40] in_bounds [true, true] : memref<?x40xf32> -> tensor<32x40xf32>
    tile.atomic_rmw addf %u, %o[%i, %z] in_bounds [true, true] : tensor<32x40xf32>, memref<?x40xf32>
  }
  return
}

func.func @direct(%a: memref<?x40xf32> {tile.dims = ["N", ""]}, %o: memref<?x40xf16> {tile.dims = ["N", ""]}, %p: memref<40x?xf32> {tile.dims = ["", "N"]}) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %a, %c0 : memref<?x40xf32>
  %g = arith.ceildivui %n, %c32 : index
  tile.launch blocks(%x) in (%g) threads(64) {
    %z = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %tile = arith.constant 32 : index
    %i = arith.muli %x, %tile : index
    tile.copy %a[%i, %z] [32, 40] to %o[%i, %z] : memref<?x40xf32> to memref<?x40xf16>
    %s = tile.alloc : memref<32x48xf32, #shared>
    %u = tile.alloc : memref<40x40xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<40x40xf32>
    tile.store %zero, %u : tensor<40x40xf32>, memref<40x40xf32, #shared>
    tile.copy %a[%i, %z] to %s : memref<?x40xf32> to memref<32x48xf32, #shared>
    tile.copy %s[%c4, %c4] [28, 40] to %u[%z, %c4] : memref<32x48xf32, #shared> to memref<40x40xf32, #shared>
    tile.copy %u[%z, %z] [40, 32] to %p[%z, %i] : memref<40x40xf32, #shared> to memref<40x?xf32>
  }
  return
}
