// C = A * B of sizes about which nothing is known: any M, N and K, odd ones and none.
//
// Without facts about sizes a row may begin at any multiple of 4 bytes, and copies move 4
// bytes at a time; the program is the same. There are two kernels of it: where K and N are
// multiples of 4 the host starts `gemm_any_size_kernel_wide`, which copies 16. f32 operands are multiplied as tf32, which is
// asked for: the default is exact. Tiles of 96 x 80 leave less of a matrix of 100 or
// 80 columns unused than powers of two.
//
//   tile-run examples/gemm_any_size.mlir --entry=gemm_any_size --on=emulator --check --dim=M:131 --dim=N:77 --dim=K:67

#shared = #gpu.address_space<workgroup>

func.func @gemm_any_size(%A: memref<?x?xf32> {tile.dims = ["M", "K"]},
                         %B: memref<?x?xf32> {tile.dims = ["K", "N"]},
                         %C: memref<?x?xf32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c80 = arith.constant 80 : index
  %c96 = arith.constant 96 : index
  %M = memref.dim %A, %c0 : memref<?x?xf32>
  %K = memref.dim %A, %c1 : memref<?x?xf32>
  %N = memref.dim %B, %c1 : memref<?x?xf32>
  %gx = arith.ceildivui %N, %c80 : index
  %gy = arith.ceildivui %M, %c96 : index
  tile.launch @gemm_any_size_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %row = arith.muli %by, %c96 : index
    %col = arith.muli %bx, %c80 : index
    %As = tile.alloc : memref<96x32xf32, #shared>
    %Bs = tile.alloc : memref<32x80xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<96x80xf32>
    %acc = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (tensor<96x80xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf32> to memref<96x32xf32, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<?x?xf32> to memref<32x80xf32, #shared>
      %d = tile.gemm %As, %Bs, %c {precision = #tile.precision<tf32>}
        : memref<96x32xf32, #shared>, memref<32x80xf32, #shared> -> tensor<96x80xf32>
      scf.yield %d : tensor<96x80xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<96x80xf32>, memref<?x?xf32>
  }
  return
}
