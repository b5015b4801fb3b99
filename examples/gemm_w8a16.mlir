// Y = X * transpose(W) with weights of 8 bits and a scale for each row of W.
//
// W is N x K, as for linear layers. Its bytes go to shared memory as they are and become
// f16 in registers, operand a: the transpose of the result is computed, whose rows are
// columns of Y, so that the conversion needs no second way through shared memory.
// Every row has one scale, which multiplies the sum in the end.
//
//   tile-run examples/gemm_w8a16.mlir --entry=gemm_w8a16 --on=emulator --check --dim=M:70 --dim=N:136 --dim=K:208

#shared = #gpu.address_space<workgroup>

func.func @gemm_w8a16(
    %X: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>},
    %W: memref<?x?xi8> {tile.dims = ["N", "K"], tile.divisible = array<i64: 8, 16>},
    %S: memref<?xf16> {tile.dims = ["N"]},
    %Y: memref<?x?xf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %X, %c0 : memref<?x?xf16>
  %K = memref.dim %X, %c1 : memref<?x?xf16>
  %N = memref.dim %W, %c0 : memref<?x?xi8>
  %gx = arith.ceildivui %M, %c64 : index
  %gy = arith.ceildivui %N, %c128 : index
  tile.launch @gemm_w8a16_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %m = arith.muli %bx, %c64 : index
    %n = arith.muli %by, %c128 : index
    %Ws = tile.alloc : memref<128x64xi8, #shared>
    %Xs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      tile.copy %W[%n, %k] to %Ws : memref<?x?xi8> to memref<128x64xi8, #shared>
      tile.copy %X[%m, %k] to %Xs : memref<?x?xf16> to memref<64x64xf16, #shared>
      %w = tile.load %Ws : memref<128x64xi8, #shared> -> tensor<128x64xi8>
      %w_half = arith.sitofp %w : tensor<128x64xi8> to tensor<128x64xf16>
      %d = tile.gemm %w_half, %Xs, %c {transpose_b}
        : tensor<128x64xf16>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    %s = tile.load %S[%n] : memref<?xf16> -> tensor<128xf32>
    %s_rows = tile.broadcast %s dims [1] : tensor<128xf32> -> tensor<128x64xf32>
    %scaled = arith.mulf %acc, %s_rows : tensor<128x64xf32>
    %y = tile.transpose %scaled [1, 0] : tensor<128x64xf32> -> tensor<64x128xf32>
    tile.store %y, %Y[%m, %n] : tensor<64x128xf32>, memref<?x?xf16>
  }
  return
}
