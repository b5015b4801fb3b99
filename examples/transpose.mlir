// Matrix transposition by tiles of 64 x 64, through shared memory.
//
// A copy brings a tile of rows to shared memory; a `tile.parallel` reads it by
// columns, and its result is stored as rows again, so that neighbouring threads
// have neighbouring addresses in global memory both ways. Padding each shared row
// by one element puts a column into different banks; the layout is fixed by hand
// here, and the compiler obeys it.
//
// `tile.transpose` of a loaded fragment computes the same, by a buffer that the compiler
// makes: it renames dimensions, and in front of it goes an exchange, so that both the load
// and the store go by rows.
//
//   tile-run examples/transpose.mlir --entry=transpose --on=emulator --check --dim=M:200 --dim=N:328

#shared = #gpu.address_space<workgroup>
#padded = #tile.shared<[64, 64], pad = 1>

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
    %s = tile.alloc layout(#padded) : memref<64x64xf32, #shared>
    tile.copy %in[%row, %col] to %s : memref<?x?xf32> to memref<64x64xf32, #shared>
    %t = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xf32>) {
      %x = memref.load %s[%j, %i] : memref<64x64xf32, #shared>
      tile.yield %x : f32
    }
    tile.store %t, %out[%col, %row] : tensor<64x64xf32>, memref<?x?xf32>
  }
  return
}
