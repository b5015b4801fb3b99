// The state-space model of Mamba-2 in chunks of 64 (its "SSD" form):
//
//   state[t] = exp(a[t]) * state[t - 1] + b[t] x[t]^T,   y[t] = c[t] * state[t]
//
// Within a chunk that is attention with decays: y = (C * transpose(B) . L) * X, where
// L[i, j] = exp(a[j + 1] + .. + a[i]) for j <= i. A scan gives the sums; a decay is the
// exponential of a difference of two of them, never above 1 as `a` is negative. What
// came before the chunk is a state of 64 x 64, which decays as a whole.
//
//   tile-run examples/mamba2_chunk_scan.mlir --entry=mamba2_chunk_scan --on=emulator --check --dim=B:1 --dim=T:200 --dim=H:2 "--data=0:normal(0,0.3)" "--data=1:uniform(-0.2,0)"

#shared = #gpu.address_space<workgroup>

func.func @mamba2_chunk_scan(
    %X: memref<?x?x?x64xf16> {tile.dims = ["B", "T", "H", ""]},
    %A: memref<?x?x?xf32> {tile.dims = ["B", "H", "T"], tile.divisible = array<i64: 1, 1, 4>},
    %Bm: memref<?x?x64xf16> {tile.dims = ["B", "T", ""]},
    %Cm: memref<?x?x64xf16> {tile.dims = ["B", "T", ""]},
    %Y: memref<?x?x?x64xf16> {tile.dims = ["B", "T", "H", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %B = memref.dim %X, %c0 : memref<?x?x?x64xf16>
  %T = memref.dim %X, %c1 : memref<?x?x?x64xf16>
  %H = memref.dim %X, %c2 : memref<?x?x?x64xf16>
  tile.launch @mamba2_chunk_scan_kernel blocks(%h, %b) in (%H, %B) threads(128) {
    %Xs = tile.alloc : memref<64x64xf16, #shared>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %Cs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %end = scf.for %t = %c0 to %T step %c64 iter_args(%state = %zero) -> (tensor<64x64xf32>) {
      tile.copy %X[%b, %t, %h, %c0] [1, 64, 1, 64] to %Xs
        : memref<?x?x?x64xf16> to memref<64x64xf16, #shared>
      tile.copy %Bm[%b, %t, %c0] [1, 64, 64] to %Bs : memref<?x?x64xf16> to memref<64x64xf16, #shared>
      tile.copy %Cm[%b, %t, %c0] [1, 64, 64] to %Cs : memref<?x?x64xf16> to memref<64x64xf16, #shared>
      %a = tile.load %A[%b, %h, %t] [1, 1, 64] : memref<?x?x?xf32> -> tensor<64xf32>
      %sums = tile.scan <add> %a dim 0 : tensor<64xf32>
      %total = tile.reduce <add> %a dims [0] : tensor<64xf32> -> tensor<f32>

      // Within the chunk: attention with decays.
      %s = tile.gemm %Cs, %Bs {transpose_b}
        : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %decay = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xf32>) {
        %none = arith.constant 0.0 : f32
        %low = arith.constant 0xFF800000 : f32 // -inf
        %to = tensor.extract %sums[%i] : tensor<64xf32>
        %from = tensor.extract %sums[%j] : tensor<64xf32>
        %between = arith.subf %to, %from : f32
        %sees = arith.cmpi ule, %j, %i : index
        %exponent = arith.select %sees, %between, %low : f32
        %factor = math.exp %exponent fastmath<afn> : f32
        tile.yield %factor : f32
      }
      %p = arith.mulf %s, %decay : tensor<64x64xf32>
      %p_half = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>

      // Before the chunk: C * state, decayed up to each row.
      %state_half = arith.truncf %state : tensor<64x64xf32> to tensor<64x64xf16>
      %from_state = tile.gemm %Cs, %state_half
        : memref<64x64xf16, #shared>, tensor<64x64xf16> -> tensor<64x64xf32>
      %so_far = math.exp %sums fastmath<afn> : tensor<64xf32>
      %so_far_rows = tile.broadcast %so_far dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %before = arith.mulf %from_state, %so_far_rows : tensor<64x64xf32>
      %y = tile.gemm %p_half, %Xs, %before
        : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      tile.store %y, %Y[%b, %t, %h, %c0] [1, 64, 1, 64] : tensor<64x64xf32>, memref<?x?x?x64xf16>

      // state = exp(total) * state + transpose(B, decayed to the chunk's end) * X.
      %total_rows = tile.broadcast %total dims [0] : tensor<f32> -> tensor<64xf32>
      %left = arith.subf %total_rows, %sums : tensor<64xf32>
      %to_end = math.exp %left fastmath<afn> : tensor<64xf32>
      %to_end_rows = tile.broadcast %to_end dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %b_tile = tile.load %Bs : memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %b_decayed = arith.mulf %b_tile, %to_end_rows : tensor<64x64xf32>
      %b_half = arith.truncf %b_decayed : tensor<64x64xf32> to tensor<64x64xf16>
      %whole = math.exp %total fastmath<afn> : tensor<f32>
      %whole_rows = tile.broadcast %whole dims [0, 1] : tensor<f32> -> tensor<64x64xf32>
      %kept = arith.mulf %state, %whole_rows : tensor<64x64xf32>
      %next = tile.gemm %b_half, %Xs, %kept {transpose_a}
        : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
