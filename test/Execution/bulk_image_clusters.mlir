// Boxes of images in clusters: each block brings its own, with a remark where others bring
// the same, beside weights that are each block's own or that blocks bring together.
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --seed=2
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --seed=3 --check-stages
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_90a --check --shape=0:3x9x9x32 --shape=2:108x128 --seed=1
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_90a --check --shape=0:3x12x9x32 --shape=2:128x128 --seed=2
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_90a --check --shape=0:3x2x9x32 --shape=2:128x128 --seed=3
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s
// RUN: tile-opt %s --tile-compile=chip=sm_90a --remark-format=emitRemark --remarks-filter-missed=tile-multicast-copies -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>

// Two blocks of other columns need one image.
// CHECK-LABEL: .entry columns_0
// CHECK: .global.im2col.mbarrier::complete_tx::bytes [
// CHECK-NOT: .multicast::cluster
// REMARK: NotMulticast | {{.*}} | Function=columns_0 | Reason="blocks of a cluster do not share it: boxes of an image are brought by each block for itself; give the blocks of a cluster other positions and the same weights"
func.func @columns(%x: memref<2x9x7x64xf16>, %w: memref<576x128xf16>, %y: memref<126x128xf16>) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%j, %b) in (%c2, %c2) threads(128) cluster(2) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c576 = arith.constant 576 : index
    %row = arith.muli %b, %c64 : index
    %col = arith.muli %j, %c64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c576 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.im2col %x[%row, %k] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
        : memref<2x9x7x64xf16> to memref<64x64xf16, #shared>
      tile.copy %w[%k, %col] to %t : memref<576x128xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %y[%row, %col] : tensor<64x64xf16>, memref<126x128xf16>
  }
  return
}

// Two blocks of other positions share weights; the image is each block's own.
// CHECK-LABEL: .entry rows_0
// CHECK-DAG: .global.im2col.mbarrier::complete_tx::bytes [
// CHECK-DAG: .global.tile.mbarrier::complete_tx::bytes.multicast::cluster
// REMARK-NOT: Function=rows_0
func.func @rows(%x: memref<2x9x7x64xf16>, %w: memref<576x64xf16>, %y: memref<126x64xf16>) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%b) in (%c2) threads(128) cluster(2) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c576 = arith.constant 576 : index
    %row = arith.muli %b, %c64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c576 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.im2col %x[%row, %k] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
        : memref<2x9x7x64xf16> to memref<64x64xf16, #shared>
      tile.copy %w[%k, %c0] to %t : memref<576x64xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %y[%row, %c0] : tensor<64x64xf16>, memref<126x64xf16>
  }
  return
}

// Four blocks: pairs need the same positions, other pairs share weights; a dynamic image.
// CHECK-LABEL: .entry both_0
// CHECK-DAG: .global.im2col.mbarrier::complete_tx::bytes [
// CHECK-DAG: .global.tile.mbarrier::complete_tx::bytes.multicast::cluster
// REMARK: Function=both_0 {{.*}}boxes of an image
func.func @both(%x: memref<3x?x9x32xf16>, %w: memref<288x128xf16>, %y: memref<?x128xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch blocks(%j, %b) in (%c2, %c2) threads(128) cluster(2, 2) {
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c288 = arith.constant 288 : index
    %row = arith.muli %b, %c64 : index
    %col = arith.muli %j, %c64 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    %t = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c288 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.im2col %x[%row, %k] to %s {kernel = [3, 3], strides = [2, 1], dilations = [1, 2], padding = [0, 2]}
        : memref<3x?x9x32xf16> to memref<64x32xf16, #shared>
      tile.copy %w[%k, %col] to %t : memref<288x128xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %y[%row, %col] : tensor<64x64xf16>, memref<?x128xf16>
  }
  return
}
