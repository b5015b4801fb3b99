// RMS normalisation of x + residual, rows of 5000: the sum is stored, too, for the next layer.
//
// 5000 is no power of two and no multiple of the threads; a row is one fragment all the
// same, and nothing is computed twice or padded to 8192. `contract` on products and
// sums allows fused multiply-adds, `afn` the hardware's reciprocal square root.
//
//   tile-run examples/rms_norm_residual.mlir --entry=rms_norm_residual --on=emulator --check --dim=rows:6

func.func @rms_norm_residual(%x: memref<?x5000xbf16> {tile.dims = ["rows", ""]},
                             %residual: memref<?x5000xbf16> {tile.dims = ["rows", ""]},
                             %weight: memref<5000xbf16>,
                             %sum: memref<?x5000xbf16> {tile.dims = ["rows", ""]},
                             %out: memref<?x5000xbf16> {tile.dims = ["rows", ""]}) {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %x, %c0 : memref<?x5000xbf16>
  tile.launch @rms_norm_residual_kernel blocks(%row) in (%rows) threads(256) {
    %a = tile.load %x[%row, %c0] [1, 5000] : memref<?x5000xbf16> -> tensor<5000xf32>
    %b = tile.load %residual[%row, %c0] [1, 5000] : memref<?x5000xbf16> -> tensor<5000xf32>
    %s = arith.addf %a, %b : tensor<5000xf32>
    tile.store %s, %sum[%row, %c0] [1, 5000] : tensor<5000xf32>, memref<?x5000xbf16>

    %share = arith.constant dense<2.0e-4> : tensor<f32> // 1 / 5000
    %epsilon = arith.constant dense<1.0e-5> : tensor<f32>
    %square = arith.mulf %s, %s fastmath<contract> : tensor<5000xf32>
    %squares = tile.reduce <add> %square dims [0] : tensor<5000xf32> -> tensor<f32>
    %mean = arith.mulf %squares, %share fastmath<contract> : tensor<f32>
    %shifted = arith.addf %mean, %epsilon fastmath<contract> : tensor<f32>
    %rstd = math.rsqrt %shifted fastmath<afn> : tensor<f32>
    %rstd_row = tile.broadcast %rstd dims [0] : tensor<f32> -> tensor<5000xf32>

    %w = tile.load %weight[%c0] : memref<5000xbf16> -> tensor<5000xf32>
    %normal = arith.mulf %s, %rstd_row : tensor<5000xf32>
    %y = arith.mulf %normal, %w : tensor<5000xf32>
    tile.store %y, %out[%row, %c0] [1, 5000] : tensor<5000xf32>, memref<?x5000xbf16>
  }
  return
}
