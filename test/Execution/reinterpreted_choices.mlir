// Memrefs that a loop carries, a condition or a select chooses, reinterpreted: the offset counts
// from where the memref begins, whatever view of it flows there.
// RUN: tile-run %s --entry=selected --on=emulator --chip=sm_80 --check --shape=0:80 --shape=1:80 --scalar=3:1
// RUN: tile-run %s --entry=selected --on=emulator --chip=sm_90a --check --shape=0:80 --shape=1:80 --scalar=3:0
// RUN: tile-run %s --entry=carried --on=emulator --chip=sm_80 --check --shape=0:64 --shape=1:64 --scalar=3:3
// RUN: tile-run %s --entry=carried --on=emulator --chip=sm_90a --check --shape=0:64 --shape=1:64 --scalar=3:3
// RUN: tile-run %s --entry=views --on=emulator --chip=sm_80 --check --scalar=3:0
// RUN: tile-run %s --entry=views --on=emulator --chip=sm_90a --check --check-stages --scalar=3:2
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_80 --check --scalar=3:0
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_90a --check --scalar=3:1
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s
// CHECK: .entry views_kernel
// CHECK: selp.b64

func.func @selected(%a: memref<?xf32>, %b: memref<?xf32>, %o: memref<64xf32>, %c: i1) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %s = arith.select %c, %a, %b : memref<?xf32>
    %r = memref.reinterpret_cast %s to offset: [3], sizes: [8, 8], strides: [8, 1]
         : memref<?xf32> to memref<8x8xf32, strided<[8, 1], offset: 3>>
    %t = tile.load %r : memref<8x8xf32, strided<[8, 1], offset: 3>> -> tensor<8x8xf32>
    %f = tensor.collapse_shape %t [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
    tile.store %f, %o : tensor<64xf32>, memref<64xf32>
  }
  return
}

func.func @carried(%a: memref<?xf32>, %b: memref<?xf32>, %o: memref<64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<?xf32>, memref<?xf32>) {
      %r = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1]
           : memref<?xf32> to memref<8x8xf32, strided<[8, 1]>>
      %t = tile.load %r : memref<8x8xf32, strided<[8, 1]>> -> tensor<8x8xf32>
      %f = tensor.collapse_shape %t [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
      tile.atomic_rmw addf %f, %o[%c0] : tensor<64xf32>, memref<64xf32>
      scf.yield %q, %p : memref<?xf32>, memref<?xf32>
    }
  }
  return
}

// Views that begin behind the memref, by a number that their type has and by one that it
// has not.
!behind = memref<64xf32, strided<[1], offset: 16>>
!anywhere = memref<64xf32, strided<[1], offset: ?>>
func.func @views(%a: memref<256xf32>, %b: memref<256xf32>, %o: memref<2x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @views_kernel blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c100 = arith.constant 100 : index
    %far = arith.addi %n, %c100 : index
    %z = arith.cmpi eq, %n, %c0 : index
    %0 = memref.subview %a[16] [64] [1] : memref<256xf32> to !behind
    %1 = memref.subview %b[16] [64] [1] : memref<256xf32> to !behind
    %p = arith.select %z, %0, %1 : !behind
    %r = memref.reinterpret_cast %p to offset: [4], sizes: [64], strides: [1]
         : !behind to memref<64xf32, strided<[1], offset: 4>>
    %t = tile.load %r : memref<64xf32, strided<[1], offset: 4>> -> tensor<64xf32>
    tile.store %t, %o[%c0, %c0] [1, 64] : tensor<64xf32>, memref<2x64xf32>
    %2 = memref.subview %a[%n] [64] [1] : memref<256xf32> to !anywhere
    %3 = memref.subview %b[%far] [64] [1] : memref<256xf32> to !anywhere
    %q = scf.if %z -> (!anywhere) {
      scf.yield %2 : !anywhere
    } else {
      scf.yield %3 : !anywhere
    }
    %s = memref.reinterpret_cast %q to offset: [8], sizes: [64], strides: [2]
         : !anywhere to memref<64xf32, strided<[2], offset: 8>>
    %u = tile.load %s : memref<64xf32, strided<[2], offset: 8>> -> tensor<64xf32>
    tile.store %u, %o[%c1, %c0] [1, 64] : tensor<64xf32>, memref<2x64xf32>
  }
  return
}

// Elements that share a byte: the pointer is to the memref, and the offset beside it.
func.func @narrow(%a: memref<256xi4>, %b: memref<256xi4>, %o: memref<64xi4>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %z = arith.cmpi eq, %n, %c0 : index
    %0 = memref.subview %a[16] [64] [1] : memref<256xi4> to memref<64xi4, strided<[1], offset: 16>>
    %1 = memref.subview %b[16] [64] [1] : memref<256xi4> to memref<64xi4, strided<[1], offset: 16>>
    %p = arith.select %z, %0, %1 : memref<64xi4, strided<[1], offset: 16>>
    %r = memref.reinterpret_cast %p to offset: [8], sizes: [64], strides: [1]
         : memref<64xi4, strided<[1], offset: 16>> to memref<64xi4, strided<[1], offset: 8>>
    %t = tile.load %r : memref<64xi4, strided<[1], offset: 8>> -> tensor<64xi4>
    tile.store %t, %o : tensor<64xi4>, memref<64xi4>
  }
  return
}
