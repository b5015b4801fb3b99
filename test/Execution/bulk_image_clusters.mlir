// Blocks of a cluster bring boxes of an image together: each some of the pixels, which may
// be of several images; beside weights that each brings for itself, or that they share the
// other way.
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --seed=2
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --seed=3 --check-stages
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_90a --check --shape=0:3x9x9x32 --shape=2:108x128 --seed=1
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_90a --check --shape=0:3x12x9x32 --shape=2:128x128 --seed=2
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_90a --check --shape=0:3x2x9x32 --shape=2:128x128 --seed=3
// RUN: tile-run %s --entry=before --on=emulator --chip=sm_90a --check --seed=0 --scalar=3:0
// RUN: tile-run %s --entry=before --on=emulator --chip=sm_90a --check --seed=1 --scalar=3:1
// RUN: tile-run %s --entry=before --on=emulator --chip=sm_90a --check --seed=2 --scalar=3:2
// RUN: tile-run %s --entry=before --on=emulator --chip=sm_90a --check --seed=3 --scalar=3:3
// RUN: tile-run %s --entry=before --on=emulator --chip=sm_90a --check --seed=4 --scalar=3:4
// RUN: tile-run %s --entry=before --on=emulator --chip=sm_90a --check --seed=5 --scalar=3:5
// RUN: tile-run %s --entry=before --on=emulator --chip=sm_90a --check --seed=6 --scalar=3:7
// RUN: tile-run %s --entry=before --on=emulator --chip=sm_90a --check --seed=7 --scalar=3:9
// RUN: tile-run %s --entry=before --on=reference --chip=sm_90a --check-stages --scalar=3:5
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT

#shared = #gpu.address_space<workgroup>

// Two blocks of other columns: 32 pixels each.
// CHECK-LABEL: .entry columns_0
// CHECK: .global.im2col.mbarrier::complete_tx::bytes.multicast::cluster
// CHECK-NOT: .global.tile.mbarrier::complete_tx::bytes.multicast::cluster
// REPORT-LABEL: kernel columns_0
// REPORT: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes{{.*}}4096 bytes
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
// CHECK-NOT: .im2col.mbarrier::complete_tx::bytes.multicast::cluster
// CHECK: .global.tile.mbarrier::complete_tx::bytes.multicast::cluster
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

// Four blocks: pairs share positions, other pairs share weights; a dynamic image.
// CHECK-LABEL: .entry both_0
// CHECK-DAG: .global.im2col.mbarrier::complete_tx::bytes.multicast::cluster
// CHECK-DAG: .global.tile.mbarrier::complete_tx::bytes.multicast::cluster
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

// Four blocks of other columns bring 16 pixels each, of which the first lie in front of the
// matrix and the last behind it; any number of steps on three slots.
// CHECK-LABEL: .entry before_0
// CHECK: .global.im2col.mbarrier::complete_tx::bytes.multicast::cluster
// REPORT-LABEL: kernel before_0
// REPORT: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes{{.*}}2048 bytes
func.func @before(%x: memref<2x9x7x64xf16>, %w: memref<576x256xf16>, %y: memref<126x256xf16>, %trips: index) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  tile.launch blocks(%j, %b) in (%c4, %c3) threads(128) cluster(4) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c40 = arith.constant 40 : index
    %c64 = arith.constant 64 : index
    %at = arith.muli %b, %c64 : index
    %row = arith.subi %at, %c40 : index
    %col = arith.muli %j, %c64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %trips step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      tile.im2col %x[%row, %k] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
        : memref<2x9x7x64xf16> to memref<64x64xf16, #shared>
      tile.copy %w[%k, %col] to %t : memref<576x256xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %y[%row, %col] : tensor<64x64xf16>, memref<126x256xf16>
  }
  return
}
