// C = A * transpose(B) in bf16: the layout of a linear layer's weights.
//
// B is stored N x K, row by row, and reaches shared memory as it is; the gemm's
// `transpose_b` says that its tile is N x K. No data is moved to transpose it.
//
//   tile-run examples/gemm_bf16_transposed.mlir --entry=gemm_bf16_transposed --on=emulator --check --dim=M:256 --dim=N:192 --dim=K:256

#shared = #gpu.address_space<workgroup>

func.func @gemm_bf16_transposed(
    %A: memref<?x?xbf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>},
    %B: memref<?x?xbf16> {tile.dims = ["N", "K"], tile.divisible = array<i64: 8, 8>},
    %C: memref<?x?xbf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %A, %c0 : memref<?x?xbf16>
  %K = memref.dim %A, %c1 : memref<?x?xbf16>
  %N = memref.dim %B, %c0 : memref<?x?xbf16>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %M, %c128 : index
  tile.launch @gemm_bf16_transposed_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c64 : index
    %As = tile.alloc : memref<128x64xbf16, #shared>
    %Bs = tile.alloc : memref<64x64xbf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xbf16> to memref<128x64xbf16, #shared>
      tile.copy %B[%col, %k] to %Bs : memref<?x?xbf16> to memref<64x64xbf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b}
        : memref<128x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<128x64xf32>, memref<?x?xbf16>
  }
  return
}
