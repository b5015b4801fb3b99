// What comes through registers element by element runs ahead where a thread can hold it
// over the products: both copies (four operations), or the smaller one (three), while the
// other fills its slot without being held.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase --tile-pipeline-loops --verify-diagnostics --remark-format=emitRemark --remarks-filter-missed='tile-pipeline-loops' --remarks-filter-passed='tile-pipeline-loops' -o /dev/null

#shared = #gpu.address_space<workgroup>
func.func @f(%A: memref<?x1001xf16>, %B: memref<?x1001xf16>, %C: memref<?x?xf32>, %K: index) {
  %c1 = arith.constant 1 : index
  tile.launch @wide blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %a = tile.alloc : memref<128x64xf16, #shared>
    %b = tile.alloc : memref<64x256xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x256xf32>
    // expected-remark @below {{Pipelined | Category:tile-pipeline-loops | Function=wide | PrologueOperations=3, PrologueSteps=1, Remark="2 stages, 2 copies run ahead"}}
    %r = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x256xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<?x1001xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<?x1001xf16> to memref<64x256xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<128x64xf16, #shared>, memref<64x256xf16, #shared> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %C[%c0, %c0] : tensor<128x256xf32>, memref<?x?xf32>
  }
  tile.launch @narrow blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    // expected-remark @below {{Pipelined | Category:tile-pipeline-loops | Function=narrow | PrologueOperations=4, PrologueSteps=1, Remark="2 stages, 2 copies run ahead"}}
    %r = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<?x1001xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<?x1001xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %C[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  }
  return
}
