// Flash attention, backward, head size 64: dQ, dK and dV from dO.
//
// The forward pass kept a number for each row, the logarithm (base 2) of its sum of
// exponentials, from which a tile of probabilities is computed anew: P = exp2(S - L). A block
// owns 64 keys and walks over the queries. dK and dV grow in its registers; dQ is shared
// by the blocks of a head and added up by atomics. D is the dot product of dO and O of
// each row; the gradients of the scores are P * (dP - D), where dP = dO * transpose(V).
// Everything is computed transposed, keys by queries, so that P and its gradient
// are left operands without leaving registers.
//
//   tile-run examples/flash_attention_backward.mlir --entry=flash_attention_backward --on=emulator --check --dim=H:1 --dim=S:200 "--data=0:normal(0,0.3)" "--data=4:uniform(3,6)"

#shared = #gpu.address_space<workgroup>

func.func @flash_attention_backward(
    %Q: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]},
    %K: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]},
    %V: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]},
    %dO: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]},
    %L: memref<?x?xf32> {tile.dims = ["H", "S"], tile.divisible = array<i64: 1, 4>},
    %D: memref<?x?xf32> {tile.dims = ["H", "S"], tile.divisible = array<i64: 1, 4>},
    %dQ: memref<?x?x64xf32> {tile.dims = ["H", "S", ""]},
    %dK: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]},
    %dV: memref<?x?x64xf16> {tile.dims = ["H", "S", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %H = memref.dim %Q, %c0 : memref<?x?x64xf16>
  %S = memref.dim %Q, %c1 : memref<?x?x64xf16>
  %tiles = arith.ceildivui %S, %c64 : index
  tile.launch @flash_attention_backward_kernel blocks(%tile, %h) in (%tiles, %H) threads(128) {
    %key = arith.muli %tile, %c64 : index
    %Ks = tile.alloc : memref<64x64xf16, #shared>
    %Vs = tile.alloc : memref<64x64xf16, #shared>
    %Qs = tile.alloc : memref<64x64xf16, #shared>
    %dOs = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %K[%h, %key, %c0] [1, 64, 64] to %Ks : memref<?x?x64xf16> to memref<64x64xf16, #shared>
    tile.copy %V[%h, %key, %c0] [1, 64, 64] to %Vs : memref<?x?x64xf16> to memref<64x64xf16, #shared>

    %scale = arith.constant dense<0.180336880> : tensor<64x64xf32> // log2(e) / sqrt(64)
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %dk, %dv = scf.for %query = %c0 to %S step %c64
        iter_args(%dk_old = %zero, %dv_old = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      tile.copy %Q[%h, %query, %c0] [1, 64, 64] to %Qs
        : memref<?x?x64xf16> to memref<64x64xf16, #shared>
      tile.copy %dO[%h, %query, %c0] [1, 64, 64] to %dOs
        : memref<?x?x64xf16> to memref<64x64xf16, #shared>
      %l = tile.load %L[%h, %query] [1, 64] : memref<?x?xf32> -> tensor<64xf32>
      %d = tile.load %D[%h, %query] [1, 64] : memref<?x?xf32> -> tensor<64xf32>

      // P, and dV += P * dO.
      %s = tile.gemm %Ks, %Qs {transpose_b}
        : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %scaled = arith.mulf %s, %scale fastmath<contract> : tensor<64x64xf32>
      %l_columns = tile.broadcast %l dims [0] : tensor<64xf32> -> tensor<64x64xf32>
      %shifted = arith.subf %scaled, %l_columns fastmath<contract> : tensor<64x64xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<64x64xf32>
      %p_half = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %dv_new = tile.gemm %p_half, %dOs, %dv_old
        : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>

      // dS, and dK += dS * Q, dQ += transpose(dS) * K.
      %dp = tile.gemm %Vs, %dOs {transpose_b}
        : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %d_columns = tile.broadcast %d dims [0] : tensor<64xf32> -> tensor<64x64xf32>
      %centred = arith.subf %dp, %d_columns : tensor<64x64xf32>
      %ds = arith.mulf %p, %centred : tensor<64x64xf32>
      %ds_half = arith.truncf %ds : tensor<64x64xf32> to tensor<64x64xf16>
      %dk_new = tile.gemm %ds_half, %Qs, %dk_old
        : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %dq = tile.gemm %ds_half, %Ks {transpose_a}
        : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      tile.atomic_rmw addf %dq, %dQ[%h, %query, %c0] [1, 64, 64]
        : tensor<64x64xf32>, memref<?x?x64xf32>
      scf.yield %dk_new, %dv_new : tensor<64x64xf32>, tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %dk, %dK[%h, %key, %c0] [1, 64, 64] : tensor<64x64xf32>, memref<?x?x64xf16>
    tile.store %dv, %dV[%h, %key, %c0] [1, 64, 64] : tensor<64x64xf32>, memref<?x?x64xf16>
  }
  return
}
