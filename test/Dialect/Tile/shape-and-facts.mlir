// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func @shape
func.func @shape(%m: tensor<128xf32>, %x: tensor<64x32xf32>, %i: tensor<128x32xi8>) {
  // CHECK: tile.broadcast %{{.*}} dims [1] : tensor<128xf32> -> tensor<128x64xf32>
  %b = tile.broadcast %m dims [1] : tensor<128xf32> -> tensor<128x64xf32>
  // CHECK: tile.transpose %{{.*}} [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %t = tile.transpose %x [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  // CHECK: tile.bitcast %{{.*}} : tensor<128x32xi8> -> tensor<128x64xi4>
  %y = tile.bitcast %i : tensor<128x32xi8> -> tensor<128x64xi4>
  return
}

// CHECK-LABEL: func @debugging
func.func @debugging(%m: tensor<128xf32>, %s: index, %c: i1) {
  // CHECK: tile.print "row maximum" %{{.*}} : tensor<128xf32>
  tile.print "row maximum" %m : tensor<128xf32>
  // CHECK: tile.print "n" %{{.*}} : index
  tile.print "n" %s : index
  // CHECK: tile.assert %{{.*}}, "finite"
  tile.assert %c, "finite"
  return
}

// CHECK-LABEL: func @facts
// CHECK-SAME: %{{.*}}: memref<?x?xf16, strided<[?, 1]>> {tile.align = 32 : i64, tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>, tile.may_alias}
func.func @facts(%a: memref<?x?xf16, strided<[?, 1]>> {tile.align = 32, tile.divisible = array<i64: 1, 8>, tile.dims = ["M", "K"], tile.may_alias}, %m: index, %i: i32) {
  // CHECK: tile.assume_divisible %{{.*}} by 16 : index
  %n = tile.assume_divisible %m by 16 : index
  // CHECK: tile.assume_divisible %{{.*}} by 4 : i32
  %k = tile.assume_divisible %i by 4 : i32
  // CHECK: tile.assume %{{.*}} sizes [1, 8] strides [8, 1] alignment 16 : memref<?x?xf16, strided<[?, 1]>>
  %b = tile.assume %a sizes [1, 8] strides [8, 1] alignment 16 : memref<?x?xf16, strided<[?, 1]>>
  // CHECK: tile.assume %{{.*}} alignment 64 : memref<?x?xf16, strided<[?, 1]>>
  %c = tile.assume %b alignment 64 : memref<?x?xf16, strided<[?, 1]>>
  // CHECK: tile.assume %{{.*}} : memref<?x?xf16, strided<[?, 1]>>
  %d = tile.assume %c : memref<?x?xf16, strided<[?, 1]>>
  return
}
