// Decoding with latent keys (MLA): all 64 heads of a sequence share its keys, and the
// keys are the values, too.
//
// A key is 256 latent numbers and 64 with a position in them; a query of a head has
// been multiplied into the same space. So the heads are the rows of a matrix product
// although each sequence decodes one token: scores = Q * transpose(C) + R * transpose(P),
// result = softmax(scores) * C. A tile of C is read once for both products.
//
//   tile-run examples/mla_decode.mlir --entry=mla_decode --on=emulator --check --dim=B:2 --dim=S:150

#shared = #gpu.address_space<workgroup>

func.func @mla_decode(%Q: memref<?x64x256xbf16> {tile.dims = ["B", "", ""]},
                      %R: memref<?x64x64xbf16> {tile.dims = ["B", "", ""]},
                      %C: memref<?x?x256xbf16> {tile.dims = ["B", "S", ""]},
                      %P: memref<?x?x64xbf16> {tile.dims = ["B", "S", ""]},
                      %O: memref<?x64x256xbf16> {tile.dims = ["B", "", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %B = memref.dim %C, %c0 : memref<?x?x256xbf16>
  %S = memref.dim %C, %c1 : memref<?x?x256xbf16>
  tile.launch @mla_decode_kernel blocks(%b) in (%B) threads(256) {
    %Qs = tile.alloc : memref<64x256xbf16, #shared>
    %Rs = tile.alloc : memref<64x64xbf16, #shared>
    %Cs = tile.alloc : memref<64x256xbf16, #shared>
    %Ps = tile.alloc : memref<64x64xbf16, #shared>
    tile.copy %Q[%b, %c0, %c0] [1, 64, 256] to %Qs
      : memref<?x64x256xbf16> to memref<64x256xbf16, #shared>
    tile.copy %R[%b, %c0, %c0] [1, 64, 64] to %Rs
      : memref<?x64x64xbf16> to memref<64x64xbf16, #shared>

    %scale = arith.constant dense<0.0806> : tensor<64x64xf32> // log2(e) / sqrt(256 + 64)
    %hidden = arith.constant dense<0xFF800000> : tensor<64x64xf32> // -inf
    %max0 = arith.constant dense<-1.0e30> : tensor<64xf32>
    %sum0 = arith.constant dense<0.0> : tensor<64xf32>
    %acc0 = arith.constant dense<0.0> : tensor<64x256xf32>
    %max, %sum, %acc = scf.for %key = %c0 to %S step %c64
        iter_args(%m = %max0, %l = %sum0, %o = %acc0)
        -> (tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>) {
      tile.copy %C[%b, %key, %c0] [1, 64, 256] to %Cs
        : memref<?x?x256xbf16> to memref<64x256xbf16, #shared>
      tile.copy %P[%b, %key, %c0] [1, 64, 64] to %Ps
        : memref<?x?x64xbf16> to memref<64x64xbf16, #shared>
      %latent = tile.gemm %Qs, %Cs {transpose_b}
        : memref<64x256xbf16, #shared>, memref<64x256xbf16, #shared> -> tensor<64x64xf32>
      %s = tile.gemm %Rs, %Ps, %latent {transpose_b}
        : memref<64x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      %exists = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xi1>) {
        %position = arith.addi %key, %j : index
        %is = arith.cmpi slt, %position, %S : index
        tile.yield %is : i1
      }
      %raw = arith.mulf %s, %scale : tensor<64x64xf32>
      %scaled = arith.select %exists, %raw, %hidden : tensor<64x64xi1>, tensor<64x64xf32>
      %m_new = tile.reduce <maximumf> %scaled dims [1] init(%m)
        : tensor<64x64xf32> -> tensor<64xf32>
      %m_rows = tile.broadcast %m_new dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %shifted = arith.subf %scaled, %m_rows : tensor<64x64xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<64x64xf32>
      %m_change = arith.subf %m, %m_new : tensor<64xf32>
      %shrink = math.exp2 %m_change fastmath<afn> : tensor<64xf32>
      %l_old = arith.mulf %l, %shrink : tensor<64xf32>
      %l_new = tile.reduce <add> %p dims [1] init(%l_old) : tensor<64x64xf32> -> tensor<64xf32>
      %shrink_rows = tile.broadcast %shrink dims [1] : tensor<64xf32> -> tensor<64x256xf32>
      %o_old = arith.mulf %o, %shrink_rows : tensor<64x256xf32>
      %p_half = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>
      %o_new = tile.gemm %p_half, %Cs, %o_old
        : tensor<64x64xbf16>, memref<64x256xbf16, #shared> -> tensor<64x256xf32>
      scf.yield %m_new, %l_new, %o_new : tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>
    } {tile.stages = 2 : i32}

    %one = arith.constant dense<1.0> : tensor<64xf32>
    %inverse = arith.divf %one, %sum fastmath<afn> : tensor<64xf32>
    %inverse_rows = tile.broadcast %inverse dims [1] : tensor<64xf32> -> tensor<64x256xf32>
    %result = arith.mulf %acc, %inverse_rows : tensor<64x256xf32>
    tile.store %result, %O[%b, %c0, %c0] [1, 64, 256] : tensor<64x256xf32>, memref<?x64x256xbf16>
  }
  return
}
