#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @main(%A: memref<512x256xf16>, %B: memref<256x64xf16>, %C: memref<512x64xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  tile.launch @product blocks(%b) in (%c8) threads(128) {
    %row = arith.muli %b, %c64 : index
    %As = tile.alloc : memref<64x64xf16, #shared>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c256 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %k] to %As : memref<512x256xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%k, %c0] to %Bs : memref<256x64xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %c0] : tensor<64x64xf32>, memref<512x64xf32>
  }
  return
}
}
