// Causal attention over a window of 96 keys, with a sink: grouped heads, in base 2.
//
// A query sees itself and the 95 keys before it. The loop begins at the tile that holds
// the first of them, and two comparisons hide the rest. The sink is a logit of each head
// that takes a share of the softmax and brings no value: the running maximum starts with
// it, and the running sum with 1 = exp2(sink - sink). Several heads of queries share a
// head of keys.
//
//   tile-run examples/attention_window_sink.mlir --entry=attention_window_sink --on=emulator --check --dim=B:1 --dim=S:300 --dim=H:4 --dim=HK:2

#shared = #gpu.address_space<workgroup>

func.func @attention_window_sink(%Q: memref<?x?x?x64xbf16> {tile.dims = ["B", "S", "H", ""]},
                                 %K: memref<?x?x?x64xbf16> {tile.dims = ["B", "S", "HK", ""]},
                                 %V: memref<?x?x?x64xbf16> {tile.dims = ["B", "S", "HK", ""]},
                                 %sinks: memref<?xf32> {tile.dims = ["H"]},
                                 %O: memref<?x?x?x64xbf16> {tile.dims = ["B", "S", "H", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c95 = arith.constant 95 : index
  %B = memref.dim %Q, %c0 : memref<?x?x?x64xbf16>
  %S = memref.dim %Q, %c1 : memref<?x?x?x64xbf16>
  %H = memref.dim %Q, %c2 : memref<?x?x?x64xbf16>
  %HK = memref.dim %K, %c2 : memref<?x?x?x64xbf16>
  %group = arith.divui %H, %HK : index
  %tiles = arith.ceildivui %S, %c64 : index
  tile.launch @attention_window_sink_kernel blocks(%tile, %head, %batch)
      in (%tiles, %H, %B) threads(128) {
    %row = arith.muli %tile, %c64 : index
    %end = arith.addi %row, %c64 : index
    %key_head = arith.divui %head, %group : index
    // The tile of the first key that the first query sees.
    %far = arith.subi %row, %c95 : index
    %first = arith.maxsi %far, %c0 : index
    %first_tile = arith.divui %first, %c64 : index
    %begin = arith.muli %first_tile, %c64 : index

    %Qs = tile.alloc : memref<64x64xbf16, #shared>
    %Ks = tile.alloc : memref<64x64xbf16, #shared>
    %Vs = tile.alloc : memref<64x64xbf16, #shared>
    tile.copy %Q[%batch, %row, %head, %c0] [1, 64, 1, 64] to %Qs
      : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>

    %scale = arith.constant dense<0.180336880> : tensor<64x64xf32> // log2(e) / sqrt(64)
    %hidden = arith.constant dense<0xFF800000> : tensor<64x64xf32> // -inf
    %sink = memref.load %sinks[%head] : memref<?xf32>
    %max0 = tensor.splat %sink : tensor<64xf32>
    %sum0 = arith.constant dense<1.0> : tensor<64xf32>
    %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
    %max, %sum, %acc = scf.for %key = %begin to %end step %c64
        iter_args(%m = %max0, %l = %sum0, %o = %acc0)
        -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) {
      tile.copy %K[%batch, %key, %key_head, %c0] [1, 64, 1, 64] to %Ks
        : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>
      tile.copy %V[%batch, %key, %key_head, %c0] [1, 64, 1, 64] to %Vs
        : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>
      %s = tile.gemm %Qs, %Ks {transpose_b}
        : memref<64x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      %visible = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xi1>) {
        %query_position = arith.addi %row, %i : index
        %key_position = arith.addi %key, %j : index
        %oldest = arith.subi %query_position, %c95 : index
        %is_past = arith.cmpi sle, %key_position, %query_position : index
        %is_near = arith.cmpi sge, %key_position, %oldest : index
        %sees = arith.andi %is_past, %is_near : i1
        tile.yield %sees : i1
      }
      %raw = arith.mulf %s, %scale : tensor<64x64xf32>
      %scaled = arith.select %visible, %raw, %hidden : tensor<64x64xi1>, tensor<64x64xf32>
      %m_new = tile.reduce <maximumf> %scaled dims [1] init(%m)
        : tensor<64x64xf32> -> tensor<64xf32>
      %m_rows = tile.broadcast %m_new dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %shifted = arith.subf %scaled, %m_rows : tensor<64x64xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<64x64xf32>
      %m_change = arith.subf %m, %m_new : tensor<64xf32>
      %shrink = math.exp2 %m_change fastmath<afn> : tensor<64xf32>
      %l_old = arith.mulf %l, %shrink : tensor<64xf32>
      %l_new = tile.reduce <add> %p dims [1] init(%l_old) : tensor<64x64xf32> -> tensor<64xf32>
      %shrink_rows = tile.broadcast %shrink dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %o_old = arith.mulf %o, %shrink_rows : tensor<64x64xf32>
      %p_half = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>
      %o_new = tile.gemm %p_half, %Vs, %o_old
        : tensor<64x64xbf16>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      scf.yield %m_new, %l_new, %o_new : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    } {tile.stages = 2 : i32}

    %one = arith.constant dense<1.0> : tensor<64xf32>
    %inverse = arith.divf %one, %sum fastmath<afn> : tensor<64xf32>
    %inverse_rows = tile.broadcast %inverse dims [1] : tensor<64xf32> -> tensor<64x64xf32>
    %result = arith.mulf %acc, %inverse_rows : tensor<64x64xf32>
    tile.store %result, %O[%batch, %row, %head, %c0] [1, 64, 1, 64]
      : tensor<64x64xf32>, memref<?x?x?x64xbf16>
  }
  return
}
