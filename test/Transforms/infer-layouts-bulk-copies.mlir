// Copies between global and shared memory become bulk tensor copies where facts
// prove that they may: no threads, no width, only the instruction of the tensor's
// rank. Nothing changes without the option, or on chips without them.
// RUN: tile-opt %s --tile-infer-layouts=bulk-copies --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-infer-layouts --split-input-file | FileCheck %s --check-prefix=OFF
// RUN: sed s/sm_90a/sm_89/ %s | tile-opt --tile-infer-layouts=bulk-copies --split-input-file | FileCheck %s --check-prefix=OFF

// OFF-NOT: cp.async.bulk
// OFF: instruction = #tile.instruction<"cp.async">
// OFF-NOT: cp.async.bulk

// The tiles of a product: sizes known at run time only, their strides multiples of
// 16 bytes by what the arguments state. Starts may be anywhere.
// CHECK-LABEL: func @product
// CHECK: tile.alloc layout(#tile.shared<[128, 64], offset = [64 : (0, 1), 128 : (1, 0)], xor = [3, 4, 3]>)
// CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} :
// CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} :
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @product(%n: index, %i: index, %a: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>}, %b: memref<?x?xf16, strided<[?, 1], offset: ?>>, %o: memref<128x128xf32>) {
  %v = tile.assume %b strides [8, 1] alignment 16 : memref<?x?xf16, strided<[?, 1], offset: ?>>
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<64x128xf16, #shared>
    tile.copy %a[%i, %x] to %s : memref<?x?xf16> to memref<128x64xf16, #shared>
    tile.copy %v[%x, %i] to %t : memref<?x?xf16, strided<[?, 1], offset: ?>> to memref<64x128xf16, #shared>
    %p = tile.gemm %s, %t : memref<128x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
    tile.store %p, %o : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}
}

// -----

// Ranks 1 to 5, elements of 1, 2, 4 and 8 bytes, parts of a buffer, unit dimensions
// that the buffer lacks.
// CHECK-LABEL: func @ranks
// CHECK-COUNT-1: "cp.async.bulk.tensor.1d.shared::cluster
// CHECK-COUNT-1: "cp.async.bulk.tensor.2d.shared::cluster
// CHECK-COUNT-2: "cp.async.bulk.tensor.3d.shared::cluster
// CHECK-COUNT-1: "cp.async.bulk.tensor.4d.shared::cluster
// CHECK-COUNT-1: "cp.async.bulk.tensor.5d.shared::cluster
// CHECK-NOT: cp.async
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @ranks(%n: index, %i: index, %a: memref<?xf64>, %b: memref<?x64xi8>, %c: memref<?x32x64xf16>, %d: memref<?x64x?x64xbf16>, %e: memref<8x?x4x4x16xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %sa = tile.alloc : memref<256xf64, #shared>
    %sb = tile.alloc : memref<64x64xi8, #shared>
    %sc = tile.alloc : memref<2x64x64xf16, #shared>
    %sd = tile.alloc : memref<64x64xbf16, #shared>
    %se = tile.alloc : memref<2x2x4x4x16xf32, #shared>
    tile.copy %a[%x] to %sa : memref<?xf64> to memref<256xf64, #shared>
    tile.copy %b[%x, %c0] to %sb : memref<?x64xi8> to memref<64x64xi8, #shared>
    tile.copy %c[%x, %c0, %i] to %sc[%c0, %c0, %c0] [2, 32, 64] : memref<?x32x64xf16> to memref<2x64x64xf16, #shared>
    %half = memref.subview %sc[0, 32, 0] [2, 32, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to memref<2x32x64xf16, strided<[4096, 64, 1], offset: 2048>, #shared>
    tile.copy %c[%i, %c0, %c0] to %half : memref<?x32x64xf16> to memref<2x32x64xf16, strided<[4096, 64, 1], offset: 2048>, #shared>
    tile.copy %d[%x, %c0, %i, %c0] [1, 64, 1, 64] to %sd : memref<?x64x?x64xbf16> to memref<64x64xbf16, #shared>
    tile.copy %e[%c0, %x, %c0, %c0, %c0] [2, 2, 4, 4, 16] to %se : memref<8x?x4x4x16xf32> to memref<2x2x4x4x16xf32, #shared>
  }
  return
}
}

// -----

// Back to global memory: what lies outside of the memref is left out by the engine.
// Two of them may write one memref.
// CHECK-LABEL: func @stores
// CHECK-COUNT-2: tile.copy %{{.*}} to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group">} :
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @stores(%n: index, %a: memref<?x64xf16>, %t: memref<64x64xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %f = tile.load %t : memref<64x64xf16> -> tensor<64x64xf16>
    tile.store %f, %s : tensor<64x64xf16>, memref<64x64xf16, #shared>
    tile.copy %s to %a[%x, %c0] : memref<64x64xf16, #shared> to memref<?x64xf16>
    tile.copy %s to %a[%c64, %c0] : memref<64x64xf16, #shared> to memref<?x64xf16>
    // Another memref, by threads: 128 bytes of a row are less than is worth it.
    %u = tile.alloc : memref<1x64xf16, #shared>
    tile.copy %t[%c0, %c0] to %u : memref<64x64xf16> to memref<1x64xf16, #shared>
  }
  return
}
}
