// Integer matrix multiplication: i8 operands, i32 accumulation and result.
//
// As for quantised linear layers, B is stored N x K. The result is exact, so it
// is compared with the reference without a tolerance.
//
//   tile-run examples/gemm_int8.mlir --entry=gemm_int8 --on=emulator --check --dim=M:200 --dim=N:128 --dim=K:192

#shared = #gpu.address_space<workgroup>

func.func @gemm_int8(
    %A: memref<?x?xi8> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 16>},
    %B: memref<?x?xi8> {tile.dims = ["N", "K"], tile.divisible = array<i64: 4, 16>},
    %C: memref<?x?xi32> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 4>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %A, %c0 : memref<?x?xi8>
  %K = memref.dim %A, %c1 : memref<?x?xi8>
  %N = memref.dim %B, %c0 : memref<?x?xi8>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %M, %c128 : index
  tile.launch @gemm_int8_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c64 : index
    %As = tile.alloc : memref<128x64xi8, #shared>
    %Bs = tile.alloc : memref<64x64xi8, #shared>
    %zero = arith.constant dense<0> : tensor<128x64xi32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x64xi32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xi8> to memref<128x64xi8, #shared>
      tile.copy %B[%col, %k] to %Bs : memref<?x?xi8> to memref<64x64xi8, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b}
        : memref<128x64xi8, #shared>, memref<64x64xi8, #shared> -> tensor<128x64xi32>
      scf.yield %d : tensor<128x64xi32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<128x64xi32>, memref<?x?xi32>
  }
  return
}
