// Matrix multiplication with tiles of 96 x 80 x 48: none is a power of two.
//
// Any static tile size is legal; layouts are mixed-radix numbers, so nothing is
// rounded up to a power of two. The matrices do not divide the tiles either.
//
//   tile-run examples/gemm_96x80x48.mlir --entry=gemm_96x80x48 --on=emulator --check

#shared = #gpu.address_space<workgroup>

func.func @gemm_96x80x48(%A: memref<300x200xf16>, %B: memref<200x248xf16>,
                         %C: memref<300x248xf32>) {
  %gx = arith.constant 4 : index
  %gy = arith.constant 4 : index
  tile.launch @gemm_96x80x48_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %c0 = arith.constant 0 : index
    %c48 = arith.constant 48 : index
    %c80 = arith.constant 80 : index
    %c96 = arith.constant 96 : index
    %c200 = arith.constant 200 : index
    %row = arith.muli %by, %c96 : index
    %col = arith.muli %bx, %c80 : index
    %As = tile.alloc : memref<96x48xf16, #shared>
    %Bs = tile.alloc : memref<48x80xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<96x80xf32>
    %acc = scf.for %k = %c0 to %c200 step %c48 iter_args(%c = %zero) -> (tensor<96x80xf32>) {
      tile.copy %A[%row, %k] to %As : memref<300x200xf16> to memref<96x48xf16, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<200x248xf16> to memref<48x80xf16, #shared>
      %d = tile.gemm %As, %Bs, %c
        : memref<96x48xf16, #shared>, memref<48x80xf16, #shared> -> tensor<96x80xf32>
      scf.yield %d : tensor<96x80xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C[%row, %col] : tensor<96x80xf32>, memref<300x248xf32>
  }
  return
}
