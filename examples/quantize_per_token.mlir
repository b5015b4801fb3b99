// Quantisation to i8 with a scale for each row (token) of 1000: x = q * scale.
//
// The scale is the row's largest magnitude over 127; of a row of zeros it is zero, and so
// are its numbers. A row is read once: it stays in registers between the maximum and the
// division. `math.roundeven` rounds as the hardware does.
//
//   tile-run examples/quantize_per_token.mlir --entry=quantize_per_token --on=emulator --check --dim=tokens:10

func.func @quantize_per_token(%x: memref<?x1000xbf16> {tile.dims = ["tokens", ""]},
                              %q: memref<?x1000xi8> {tile.dims = ["tokens", ""]},
                              %scales: memref<?xf32> {tile.dims = ["tokens"]}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %tokens = memref.dim %x, %c0 : memref<?x1000xbf16>
  %blocks = arith.ceildivui %tokens, %c4 : index
  tile.launch @quantize_per_token_kernel blocks(%block) in (%blocks) threads(128) {
    %row = arith.muli %block, %c4 : index
    %v = tile.load %x[%row, %c0] : memref<?x1000xbf16> -> tensor<4x1000xf32>
    %size = math.absf %v : tensor<4x1000xf32>
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %largest = tile.reduce <maximumf> %size dims [1] init(%zero)
      : tensor<4x1000xf32> -> tensor<4xf32>

    %steps = arith.constant dense<127.0> : tensor<4xf32>
    %one = arith.constant dense<1.0> : tensor<4xf32>
    %scale = arith.divf %largest, %steps : tensor<4xf32>
    %is_zero = arith.cmpf oeq, %largest, %zero : tensor<4xf32>
    %divisor = arith.select %is_zero, %one, %largest : tensor<4xi1>, tensor<4xf32>
    %factor = arith.divf %steps, %divisor : tensor<4xf32>
    %factor_rows = tile.broadcast %factor dims [1] : tensor<4xf32> -> tensor<4x1000xf32>
    %scaled = arith.mulf %v, %factor_rows : tensor<4x1000xf32>
    %rounded = math.roundeven %scaled : tensor<4x1000xf32>
    %result = arith.fptosi %rounded : tensor<4x1000xf32> to tensor<4x1000xi8>
    tile.store %result, %q[%row, %c0] : tensor<4x1000xi8>, memref<?x1000xi8>
    tile.store %scale, %scales[%row] : tensor<4xf32>, memref<?xf32>
  }
  return
}
