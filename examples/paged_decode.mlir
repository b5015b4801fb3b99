// Decoding with a paged cache: keys and values lie in pages of 32 tokens anywhere in memory.
//
// A block has the 16 heads of queries that share one head of keys (the rows of its
// products) and walks over the pages of its sequence. The number of the next page is
// loaded from the sequence's table; a page is an ordinary tile that starts there, so
// that the copies of the next pages run ahead together with the loads of their numbers.
// Sequences have lengths of their own.
//
//   tile-run examples/paged_decode.mlir --entry=paged_decode --on=emulator --check --dim=B:3 --dim=HK:2 --dim=pages:9 --dim=most:4 "--data=3:integers(0,8)" "--data=4:integers(1,128)"

#shared = #gpu.address_space<workgroup>

func.func @paged_decode(%Q: memref<?x?x16x64xf16> {tile.dims = ["B", "HK", "", ""]},
                        %K: memref<?x32x?x64xf16> {tile.dims = ["pages", "", "HK", ""]},
                        %V: memref<?x32x?x64xf16> {tile.dims = ["pages", "", "HK", ""]},
                        %table: memref<?x?xi32> {tile.dims = ["B", "most"]},
                        %lengths: memref<?xi32> {tile.dims = ["B"]},
                        %O: memref<?x?x16x64xf16> {tile.dims = ["B", "HK", "", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %B = memref.dim %Q, %c0 : memref<?x?x16x64xf16>
  %HK = memref.dim %Q, %c1 : memref<?x?x16x64xf16>
  tile.launch @paged_decode_kernel blocks(%h, %b) in (%HK, %B) threads(32) {
    %length32 = memref.load %lengths[%b] : memref<?xi32>
    %length = arith.index_cast %length32 : i32 to index
    %pages = arith.ceildivsi %length, %c32 : index
    %Qs = tile.alloc : memref<16x64xf16, #shared>
    %Ks = tile.alloc : memref<32x64xf16, #shared>
    %Vs = tile.alloc : memref<32x64xf16, #shared>
    tile.copy %Q[%b, %h, %c0, %c0] [1, 1, 16, 64] to %Qs
      : memref<?x?x16x64xf16> to memref<16x64xf16, #shared>

    %scale = arith.constant dense<0.180336880> : tensor<16x32xf32> // log2(e) / sqrt(64)
    %hidden = arith.constant dense<0xFF800000> : tensor<16x32xf32> // -inf
    %max0 = arith.constant dense<-1.0e30> : tensor<16xf32>
    %sum0 = arith.constant dense<0.0> : tensor<16xf32>
    %acc0 = arith.constant dense<0.0> : tensor<16x64xf32>
    %max, %sum, %acc = scf.for %i = %c0 to %pages step %c1
        iter_args(%m = %max0, %l = %sum0, %o = %acc0)
        -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>) {
      %page32 = memref.load %table[%b, %i] : memref<?x?xi32>
      %page = arith.index_cast %page32 : i32 to index
      tile.copy %K[%page, %c0, %h, %c0] [1, 32, 1, 64] to %Ks
        : memref<?x32x?x64xf16> to memref<32x64xf16, #shared>
      tile.copy %V[%page, %c0, %h, %c0] [1, 32, 1, 64] to %Vs
        : memref<?x32x?x64xf16> to memref<32x64xf16, #shared>
      %s = tile.gemm %Qs, %Ks {transpose_b}
        : memref<16x64xf16, #shared>, memref<32x64xf16, #shared> -> tensor<16x32xf32>
      %key = arith.muli %i, %c32 : index
      %exists = tile.parallel (%row, %j) in (16, 32) -> (tensor<16x32xi1>) {
        %position = arith.addi %key, %j : index
        %is = arith.cmpi slt, %position, %length : index
        tile.yield %is : i1
      }
      %raw = arith.mulf %s, %scale : tensor<16x32xf32>
      %scaled = arith.select %exists, %raw, %hidden : tensor<16x32xi1>, tensor<16x32xf32>
      %m_new = tile.reduce <maximumf> %scaled dims [1] init(%m)
        : tensor<16x32xf32> -> tensor<16xf32>
      %m_rows = tile.broadcast %m_new dims [1] : tensor<16xf32> -> tensor<16x32xf32>
      %shifted = arith.subf %scaled, %m_rows : tensor<16x32xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<16x32xf32>
      %m_change = arith.subf %m, %m_new : tensor<16xf32>
      %shrink = math.exp2 %m_change fastmath<afn> : tensor<16xf32>
      %l_old = arith.mulf %l, %shrink : tensor<16xf32>
      %l_new = tile.reduce <add> %p dims [1] init(%l_old) : tensor<16x32xf32> -> tensor<16xf32>
      %shrink_rows = tile.broadcast %shrink dims [1] : tensor<16xf32> -> tensor<16x64xf32>
      %o_old = arith.mulf %o, %shrink_rows : tensor<16x64xf32>
      %p_half = arith.truncf %p : tensor<16x32xf32> to tensor<16x32xf16>
      %o_new = tile.gemm %p_half, %Vs, %o_old
        : tensor<16x32xf16>, memref<32x64xf16, #shared> -> tensor<16x64xf32>
      scf.yield %m_new, %l_new, %o_new : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>
    } {tile.stages = 3 : i32}

    %one = arith.constant dense<1.0> : tensor<16xf32>
    %inverse = arith.divf %one, %sum fastmath<afn> : tensor<16xf32>
    %inverse_rows = tile.broadcast %inverse dims [1] : tensor<16xf32> -> tensor<16x64xf32>
    %result = arith.mulf %acc, %inverse_rows : tensor<16x64xf32>
    tile.store %result, %O[%b, %h, %c0, %c0] [1, 1, 16, 64]
      : tensor<16x64xf32>, memref<?x?x16x64xf16>
  }
  return
}
