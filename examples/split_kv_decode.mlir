// Decoding with a long cache: several blocks share the keys of one head (flash decoding).
//
// One token a sequence gives too few blocks to fill a GPU, so the keys are split as well.
// A block attends to its part of the keys and leaves a result that is not divided yet, the
// maximum and the sum; a second launch, which sees all of the first, rescales and adds the
// parts of each row. The 8 heads of queries that share a head of keys are the rows of the
// products: tiles of 8 rows are legal, like any multiple of 8.
//
//   tile-run examples/split_kv_decode.mlir --entry=split_kv_decode --on=emulator --check --dim=B:2 --dim=HK:2 --dim=S:300

#shared = #gpu.address_space<workgroup>

func.func @split_kv_decode(%Q: memref<?x?x8x64xf16> {tile.dims = ["B", "HK", "", ""]},
                           %K: memref<?x?x?x64xf16> {tile.dims = ["B", "S", "HK", ""]},
                           %V: memref<?x?x?x64xf16> {tile.dims = ["B", "S", "HK", ""]},
                           %O: memref<?x?x8x64xf16> {tile.dims = ["B", "HK", "", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %B = memref.dim %Q, %c0 : memref<?x?x8x64xf16>
  %HK = memref.dim %Q, %c1 : memref<?x?x8x64xf16>
  %S = memref.dim %K, %c1 : memref<?x?x?x64xf16>
  %rows = arith.muli %B, %HK : index
  %parts = memref.alloc(%rows) : memref<?x4x8x64xf32>
  %maxima = memref.alloc(%rows) : memref<?x4x8xf32>
  %sums = memref.alloc(%rows) : memref<?x4x8xf32>
  // Keys of a part: a quarter of all, in whole tiles.
  %tiles = arith.ceildivui %S, %c32 : index
  %tiles_of_part = arith.ceildivui %tiles, %c4 : index
  %keys = arith.muli %tiles_of_part, %c32 : index

  tile.launch @attend_to_part blocks(%part, %h, %b) in (%c4, %HK, %B) threads(64) {
    %begin = arith.muli %part, %keys : index
    %far = arith.addi %begin, %keys : index
    %end = arith.minui %far, %S : index
    %batch_row = arith.muli %b, %HK : index
    %row = arith.addi %batch_row, %h : index
    %Qs = tile.alloc : memref<8x64xf16, #shared>
    %Ks = tile.alloc : memref<32x64xf16, #shared>
    %Vs = tile.alloc : memref<32x64xf16, #shared>
    tile.copy %Q[%b, %h, %c0, %c0] [1, 1, 8, 64] to %Qs
      : memref<?x?x8x64xf16> to memref<8x64xf16, #shared>
    %scale = arith.constant dense<0.180336880> : tensor<8x32xf32> // log2(e) / sqrt(64)
    %hidden = arith.constant dense<0xFF800000> : tensor<8x32xf32> // -inf
    %max0 = arith.constant dense<-1.0e30> : tensor<8xf32>
    %sum0 = arith.constant dense<0.0> : tensor<8xf32>
    %acc0 = arith.constant dense<0.0> : tensor<8x64xf32>
    %max, %sum, %acc = scf.for %key = %begin to %end step %c32
        iter_args(%m = %max0, %l = %sum0, %o = %acc0)
        -> (tensor<8xf32>, tensor<8xf32>, tensor<8x64xf32>) {
      tile.copy %K[%b, %key, %h, %c0] [1, 32, 1, 64] to %Ks
        : memref<?x?x?x64xf16> to memref<32x64xf16, #shared>
      tile.copy %V[%b, %key, %h, %c0] [1, 32, 1, 64] to %Vs
        : memref<?x?x?x64xf16> to memref<32x64xf16, #shared>
      %s = tile.gemm %Qs, %Ks {transpose_b}
        : memref<8x64xf16, #shared>, memref<32x64xf16, #shared> -> tensor<8x32xf32>
      %exists = tile.parallel (%i, %j) in (8, 32) -> (tensor<8x32xi1>) {
        %position = arith.addi %key, %j : index
        %is = arith.cmpi slt, %position, %S : index
        tile.yield %is : i1
      }
      %raw = arith.mulf %s, %scale : tensor<8x32xf32>
      %scaled = arith.select %exists, %raw, %hidden : tensor<8x32xi1>, tensor<8x32xf32>
      %m_new = tile.reduce <maximumf> %scaled dims [1] init(%m) : tensor<8x32xf32> -> tensor<8xf32>
      %m_rows = tile.broadcast %m_new dims [1] : tensor<8xf32> -> tensor<8x32xf32>
      %shifted = arith.subf %scaled, %m_rows : tensor<8x32xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<8x32xf32>
      %m_change = arith.subf %m, %m_new : tensor<8xf32>
      %shrink = math.exp2 %m_change fastmath<afn> : tensor<8xf32>
      %l_old = arith.mulf %l, %shrink : tensor<8xf32>
      %l_new = tile.reduce <add> %p dims [1] init(%l_old) : tensor<8x32xf32> -> tensor<8xf32>
      %shrink_rows = tile.broadcast %shrink dims [1] : tensor<8xf32> -> tensor<8x64xf32>
      %o_old = arith.mulf %o, %shrink_rows : tensor<8x64xf32>
      %p_half = arith.truncf %p : tensor<8x32xf32> to tensor<8x32xf16>
      %o_new = tile.gemm %p_half, %Vs, %o_old
        : tensor<8x32xf16>, memref<32x64xf16, #shared> -> tensor<8x64xf32>
      scf.yield %m_new, %l_new, %o_new : tensor<8xf32>, tensor<8xf32>, tensor<8x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %parts[%row, %part, %c0, %c0] [1, 1, 8, 64]
      : tensor<8x64xf32>, memref<?x4x8x64xf32>
    tile.store %max, %maxima[%row, %part, %c0] [1, 1, 8] : tensor<8xf32>, memref<?x4x8xf32>
    tile.store %sum, %sums[%row, %part, %c0] [1, 1, 8] : tensor<8xf32>, memref<?x4x8xf32>
  }

  tile.launch @combine_parts blocks(%h, %b) in (%HK, %B) threads(64) {
    %batch_row = arith.muli %b, %HK : index
    %row = arith.addi %batch_row, %h : index
    %o = tile.load %parts[%row, %c0, %c0, %c0] [1, 4, 8, 64]
      : memref<?x4x8x64xf32> -> tensor<4x8x64xf32>
    %m = tile.load %maxima[%row, %c0, %c0] [1, 4, 8] : memref<?x4x8xf32> -> tensor<4x8xf32>
    %l = tile.load %sums[%row, %c0, %c0] [1, 4, 8] : memref<?x4x8xf32> -> tensor<4x8xf32>
    %largest = tile.reduce <maximumf> %m dims [0] : tensor<4x8xf32> -> tensor<8xf32>
    %largest_parts = tile.broadcast %largest dims [0] : tensor<8xf32> -> tensor<4x8xf32>
    %change = arith.subf %m, %largest_parts : tensor<4x8xf32>
    %shrink = math.exp2 %change fastmath<afn> : tensor<4x8xf32>
    %l_scaled = arith.mulf %l, %shrink : tensor<4x8xf32>
    %sum = tile.reduce <add> %l_scaled dims [0] : tensor<4x8xf32> -> tensor<8xf32>
    %shrink_rows = tile.broadcast %shrink dims [2] : tensor<4x8xf32> -> tensor<4x8x64xf32>
    %o_scaled = arith.mulf %o, %shrink_rows : tensor<4x8x64xf32>
    %acc = tile.reduce <add> %o_scaled dims [0] : tensor<4x8x64xf32> -> tensor<8x64xf32>
    %one = arith.constant dense<1.0> : tensor<8xf32>
    %inverse = arith.divf %one, %sum fastmath<afn> : tensor<8xf32>
    %inverse_rows = tile.broadcast %inverse dims [1] : tensor<8xf32> -> tensor<8x64xf32>
    %result = arith.mulf %acc, %inverse_rows : tensor<8x64xf32>
    tile.store %result, %O[%b, %h, %c0, %c0] [1, 1, 8, 64] : tensor<8x64xf32>, memref<?x?x8x64xf16>
  }

  memref.dealloc %parts : memref<?x4x8x64xf32>
  memref.dealloc %maxima : memref<?x4x8xf32>
  memref.dealloc %sums : memref<?x4x8xf32>
  return
}
