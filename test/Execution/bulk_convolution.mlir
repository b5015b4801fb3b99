// Convolutions whose images come by bulk tensor copies in im2col mode: with a producer,
// for each number of steps, persistent, without a producer, and where threads fill the
// same buffer.
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:0 --seed=0
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:1 --seed=1
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:2 --seed=2
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:3 --seed=3
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:4 --seed=4
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:5 --seed=5
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:6 --seed=6
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:7 --seed=7
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:13 --seed=8
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:5 --seed=0 --check-stages
// RUN: tile-run %s --entry=no_roles --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=no_roles --on=emulator --chip=sm_90a --check --seed=2
// RUN: tile-run %s --entry=no_roles --on=emulator --chip=sm_90a --check --seed=3 --check-stages
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" -o %t.mlir
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=persistent --on=emulator --check --seed=1
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=persistent --on=emulator --check --seed=2
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=persistent --on=emulator --check --seed=3 --check-stages
// RUN: tile-opt %t.mlir --emit=ptx | FileCheck %s --check-prefix=WALK
// RUN: tile-run %s --entry=shared_slots --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=shared_slots --on=emulator --chip=sm_90a --check --seed=2 --check-stages
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT

#shared = #gpu.address_space<workgroup>
#off = #tile.warp_specialize<off>

// A convolution with a producer of one warp, for every number of steps.
// CHECK-LABEL: .entry trips_kernel
// CHECK-NOT: cp.async.c
// CHECK: .global.im2col.mbarrier
// REPORT-LABEL: kernel trips_kernel
// REPORT: consumer 4 warps, producer 1 warp
func.func @trips(%x: memref<2x9x7x64xf16>, %w: memref<576x64xf16>, %y: memref<126x64xf16>, %steps: index) {
  %c2 = arith.constant 2 : index
  tile.launch @trips_kernel blocks(%b) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %b, %c64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %steps step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
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

// The same threads name boxes ahead and multiply.
// CHECK-LABEL: .entry no_roles_0
// CHECK: .global.im2col.mbarrier
func.func @no_roles(%x: memref<3x8x8x32xbf16>, %w: memref<288x32xbf16>, %y: memref<75x32xf32>) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%b) in (%c2) threads(128) attributes {warp_specialize = #off} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c288 = arith.constant 288 : index
    %row = arith.muli %b, %c64 : index
    %s = tile.alloc : memref<64x32xbf16, #shared>
    %t = tile.alloc : memref<32x32xbf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %acc = scf.for %k = %c0 to %c288 step %c32 iter_args(%c = %zero) -> (tensor<64x32xf32>) {
      tile.im2col %x[%row, %k] to %s {kernel = [3, 3], strides = [2, 2], dilations = [2, 2], padding = [3, 3]}
        : memref<3x8x8x32xbf16> to memref<64x32xbf16, #shared>
      tile.copy %w[%k, %c0] to %t : memref<288x32xbf16> to memref<32x32xbf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<64x32xbf16, #shared>, memref<32x32xbf16, #shared> -> tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } {tile.stages = 4 : i32}
    tile.store %acc, %y[%row, %c0] : tensor<64x32xf32>, memref<75x32xf32>
  }
  return
}

// Two groups of consumers, tiles of several images; one block walks over all.
// WALK-LABEL: .entry persistent_kernel
// WALK-NOT: cp.async.c
// WALK-COUNT-2: .global.im2col.mbarrier
// CHECK-LABEL: .entry persistent_kernel
// CHECK-NOT: cp.async.c
// CHECK-COUNT-2: .global.im2col.mbarrier
// REPORT-LABEL: kernel persistent_kernel
// REPORT: consumer 8 warps with 232 registers, producer 4 warps with 40 registers
func.func @persistent(%x: memref<4x11x10x128xf16>, %w: memref<512x64xf16>, %y: memref<360x64xf16>) {
  %c3 = arith.constant 3 : index
  tile.launch @persistent_kernel blocks(%b) in (%c3) threads(256) attributes {persistent} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %row = arith.muli %b, %c128 : index
    %s = tile.alloc : memref<128x128xf16, #shared>
    %t = tile.alloc : memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %k = %c0 to %c512 step %c128 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      tile.im2col %x[%row, %k] to %s {kernel = [2, 2], strides = [1, 1], dilations = [1, 1], padding = [0, 0]}
        : memref<4x11x10x128xf16> to memref<128x128xf16, #shared>
      tile.copy %w[%k, %c0] to %t : memref<512x64xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<128x128xf16, #shared>, memref<128x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 2 : i32}
    %h = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64xf16>
    tile.store %h, %y[%row, %c0] : tensor<128x64xf16>, memref<360x64xf16>
  }
  return
}

// Weights by pointers that are loaded, so that threads copy to a buffer of their own, and
// a buffer that boxes of an image and threads fill in turn: threads make all of it.
// CHECK-LABEL: .entry shared_slots_0
// CHECK-NOT: im2col
// CHECK: cp.async.c
func.func @shared_slots(%x: memref<2x8x8x64xf16>, %z: memref<128x60xf16>, %w: memref<576x64xf16>, %y: memref<128x64xf16>) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%b) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %b, %c64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c9 step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      %is = arith.cmpi eq, %i, %c1 : index
      scf.if %is {
        tile.copy %z[%row, %c0] to %s : memref<128x60xf16> to memref<64x64xf16, #shared>
      } else {
        tile.im2col %x[%row, %k] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}
          : memref<2x8x8x64xf16> to memref<64x64xf16, #shared>
      }
      tile.copy %w[%k, %c0] to %t : memref<576x64xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %y[%row, %c0] : tensor<64x64xf16>, memref<128x64xf16>
  }
  return
}

// CHECK-LABEL: .entry end_0
func.func @end() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
  }
  return
}
