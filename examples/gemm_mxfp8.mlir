// Matrix multiplication of microscaled operands: f8 elements, and one power of two for
// every 32 of them along K (OCP MX, "MXFP8").
//
// B is stored N x K. The loop brings 128 columns of K a step, and the four scales of
// each row with them. sm_120a multiplies and scales by one instruction; elsewhere every
// 32 columns are a product whose elements are multiplied by the scales.
//
//   tile-run examples/gemm_mxfp8.mlir --entry=gemm_mxfp8 --on=emulator --check --dim=M:200 --dim=N:128 --dim=K:384 --dim=G:12

#shared = #gpu.address_space<workgroup>

func.func @gemm_mxfp8(
    %A: memref<?x?xf8E4M3FN> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 128>},
    %SA: memref<?x?xf8E8M0FNU> {tile.dims = ["M", "G"], tile.divisible = array<i64: 1, 4>},
    %B: memref<?x?xf8E4M3FN> {tile.dims = ["N", "K"], tile.divisible = array<i64: 4, 128>},
    %SB: memref<?x?xf8E8M0FNU> {tile.dims = ["N", "G"], tile.divisible = array<i64: 4, 4>},
    %C: memref<?x?xf32> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 4>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %A, %c0 : memref<?x?xf8E4M3FN>
  %G = memref.dim %SA, %c1 : memref<?x?xf8E8M0FNU>
  %N = memref.dim %B, %c0 : memref<?x?xf8E4M3FN>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %M, %c128 : index
  tile.launch @gemm_mxfp8_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c64 : index
    // f8E8M0FNU has no zero: rows outside of the matrix have its least number.
    %least = arith.constant 5.877471754111438e-39 : f8E8M0FNU
    %As = tile.alloc : memref<128x128xf8E4M3FN, #shared>
    %SAs = tile.alloc : memref<128x4xf8E8M0FNU, #shared>
    %Bs = tile.alloc : memref<64x128xf8E4M3FN, #shared>
    %SBs = tile.alloc : memref<64x4xf8E8M0FNU, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %g = %c0 to %G step %c4 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %k = arith.muli %g, %c32 : index
      tile.copy %A[%row, %k] to %As : memref<?x?xf8E4M3FN> to memref<128x128xf8E4M3FN, #shared>
      tile.copy %SA[%row, %g] pad(%least) to %SAs : memref<?x?xf8E8M0FNU> to memref<128x4xf8E8M0FNU, #shared>
      tile.copy %B[%col, %k] to %Bs : memref<?x?xf8E4M3FN> to memref<64x128xf8E4M3FN, #shared>
      tile.copy %SB[%col, %g] pad(%least) to %SBs : memref<?x?xf8E8M0FNU> to memref<64x4xf8E8M0FNU, #shared>
      %d = tile.gemm_scaled %As, %SAs, %Bs, %SBs, %c {transpose_b}
        : memref<128x128xf8E4M3FN, #shared>, memref<128x4xf8E8M0FNU, #shared>,
          memref<64x128xf8E4M3FN, #shared>, memref<64x4xf8E8M0FNU, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<128x64xf32>, memref<?x?xf32>
  }
  return
}
