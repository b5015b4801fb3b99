// Teams with tiles of their own in clusters, which only chips with roles have.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" --tile-layout-phase=bulk-copies --tile-schedule-phase --tile-alternate-consumers --verify-diagnostics -o /dev/null
#shared = #gpu.address_space<workgroup>
func.func @clusters(%A: memref<512x64xf16>, %B: memref<64x64xf16>, %C: memref<512x64xf32>) {
  %c8 = arith.constant 8 : index
  // expected-error @below {{cannot have them: its blocks are in clusters; leave 'cluster' out}}
  tile.launch @clusters blocks(%x) in (%c8) threads(128) cluster(2) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c64 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<512x64xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %i] to %Bs : memref<64x64xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C[%row, %c0] : tensor<64x64xf32>, memref<512x64xf32>
  }
  return
}
