// Attention to chosen blocks of keys: each tile of 64 queries has a list of tiles of keys.
//
// begins[t] to begins[t + 1] is the part of `columns` that belongs to tile t of the queries
// (compressed sparse rows); each entry is the number of a tile of 64 keys. The number is
// loaded in the loop, and the copies of the next tiles run ahead of it. A tile of queries
// without keys gives zeros. Heads of 96 numbers: tiles need not be powers of two. Two
// blocks fit on a multiprocessor, by their shared memory; `min_blocks_per_sm` says so to the
// assembler, which else saves registers for blocks that cannot be there.
//
//   tile-run examples/block_sparse_attention.mlir --entry=block_sparse_attention --on=emulator --check --dim=H:2 --dim=S:256 --shape=3:5 --shape=4:7 "--data=3:values(0,2,5,5,7)" "--data=4:values(0,3,1,2,0,3,1)"

#shared = #gpu.address_space<workgroup>

func.func @block_sparse_attention(%Q: memref<?x?x96xf16> {tile.dims = ["H", "S", ""]},
                                  %K: memref<?x?x96xf16> {tile.dims = ["H", "S", ""]},
                                  %V: memref<?x?x96xf16> {tile.dims = ["H", "S", ""]},
                                  %begins: memref<?xi32>, %columns: memref<?xi32>,
                                  %O: memref<?x?x96xf16> {tile.dims = ["H", "S", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %H = memref.dim %Q, %c0 : memref<?x?x96xf16>
  %S = memref.dim %Q, %c1 : memref<?x?x96xf16>
  %tiles = arith.divui %S, %c64 : index
  tile.launch @block_sparse_attention_kernel blocks(%tile, %head) in (%tiles, %H) threads(128)
      attributes {min_blocks_per_sm = 2} {
    %row = arith.muli %tile, %c64 : index
    %tile_next = arith.addi %tile, %c1 : index
    %begin32 = memref.load %begins[%tile] : memref<?xi32>
    %end32 = memref.load %begins[%tile_next] : memref<?xi32>
    %begin = arith.index_cast %begin32 : i32 to index
    %end = arith.index_cast %end32 : i32 to index
    %Qs = tile.alloc : memref<64x96xf16, #shared>
    %Ks = tile.alloc : memref<64x96xf16, #shared>
    %Vs = tile.alloc : memref<64x96xf16, #shared>
    tile.copy %Q[%head, %row, %c0] [1, 64, 96] to %Qs
      : memref<?x?x96xf16> to memref<64x96xf16, #shared>

    %scale = arith.constant dense<0.147244424> : tensor<64x64xf32> // log2(e) / sqrt(96)
    %max0 = arith.constant dense<-1.0e30> : tensor<64xf32>
    %sum0 = arith.constant dense<0.0> : tensor<64xf32>
    %acc0 = arith.constant dense<0.0> : tensor<64x96xf32>
    %max, %sum, %acc = scf.for %i = %begin to %end step %c1
        iter_args(%m = %max0, %l = %sum0, %o = %acc0)
        -> (tensor<64xf32>, tensor<64xf32>, tensor<64x96xf32>) {
      %column32 = memref.load %columns[%i] : memref<?xi32>
      %column = arith.index_cast %column32 : i32 to index
      %key = arith.muli %column, %c64 : index
      tile.copy %K[%head, %key, %c0] [1, 64, 96] to %Ks
        : memref<?x?x96xf16> to memref<64x96xf16, #shared>
      tile.copy %V[%head, %key, %c0] [1, 64, 96] to %Vs
        : memref<?x?x96xf16> to memref<64x96xf16, #shared>
      %s = tile.gemm %Qs, %Ks {transpose_b, warps = #tile.warps<rows>}
        : memref<64x96xf16, #shared>, memref<64x96xf16, #shared> -> tensor<64x64xf32>
      %scaled = arith.mulf %s, %scale : tensor<64x64xf32>
      %m_new = tile.reduce <maximumf> %scaled dims [1] init(%m)
        : tensor<64x64xf32> -> tensor<64xf32>
      %m_rows = tile.broadcast %m_new dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %shifted = arith.subf %scaled, %m_rows : tensor<64x64xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<64x64xf32>
      %m_change = arith.subf %m, %m_new : tensor<64xf32>
      %shrink = math.exp2 %m_change fastmath<afn> : tensor<64xf32>
      %l_old = arith.mulf %l, %shrink : tensor<64xf32>
      %l_new = tile.reduce <add> %p dims [1] init(%l_old) : tensor<64x64xf32> -> tensor<64xf32>
      %shrink_rows = tile.broadcast %shrink dims [1] : tensor<64xf32> -> tensor<64x96xf32>
      %o_old = arith.mulf %o, %shrink_rows : tensor<64x96xf32>
      %p_half = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %o_new = tile.gemm %p_half, %Vs, %o_old {warps = #tile.warps<rows>}
        : tensor<64x64xf16>, memref<64x96xf16, #shared> -> tensor<64x96xf32>
      scf.yield %m_new, %l_new, %o_new : tensor<64xf32>, tensor<64xf32>, tensor<64x96xf32>
    } {tile.stages = 2 : i32}

    // Without keys the sum is zero, and so is the result.
    %one = arith.constant dense<1.0> : tensor<64xf32>
    %is_empty = arith.cmpf oeq, %sum, %sum0 : tensor<64xf32>
    %divisor = arith.select %is_empty, %one, %sum : tensor<64xi1>, tensor<64xf32>
    %inverse = arith.divf %one, %divisor fastmath<afn> : tensor<64xf32>
    %inverse_rows = tile.broadcast %inverse dims [1] : tensor<64xf32> -> tensor<64x96xf32>
    %result = arith.mulf %acc, %inverse_rows : tensor<64x96xf32>
    tile.store %result, %O[%head, %row, %c0] [1, 64, 96] : tensor<64x96xf32>, memref<?x?x96xf16>
  }
  return
}
