// y = A * x for a matrix of f16 and any sizes: what a linear layer is for one token.
//
// A block has 8 rows and walks along them 512 columns at a time. Sums are kept apart in every
// element of the tile, a multiply-add each (`contract`), and reduced once, behind the loop.
// `tile.stages` lets the next loads run ahead, in registers.
//
//   tile-run examples/gemv.mlir --entry=gemv --on=emulator --check --dim=M:100 --dim=K:2056

func.func @gemv(%A: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>},
                %x: memref<?xf16> {tile.dims = ["K"], tile.divisible = array<i64: 8>},
                %y: memref<?xf32> {tile.dims = ["M"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %M = memref.dim %A, %c0 : memref<?x?xf16>
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  %blocks = arith.ceildivui %M, %c8 : index
  tile.launch @gemv_kernel blocks(%block) in (%blocks) threads(128) {
    %c512 = arith.constant 512 : index
    %row = arith.muli %block, %c8 : index
    %zero = arith.constant dense<0.0> : tensor<8x512xf32>
    %acc = scf.for %k = %c0 to %K step %c512 iter_args(%c = %zero) -> (tensor<8x512xf32>) {
      %a = tile.load %A[%row, %k] : memref<?x?xf16> -> tensor<8x512xf32>
      %u = tile.load %x[%k] : memref<?xf16> -> tensor<512xf32>
      %u_rows = tile.broadcast %u dims [0] : tensor<512xf32> -> tensor<8x512xf32>
      %product = arith.mulf %a, %u_rows fastmath<contract> : tensor<8x512xf32>
      %d = arith.addf %c, %product fastmath<contract> : tensor<8x512xf32>
      scf.yield %d : tensor<8x512xf32>
    } {tile.stages = 2 : i32}
    %sum = tile.reduce <add> %acc dims [1] : tensor<8x512xf32> -> tensor<8xf32>
    tile.store %sum, %y[%row] : tensor<8xf32>, memref<?xf32>
  }
  return
}
