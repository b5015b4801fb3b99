// A router of a mixture of experts: the 4 largest of 100 logits a token, and their softmax.
//
// Four times the largest logit of each row is found, with its column, and taken out. A
// fragment is a value, so taking out is a selection that makes a new one. The weights are
// the exponentials of the chosen logits, divided by their sum. 100 experts are no power
// of two; tiles of any size are legal.
//
//   tile-run examples/top_k.mlir --entry=top_k --on=emulator --check --dim=tokens:70

func.func @top_k(%logits: memref<?x100xf32> {tile.dims = ["tokens", ""]},
                 %weights: memref<?x4xf32> {tile.dims = ["tokens", ""]},
                 %experts: memref<?x4xi32> {tile.dims = ["tokens", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %tokens = memref.dim %logits, %c0 : memref<?x100xf32>
  %blocks = arith.ceildivui %tokens, %c16 : index
  tile.launch @top_k_kernel blocks(%block) in (%blocks) threads(128) {
    %row = arith.muli %block, %c16 : index
    %x = tile.load %logits[%row, %c0] : memref<?x100xf32> -> tensor<16x100xf32>
    %columns = tile.parallel (%i, %j) in (16, 100) -> (tensor<16x100xi32>) {
      %column = arith.index_cast %j : index to i32
      tile.yield %column : i32
    }
    %low = arith.constant dense<0xFF800000> : tensor<16x100xf32> // -inf
    %none = arith.constant dense<0.0> : tensor<16x4xf32>
    %nowhere = arith.constant dense<0> : tensor<16x4xi32>
    %rest, %values, %places = scf.for %k = %c0 to %c4 step %c1
        iter_args(%left = %x, %v = %none, %p = %nowhere)
        -> (tensor<16x100xf32>, tensor<16x4xf32>, tensor<16x4xi32>) {
      %max, %at = tile.reduce (%left, %columns) dims [1]
          : (tensor<16x100xf32>, tensor<16x100xi32>) -> (tensor<16xf32>, tensor<16xi32>) {
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
      // Column k of the result.
      %is_k = tile.parallel (%i, %j) in (16, 4) -> (tensor<16x4xi1>) {
        %is = arith.cmpi eq, %j, %k : index
        tile.yield %is : i1
      }
      %max_rows = tile.broadcast %max dims [1] : tensor<16xf32> -> tensor<16x4xf32>
      %at_rows = tile.broadcast %at dims [1] : tensor<16xi32> -> tensor<16x4xi32>
      %v_new = arith.select %is_k, %max_rows, %v : tensor<16x4xi1>, tensor<16x4xf32>
      %p_new = arith.select %is_k, %at_rows, %p : tensor<16x4xi1>, tensor<16x4xi32>
      // What is taken does not count again.
      %taken_at = tile.broadcast %at dims [1] : tensor<16xi32> -> tensor<16x100xi32>
      %is_taken = arith.cmpi eq, %columns, %taken_at : tensor<16x100xi32>
      %left_new = arith.select %is_taken, %low, %left : tensor<16x100xi1>, tensor<16x100xf32>
      scf.yield %left_new, %v_new, %p_new : tensor<16x100xf32>, tensor<16x4xf32>, tensor<16x4xi32>
    }

    // exp(x - max) = exp2(x * log2(e) - max * log2(e))
    %log2e = arith.constant dense<1.44269502> : tensor<16x4xf32>
    %scaled = arith.mulf %values, %log2e : tensor<16x4xf32>
    %largest = tile.reduce <maximumf> %scaled dims [1] : tensor<16x4xf32> -> tensor<16xf32>
    %largest_rows = tile.broadcast %largest dims [1] : tensor<16xf32> -> tensor<16x4xf32>
    %shifted = arith.subf %scaled, %largest_rows : tensor<16x4xf32>
    %exp = math.exp2 %shifted fastmath<afn> : tensor<16x4xf32>
    %sum = tile.reduce <add> %exp dims [1] : tensor<16x4xf32> -> tensor<16xf32>
    %sum_rows = tile.broadcast %sum dims [1] : tensor<16xf32> -> tensor<16x4xf32>
    %weight = arith.divf %exp, %sum_rows fastmath<afn> : tensor<16x4xf32>
    tile.store %weight, %weights[%row, %c0] : tensor<16x4xf32>, memref<?x4xf32>
    tile.store %places, %experts[%row, %c0] : tensor<16x4xi32>, memref<?x4xi32>
  }
  return
}
