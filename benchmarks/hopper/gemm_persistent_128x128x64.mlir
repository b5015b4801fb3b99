// C = A * transpose(B) in f16 with f32 accumulation, 128 x 128 x 64 a tile, sizes dynamic, in
// blocks that walk over tiles. K is a multiple of 4 steps, so that every tile takes whole
// rounds of 4 slots: a kernel that benchmarks/hopper-loops counts.
//
//   tile-run benchmarks/hopper/gemm_persistent_128x128x64.mlir --entry=gemm --on=emulator --chip=sm_90a --check --shape=0:512x512 --shape=1:512x512 --shape=2:512x512

#shared = #gpu.address_space<workgroup>

func.func @gemm(%A: memref<?x?xf16> {tile.divisible = array<i64: 128, 256>},
                %B: memref<?x?xf16> {tile.divisible = array<i64: 128, 256>},
                %C: memref<?x?xf16> {tile.divisible = array<i64: 128, 128>}) {
  %dim0 = arith.constant 0 : index
  %dim1 = arith.constant 1 : index
  %M = memref.dim %A, %dim0 : memref<?x?xf16>
  %N = memref.dim %B, %dim0 : memref<?x?xf16>
  %K = memref.dim %A, %dim1 : memref<?x?xf16>
  %height = arith.constant 128 : index
  %width = arith.constant 128 : index
  %gx = arith.divui %N, %width : index
  %gy = arith.divui %M, %height : index
  tile.launch @gemm_persistent_128x128x64 blocks(%bx, %by) in (%gx, %gy) threads(256) attributes {persistent} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %row = arith.muli %by, %height : index
    %col = arith.muli %bx, %width : index
    %As = tile.alloc : memref<128x64xf16, #shared>
    %Bs = tile.alloc : memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %K step %step iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%col, %k] to %Bs : memref<?x?xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<128x64xf16, #shared>, memref<128x64xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 4 : i32}
    %h = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xf16>
    tile.store %h, %C[%row, %col] : tensor<128x128xf16>, memref<?x?xf16>
  }
  return
}
