// Copies of one memref by boxes of one kind share a tensor map. Maps are made in
// front of the start of the kernel, whose last parameters they are.
// Those of images say where copies go.
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

// -----

// CHECK-LABEL: func @images
// CHECK-SAME: (%[[N:.*]]: index, %[[A:.*]]: memref<?x9x9x64xf16>)
// CHECK: %[[FIRST:.*]] = tile.encode_tensor_map %[[A]] im2col lower [-1, 0] upper [-1, -4] strides [1, 2] box [64, 64] swizzle 128 : memref<?x9x9x64xf16>
// CHECK: %[[OTHER:.*]] = tile.encode_tensor_map %[[A]] im2col lower [-1, -1] upper [-1, -1] strides [1, 2] box [64, 64] swizzle 128 : memref<?x9x9x64xf16>
// CHECK: gpu.launch_func {{.*}} args(%[[A]] : memref<?x9x9x64xf16>, %[[FIRST]] : !tile.tensor_map, %[[OTHER]] : !tile.tensor_map)
// CHECK: gpu.func @k(%[[KA:.*]]: memref<?x9x9x64xf16>, %[[KFIRST:.*]]: !tile.tensor_map, %[[KOTHER:.*]]: !tile.tensor_map) kernel
// CHECK: tile.im2col {{.*}} tensor_map(%[[KFIRST]])
// CHECK: tile.im2col {{.*}} tensor_map(%[[KFIRST]])
// CHECK: tile.im2col {{.*}} tensor_map(%[[KOTHER]])
#shared = #gpu.address_space<workgroup>
#s = #tile.shared<[64, 64], offset = [64 : (0, 1), 64 : (1, 0)], xor = [3, 4, 3]>
#load = #tile.instruction<"cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes">
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @images(%n: index, %a: memref<?x9x9x64xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %arena = tile.arena 8192 : memref<8192xi8, #shared>
    %t = tile.view %arena[0] layout(#s) : memref<8192xi8, #shared> to memref<64x64xf16, #shared>
    tile.im2col %a[%x, %c0] to %t {kernel = [3, 3], strides = [1, 2], dilations = [1, 2], padding = [1, 0], instruction = #load} : memref<?x9x9x64xf16> to memref<64x64xf16, #shared>
    tile.barrier
    tile.im2col %a[%x, %c64] to %t {kernel = [3, 3], strides = [1, 2], dilations = [1, 2], padding = [1, 0], instruction = #load} : memref<?x9x9x64xf16> to memref<64x64xf16, #shared>
    tile.barrier
    tile.im2col %a[%x, %c0] to %t {kernel = [3, 3], strides = [1, 2], dilations = [1, 1], padding = [1, 1], instruction = #load} : memref<?x9x9x64xf16> to memref<64x64xf16, #shared>
  }
  return
}
}
