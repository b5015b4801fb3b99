// Cumulative sums along rows of 5000: a scan of 1024 elements at a time and a carry.
//
// A scan gives the sums within a tile; what came before is one number, which is added to
// all of them and grows by the tile's sum. The last tile reaches past the row's end, where
// zeros are read and nothing is written.
//
//   tile-run examples/cumulative_sum.mlir --entry=cumulative_sum --on=emulator --check --dim=rows:5

func.func @cumulative_sum(%x: memref<?x5000xf32> {tile.dims = ["rows", ""]},
                          %y: memref<?x5000xf32> {tile.dims = ["rows", ""]}) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c5000 = arith.constant 5000 : index
  %rows = memref.dim %x, %c0 : memref<?x5000xf32>
  tile.launch @cumulative_sum_kernel blocks(%row) in (%rows) threads(128) {
    %nothing = arith.constant 0.0 : f32
    %all = scf.for %start = %c0 to %c5000 step %c1024 iter_args(%carry = %nothing) -> (f32) {
      %t = tile.load %x[%row, %start] [1, 1024] : memref<?x5000xf32> -> tensor<1024xf32>
      %within = tile.scan <add> %t dim 0 : tensor<1024xf32>
      %before = tensor.splat %carry : tensor<1024xf32>
      %sums = arith.addf %within, %before : tensor<1024xf32>
      tile.store %sums, %y[%row, %start] [1, 1024] : tensor<1024xf32>, memref<?x5000xf32>
      %total = tile.reduce <add> %t dims [0] : tensor<1024xf32> -> tensor<f32>
      %sum = tensor.extract %total[] : tensor<f32>
      %next = arith.addf %carry, %sum : f32
      scf.yield %next : f32
    } {tile.stages = 2 : i32}
  }
  return
}
