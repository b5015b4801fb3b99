// Multiplication of a matrix of which two in every four columns are kept, C = A * B,
// in f16 with f32 accumulation, sizes static.
//
// `A` holds the kept half, 512 of 1024 columns, and `E` which they are: a word of 16
// bits for 16 columns, four bits for every four, the positions of the two that are
// kept, the lower one in the lower bits. Everything else is a dense product's: per
// step of the loop a block copies a tile of A, the words that belong to it and a tile
// of B to shared memory. Half the multiplications of the dense product are left, and
// half of A's bytes plus an eighth of those.
//
//   tile-run examples/gemm_sparse.mlir --entry=gemm --data=1:metadata --on=emulator --check

#shared = #gpu.address_space<workgroup>

func.func @gemm(%A: memref<512x512xf16>, %E: memref<512x64xi16>, %B: memref<1024x384xf16>, %C: memref<512x384xf16>) {
  %gx = arith.constant 3 : index
  %gy = arith.constant 4 : index
  tile.launch @gemm_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c1024 = arith.constant 1024 : index
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x32xf16, #shared>
    %Es = tile.alloc : memref<128x4xi16, #shared>
    %Bs = tile.alloc : memref<64x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %c1024 step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      %kept = arith.divui %k, %c2 : index
      %word = arith.divui %k, %c16 : index
      tile.copy %A[%row, %kept] to %As : memref<512x512xf16> to memref<128x32xf16, #shared>
      tile.copy %E[%row, %word] to %Es : memref<512x64xi16> to memref<128x4xi16, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<1024x384xf16> to memref<64x128xf16, #shared>
      %d = tile.gemm_sparse %As, %Es, %Bs, %c : memref<128x32xf16, #shared>, memref<128x4xi16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xf16>
    tile.store %h, %C[%row, %col] : tensor<128x128xf16>, memref<512x384xf16>
  }
  return
}
