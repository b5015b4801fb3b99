// Layer normalisation of rows of 1024 columns, four rows a block.
//
// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, in f32, with the row
// in registers, so that the variance is computed from the centred values and
// memory is still read once. The last block may hold fewer than four rows. `contract` on
// products and sums lets them be fused multiply-adds.
//
//   tile-run examples/layer_norm.mlir --entry=layer_norm --on=emulator --check --dim=rows:10

func.func @layer_norm(%in: memref<?x1024xf16> {tile.dims = ["rows", ""]},
                      %gamma: memref<1024xf32>, %beta: memref<1024xf32>,
                      %out: memref<?x1024xf16> {tile.dims = ["rows", ""]}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %rows = memref.dim %in, %c0 : memref<?x1024xf16>
  %blocks = arith.ceildivui %rows, %c4 : index
  tile.launch @layer_norm_kernel blocks(%block) in (%blocks) threads(128) {
    %row = arith.muli %block, %c4 : index
    %x = tile.load %in[%row, %c0] : memref<?x1024xf16> -> tensor<4x1024xf32>

    %share = arith.constant dense<9.765625e-4> : tensor<4xf32> // 1 / 1024
    %sum = tile.reduce <add> %x dims [1] : tensor<4x1024xf32> -> tensor<4xf32>
    %mean = arith.mulf %sum, %share : tensor<4xf32>
    %mean_row = tile.broadcast %mean dims [1] : tensor<4xf32> -> tensor<4x1024xf32>
    %centred = arith.subf %x, %mean_row : tensor<4x1024xf32>

    %epsilon = arith.constant dense<1.0e-5> : tensor<4xf32>
    %square = arith.mulf %centred, %centred fastmath<contract> : tensor<4x1024xf32>
    %squares = tile.reduce <add> %square dims [1] fastmath<contract> : tensor<4x1024xf32> -> tensor<4xf32>
    %variance = arith.mulf %squares, %share fastmath<contract> : tensor<4xf32>
    %shifted = arith.addf %variance, %epsilon fastmath<contract> : tensor<4xf32>
    %rstd = math.rsqrt %shifted fastmath<afn> : tensor<4xf32>
    %rstd_row = tile.broadcast %rstd dims [1] : tensor<4xf32> -> tensor<4x1024xf32>
    %normal = arith.mulf %centred, %rstd_row : tensor<4x1024xf32>

    %g = tile.load %gamma[%c0] : memref<1024xf32> -> tensor<1024xf32>
    %b = tile.load %beta[%c0] : memref<1024xf32> -> tensor<1024xf32>
    %g_rows = tile.broadcast %g dims [0] : tensor<1024xf32> -> tensor<4x1024xf32>
    %b_rows = tile.broadcast %b dims [0] : tensor<1024xf32> -> tensor<4x1024xf32>
    %weighted = arith.mulf %normal, %g_rows fastmath<contract> : tensor<4x1024xf32>
    %y = arith.addf %weighted, %b_rows fastmath<contract> : tensor<4x1024xf32>
    tile.store %y, %out[%row, %c0] : tensor<4x1024xf32>, memref<?x1024xf16>
  }
  return
}
