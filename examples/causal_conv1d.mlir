// A causal convolution along time with 4 taps for each channel, and SiLU (as in Mamba).
//
//   y[t, c] = silu(bias[c] + sum over i < 4 of weight[i, c] * x[t - 3 + i, c])
//
// The four shifted tiles are four loads whose starts differ by a row. The first begins at row
// -3: starts are signed, and what lies outside reads as zero, which is the padding.
//
//   tile-run examples/causal_conv1d.mlir --entry=causal_conv1d --on=emulator --check --dim=T:100 --dim=C:200

func.func @causal_conv1d(
    %x: memref<?x?xbf16> {tile.dims = ["T", "C"], tile.divisible = array<i64: 1, 8>},
    %weight: memref<4x?xf32> {tile.dims = ["", "C"], tile.divisible = array<i64: 1, 8>},
    %bias: memref<?xf32> {tile.dims = ["C"], tile.divisible = array<i64: 8>},
    %y: memref<?x?xbf16> {tile.dims = ["T", "C"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %T = memref.dim %x, %c0 : memref<?x?xbf16>
  %C = memref.dim %x, %c1 : memref<?x?xbf16>
  %gx = arith.ceildivui %C, %c128 : index
  %gy = arith.ceildivui %T, %c16 : index
  tile.launch @causal_conv1d_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %row = arith.muli %by, %c16 : index
    %col = arith.muli %bx, %c128 : index
    %earliest = arith.subi %row, %c3 : index
    %b = tile.load %bias[%col] : memref<?xf32> -> tensor<128xf32>
    %start = tile.broadcast %b dims [0] : tensor<128xf32> -> tensor<16x128xf32>
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %start) -> (tensor<16x128xf32>) {
      %t = arith.addi %earliest, %i : index
      %v = tile.load %x[%t, %col] : memref<?x?xbf16> -> tensor<16x128xf32>
      %w = tile.load %weight[%i, %col] [1, 128] : memref<4x?xf32> -> tensor<128xf32>
      %w_rows = tile.broadcast %w dims [0] : tensor<128xf32> -> tensor<16x128xf32>
      %s_new = math.fma %v, %w_rows, %s : tensor<16x128xf32>
      scf.yield %s_new : tensor<16x128xf32>
    }

    // silu(s) = s / (1 + exp2(-log2(e) * s))
    %one = arith.constant dense<1.0> : tensor<16x128xf32>
    %minus_log2e = arith.constant dense<-1.44269502> : tensor<16x128xf32>
    %exponent = arith.mulf %sum, %minus_log2e : tensor<16x128xf32>
    %exp = math.exp2 %exponent fastmath<afn> : tensor<16x128xf32>
    %divisor = arith.addf %exp, %one : tensor<16x128xf32>
    %silu = arith.divf %sum, %divisor fastmath<afn> : tensor<16x128xf32>
    tile.store %silu, %y[%row, %col] : tensor<16x128xf32>, memref<?x?xbf16>
  }
  return
}
