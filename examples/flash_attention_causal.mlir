// Flash attention, forward, causal, head size 128, any sequence length.
//
// As flash_attention.mlir, but a query sees only the keys up to its own position.
// The loop ends at the block's last query, and scores of later keys become -inf
// before the softmax. The mask is a `tile.parallel` over the tile's positions;
// the compiler recomputes it where it is used instead of keeping it. A sequence
// that does not divide the tiles needs nothing more: keys past its end lie
// behind every query, and queries past its end are not stored.
//
//   tile-run examples/flash_attention_causal.mlir --entry=flash_attention_causal --on=emulator --check --dim=batch:1 --dim=sequence:300 --dim=heads:2

#shared = #gpu.address_space<workgroup>

func.func @flash_attention_causal(
    %Q: memref<?x?x?x128xf16> {tile.dims = ["batch", "sequence", "heads", ""]},
    %K: memref<?x?x?x128xf16> {tile.dims = ["batch", "sequence", "heads", ""]},
    %V: memref<?x?x?x128xf16> {tile.dims = ["batch", "sequence", "heads", ""]},
    %O: memref<?x?x?x128xf16> {tile.dims = ["batch", "sequence", "heads", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %batches = memref.dim %Q, %c0 : memref<?x?x?x128xf16>
  %sequence = memref.dim %Q, %c1 : memref<?x?x?x128xf16>
  %heads = memref.dim %Q, %c2 : memref<?x?x?x128xf16>
  %tiles = arith.ceildivui %sequence, %c128 : index
  tile.launch @flash_attention_causal_kernel blocks(%tile, %head, %batch)
      in (%tiles, %heads, %batches) threads(256) {
    %row = arith.muli %tile, %c128 : index
    %end = arith.addi %row, %c128 : index

    %Qs = tile.alloc : memref<128x128xf16, #shared>
    %Ks = tile.alloc : memref<64x128xf16, #shared>
    %Vs = tile.alloc : memref<64x128xf16, #shared>
    tile.copy %Q[%batch, %row, %head, %c0] [1, 128, 1, 128] to %Qs
      : memref<?x?x?x128xf16> to memref<128x128xf16, #shared>

    %scale = arith.constant dense<0.127517431> : tensor<128x64xf32> // log2(e) / sqrt(128)
    %row_scale = arith.constant dense<0.127517431> : tensor<128xf32>
    %hidden = arith.constant dense<0xFF800000> : tensor<128x64xf32> // -inf
    %max0 = arith.constant dense<0xFF800000> : tensor<128xf32>
    %sum0 = arith.constant dense<0.0> : tensor<128xf32>
    %acc0 = arith.constant dense<0.0> : tensor<128x128xf32>
    %max, %sum, %acc = scf.for %key = %c0 to %end step %c64
        iter_args(%m = %max0, %l = %sum0, %o = %acc0)
        -> (tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>) {
      tile.copy %K[%batch, %key, %head, %c0] [1, 64, 1, 128] to %Ks
        : memref<?x?x?x128xf16> to memref<64x128xf16, #shared>
      tile.copy %V[%batch, %key, %head, %c0] [1, 64, 1, 128] to %Vs
        : memref<?x?x?x128xf16> to memref<64x128xf16, #shared>

      // Scores of this tile; keys after the query are hidden.
      %s = tile.gemm %Qs, %Ks {transpose_b, warps = #tile.warps<rows>}
        : memref<128x128xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x64xf32>
      %visible = tile.parallel (%i, %j) in (128, 64) -> (tensor<128x64xi1>) {
        %query_position = arith.addi %row, %i : index
        %key_position = arith.addi %key, %j : index
        %sees = arith.cmpi sle, %key_position, %query_position : index
        tile.yield %sees : i1
      }
      %seen = arith.select %visible, %s, %hidden : tensor<128x64xi1>, tensor<128x64xf32>
      %m_new = tile.reduce <maximumf> %seen dims [1] init(%m)
        : tensor<128x64xf32> -> tensor<128xf32>

      // p = exp2(scale * (s - max)), as one multiply-add and one exponential; what came
      // before shrinks by exp2(scale * (old - new)).
      // The first tile holds a visible key for every query: no maximum stays -inf.
      %m_scaled = arith.mulf %m_new, %row_scale : tensor<128xf32>
      %m_negated = arith.negf %m_scaled : tensor<128xf32>
      %m_rows = tile.broadcast %m_negated dims [1] : tensor<128xf32> -> tensor<128x64xf32>
      %shifted = math.fma %seen, %scale, %m_rows : tensor<128x64xf32>
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
      : tensor<128x128xf32>, memref<?x?x?x128xf16>
  }
  return
}
