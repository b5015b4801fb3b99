// Copies of one memref by boxes of one kind share a tensor map. Maps are made in
// front of the start of the kernel, whose last parameters they are.
// RUN: tile-opt %s --tile-outline-kernels --split-input-file | FileCheck %s

// CHECK-LABEL: func @maps
// CHECK-SAME: (%[[N:.*]]: index, %[[A:.*]]: memref<?x128xf16>, %[[O:.*]]: memref<?x128xf16>)
// CHECK: %[[LOADS:.*]] = tile.encode_tensor_map %[[A]] box [64, 64] swizzle 128 : memref<?x128xf16>
// CHECK: %[[PART:.*]] = tile.encode_tensor_map %[[A]] box [32, 64] swizzle 128 : memref<?x128xf16>
// CHECK: %[[STORES:.*]] = tile.encode_tensor_map %[[O]] box [64, 64] swizzle 128 : memref<?x128xf16>
// CHECK: gpu.launch_func @kernels::@k {{.*}} args(%[[A]] : memref<?x128xf16>, %[[O]] : memref<?x128xf16>, %[[LOADS]] : !tile.tensor_map, %[[PART]] : !tile.tensor_map, %[[STORES]] : !tile.tensor_map)
// CHECK: gpu.func @k(%[[KA:.*]]: memref<?x128xf16>, %[[KO:.*]]: memref<?x128xf16>, %[[KLOADS:.*]]: !tile.tensor_map, %[[KPART:.*]]: !tile.tensor_map, %[[KSTORES:.*]]: !tile.tensor_map) kernel
// CHECK: tile.copy %[[KA]][%{{.*}}, %{{.*}}] to %{{.*}} tensor_map(%[[KLOADS]])
// CHECK: tile.copy %[[KA]][%{{.*}}, %{{.*}}] to %{{.*}} tensor_map(%[[KLOADS]])
// CHECK: tile.copy %[[KA]][%{{.*}}, %{{.*}}] [32, 64] to %{{.*}} tensor_map(%[[KPART]])
// CHECK: tile.copy %{{.*}} to %[[KO]][%{{.*}}, %{{.*}}] tensor_map(%[[KSTORES]])
#shared = #gpu.address_space<workgroup>
#s = #tile.shared<[64, 128], offset = [64 : (0, 1), 64 : (1, 0), 2 : (0, 64)], xor = [3, 4, 3]>
#load = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#store = #tile.instruction<"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group">
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @maps(%n: index, %a: memref<?x128xf16>, %o: memref<?x128xf16>) {
  %c0 = arith.constant 0 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %arena = tile.arena 16384 : memref<16384xi8, #shared>
    %t = tile.view %arena[0] layout(#s) : memref<16384xi8, #shared> to memref<64x128xf16, #shared>
    tile.copy %a[%x, %c0] to %t {instruction = #load} : memref<?x128xf16> to memref<64x128xf16, #shared>
    tile.barrier
    tile.copy %a[%c0, %x] to %t {instruction = #load} : memref<?x128xf16> to memref<64x128xf16, #shared>
    tile.barrier
    tile.copy %a[%c0, %x] [32, 64] to %t[%c0, %c0] {instruction = #load} : memref<?x128xf16> to memref<64x128xf16, #shared>
    tile.barrier
    tile.copy %t to %o[%x, %c0] {instruction = #store} : memref<64x128xf16, #shared> to memref<?x128xf16>
  }
  return
}
}
