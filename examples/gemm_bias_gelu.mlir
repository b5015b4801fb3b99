// C = gelu(A * B + bias) in f16 for any M, N and K.
//
// All sizes are dynamic. `tile.dims` names them, so equal names are known to be
// equal; `tile.divisible` promises that rows are multiples of 8 elements (16
// bytes), which lets copies use the widest accesses. Nothing needs to divide the
// tiles: what lies outside A and B reads as zero, which a sum does not notice.
// The bias and the activation are applied to the accumulator in registers.
//
//   tile-run examples/gemm_bias_gelu.mlir --entry=gemm_bias_gelu --on=emulator --check --dim=M:200 --dim=N:312 --dim=K:136

#shared = #gpu.address_space<workgroup>

func.func @gemm_bias_gelu(
    %A: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>},
    %B: memref<?x?xf16> {tile.dims = ["K", "N"], tile.divisible = array<i64: 8, 8>},
    %bias: memref<?xf32> {tile.dims = ["N"], tile.divisible = array<i64: 8>},
    %C: memref<?x?xf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %A, %c0 : memref<?x?xf16>
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  %N = memref.dim %B, %c1 : memref<?x?xf16>
  %gx = arith.ceildivui %N, %c128 : index
  %gy = arith.ceildivui %M, %c128 : index
  tile.launch @gemm_bias_gelu_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x32xf16, #shared>
    %Bs = tile.alloc : memref<32x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf16> to memref<128x32xf16, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<?x?xf16> to memref<32x128xf16, #shared>
      %d = tile.gemm %As, %Bs, %c
        : memref<128x32xf16, #shared>, memref<32x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}

    %b = tile.load %bias[%col] : memref<?xf32> -> tensor<128xf32>
    %b_rows = tile.broadcast %b dims [0] : tensor<128xf32> -> tensor<128x128xf32>
    %x = arith.addf %acc, %b_rows : tensor<128x128xf32>

    // gelu(x) = x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
    %cubic = arith.constant dense<0.044715> : tensor<128x128xf32>
    %slope = arith.constant dense<0.797884583> : tensor<128x128xf32>
    %half = arith.constant dense<0.5> : tensor<128x128xf32>
    %one = arith.constant dense<1.0> : tensor<128x128xf32>
    %x2 = arith.mulf %x, %x : tensor<128x128xf32>
    %x2c = math.fma %x2, %cubic, %one : tensor<128x128xf32>
    %xs = arith.mulf %x, %slope : tensor<128x128xf32>
    %inner = arith.mulf %xs, %x2c : tensor<128x128xf32>
    %tanh = math.tanh %inner fastmath<afn> : tensor<128x128xf32>
    %xh = arith.mulf %x, %half : tensor<128x128xf32>
    %gelu = math.fma %xh, %tanh, %xh : tensor<128x128xf32>
    tile.store %gelu, %C[%row, %col] : tensor<128x128xf32>, memref<?x?xf16>
  }
  return
}
