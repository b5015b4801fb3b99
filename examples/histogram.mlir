// A histogram of bytes: 256 counters in shared memory for each block, added up in the end.
//
// A `tile.parallel` reads a fragment and counts at a place that depends on it, by an atomic
// on shared memory, where 256 threads may meet without going to global memory. One
// `tile.atomic_rmw` adds a block's counters to those of all, which start at zero.
//
//   tile-run examples/histogram.mlir --entry=histogram --on=emulator --check --dim=N:5000 "--data=0:integers(0,255)" --data=1:zeros

#shared = #gpu.address_space<workgroup>

func.func @histogram(%x: memref<?xi8> {tile.dims = ["N"]}, %counts: memref<256xi32>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %n = memref.dim %x, %c0 : memref<?xi8>
  %tiles = arith.ceildivui %n, %c1024 : index
  %blocks = arith.constant 2 : index
  tile.launch @histogram_kernel blocks(%block) in (%blocks) threads(256) {
    %own = tile.alloc : memref<256xi32, #shared>
    %zero = arith.constant dense<0> : tensor<256xi32>
    tile.store %zero, %own : tensor<256xi32>, memref<256xi32, #shared>
    scf.for %tile = %block to %tiles step %blocks {
      %start = arith.muli %tile, %c1024 : index
      %bytes = tile.load %x[%start] : memref<?xi8> -> tensor<1024xi8>
      tile.parallel (%i) in (1024) {
        %position = arith.addi %start, %i : index
        %exists = arith.cmpi slt, %position, %n : index
        scf.if %exists {
          %one = arith.constant 1 : i32
          %byte = tensor.extract %bytes[%i] : tensor<1024xi8>
          %bin = arith.index_castui %byte : i8 to index
          %old = memref.atomic_rmw addi %one, %own[%bin] : (i32, memref<256xi32, #shared>) -> i32
        }
      }
    }
    %sum = tile.load %own : memref<256xi32, #shared> -> tensor<256xi32>
    tile.atomic_rmw addi %sum, %counts : tensor<256xi32>, memref<256xi32>
  }
  return
}
