// C = A * transpose(B) in 8-bit floats with scales and accumulation at two levels.
//
// A has a scale for each row and 128 columns of K, B one for each 128 x 128 (as in
// training and serving in fp8). The product of one step of K starts at zero, so that the
// tensor core's own sum, which some chips keep in fewer bits, has 128 terms and no
// more; scaled, it is added to an accumulator of true f32 by a multiply-add.
//
//   tile-run examples/gemm_fp8.mlir --entry=gemm_fp8 --on=emulator --check --dim=M:140 --dim=N:136 --dim=K:272 --dim=G:3 --dim=GN:2

#shared = #gpu.address_space<workgroup>

func.func @gemm_fp8(
    %A: memref<?x?xf8E4M3FN> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 16>},
    %B: memref<?x?xf8E5M2> {tile.dims = ["N", "K"], tile.divisible = array<i64: 8, 16>},
    %SA: memref<?x?xf32> {tile.dims = ["G", "M"], tile.divisible = array<i64: 1, 4>},
    %SB: memref<?x?xf32> {tile.dims = ["G", "GN"]},
    %C: memref<?x?xbf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %A, %c0 : memref<?x?xf8E4M3FN>
  %K = memref.dim %A, %c1 : memref<?x?xf8E4M3FN>
  %N = memref.dim %B, %c0 : memref<?x?xf8E5M2>
  %gx = arith.ceildivui %N, %c128 : index
  %gy = arith.ceildivui %M, %c128 : index
  tile.launch @gemm_fp8_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x128xf8E4M3FN, #shared>
    %Bs = tile.alloc : memref<128x128xf8E5M2, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %K step %c128 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf8E4M3FN> to memref<128x128xf8E4M3FN, #shared>
      tile.copy %B[%col, %k] to %Bs : memref<?x?xf8E5M2> to memref<128x128xf8E5M2, #shared>
      %part = tile.gemm %As, %Bs {transpose_b}
        : memref<128x128xf8E4M3FN, #shared>, memref<128x128xf8E5M2, #shared> -> tensor<128x128xf32>

      %g = arith.divui %k, %c128 : index
      %sa = tile.load %SA[%g, %row] [1, 128] : memref<?x?xf32> -> tensor<128xf32>
      %sb = memref.load %SB[%g, %bx] : memref<?x?xf32>
      %sb_rows = tensor.splat %sb : tensor<128xf32>
      %scale = arith.mulf %sa, %sb_rows : tensor<128xf32>
      %scales = tile.broadcast %scale dims [1] : tensor<128xf32> -> tensor<128x128xf32>
      %d = math.fma %part, %scales, %c : tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<128x128xf32>, memref<?x?xbf16>
  }
  return
}
