// Softmax over rows of 4096 columns: one block per row, one pass over memory.
//
// The row stays in registers, 16 elements a thread. Loads and stores convert
// between the f16 in memory and the f32 of the computation. Reducing all
// dimensions gives a fragment of rank 0, which `tile.broadcast` spreads again.
// `afn` lets exp2 and the division be the hardware's approximations.
//
//   tile-run examples/softmax.mlir --entry=softmax --on=emulator --check --dim=rows:6

func.func @softmax(%in: memref<?x4096xf16> {tile.dims = ["rows", ""]},
                   %out: memref<?x4096xf16> {tile.dims = ["rows", ""]}) {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %in, %c0 : memref<?x4096xf16>
  tile.launch @softmax_kernel blocks(%row) in (%rows) threads(256) {
    %x = tile.load %in[%row, %c0] [1, 4096] : memref<?x4096xf16> -> tensor<4096xf32>

    // exp(x - max) = exp2(x * log2(e) - max * log2(e)), a multiply-add and an exponential.
    %log2e = arith.constant dense<1.44269502> : tensor<4096xf32>
    %minus_log2e = arith.constant dense<-1.44269502> : tensor<f32>
    %max = tile.reduce <maximumf> %x dims [0] : tensor<4096xf32> -> tensor<f32>
    %minus_max = arith.mulf %max, %minus_log2e : tensor<f32>
    %max_row = tile.broadcast %minus_max dims [0] : tensor<f32> -> tensor<4096xf32>
    %shifted = math.fma %x, %log2e, %max_row : tensor<4096xf32>
    %exp = math.exp2 %shifted fastmath<afn> : tensor<4096xf32>

    %one = arith.constant dense<1.0> : tensor<f32>
    %sum = tile.reduce <add> %exp dims [0] : tensor<4096xf32> -> tensor<f32>
    %inverse = arith.divf %one, %sum fastmath<afn> : tensor<f32>
    %inverse_row = tile.broadcast %inverse dims [0] : tensor<f32> -> tensor<4096xf32>
    %y = arith.mulf %exp, %inverse_row : tensor<4096xf32>
    tile.store %y, %out[%row, %c0] [1, 4096] : tensor<4096xf32>, memref<?x4096xf16>
  }
  return
}
