// C[b] = A[b] * B[b] for a batch of matrices of any sizes.
//
// A side's box may have more dimensions than its tile: [1, 64, 32] of a memref of three
// dimensions is a tile of 64 x 32, and its first index chooses the matrix.
//
//   tile-run examples/gemm_batched.mlir --entry=gemm_batched --on=emulator --check --dim=batch:3 --dim=M:67 --dim=N:136 --dim=K:104

#shared = #gpu.address_space<workgroup>

func.func @gemm_batched(
    %A: memref<?x?x?xf16> {tile.dims = ["batch", "M", "K"], tile.divisible = array<i64: 1, 1, 8>},
    %B: memref<?x?x?xf16> {tile.dims = ["batch", "K", "N"], tile.divisible = array<i64: 1, 1, 8>},
    %C: memref<?x?x?xf32> {tile.dims = ["batch", "M", "N"], tile.divisible = array<i64: 1, 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %batch = memref.dim %A, %c0 : memref<?x?x?xf16>
  %M = memref.dim %A, %c1 : memref<?x?x?xf16>
  %K = memref.dim %A, %c2 : memref<?x?x?xf16>
  %N = memref.dim %B, %c2 : memref<?x?x?xf16>
  %gx = arith.ceildivui %N, %c128 : index
  %gy = arith.ceildivui %M, %c64 : index
  tile.launch @gemm_batched_kernel blocks(%bx, %by, %b) in (%gx, %gy, %batch) threads(128) {
    %row = arith.muli %by, %c64 : index
    %col = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<32x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    %acc = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (tensor<64x128xf32>) {
      tile.copy %A[%b, %row, %k] [1, 64, 32] to %As
        : memref<?x?x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%b, %k, %col] [1, 32, 128] to %Bs
        : memref<?x?x?xf16> to memref<32x128xf16, #shared>
      %d = tile.gemm %As, %Bs, %c
        : memref<64x32xf16, #shared>, memref<32x128xf16, #shared> -> tensor<64x128xf32>
      scf.yield %d : tensor<64x128xf32>
    } {tile.stages = 4 : i32}
    tile.store %acc, %C[%b, %row, %col] [1, 64, 128] : tensor<64x128xf32>, memref<?x?x?xf32>
  }
  return
}
