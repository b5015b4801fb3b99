// Matrix multiplication C = A * B in f16 with f32 accumulation, sizes static.
//
// A block computes a tile of 128 x 128 of C. Per step of the loop it copies a
// tile of A and one of B to shared memory and multiplies them; the accumulator
// is a fragment that the loop carries. `tile.stages = 3` asks for three slots
// per buffer, so that copies run ahead of the multiplication.
//
//   tile-run examples/gemm_f16.mlir --entry=gemm --on=emulator --check

#shared = #gpu.address_space<workgroup>

func.func @gemm(%A: memref<1024x512xf16>, %B: memref<512x768xf16>, %C: memref<1024x768xf16>) {
  %gx = arith.constant 6 : index
  %gy = arith.constant 8 : index
  tile.launch @gemm_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x32xf16, #shared>
    %Bs = tile.alloc : memref<32x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %c512 step %c32 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%row, %k] to %As : memref<1024x512xf16> to memref<128x32xf16, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<512x768xf16> to memref<32x128xf16, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<128x32xf16, #shared>, memref<32x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xf16>
    tile.store %h, %C[%row, %col] : tensor<128x128xf16>, memref<1024x768xf16>
  }
  return
}
