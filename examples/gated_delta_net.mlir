// Gated delta net in chunks of 32: a linear attention that corrects what its state says.
//
//   state[t] = e^a[t] * state[t - 1] + k[t] u[t]^T,   o[t] = q[t] * state[t],
//   u[t] = beta[t] * (v[t] - k[t] * e^a[t] * state[t - 1])
//
// u[t] depends on all u before it, so a chunk has a triangular system to solve:
// (I + A) U = beta * (V - decay * K * state), where A[i, j] = beta[i] * (k[i] . k[j]) *
// decay between j and i, for j < i. A is nilpotent, so with N = -A
// (I + A)^-1 = (I + N) (I + N^2) (I + N^4) (I + N^8) (I + N^16): squares and products
// of 32 x 32, in f32, instead of 32 steps one after the other. The rest is as in
// linear_attention.mlir, with decays as in mamba2_chunk_scan.mlir.
//
//   tile-run examples/gated_delta_net.mlir --entry=gated_delta_net --on=emulator --check --dim=H:2 --dim=T:100 "--data=0:normal(0,0.3)" "--data=1:uniform(-0.2,0.2)" "--data=3:uniform(-0.2,0)" "--data=4:uniform(0,1)"

#shared = #gpu.address_space<workgroup>

func.func @gated_delta_net(
    %Q: memref<?x?x64xf16> {tile.dims = ["H", "T", ""]},
    %K: memref<?x?x64xf16> {tile.dims = ["H", "T", ""]},
    %V: memref<?x?x64xf16> {tile.dims = ["H", "T", ""]},
    %a: memref<?x?xf32> {tile.dims = ["H", "T"], tile.divisible = array<i64: 1, 4>},
    %beta: memref<?x?xf32> {tile.dims = ["H", "T"], tile.divisible = array<i64: 1, 4>},
    %O: memref<?x?x64xf16> {tile.dims = ["H", "T", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %H = memref.dim %Q, %c0 : memref<?x?x64xf16>
  %T = memref.dim %Q, %c1 : memref<?x?x64xf16>
  tile.launch @gated_delta_net_kernel blocks(%h) in (%H) threads(256) {
    %Qs = tile.alloc : memref<32x64xf16, #shared>
    %Ks = tile.alloc : memref<32x64xf16, #shared>
    %Vs = tile.alloc : memref<32x64xf16, #shared>
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %end = scf.for %t = %c0 to %T step %c32 iter_args(%state = %none) -> (tensor<64x64xf32>) {
      tile.copy %Q[%h, %t, %c0] [1, 32, 64] to %Qs : memref<?x?x64xf16> to memref<32x64xf16, #shared>
      tile.copy %K[%h, %t, %c0] [1, 32, 64] to %Ks : memref<?x?x64xf16> to memref<32x64xf16, #shared>
      tile.copy %V[%h, %t, %c0] [1, 32, 64] to %Vs : memref<?x?x64xf16> to memref<32x64xf16, #shared>
      %at = tile.load %a[%h, %t] [1, 32] : memref<?x?xf32> -> tensor<32xf32>
      %bt = tile.load %beta[%h, %t] [1, 32] : memref<?x?xf32> -> tensor<32xf32>
      %sums = tile.scan <add> %at dim 0 : tensor<32xf32>
      %total = tile.reduce <add> %at dims [0] : tensor<32xf32> -> tensor<f32>

      // Decays between rows, and -A.
      %decay = tile.parallel (%i, %j) in (32, 32) -> (tensor<32x32xf32>) {
        %low = arith.constant 0xFF800000 : f32 // -inf
        %to = tensor.extract %sums[%i] : tensor<32xf32>
        %from = tensor.extract %sums[%j] : tensor<32xf32>
        %between = arith.subf %to, %from : f32
        %sees = arith.cmpi ule, %j, %i : index
        %exponent = arith.select %sees, %between, %low : f32
        %factor = math.exp %exponent fastmath<afn> : f32
        tile.yield %factor : f32
      }
      %kk = tile.gemm %Ks, %Ks {transpose_b}
        : memref<32x64xf16, #shared>, memref<32x64xf16, #shared> -> tensor<32x32xf32>
      %kk_decayed = arith.mulf %kk, %decay : tensor<32x32xf32>
      %n = tile.parallel (%i, %j) in (32, 32) -> (tensor<32x32xf32>) {
        %nothing = arith.constant 0.0 : f32
        %x = tensor.extract %kk_decayed[%i, %j] : tensor<32x32xf32>
        %b = tensor.extract %bt[%i] : tensor<32xf32>
        %product = arith.mulf %x, %b : f32
        %minus = arith.negf %product : f32
        %is_before = arith.cmpi ult, %j, %i : index
        %r = arith.select %is_before, %minus, %nothing : f32
        tile.yield %r : f32
      }

      // The inverse: (I + N), then four times * (I + N^2), with N^2 in the place of N.
      %first = tile.parallel (%i, %j) in (32, 32) -> (tensor<32x32xf32>) {
        %one = arith.constant 1.0 : f32
        %x = tensor.extract %n[%i, %j] : tensor<32x32xf32>
        %is_diagonal = arith.cmpi eq, %i, %j : index
        %r = arith.select %is_diagonal, %one, %x : f32
        tile.yield %r : f32
      }
      %inverse, %power = scf.for %i = %c0 to %c4 step %c1
          iter_args(%x = %first, %p = %n) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
        %square = tile.gemm %p, %p : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
        %x_new = tile.gemm %x, %square, %x
          : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
        scf.yield %x_new, %square : tensor<32x32xf32>, tensor<32x32xf32>
      }

      // U = inverse * beta * (V - decay * K * state).
      %state_half = arith.truncf %state : tensor<64x64xf32> to tensor<64x64xf16>
      %so_far = math.exp %sums fastmath<afn> : tensor<32xf32>
      %so_far_rows = tile.broadcast %so_far dims [1] : tensor<32xf32> -> tensor<32x64xf32>
      %b_rows = tile.broadcast %bt dims [1] : tensor<32xf32> -> tensor<32x64xf32>
      %ks = tile.gemm %Ks, %state_half
        : memref<32x64xf16, #shared>, tensor<64x64xf16> -> tensor<32x64xf32>
      %said = arith.mulf %ks, %so_far_rows : tensor<32x64xf32>
      %v = tile.load %Vs : memref<32x64xf16, #shared> -> tensor<32x64xf32>
      %error = arith.subf %v, %said : tensor<32x64xf32>
      %correction = arith.mulf %error, %b_rows : tensor<32x64xf32>
      %inverse_half = arith.truncf %inverse : tensor<32x32xf32> to tensor<32x32xf16>
      %correction_half = arith.truncf %correction : tensor<32x64xf32> to tensor<32x64xf16>
      %u = tile.gemm %inverse_half, %correction_half
        : tensor<32x32xf16>, tensor<32x64xf16> -> tensor<32x64xf32>
      %u_half = arith.truncf %u : tensor<32x64xf32> to tensor<32x64xf16>

      // O = decay * Q * state + (Q * transpose(K) . decays) * U.
      %qk = tile.gemm %Qs, %Ks {transpose_b}
        : memref<32x64xf16, #shared>, memref<32x64xf16, #shared> -> tensor<32x32xf32>
      %p = arith.mulf %qk, %decay : tensor<32x32xf32>
      %p_half = arith.truncf %p : tensor<32x32xf32> to tensor<32x32xf16>
      %qs = tile.gemm %Qs, %state_half
        : memref<32x64xf16, #shared>, tensor<64x64xf16> -> tensor<32x64xf32>
      %before = arith.mulf %qs, %so_far_rows : tensor<32x64xf32>
      %o = tile.gemm %p_half, %u_half, %before
        : tensor<32x32xf16>, tensor<32x64xf16> -> tensor<32x64xf32>
      tile.store %o, %O[%h, %t, %c0] [1, 32, 64] : tensor<32x64xf32>, memref<?x?x64xf16>

      // state = e^total * state + transpose(K, decayed to the chunk's end) * U.
      %total_rows = tile.broadcast %total dims [0] : tensor<f32> -> tensor<32xf32>
      %left = arith.subf %total_rows, %sums : tensor<32xf32>
      %to_end = math.exp %left fastmath<afn> : tensor<32xf32>
      %to_end_rows = tile.broadcast %to_end dims [1] : tensor<32xf32> -> tensor<32x64xf32>
      %k = tile.load %Ks : memref<32x64xf16, #shared> -> tensor<32x64xf32>
      %k_decayed = arith.mulf %k, %to_end_rows : tensor<32x64xf32>
      %k_half = arith.truncf %k_decayed : tensor<32x64xf32> to tensor<32x64xf16>
      %whole = math.exp %total fastmath<afn> : tensor<f32>
      %whole_rows = tile.broadcast %whole dims [0, 1] : tensor<f32> -> tensor<64x64xf32>
      %kept = arith.mulf %state, %whole_rows : tensor<64x64xf32>
      %next = tile.gemm %k_half, %u_half, %kept {transpose_a}
        : tensor<32x64xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
