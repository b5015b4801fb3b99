// RUN: tile-opt %s --tile-check-assumptions --split-input-file | FileCheck %s

// What the host states stays the host's.
// CHECK-LABEL: func @host
// CHECK-NOT: assert
func.func @host(%n: index, %o: memref<?xindex>) {
  %k = tile.assume_divisible %n by 16 : index
  tile.launch blocks(%b) in (%k) threads(32) {
    memref.store %b, %o[%b] : memref<?xindex>
  }
  return
}

// CHECK-LABEL: func @parts
// CHECK: tile.assert_facts %{{.*}} sizes [1, 8] strides [8, 1] alignment 16 : memref<?x?xf32>
// CHECK-NEXT: tile.assume %{{.*}} sizes [1, 8] strides [8, 1] alignment 16 : memref<?x?xf32>
// CHECK-NEXT: tile.assert_facts %{{.*}} alignment 32 : memref<?x?xf32>
// CHECK-NEXT: tile.assume %{{.*}} alignment 32 : memref<?x?xf32>
func.func @parts(%n: index, %o: memref<?x?xf32>) {
  tile.launch blocks(%b) in (%n) threads(32) {
    %p = tile.assume %o sizes [1, 8] strides [8, 1] alignment 16 : memref<?x?xf32>
    %q = tile.assume %p alignment 32 : memref<?x?xf32>
  }
  return
}
