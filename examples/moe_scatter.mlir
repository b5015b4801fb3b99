// An expert layer of a mixture: gather the tokens of each expert, multiply, scatter back.
//
// Tokens are sorted by expert: offsets[e] to offsets[e + 1] are expert e's part of `tokens`,
// whose entries name rows of X; a token that chose k experts is there k times. A tile gathers
// its rows (`rows(..)`), multiplies them by the expert's weights, scales each by its router
// weight, and adds them to rows of Y by atomics. The rows of Y start at zero. A list's tail
// reads as row -1: outside of X, where zeros are read, and of Y, where nothing is written.
//
//   tile-run examples/moe_scatter.mlir --entry=moe_scatter --on=emulator --check --dim=T:60 --dim=K:136 --dim=N:72 --dim=E:4 --dim=slots:120 --shape=2:5 "--data=2:values(0,50,50,61,120)" "--data=3:integers(0,59)" "--data=4:uniform(0,1)" --data=5:zeros

#shared = #gpu.address_space<workgroup>

func.func @moe_scatter(
    %X: memref<?x?xbf16> {tile.dims = ["T", "K"], tile.divisible = array<i64: 1, 8>},
    %W: memref<?x?x?xbf16> {tile.dims = ["E", "K", "N"], tile.divisible = array<i64: 1, 8, 8>},
    %offsets: memref<?xi32>,
    %tokens: memref<?xi32> {tile.dims = ["slots"]},
    %weights: memref<?xf32> {tile.dims = ["slots"]},
    %Y: memref<?x?xf32> {tile.dims = ["T", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %slots = memref.dim %tokens, %c0 : memref<?xi32>
  %E = memref.dim %W, %c0 : memref<?x?x?xbf16>
  %K = memref.dim %W, %c1 : memref<?x?x?xbf16>
  %N = memref.dim %W, %c2 : memref<?x?x?xbf16>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %slots, %c64 : index
  tile.launch @moe_scatter_kernel blocks(%bx, %by, %e) in (%gx, %gy, %E) threads(128) {
    %next = arith.addi %e, %c1 : index
    %begin32 = memref.load %offsets[%e] : memref<?xi32>
    %end32 = memref.load %offsets[%next] : memref<?xi32>
    %begin = arith.index_cast %begin32 : i32 to index
    %end = arith.index_cast %end32 : i32 to index
    %skipped = arith.muli %by, %c64 : index
    %slot = arith.addi %begin, %skipped : index
    %col = arith.muli %bx, %c64 : index
    %has_rows = arith.cmpi slt, %slot, %end : index
    scf.if %has_rows {
      // The expert's part of the lists ends at `end`.
      %own_tokens = memref.subview %tokens[0] [%end] [1] : memref<?xi32> to memref<?xi32, strided<[1]>>
      %own_weights = memref.subview %weights[0] [%end] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
      %nowhere = arith.constant -1 : i32
      %row = tile.load %own_tokens[%slot] pad(%nowhere)
        : memref<?xi32, strided<[1]>> -> tensor<64xi32>
      %weight = tile.load %own_weights[%slot] : memref<?xf32, strided<[1]>> -> tensor<64xf32>
      %Xs = tile.alloc : memref<64x64xbf16, #shared>
      %Ws = tile.alloc : memref<64x64xbf16, #shared>
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        tile.copy %X[%c0, %k] rows(%row : tensor<64xi32>) dim 0 to %Xs
          : memref<?x?xbf16> to memref<64x64xbf16, #shared>
        tile.copy %W[%e, %k, %col] [1, 64, 64] to %Ws
          : memref<?x?x?xbf16> to memref<64x64xbf16, #shared>
        %d = tile.gemm %Xs, %Ws, %c
          : memref<64x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 3 : i32}
      %weight_rows = tile.broadcast %weight dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %y = arith.mulf %acc, %weight_rows : tensor<64x64xf32>
      tile.atomic_rmw addf %y, %Y[%c0, %col] rows(%row : tensor<64xi32>) dim 0
        : tensor<64x64xf32>, memref<?x?xf32>
    }
  }
  return
}
