// A kernel that reads one view of an argument and writes another: its loads are not
// those of read-only memory (ld.global.nc), which the emulator would report whatever
// values they find. Where nothing is written, they are.
// RUN: tile-run %s --entry=two_views --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=two_views --on=emulator --chip=sm_90a --check --seed=3
// RUN: tile-run %s --entry=in_place --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=read_only --on=emulator --chip=sm_80 --check
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s

// CHECK-LABEL: .entry two_views_0
// CHECK-NOT: ld.global.nc
func.func @two_views(%A: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  %in = memref.subview %A[0, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1]>>
  %out = memref.subview %A[16, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: 1024>>
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %in : memref<32x64xf32, strided<[64, 1]>> -> tensor<32x64xf32>
    %s = arith.addf %t, %t : tensor<32x64xf32>
    tile.store %s, %out : tensor<32x64xf32>, memref<32x64xf32, strided<[64, 1], offset: 1024>>
  }
  return
}

// CHECK-LABEL: .entry in_place_0
// CHECK-NOT: ld.global.nc
func.func @in_place(%A: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %A : memref<64x64xf32> -> tensor<64x64xf32>
    %s = arith.addf %t, %t : tensor<64x64xf32>
    tile.store %s, %A : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// CHECK-LABEL: .entry read_only_0
// CHECK: ld.global.nc
func.func @read_only(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %A : memref<64x64xf32> -> tensor<64x64xf32>
    %s = arith.addf %t, %t : tensor<64x64xf32>
    tile.store %s, %B : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
