// Flash attention, forward, head size 128: softmax(Q * transpose(K) / sqrt(128)) * V.
//
// A block owns 128 queries of one head and walks the keys 64 at a time with the
// online softmax: it keeps each row's maximum and sum so far, and rescales what
// it has accumulated when the maximum grows. The scores never leave registers:
// converted to f16 they are the left operand of the second gemm.
// The softmax is computed in base 2, with log2(e) folded into the scale.
// `warps = #tile.warps<rows>` gives every warp whole rows, so that a row's
// maximum and sum need no other warp.
//
//   tile-run examples/flash_attention.mlir --entry=flash_attention --on=emulator --check

#shared = #gpu.address_space<workgroup>

func.func @flash_attention(
    %Q: memref<2x256x2x128xf16>, %K: memref<2x256x2x128xf16>,
    %V: memref<2x256x2x128xf16>, %O: memref<2x256x2x128xf16>) {
  %tiles = arith.constant 2 : index
  %heads = arith.constant 2 : index
  %batches = arith.constant 2 : index
  tile.launch @flash_attention_kernel blocks(%tile, %head, %batch)
      in (%tiles, %heads, %batches) threads(256) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %row = arith.muli %tile, %c128 : index

    %Qs = tile.alloc : memref<128x128xf16, #shared>
    %Ks = tile.alloc : memref<64x128xf16, #shared>
    %Vs = tile.alloc : memref<64x128xf16, #shared>
    tile.copy %Q[%batch, %row, %head, %c0] [1, 128, 1, 128] to %Qs
      : memref<2x256x2x128xf16> to memref<128x128xf16, #shared>

    %scale = arith.constant dense<0.127517431> : tensor<128x64xf32> // log2(e) / sqrt(128)
    %row_scale = arith.constant dense<0.127517431> : tensor<128xf32>
    %max0 = arith.constant dense<0xFF800000> : tensor<128xf32> // -inf
    %sum0 = arith.constant dense<0.0> : tensor<128xf32>
    %acc0 = arith.constant dense<0.0> : tensor<128x128xf32>
    %max, %sum, %acc = scf.for %key = %c0 to %c256 step %c64
        iter_args(%m = %max0, %l = %sum0, %o = %acc0)
        -> (tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>) {
      tile.copy %K[%batch, %key, %head, %c0] [1, 64, 1, 128] to %Ks
        : memref<2x256x2x128xf16> to memref<64x128xf16, #shared>
      tile.copy %V[%batch, %key, %head, %c0] [1, 64, 1, 128] to %Vs
        : memref<2x256x2x128xf16> to memref<64x128xf16, #shared>

      // Scores of this tile, and the rows' new maxima, not scaled yet.
      %s = tile.gemm %Qs, %Ks {transpose_b, warps = #tile.warps<rows>}
        : memref<128x128xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x64xf32>
      %m_new = tile.reduce <maximumf> %s dims [1] init(%m)
        : tensor<128x64xf32> -> tensor<128xf32>

      // p = exp2(scale * (s - max)), as one multiply-add and one exponential; what came
      // before shrinks by exp2(scale * (old - new)).
      %m_scaled = arith.mulf %m_new, %row_scale : tensor<128xf32>
      %m_negated = arith.negf %m_scaled : tensor<128xf32>
      %m_rows = tile.broadcast %m_negated dims [1] : tensor<128xf32> -> tensor<128x64xf32>
      %shifted = math.fma %s, %scale, %m_rows : tensor<128x64xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<128x64xf32>
      %m_change = math.fma %m, %row_scale, %m_negated : tensor<128xf32>
      %shrink = math.exp2 %m_change fastmath<afn> : tensor<128xf32>

      %l_old = arith.mulf %l, %shrink fastmath<contract> : tensor<128xf32>
      %l_new = tile.reduce <add> %p dims [1] init(%l_old) fastmath<contract>
        : tensor<128x64xf32> -> tensor<128xf32>

      %shrink_rows = tile.broadcast %shrink dims [1] : tensor<128xf32> -> tensor<128x128xf32>
      %o_old = arith.mulf %o, %shrink_rows : tensor<128x128xf32>
      %p_half = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xf16>
      %o_new = tile.gemm %p_half, %Vs, %o_old {warps = #tile.warps<rows>}
        : tensor<128x64xf16>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %m_new, %l_new, %o_new
        : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
    } {tile.stages = 2 : i32}

    %one = arith.constant dense<1.0> : tensor<128xf32>
    %inverse = arith.divf %one, %sum fastmath<afn> : tensor<128xf32>
    %inverse_rows = tile.broadcast %inverse dims [1] : tensor<128xf32> -> tensor<128x128xf32>
    %result = arith.mulf %acc, %inverse_rows : tensor<128x128xf32>
    tile.store %result, %O[%batch, %row, %head, %c0] [1, 128, 1, 128]
      : tensor<128x128xf32>, memref<2x256x2x128xf16>
  }
  return
}
