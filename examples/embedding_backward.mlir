// The gradient of an embedding: row i of the incoming gradient is added to row ids[i].
//
// `tile.atomic_rmw` with `rows` scatters; several tokens of one word meet in a row, so
// that the additions are atomic. Tokens past the end have a row that does not exist (-1):
// outside of the table nothing is written. The table's gradient is f32 and starts at zero.
//
//   tile-run examples/embedding_backward.mlir --entry=embedding_backward --on=emulator --check --dim=tokens:50 --dim=words:20 --dim=width:264 "--data=1:integers(0,19)" --data=2:zeros

func.func @embedding_backward(
    %gradient: memref<?x?xbf16> {tile.dims = ["tokens", "width"], tile.divisible = array<i64: 1, 8>},
    %ids: memref<?xi32> {tile.dims = ["tokens"]},
    %table: memref<?x?xf32> {tile.dims = ["words", "width"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %tokens = memref.dim %ids, %c0 : memref<?xi32>
  %width = memref.dim %table, %c1 : memref<?x?xf32>
  %gx = arith.ceildivui %width, %c256 : index
  %gy = arith.ceildivui %tokens, %c16 : index
  tile.launch @embedding_backward_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %nowhere = arith.constant -1 : i32
    %row = arith.muli %by, %c16 : index
    %col = arith.muli %bx, %c256 : index
    %id = tile.load %ids[%row] pad(%nowhere) : memref<?xi32> -> tensor<16xi32>
    %g = tile.load %gradient[%row, %col] : memref<?x?xbf16> -> tensor<16x256xf32>
    tile.atomic_rmw addf %g, %table[%c0, %col] rows(%id : tensor<16xi32>) dim 0
      : tensor<16x256xf32>, memref<?x?xf32>
  }
  return
}
