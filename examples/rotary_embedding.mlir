// Rotary position embedding of queries: pairs (i, i + 64) of a head's 128 numbers are
// rotated by an angle that depends on the position.
//
// The two halves are loaded as two tiles, as wide as memory allows. The tables of cosine
// and sine hold an angle for each position and pair and are the same for all heads. The
// result may replace the input: a block reads its part before it writes it.
//
//   tile-run examples/rotary_embedding.mlir --entry=rotary_embedding --on=emulator --check --dim=positions:70 --dim=heads:3

func.func @rotary_embedding(%q: memref<?x?x128xbf16> {tile.dims = ["positions", "heads", ""]},
                            %cos: memref<?x64xf32> {tile.dims = ["positions", ""]},
                            %sin: memref<?x64xf32> {tile.dims = ["positions", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %positions = memref.dim %q, %c0 : memref<?x?x128xbf16>
  %heads = memref.dim %q, %c1 : memref<?x?x128xbf16>
  %blocks = arith.ceildivui %positions, %c16 : index
  tile.launch @rotary_embedding_kernel blocks(%block, %head) in (%blocks, %heads) threads(128) {
    %c64 = arith.constant 64 : index
    %row = arith.muli %block, %c16 : index
    %c = tile.load %cos[%row, %c0] : memref<?x64xf32> -> tensor<16x64xf32>
    %s = tile.load %sin[%row, %c0] : memref<?x64xf32> -> tensor<16x64xf32>
    %x = tile.load %q[%row, %head, %c0] [16, 1, 64] : memref<?x?x128xbf16> -> tensor<16x64xf32>
    %y = tile.load %q[%row, %head, %c64] [16, 1, 64] : memref<?x?x128xbf16> -> tensor<16x64xf32>

    // (x, y) -> (x cos - y sin, y cos + x sin)
    %xc = arith.mulf %x, %c fastmath<contract> : tensor<16x64xf32>
    %ys = arith.mulf %y, %s fastmath<contract> : tensor<16x64xf32>
    %x_new = arith.subf %xc, %ys fastmath<contract> : tensor<16x64xf32>
    %yc = arith.mulf %y, %c fastmath<contract> : tensor<16x64xf32>
    %xs = arith.mulf %x, %s fastmath<contract> : tensor<16x64xf32>
    %y_new = arith.addf %yc, %xs fastmath<contract> : tensor<16x64xf32>
    tile.store %x_new, %q[%row, %head, %c0] [16, 1, 64] : tensor<16x64xf32>, memref<?x?x128xbf16>
    tile.store %y_new, %q[%row, %head, %c64] [16, 1, 64] : tensor<16x64xf32>, memref<?x?x128xbf16>
  }
  return
}
