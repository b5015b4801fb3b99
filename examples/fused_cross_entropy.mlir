// Cross entropy of X * transpose(W) without the logits in memory.
//
// A block has 64 rows of X and walks over the vocabulary, 64 words at a time: a product, an
// online sum of exponentials in base 2 (as in attention), and the logit of each row's
// label, which is picked when its tile comes by. The loss of a row is
// ln(2) * (log2(sum) + max) - logit. The inner loop is pipelined, the outer one is not.
//
//   tile-run examples/fused_cross_entropy.mlir --entry=fused_cross_entropy --on=emulator --check --dim=rows:70 --dim=words:150 --dim=K:136 "--data=0:normal(0,0.3)" "--data=2:integers(0,149)"

#shared = #gpu.address_space<workgroup>

func.func @fused_cross_entropy(
    %X: memref<?x?xf16> {tile.dims = ["rows", "K"], tile.divisible = array<i64: 1, 8>},
    %W: memref<?x?xf16> {tile.dims = ["words", "K"], tile.divisible = array<i64: 1, 8>},
    %labels: memref<?xi32> {tile.dims = ["rows"]},
    %loss: memref<?xf32> {tile.dims = ["rows"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = memref.dim %X, %c0 : memref<?x?xf16>
  %K = memref.dim %X, %c1 : memref<?x?xf16>
  %words = memref.dim %W, %c0 : memref<?x?xf16>
  %blocks = arith.ceildivui %rows, %c64 : index
  tile.launch @fused_cross_entropy_kernel blocks(%b) in (%blocks) threads(128) {
    %row = arith.muli %b, %c64 : index
    %Xs = tile.alloc : memref<64x64xf16, #shared>
    %Ws = tile.alloc : memref<64x64xf16, #shared>
    %label = tile.load %labels[%row] : memref<?xi32> -> tensor<64xi32>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %max0 = arith.constant dense<-1.0e30> : tensor<64xf32>
    %none = arith.constant dense<0.0> : tensor<64xf32>
    %max, %sum, %hit = scf.for %word = %c0 to %words step %c64
        iter_args(%m = %max0, %l = %none, %h = %none)
        -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
      %logits = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        tile.copy %X[%row, %k] to %Xs : memref<?x?xf16> to memref<64x64xf16, #shared>
        tile.copy %W[%word, %k] to %Ws : memref<?x?xf16> to memref<64x64xf16, #shared>
        %d = tile.gemm %Xs, %Ws, %c {transpose_b}
          : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 3 : i32}

      // Words past the end do not count; of the label's word everything else is zero.
      %known, %own = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
        %log2e = arith.constant 1.44269502 : f32
        %low = arith.constant 0xFF800000 : f32 // -inf
        %nothing = arith.constant 0.0 : f32
        %logit = tensor.extract %logits[%i, %j] : tensor<64x64xf32>
        %mine = tensor.extract %label[%i] : tensor<64xi32>
        %at = arith.addi %word, %j : index
        %at32 = arith.index_cast %at : index to i32
        %exists = arith.cmpi slt, %at, %words : index
        %is_mine = arith.cmpi eq, %at32, %mine : i32
        %scaled = arith.mulf %logit, %log2e : f32
        %a = arith.select %exists, %scaled, %low : f32
        %z = arith.select %is_mine, %logit, %nothing : f32
        tile.yield %a, %z : f32, f32
      }
      %m_new = tile.reduce <maximumf> %known dims [1] init(%m)
        : tensor<64x64xf32> -> tensor<64xf32>
      %m_rows = tile.broadcast %m_new dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %shifted = arith.subf %known, %m_rows : tensor<64x64xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<64x64xf32>
      %m_change = arith.subf %m, %m_new : tensor<64xf32>
      %shrink = math.exp2 %m_change fastmath<afn> : tensor<64xf32>
      %l_old = arith.mulf %l, %shrink : tensor<64xf32>
      %l_new = tile.reduce <add> %p dims [1] init(%l_old) : tensor<64x64xf32> -> tensor<64xf32>
      %h_new = tile.reduce <add> %own dims [1] init(%h) : tensor<64x64xf32> -> tensor<64xf32>
      scf.yield %m_new, %l_new, %h_new : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
    }
    %ln2 = arith.constant dense<0.693147182> : tensor<64xf32>
    %log = math.log2 %sum fastmath<afn> : tensor<64xf32>
    %all = arith.addf %log, %max : tensor<64xf32>
    %all_e = arith.mulf %all, %ln2 fastmath<contract> : tensor<64xf32>
    %result = arith.subf %all_e, %hit fastmath<contract> : tensor<64xf32>
    tile.store %result, %loss[%row] : tensor<64xf32>, memref<?xf32>
  }
  return
}
