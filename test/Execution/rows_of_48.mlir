// Rows of which a warp has 48 elements are stored in accesses of 8 bytes: four threads hold
// six pieces of a row each, of which they exchange every second one.
// RUN: tile-run %s --on=emulator --chip=sm_80 --check --shape=0:256x64 --shape=2:256x192
// RUN: tile-run %s --on=emulator --chip=sm_80 --check --shape=0:200x64 --shape=2:200x192
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s
// CHECK: 8 bytes an access
// CHECK: StoreInRows: stored in rows, by way of 12288 bytes of shared memory: 384 sectors instead of 768
func.func @gemm(%A: memref<?x64xf16>, %B: memref<64x192xf16>, %C: memref<?x192xf16>) {
  %cM = arith.constant 128 : index
  %cN = arith.constant 48 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %cK = arith.constant 32 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  tile.launch blocks(%bx, %by) in (%c2, %c4) threads(128) {
    %r = arith.muli %bx, %cM : index
    %c = arith.muli %by, %cN : index
    %z = arith.constant dense<0.0> : tensor<128x48xf32>
    %a = tile.alloc : memref<128x32xf16, #gpu.address_space<workgroup>>
    %b = tile.alloc : memref<32x48xf16, #gpu.address_space<workgroup>>
    %acc = scf.for %k = %c0 to %c64 step %cK iter_args(%s = %z) -> (tensor<128x48xf32>) {
      tile.copy %A[%r, %k] to %a : memref<?x64xf16> to memref<128x32xf16, #gpu.address_space<workgroup>>
      tile.copy %B[%k, %c] to %b : memref<64x192xf16> to memref<32x48xf16, #gpu.address_space<workgroup>>
      %n = tile.gemm %a, %b, %s : memref<128x32xf16, #gpu.address_space<workgroup>>, memref<32x48xf16, #gpu.address_space<workgroup>> -> tensor<128x48xf32>
      scf.yield %n : tensor<128x48xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<128x48xf32> to tensor<128x48xf16>
    tile.store %h, %C[%r, %c] : tensor<128x48xf16>, memref<?x192xf16>
  }
  return
}
