// A product for each group of rows (experts): Y[rows of g] = X[rows of g] * W[g].
//
// Group g has the rows offsets[g] to offsets[g + 1] of X; a group need not divide the
// tiles and may be empty. The grid has as many tiles of rows as one group could need;
// a block whose tile begins past its group's end does nothing. Views of X and Y that end
// with the group clip both sides, so that a tile reads zeros there and does not write
// into the next group.
//
//   tile-run examples/grouped_gemm.mlir --entry=grouped_gemm --on=emulator --check --dim=T:150 --dim=K:136 --dim=N:72 --dim=G:4 --shape=2:5 "--data=2:values(0,70,70,81,150)"

#shared = #gpu.address_space<workgroup>

func.func @grouped_gemm(
    %X: memref<?x?xbf16> {tile.dims = ["T", "K"], tile.divisible = array<i64: 1, 8>},
    %W: memref<?x?x?xbf16> {tile.dims = ["G", "K", "N"], tile.divisible = array<i64: 1, 8, 8>},
    %offsets: memref<?xi32>,
    %Y: memref<?x?xbf16> {tile.dims = ["T", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %T = memref.dim %X, %c0 : memref<?x?xbf16>
  %K = memref.dim %X, %c1 : memref<?x?xbf16>
  %G = memref.dim %W, %c0 : memref<?x?x?xbf16>
  %N = memref.dim %W, %c2 : memref<?x?x?xbf16>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %T, %c64 : index
  tile.launch @grouped_gemm_kernel blocks(%bx, %by, %g) in (%gx, %gy, %G) threads(128) {
    %next = arith.addi %g, %c1 : index
    %begin32 = memref.load %offsets[%g] : memref<?xi32>
    %end32 = memref.load %offsets[%next] : memref<?xi32>
    %begin = arith.index_cast %begin32 : i32 to index
    %end = arith.index_cast %end32 : i32 to index
    %skipped = arith.muli %by, %c64 : index
    %row = arith.addi %begin, %skipped : index
    %col = arith.muli %bx, %c64 : index
    %has_rows = arith.cmpi slt, %row, %end : index
    scf.if %has_rows {
      %Xg = memref.subview %X[0, 0] [%end, %K] [1, 1]
        : memref<?x?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
      %Yg = memref.subview %Y[0, 0] [%end, %N] [1, 1]
        : memref<?x?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
      %Xs = tile.alloc : memref<64x64xbf16, #shared>
      %Ws = tile.alloc : memref<64x64xbf16, #shared>
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        tile.copy %Xg[%row, %k] to %Xs
          : memref<?x?xbf16, strided<[?, 1]>> to memref<64x64xbf16, #shared>
        tile.copy %W[%g, %k, %col] [1, 64, 64] to %Ws
          : memref<?x?x?xbf16> to memref<64x64xbf16, #shared>
        %d = tile.gemm %Xs, %Ws, %c
          : memref<64x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 3 : i32}
      tile.store %acc, %Yg[%row, %col] : tensor<64x64xf32>, memref<?x?xbf16, strided<[?, 1]>>
    }
  }
  return
}
