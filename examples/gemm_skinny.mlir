// Y = X * transpose(W) for 8 rows or fewer: a linear layer for a few tokens at once.
//
// With so few rows the weights are read once and little is computed, so that a tile of W is
// wide along K and its rows are the M of the product: the transpose of Y is computed, N x 8,
// since an instruction has 16 rows at least, but 8 columns. M = 64 rows of W a block give
// many blocks.
//
//   tile-run examples/gemm_skinny.mlir --entry=gemm_skinny --on=emulator --check --dim=M:5 --dim=N:200 --dim=K:520

#shared = #gpu.address_space<workgroup>

func.func @gemm_skinny(
    %X: memref<?x?xbf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>},
    %W: memref<?x?xbf16> {tile.dims = ["N", "K"], tile.divisible = array<i64: 8, 8>},
    %Y: memref<?x?xbf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %K = memref.dim %X, %c1 : memref<?x?xbf16>
  %N = memref.dim %W, %c0 : memref<?x?xbf16>
  %blocks = arith.ceildivui %N, %c64 : index
  tile.launch @gemm_skinny_kernel blocks(%b) in (%blocks) threads(128) {
    %n = arith.muli %b, %c64 : index
    %Ws = tile.alloc : memref<64x128xbf16, #shared>
    %Xs = tile.alloc : memref<8x128xbf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x8xf32>
    %acc = scf.for %k = %c0 to %K step %c128 iter_args(%c = %zero) -> (tensor<64x8xf32>) {
      tile.copy %W[%n, %k] to %Ws : memref<?x?xbf16> to memref<64x128xbf16, #shared>
      tile.copy %X[%c0, %k] to %Xs : memref<?x?xbf16> to memref<8x128xbf16, #shared>
      %d = tile.gemm %Ws, %Xs, %c {transpose_b}
        : memref<64x128xbf16, #shared>, memref<8x128xbf16, #shared> -> tensor<64x8xf32>
      scf.yield %d : tensor<64x8xf32>
    } {tile.stages = 4 : i32}
    %y = tile.transpose %acc [1, 0] : tensor<64x8xf32> -> tensor<8x64xf32>
    tile.store %y, %Y[%c0, %n] : tensor<8x64xf32>, memref<?x?xbf16>
  }
  return
}
