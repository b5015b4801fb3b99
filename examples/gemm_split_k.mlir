// Split-K matrix multiplication: several blocks share one tile of C.
//
// When M and N give too few tiles to fill a GPU, K is split as well. Each block
// multiplies its part of K and adds it to an f32 workspace with atomics. Launches
// of one function run one after another: the first clears the workspace, the
// second adds into it, and the last converts it to f16.
//
//   tile-run examples/gemm_split_k.mlir --entry=gemm_split_k --on=emulator --check

#shared = #gpu.address_space<workgroup>

func.func @gemm_split_k(%A: memref<64x1024xf16>, %B: memref<1024x128xf16>,
                        %C: memref<64x128xf16>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %sum = memref.alloc() : memref<64x128xf32>

  tile.launch @clear_workspace blocks(%bx) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %col = arith.muli %bx, %c64 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    tile.store %zero, %sum[%c0, %col] : tensor<64x64xf32>, memref<64x128xf32>
  }

  // Blocks: column tiles, row tiles, quarters of K.
  tile.launch @multiply_part blocks(%bx, %by, %part) in (%c2, %c1, %c4) threads(128) {
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %row = arith.muli %by, %c64 : index
    %col = arith.muli %bx, %c64 : index
    %begin = arith.muli %part, %c256 : index
    %end = arith.addi %begin, %c256 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %begin to %end step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %k] to %As : memref<64x1024xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<1024x128xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c
        : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.atomic_rmw addf %acc, %sum[%row, %col] : tensor<64x64xf32>, memref<64x128xf32>
  }

  tile.launch @convert_sum blocks(%bx) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %col = arith.muli %bx, %c64 : index
    %t = tile.load %sum[%c0, %col] : memref<64x128xf32> -> tensor<64x64xf32>
    tile.store %t, %C[%c0, %col] : tensor<64x64xf32>, memref<64x128xf16>
  }

  memref.dealloc %sum : memref<64x128xf32>
  return
}
