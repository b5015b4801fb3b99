// Scans of products in which some warps hold nothing but padding along the scanned
// dimension: nothing is exchanged between warps.
// RUN: tile-run %s --entry=along_columns --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=with_combiner --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=shared_and_padding --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=reduced --on=emulator --chip=sm_80 --check
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase | FileCheck %s

// CHECK-LABEL: func @along_columns
// CHECK: tile.gemm
// CHECK-NOT: tile.alloc
// CHECK: tile.scan <minsi>
// CHECK-NOT: tile.alloc
// CHECK: return
func.func @along_columns(%A: memref<8x32xi8>, %B: memref<32x8xi8>, %P: memref<8x8xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(96) {
    %a = tile.load %A : memref<8x32xi8> -> tensor<8x32xi8>
    %s = tile.load %B : memref<32x8xi8> -> tensor<32x8xi8>
    %d = tile.gemm %a, %s : tensor<8x32xi8>, tensor<32x8xi8> -> tensor<8x8xi32>
    %r = tile.scan <minsi> %d dim 1 {exclusive} : tensor<8x8xi32>
    tile.store %r, %P : tensor<8x8xi32>, memref<8x8xi32>
  }
  return
}

// CHECK-LABEL: func @with_combiner
// CHECK-NOT: tile.alloc
// CHECK: return
func.func @with_combiner(%A: memref<8x32xi8>, %B: memref<32x8xi8>, %P: memref<8x8xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(224) {
    %a = tile.load %A : memref<8x32xi8> -> tensor<8x32xi8>
    %s = tile.load %B : memref<32x8xi8> -> tensor<32x8xi8>
    %d = tile.gemm %a, %s : tensor<8x32xi8>, tensor<32x8xi8> -> tensor<8x8xi32>
    %r = tile.scan (%d) dim 1 {reverse} : (tensor<8x8xi32>) {
    ^bb0(%x: i32, %y: i32):
      %z = arith.addi %x, %y : i32
      tile.yield %z : i32
    }
    tile.store %r, %P : tensor<8x8xi32>, memref<8x8xi32>
  }
  return
}

// Four warps along 24 columns: three share them, the fourth has padding.
// CHECK-LABEL: func @shared_and_padding
// CHECK: tile.alloc
func.func @shared_and_padding(%A: memref<8x32xi8>, %B: memref<32x24xi8>, %P: memref<8x24xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %a = tile.load %A : memref<8x32xi8> -> tensor<8x32xi8>
    %s = tile.load %B : memref<32x24xi8> -> tensor<32x24xi8>
    %d = tile.gemm %a, %s {warps = #tile.warps<columns>} : tensor<8x32xi8>, tensor<32x24xi8> -> tensor<8x24xi32>
    %r = tile.scan <add> %d dim 1 : tensor<8x24xi32>
    tile.store %r, %P : tensor<8x24xi32>, memref<8x24xi32>
  }
  return
}

// The result of a reduction is held by warps that have only padding of the
// operand, too.
func.func @reduced(%A: memref<8x32xi8>, %B: memref<32x8xi8>, %P: memref<8xi32>, %Q: memref<8x8xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(96) {
    %a = tile.load %A : memref<8x32xi8> -> tensor<8x32xi8>
    %s = tile.load %B : memref<32x8xi8> -> tensor<32x8xi8>
    %d = tile.gemm %a, %s : tensor<8x32xi8>, tensor<32x8xi8> -> tensor<8x8xi32>
    %r = tile.reduce <add> %d dims [1] : tensor<8x8xi32> -> tensor<8xi32>
    %u = tile.broadcast %r dims [1] : tensor<8xi32> -> tensor<8x8xi32>
    tile.store %r, %P : tensor<8xi32>, memref<8xi32>
    tile.store %u, %Q : tensor<8x8xi32>, memref<8x8xi32>
  }
  return
}
