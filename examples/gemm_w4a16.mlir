// A product with weights of 4 bits: two in a byte, as memory has them.
//
// W is N x K, as for linear layers, and each of its rows has a scale for every 64
// columns. The bytes go to shared memory as they are; a thread makes two of f16 at once of
// the two weights in one. The scales multiply the weights, so that one accumulator serves
// all groups. A tile of W is operand a: the transpose of the
// result is computed, whose rows are columns of Y.
//
//   tile-run examples/gemm_w4a16.mlir --entry=gemm_w4a16 --on=emulator --check --dim=M:70 --dim=N:136 --dim=K:256 --dim=G:4

#shared = #gpu.address_space<workgroup>

func.func @gemm_w4a16(
    %X: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 64>},
    %W: memref<?x?xi4> {tile.dims = ["N", "K"], tile.divisible = array<i64: 8, 64>},
    %S: memref<?x?xf16> {tile.dims = ["G", "N"], tile.divisible = array<i64: 1, 8>},
    %Y: memref<?x?xf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = memref.dim %X, %c0 : memref<?x?xf16>
  %K = memref.dim %X, %c1 : memref<?x?xf16>
  %N = memref.dim %W, %c0 : memref<?x?xi4>
  %gx = arith.ceildivui %M, %c64 : index
  %gy = arith.ceildivui %N, %c64 : index
  tile.launch @gemm_w4a16_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %m = arith.muli %bx, %c64 : index
    %n = arith.muli %by, %c64 : index
    %Ws = tile.alloc : memref<64x64xi4, #shared>
    %Xs = tile.alloc : memref<64x64xf16, #shared>
    %Ss = tile.alloc : memref<64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %W[%n, %k] to %Ws : memref<?x?xi4> to memref<64x64xi4, #shared>
      tile.copy %X[%m, %k] to %Xs : memref<?x?xf16> to memref<64x64xf16, #shared>
      %g = arith.divui %k, %c64 : index
      tile.copy %S[%g, %n] [1, 64] to %Ss : memref<?x?xf16> to memref<64xf16, #shared>
      %s = tile.load %Ss : memref<64xf16, #shared> -> tensor<64xf16>
      %sb = tile.broadcast %s dims [1] : tensor<64xf16> -> tensor<64x64xf16>
      %w = tile.load %Ws : memref<64x64xi4, #shared> -> tensor<64x64xi4>
      %wf = arith.sitofp %w : tensor<64x64xi4> to tensor<64x64xf16>
      %ws = arith.mulf %wf, %sb : tensor<64x64xf16>
      %d = tile.gemm %ws, %Xs, %c {transpose_b} : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %yt = tile.transpose %acc [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
    tile.store %yt, %Y[%m, %n] : tensor<64x64xf32>, memref<?x?xf16>
  }
  return
}
