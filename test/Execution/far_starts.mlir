// Starts near the ends of i64: all of the tile is padding, and nothing is read or
// written, whichever sum of start and position would wrap.
// RUN: tile-run %s --on=emulator --check --chip=sm_80 --entry=load --shape=0:250 --scalar=3:2305843009213693951 --rtol=0 --atol=0
// RUN: tile-run %s --on=emulator --check --chip=sm_80 --entry=load --shape=0:250 --scalar=3:-2305843009213693951 --rtol=0 --atol=0
// RUN: tile-run %s --on=emulator --check --chip=sm_80 --entry=load --shape=0:250 --scalar=3:-1 --rtol=0 --atol=0
// RUN: tile-run %s --on=emulator --check --chip=sm_80 --entry=store --shape=0:250 --scalar=2:2305843009213693951 --rtol=0 --atol=0

// The start, and the same known not to be negative.
func.func @load(%A: memref<?xf32>, %o: memref<256xf32>, %p: memref<1024xf32>, %q: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %start = arith.muli %q, %c4 : index
    %t = tile.load %A[%start] : memref<?xf32> -> tensor<256xf32>
    tile.store %t, %o : tensor<256xf32>, memref<256xf32>
    %after = arith.maxsi %start, %c0 : index
    %u = tile.load %A[%after] : memref<?xf32> -> tensor<1024xf32>
    tile.store %u, %p : tensor<1024xf32>, memref<1024xf32>
  }
  return
}

func.func @store(%A: memref<?xf32>, %i: memref<256xf32>, %q: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c4 = arith.constant 4 : index
    %start = arith.muli %q, %c4 : index
    %t = tile.load %i : memref<256xf32> -> tensor<256xf32>
    tile.store %t, %A[%start] : tensor<256xf32>, memref<?xf32>
  }
  return
}
