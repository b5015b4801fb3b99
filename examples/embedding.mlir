// An embedding: row i of the result is row ids[i] of a table.
//
// `rows(%ids) dim 0` gathers: coordinate i of dimension 0 is ids[i] instead of i. A block
// brings 32 rows of 256 columns; each row is read in accesses as wide as for a plain copy.
// The tail of ids reads as zero, and nothing is stored for it.
//
//   tile-run examples/embedding.mlir --entry=embedding --on=emulator --check --dim=tokens:50 --dim=words:70 --dim=width:520 "--data=1:integers(0,69)"

func.func @embedding(
    %table: memref<?x?xbf16> {tile.dims = ["words", "width"], tile.divisible = array<i64: 1, 8>},
    %ids: memref<?xi32> {tile.dims = ["tokens"]},
    %out: memref<?x?xbf16> {tile.dims = ["tokens", "width"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %width = memref.dim %table, %c1 : memref<?x?xbf16>
  %tokens = memref.dim %ids, %c0 : memref<?xi32>
  %gx = arith.ceildivui %width, %c256 : index
  %gy = arith.ceildivui %tokens, %c32 : index
  tile.launch @embedding_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %row = arith.muli %by, %c32 : index
    %col = arith.muli %bx, %c256 : index
    %id = tile.load %ids[%row] : memref<?xi32> -> tensor<32xi32>
    %t = tile.load %table[%c0, %col] rows(%id : tensor<32xi32>) dim 0
      : memref<?x?xbf16> -> tensor<32x256xbf16>
    tile.store %t, %out[%row, %col] : tensor<32x256xbf16>, memref<?x?xbf16>
  }
  return
}
