// The largest element of each row of 1000, and where it is: a reduction of two values.
//
// A reduction with a combiner carries a value and its column. Of equal values the first
// counts, so that the result does not depend on the order of combination. Column
// numbers come from a `tile.parallel`; they are computed where they are used, not kept.
//
//   tile-run examples/argmax.mlir --entry=argmax --on=emulator --check --dim=rows:10

func.func @argmax(%x: memref<?x1000xf16> {tile.dims = ["rows", ""]},
                  %value: memref<?xf32> {tile.dims = ["rows"]},
                  %place: memref<?xi32> {tile.dims = ["rows"]}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %rows = memref.dim %x, %c0 : memref<?x1000xf16>
  %blocks = arith.ceildivui %rows, %c4 : index
  tile.launch @argmax_kernel blocks(%block) in (%blocks) threads(128) {
    %row = arith.muli %block, %c4 : index
    %v = tile.load %x[%row, %c0] : memref<?x1000xf16> -> tensor<4x1000xf32>
    %columns = tile.parallel (%i, %j) in (4, 1000) -> (tensor<4x1000xi32>) {
      %column = arith.index_cast %j : index to i32
      tile.yield %column : i32
    }
    %max, %at = tile.reduce (%v, %columns) dims [1]
        : (tensor<4x1000xf32>, tensor<4x1000xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%a: f32, %a_at: i32, %b: f32, %b_at: i32):
      %is_larger = arith.cmpf ogt, %b, %a : f32
      %is_equal = arith.cmpf oeq, %b, %a : f32
      %is_first = arith.cmpi slt, %b_at, %a_at : i32
      %is_first_equal = arith.andi %is_equal, %is_first : i1
      %takes_b = arith.ori %is_larger, %is_first_equal : i1
      %r = arith.select %takes_b, %b, %a : f32
      %r_at = arith.select %takes_b, %b_at, %a_at : i32
      tile.yield %r, %r_at : f32, i32
    }
    tile.store %max, %value[%row] : tensor<4xf32>, memref<?xf32>
    tile.store %at, %place[%row] : tensor<4xi32>, memref<?xi32>
  }
  return
}
