// Flash attention, forward, 128 queries by 128 keys, head size 128 (examples/flash_attention.mlir
// explains it; the scale is folded into the exponent here): a kernel that
// benchmarks/hopper-loops counts.
//
//   tile-run benchmarks/hopper/attention_128x128.mlir --entry=flash_attention --on=emulator --chip=sm_90a --check

#shared = #gpu.address_space<workgroup>

func.func @flash_attention(
    %Q: memref<1x512x2x128xf16>, %K: memref<1x512x2x128xf16>,
    %V: memref<1x512x2x128xf16>, %O: memref<1x512x2x128xf16>) {
  %tiles = arith.constant 4 : index
  %heads = arith.constant 2 : index
  %batches = arith.constant 1 : index
  tile.launch @flash_attention_kernel blocks(%tile, %head, %batch)
      in (%tiles, %heads, %batches) threads(256) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %row = arith.muli %tile, %c128 : index

    %Qs = tile.alloc : memref<128x128xf16, #shared>
    %Ks = tile.alloc : memref<128x128xf16, #shared>
    %Vs = tile.alloc : memref<128x128xf16, #shared>
    tile.copy %Q[%batch, %row, %head, %c0] [1, 128, 1, 128] to %Qs
      : memref<1x512x2x128xf16> to memref<128x128xf16, #shared>

    %scale = arith.constant dense<0.127517431> : tensor<128x128xf32> // log2(e) / sqrt(128)
    %row_scale = arith.constant dense<0.127517431> : tensor<128xf32>
    %max0 = arith.constant dense<0xFF800000> : tensor<128xf32> // -inf
    %sum0 = arith.constant dense<0.0> : tensor<128xf32>
    %acc0 = arith.constant dense<0.0> : tensor<128x128xf32>
    %max, %sum, %acc = scf.for %key = %c0 to %c512 step %c128
        iter_args(%m = %max0, %l = %sum0, %o = %acc0)
        -> (tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>) {
      tile.copy %K[%batch, %key, %head, %c0] [1, 128, 1, 128] to %Ks
        : memref<1x512x2x128xf16> to memref<128x128xf16, #shared>
      tile.copy %V[%batch, %key, %head, %c0] [1, 128, 1, 128] to %Vs
        : memref<1x512x2x128xf16> to memref<128x128xf16, #shared>

      // Scores of this tile, and the rows' new maxima, not scaled yet.
      %s = tile.gemm %Qs, %Ks {transpose_b, warps = #tile.warps<rows>}
        : memref<128x128xf16, #shared>, memref<128x128xf16, #shared> -> tensor<128x128xf32>
      %m_new = tile.reduce <maximumf> %s dims [1] init(%m)
        : tensor<128x128xf32> -> tensor<128xf32>

      // p = exp2(scale * (s - max)), as one multiply-add and one exponential; what
      // came before shrinks by exp2(scale * (old - new)).
      %m_scaled = arith.mulf %m_new, %row_scale : tensor<128xf32>
      %m_negated = arith.negf %m_scaled : tensor<128xf32>
      %m_rows = tile.broadcast %m_negated dims [1] : tensor<128xf32> -> tensor<128x128xf32>
      %shifted = math.fma %s, %scale, %m_rows : tensor<128x128xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<128x128xf32>
      %m_change = math.fma %m, %row_scale, %m_negated : tensor<128xf32>
      %shrink = math.exp2 %m_change fastmath<afn> : tensor<128xf32>

      %l_old = arith.mulf %l, %shrink : tensor<128xf32>
      %l_new = tile.reduce <add> %p dims [1] init(%l_old)
        : tensor<128x128xf32> -> tensor<128xf32>

      %shrink_rows = tile.broadcast %shrink dims [1] : tensor<128xf32> -> tensor<128x128xf32>
      %o_old = arith.mulf %o, %shrink_rows : tensor<128x128xf32>
      %p_half = arith.truncf %p : tensor<128x128xf32> to tensor<128x128xf16>
      %o_new = tile.gemm %p_half, %Vs, %o_old {warps = #tile.warps<rows>}
        : tensor<128x128xf16>, memref<128x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %m_new, %l_new, %o_new
        : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
    } {tile.stages = 2 : i32}

    %one = arith.constant dense<1.0> : tensor<128xf32>
    %inverse = arith.divf %one, %sum : tensor<128xf32>
    %inverse_rows = tile.broadcast %inverse dims [1] : tensor<128xf32> -> tensor<128x128xf32>
    %result = arith.mulf %acc, %inverse_rows : tensor<128x128xf32>
    tile.store %result, %O[%batch, %row, %head, %c0] [1, 128, 1, 128]
      : tensor<128x128xf32>, memref<1x512x2x128xf16>
  }
  return
}
