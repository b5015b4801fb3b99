// A persistent GEMM: one block a multiprocessor walks over the tiles of C.
//
// `persistent` changes nothing of what a program means: the body is that of one tile, and
// the compiler puts the walk around it, so that the copies of the next tile's first steps
// may run while a result is stored. `rasterize` lets the walk go in panels of 4 rows of
// tiles, whose operands stay in L2. `divisible` says that the steps of a tile are a multiple
// of the four slots, so that every tile begins in the same one.
//
//   tile-run examples/gemm_persistent.mlir --entry=gemm_persistent --on=emulator --check --dim=M:320 --dim=N:384 --dim=K:256

#shared = #gpu.address_space<workgroup>

func.func @gemm_persistent(
    %A: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 256>},
    %B: memref<?x?xf16> {tile.dims = ["N", "K"], tile.divisible = array<i64: 8, 256>},
    %C: memref<?x?xf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %A, %c0 : memref<?x?xf16>
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  %N = memref.dim %B, %c0 : memref<?x?xf16>
  %gx = arith.ceildivui %N, %c128 : index
  %gy = arith.ceildivui %M, %c128 : index
  tile.launch @gemm_persistent_kernel blocks(%bx, %by) in (%gx, %gy) threads(256)
      attributes {persistent, rasterize = #tile.rasterize<row, 4>} {
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x64xf16, #shared>
    %Bs = tile.alloc : memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%col, %k] to %Bs : memref<?x?xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b}
        : memref<128x64xf16, #shared>, memref<128x64xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 4 : i32}
    tile.store %acc, %C[%row, %col] : tensor<128x128xf32>, memref<?x?xf16>
  }
  return
}
