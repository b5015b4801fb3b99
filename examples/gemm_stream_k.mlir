// Stream-K: as many blocks as the caller likes share the work of all tiles evenly.
//
// The steps along K of all tiles are one long sequence, of which every block has an equal
// part. A part may begin and end within a tile; a block adds what it has of a tile
// to C, which starts at zero. So no multiprocessor waits for the last tiles, whatever the
// sizes are. The outer loop, whose steps are of unlike size, is an `scf.while`.
//
//   tile-run examples/gemm_stream_k.mlir --entry=gemm_stream_k --on=emulator --check --dim=M:130 --dim=N:72 --dim=K:200 --scalar=3:5 --data=2:zeros

#shared = #gpu.address_space<workgroup>

func.func @gemm_stream_k(
    %A: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>},
    %B: memref<?x?xf16> {tile.dims = ["K", "N"], tile.divisible = array<i64: 8, 8>},
    %C: memref<?x?xf32> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 4>},
    %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = memref.dim %A, %c0 : memref<?x?xf16>
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  %N = memref.dim %B, %c1 : memref<?x?xf16>
  %tiles_m = arith.ceildivui %M, %c64 : index
  %tiles_n = arith.ceildivui %N, %c64 : index
  %steps = arith.ceildivui %K, %c64 : index
  %tiles = arith.muli %tiles_m, %tiles_n : index
  %total = arith.muli %tiles, %steps : index
  tile.launch @gemm_stream_k_kernel blocks(%b) in (%blocks) threads(128) {
    // The block's steps are `first` to `end` of all.
    %b_next = arith.addi %b, %c1 : index
    %low = arith.muli %b, %total : index
    %high = arith.muli %b_next, %total : index
    %first = arith.divui %low, %blocks : index
    %end = arith.divui %high, %blocks : index
    %As = tile.alloc : memref<64x64xf16, #shared>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %last = scf.while (%step = %first) : (index) -> index {
      %has_more = arith.cmpi ult, %step, %end : index
      scf.condition(%has_more) %step : index
    } do {
    ^bb0(%step: index):
      // This tile, and the part of its steps that is the block's.
      %tile = arith.divui %step, %steps : index
      %begin = arith.remui %step, %steps : index
      %tile_row = arith.divui %tile, %tiles_n : index
      %tile_col = arith.remui %tile, %tiles_n : index
      %row = arith.muli %tile_row, %c64 : index
      %col = arith.muli %tile_col, %c64 : index
      %left = arith.subi %end, %step : index
      %far = arith.addi %begin, %left : index
      %stop = arith.minui %far, %steps : index
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %acc = scf.for %s = %begin to %stop step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        %k = arith.muli %s, %c64 : index
        tile.copy %A[%row, %k] to %As : memref<?x?xf16> to memref<64x64xf16, #shared>
        tile.copy %B[%k, %col] to %Bs : memref<?x?xf16> to memref<64x64xf16, #shared>
        %d = tile.gemm %As, %Bs, %c
          : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 3 : i32}
      tile.atomic_rmw addf %acc, %C[%row, %col] : tensor<64x64xf32>, memref<?x?xf32>
      %done = arith.subi %stop, %begin : index
      %next = arith.addi %step, %done : index
      scf.yield %next : index
    }
  }
  return
}
