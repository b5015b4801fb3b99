// Y = silu(X * G) * (X * U): both products of a gated layer in one loop.
//
// A tile of X is brought once for two products, whose accumulators stay in registers, and
// the activation joins them there. silu(g) = g / (1 + exp(-g)), with the hardware's
// exponential and division (`afn`). `rasterize` lets neighbouring blocks share tiles in L2.
//
//   tile-run examples/gemm_swiglu.mlir --entry=gemm_swiglu --on=emulator --check --dim=M:150 --dim=N:136 --dim=K:200 "--data=0:normal(0,0.3)"

#shared = #gpu.address_space<workgroup>

func.func @gemm_swiglu(
    %X: memref<?x?xbf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>},
    %G: memref<?x?xbf16> {tile.dims = ["K", "N"], tile.divisible = array<i64: 8, 8>},
    %U: memref<?x?xbf16> {tile.dims = ["K", "N"], tile.divisible = array<i64: 8, 8>},
    %Y: memref<?x?xbf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %X, %c0 : memref<?x?xbf16>
  %K = memref.dim %X, %c1 : memref<?x?xbf16>
  %N = memref.dim %G, %c1 : memref<?x?xbf16>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %M, %c128 : index
  tile.launch @gemm_swiglu_kernel blocks(%bx, %by) in (%gx, %gy) threads(256)
      attributes {rasterize = #tile.rasterize<row, 2>} {
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c64 : index
    %Xs = tile.alloc : memref<128x64xbf16, #shared>
    %Gs = tile.alloc : memref<64x64xbf16, #shared>
    %Us = tile.alloc : memref<64x64xbf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %g, %u = scf.for %k = %c0 to %K step %c64
        iter_args(%g_old = %zero, %u_old = %zero) -> (tensor<128x64xf32>, tensor<128x64xf32>) {
      tile.copy %X[%row, %k] to %Xs : memref<?x?xbf16> to memref<128x64xbf16, #shared>
      tile.copy %G[%k, %col] to %Gs : memref<?x?xbf16> to memref<64x64xbf16, #shared>
      tile.copy %U[%k, %col] to %Us : memref<?x?xbf16> to memref<64x64xbf16, #shared>
      %g_new = tile.gemm %Xs, %Gs, %g_old
        : memref<128x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<128x64xf32>
      %u_new = tile.gemm %Xs, %Us, %u_old
        : memref<128x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<128x64xf32>
      scf.yield %g_new, %u_new : tensor<128x64xf32>, tensor<128x64xf32>
    } {tile.stages = 3 : i32}

    // exp(-g) = exp2(-log2(e) * g)
    %one = arith.constant dense<1.0> : tensor<128x64xf32>
    %minus_log2e = arith.constant dense<-1.44269502> : tensor<128x64xf32>
    %exponent = arith.mulf %g, %minus_log2e : tensor<128x64xf32>
    %exp = math.exp2 %exponent fastmath<afn> : tensor<128x64xf32>
    %divisor = arith.addf %exp, %one : tensor<128x64xf32>
    %silu = arith.divf %g, %divisor fastmath<afn> : tensor<128x64xf32>
    %y = arith.mulf %silu, %u : tensor<128x64xf32>
    tile.store %y, %Y[%row, %col] : tensor<128x64xf32>, memref<?x?xbf16>
  }
  return
}
