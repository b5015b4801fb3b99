// Matrix transposition by tiles of 64 x 64.
//
// `tile.transpose` only renames the dimensions of a fragment. Both the load and
// the store want neighbouring threads at neighbouring addresses, so the compiler
// moves the tile between threads in between, through shared memory in a layout
// without bank conflicts. Neither that memory nor its barriers are in the source.
//
//   tile-run examples/transpose.mlir --entry=transpose --on=emulator --check --dim=M:200 --dim=N:328

func.func @transpose(%in: memref<?x?xf32> {tile.dims = ["M", "N"]},
                     %out: memref<?x?xf32> {tile.dims = ["N", "M"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %in, %c0 : memref<?x?xf32>
  %n = memref.dim %in, %c1 : memref<?x?xf32>
  %blocks_n = arith.ceildivui %n, %c64 : index
  %blocks_m = arith.ceildivui %m, %c64 : index
  tile.launch @transpose_kernel blocks(%bx, %by) in (%blocks_n, %blocks_m) threads(256) {
    %row = arith.muli %by, %c64 : index
    %col = arith.muli %bx, %c64 : index
    %t = tile.load %in[%row, %col] : memref<?x?xf32> -> tensor<64x64xf32>
    %u = tile.transpose %t [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
    tile.store %u, %out[%col, %row] : tensor<64x64xf32>, memref<?x?xf32>
  }
  return
}
