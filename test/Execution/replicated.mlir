// A loop of fewer iterations than threads that reads what it writes runs each iteration
// once, on whichever replica; the others learn its results.
// RUN: tile-run %s --entry=counts --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='integers(0,100)'
// RUN: tile-run %s --entry=results --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='integers(0,100)'
// RUN: tile-run %s --entry=atomics --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='integers(0,100)'

func.func @counts(%a: memref<8xi32>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(128) {
    %one = arith.constant 1 : i32
    tile.parallel (%i) in (8) {
      %old = memref.load %a[%i] : memref<8xi32>
      %new = arith.addi %old, %one : i32
      memref.store %new, %a[%i] : memref<8xi32>
    }
  }
  return
}

func.func @results(%a: memref<8xi32>, %b: memref<8xi32>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(128) {
    %one = arith.constant 1 : i32
    %r = tile.parallel (%i) in (8) -> (tensor<8xi32>) {
      %old = memref.load %a[%i] : memref<8xi32>
      %new = arith.addi %old, %one : i32
      memref.store %new, %a[%i] : memref<8xi32>
      tile.yield %old : i32
    }
    tile.store %r, %b : tensor<8xi32>, memref<8xi32>
  }
  return
}

func.func @atomics(%a: memref<8xi32>, %b: memref<8xi32>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(128) {
    %one = arith.constant 1 : i32
    %r = tile.parallel (%i) in (8) -> (tensor<8xi32>) {
      %old = memref.atomic_rmw addi %one, %a[%i] : (i32, memref<8xi32>) -> i32
      tile.yield %old : i32
    }
    tile.store %r, %b : tensor<8xi32>, memref<8xi32>
  }
  return
}
