// Vector addition: the smallest tile program.
//
// Every block adds one tile of 1024 elements. The last tile may reach past the
// end of the vectors: what is read there is zero, what is written there is
// dropped, so no length needs special treatment.
//
//   tile-run examples/vector_add.mlir --entry=vector_add --on=emulator --check --dim=N:3000

func.func @vector_add(%a: memref<?xf32> {tile.dims = ["N"]},
                      %b: memref<?xf32> {tile.dims = ["N"]},
                      %c: memref<?xf32> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %tile = arith.constant 1024 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %tile : index
  tile.launch @vector_add_kernel blocks(%block) in (%blocks) threads(256) {
    %start = arith.muli %block, %tile : index
    %x = tile.load %a[%start] : memref<?xf32> -> tensor<1024xf32>
    %y = tile.load %b[%start] : memref<?xf32> -> tensor<1024xf32>
    %sum = arith.addf %x, %y : tensor<1024xf32>
    tile.store %sum, %c[%start] : tensor<1024xf32>, memref<?xf32>
  }
  return
}
