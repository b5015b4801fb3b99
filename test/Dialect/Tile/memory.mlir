// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: func @whole_and_indexed_sides
func.func @whole_and_indexed_sides(%a: memref<1024x512xf16>, %n: index) {
  tile.launch @k blocks(%bx) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    // CHECK: %[[S:.*]] = tile.alloc : memref<128x32xf16, #gpu.address_space<workgroup>>
    %s = tile.alloc : memref<128x32xf16, #shared>
    // CHECK: tile.copy %{{.*}}[%bx, %{{.*}}] to %[[S]] : memref<1024x512xf16> to memref<128x32xf16, #gpu.address_space<workgroup>>
    tile.copy %a[%bx, %c0] to %s : memref<1024x512xf16> to memref<128x32xf16, #shared>
    // CHECK: tile.copy %[[S]] to %{{.*}}[%bx, %{{.*}}] : memref<128x32xf16,
    tile.copy %s to %a[%bx, %c0] : memref<128x32xf16, #shared> to memref<1024x512xf16>
  }
  return
}

// CHECK-LABEL: func @box_rows_bounds_pad
func.func @box_rows_bounds_pad(%q: memref<2x512x8x64xf16>, %n: index) {
  tile.launch @k2 blocks(%bx) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 1.0 : f16
    %r = arith.constant dense<3> : tensor<128xi32>
    %s = tile.alloc : memref<128x64xf16, #shared>
    // CHECK: tile.copy %{{.*}}[%bx, %{{.*}}, %bx, %{{.*}}] [1, 128, 1, 64] rows(%{{.*}} : tensor<128xi32>) dim 1 in_bounds [true, false, true, true] pad(%{{.*}}) to %{{.*}} : memref<2x512x8x64xf16> to
    tile.copy %q[%bx, %c0, %bx, %c0] [1, 128, 1, 64] rows(%r : tensor<128xi32>) dim 1 in_bounds [true, false, true, true] pad(%pad) to %s : memref<2x512x8x64xf16> to memref<128x64xf16, #shared>
    // CHECK: tile.copy %{{.*}} to %{{.*}}[%{{.*}}] [1, 128, 1, 64] in_bounds [false, false, false, false] {instruction = #tile.instruction<"ld.st">} :
    tile.copy %s to %q[%bx, %c0, %bx, %c0] [1, 128, 1, 64] in_bounds [false, false, false, false] {instruction = #tile.instruction<"ld.st">} : memref<128x64xf16, #shared> to memref<2x512x8x64xf16>
  }
  return
}

// CHECK-LABEL: func @fragments
func.func @fragments(%m: memref<?x?xf16>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %n: index) {
  tile.launch @k3 blocks(%bx) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 1.0 : f32
    // CHECK: %[[T:.*]] = tile.load %{{.*}}[%{{.*}}, %{{.*}}] in_bounds [true, false] : memref<?x?xf16> -> tensor<64x32xf16>
    %t = tile.load %m[%c0, %bx] in_bounds [true, false] : memref<?x?xf16> -> tensor<64x32xf16>
    // CHECK: %[[U:.*]] = tile.load %{{.*}}[%{{.*}}, %{{.*}}] pad(%{{.*}}) : memref<?x?xf16> -> tensor<64x32xf32>
    %u = tile.load %m[%c0, %bx] pad(%pad) : memref<?x?xf16> -> tensor<64x32xf32>
    // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] [1, 32] : memref<?x?xf16> -> tensor<32xf16>
    %v = tile.load %m[%c0, %bx] [1, 32] : memref<?x?xf16> -> tensor<32xf16>
    // CHECK: tile.store %[[T]], %{{.*}}[%{{.*}}, %{{.*}}] : tensor<64x32xf16>, memref<?x?xf32, strided<[?, 1], offset: ?>>
    tile.store %t, %c[%c0, %bx] : tensor<64x32xf16>, memref<?x?xf32, strided<[?, 1], offset: ?>>
    // CHECK: tile.atomic_rmw addf %[[U]], %{{.*}}[%{{.*}}, %{{.*}}] : tensor<64x32xf32>, memref<?x?xf32,
    tile.atomic_rmw addf %u, %c[%c0, %bx] : tensor<64x32xf32>, memref<?x?xf32, strided<[?, 1], offset: ?>>
  }
  return
}

// A scalar memref is taken whole; it has no indices to write.
// CHECK-LABEL: func @rank_zero
func.func @rank_zero(%m: memref<f32>, %n: index) {
  tile.launch @k4 blocks(%bx) in (%n) threads(32) {
    // CHECK: tile.load %{{.*}} : memref<f32> -> tensor<f32>
    %t = tile.load %m : memref<f32> -> tensor<f32>
    // CHECK: tile.store %{{.*}}, %{{.*}} : tensor<f32>, memref<f32>
    tile.store %t, %m[] : tensor<f32>, memref<f32>
  }
  return
}

// CHECK-LABEL: func @im2col
func.func @im2col(%x: memref<8x32x32x64xf16>, %n: index) {
  tile.launch @k5 blocks(%b) in (%n) threads(128) {
    %s = tile.alloc : memref<128x32xf16, #shared>
    // CHECK: tile.im2col %{{.*}}[%bx, %bx] to %{{.*}} {dilations = [1, 1], kernel = [3, 3], padding = [1, 1], strides = [1, 1]} : memref<8x32x32x64xf16> to
    tile.im2col %x[%b, %b] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<8x32x32x64xf16> to memref<128x32xf16, #shared>
  }
  return
}
