// The gradients of keys and values of one head of attention; a block owns 64 keys and
// walks over the queries. Scores are transposed, so that probabilities and their
// gradients stay in registers as left operands.
//
//   tile-run benchmarks/barriers/attention_backward.mlir --entry=attention_backward --on=emulator --check

#shared = #gpu.address_space<workgroup>

func.func @attention_backward(
    %Q: memref<256x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>,
    %dO: memref<256x64xf16>, %lse: memref<256xf32>, %delta: memref<256xf32>,
    %dK: memref<256x64xf32>, %dV: memref<256x64xf32>) {
  %tiles = arith.constant 4 : index
  tile.launch @attention_backward_kernel blocks(%tile) in (%tiles) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %key = arith.muli %tile, %c64 : index
    %Ks = tile.alloc : memref<64x64xf16, #shared>
    %Vs = tile.alloc : memref<64x64xf16, #shared>
    %Qs = tile.alloc : memref<64x64xf16, #shared>
    %dOs = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %K[%key, %c0] to %Ks : memref<256x64xf16> to memref<64x64xf16, #shared>
    tile.copy %V[%key, %c0] to %Vs : memref<256x64xf16> to memref<64x64xf16, #shared>
    %scale = arith.constant dense<0.180336880> : tensor<64x64xf32> // log2(e) / sqrt(64)
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %dk, %dv = scf.for %query = %c0 to %c256 step %c64
        iter_args(%dk0 = %zero, %dv0 = %zero)
        -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      tile.copy %Q[%query, %c0] to %Qs : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %dO[%query, %c0] to %dOs : memref<256x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %Ks, %Qs {transpose_b, warps = #tile.warps<rows>}
        : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %scaled = arith.mulf %s, %scale : tensor<64x64xf32>
      %row = tile.load %lse[%query] : memref<256xf32> -> tensor<64xf32>
      %rows = tile.broadcast %row dims [0] : tensor<64xf32> -> tensor<64x64xf32>
      %shifted = arith.subf %scaled, %rows : tensor<64x64xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<64x64xf32>
      %pHalf = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %dv1 = tile.gemm %pHalf, %dOs, %dv0 {warps = #tile.warps<rows>}
        : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %dp = tile.gemm %Vs, %dOs {transpose_b, warps = #tile.warps<rows>}
        : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %d = tile.load %delta[%query] : memref<256xf32> -> tensor<64xf32>
      %ds = tile.broadcast %d dims [0] : tensor<64xf32> -> tensor<64x64xf32>
      %centered = arith.subf %dp, %ds : tensor<64x64xf32>
      %gradient = arith.mulf %p, %centered : tensor<64x64xf32>
      %gHalf = arith.truncf %gradient : tensor<64x64xf32> to tensor<64x64xf16>
      %dk1 = tile.gemm %gHalf, %Qs, %dk0 {warps = #tile.warps<rows>}
        : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %dk1, %dv1 : tensor<64x64xf32>, tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %dk, %dK[%key, %c0] : tensor<64x64xf32>, memref<256x64xf32>
    tile.store %dv, %dV[%key, %c0] : tensor<64x64xf32>, memref<256x64xf32>
  }
  return
}
