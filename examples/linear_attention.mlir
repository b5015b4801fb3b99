// Causal linear attention in chunks: o[t] = q[t] * sum over s <= t of k[s] v[s]^T.
//
// Without a softmax what came before is a state of 64 x 64, however long the sequence
// is. A block walks over one head in chunks of 64: within a chunk it attends as usual,
// under a mask; everything before the chunk comes from the state, by one product. So
// all of it runs on matrix instructions, and nothing is sequential but the chunks.
//
//   tile-run examples/linear_attention.mlir --entry=linear_attention --on=emulator --check --dim=B:1 --dim=T:200 --dim=H:2 "--data=0:normal(0,0.3)"

#shared = #gpu.address_space<workgroup>

func.func @linear_attention(%Q: memref<?x?x?x64xbf16> {tile.dims = ["B", "T", "H", ""]},
                            %K: memref<?x?x?x64xbf16> {tile.dims = ["B", "T", "H", ""]},
                            %V: memref<?x?x?x64xbf16> {tile.dims = ["B", "T", "H", ""]},
                            %O: memref<?x?x?x64xbf16> {tile.dims = ["B", "T", "H", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %B = memref.dim %Q, %c0 : memref<?x?x?x64xbf16>
  %T = memref.dim %Q, %c1 : memref<?x?x?x64xbf16>
  %H = memref.dim %Q, %c2 : memref<?x?x?x64xbf16>
  tile.launch @linear_attention_kernel blocks(%h, %b) in (%H, %B) threads(128) {
    %Qs = tile.alloc : memref<64x64xbf16, #shared>
    %Ks = tile.alloc : memref<64x64xbf16, #shared>
    %Vs = tile.alloc : memref<64x64xbf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %end = scf.for %t = %c0 to %T step %c64 iter_args(%state = %zero) -> (tensor<64x64xf32>) {
      tile.copy %Q[%b, %t, %h, %c0] [1, 64, 1, 64] to %Qs
        : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>
      tile.copy %K[%b, %t, %h, %c0] [1, 64, 1, 64] to %Ks
        : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>
      tile.copy %V[%b, %t, %h, %c0] [1, 64, 1, 64] to %Vs
        : memref<?x?x?x64xbf16> to memref<64x64xbf16, #shared>

      // Within the chunk: Q * transpose(K) as far as a query sees the key.
      %s = tile.gemm %Qs, %Ks {transpose_b}
        : memref<64x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      %visible = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xi1>) {
        %sees = arith.cmpi ule, %j, %i : index
        tile.yield %sees : i1
      }
      %p = arith.select %visible, %s, %zero : tensor<64x64xi1>, tensor<64x64xf32>
      %p_half = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>

      // Before the chunk: Q * state.
      %state_half = arith.truncf %state : tensor<64x64xf32> to tensor<64x64xbf16>
      %before = tile.gemm %Qs, %state_half
        : memref<64x64xbf16, #shared>, tensor<64x64xbf16> -> tensor<64x64xf32>
      %o = tile.gemm %p_half, %Vs, %before
        : tensor<64x64xbf16>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      tile.store %o, %O[%b, %t, %h, %c0] [1, 64, 1, 64] : tensor<64x64xf32>, memref<?x?x?x64xbf16>

      // state += transpose(K) * V. Rows past the end of the sequence are zero.
      %next = tile.gemm %Ks, %Vs, %state {transpose_a}
        : memref<64x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
