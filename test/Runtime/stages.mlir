// --check-stages: every pass on the way by name, and the first one after which a
// result changes, with its first differing element. The planted program does not mean
// one thing: blocks count the order in which they come, which a pass may change.
// RUN: not tile-run %s --entry=order --on=reference --check-stages | FileCheck %s --check-prefix=ORDER
// RUN: not tile-run %s --entry=order --on=reference --check-stages --seed=3 | FileCheck %s --check-prefix=ORDER
// RUN: tile-run %s --entry=sum --on=reference --check-stages --data=integers | FileCheck %s --check-prefix=SUM
// RUN: tile-run %s --entry=sum --on=reference --check --data=integers | FileCheck %s --check-prefix=ALONE

// Blocks in another order add floats in another order: the pass may change how results
// round, within the bounds.
// RUN: tile-run %s --entry=total --on=reference --check-stages --seed=1 | FileCheck %s --check-prefix=TOTAL
// TOTAL: after tile-expand-grid: equal
// TOTAL: after tile-outline-kernels: equal
func.func @total(%x: memref<4x4xf32>, %o: memref<1xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%i, %j) in (%c4, %c4) threads(32) attributes {rasterize = #tile.rasterize<column, 2>} {
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%j, %i] : memref<4x4xf32>
    %old = memref.atomic_rmw addf %v, %o[%c0] : (f32, memref<1xf32>) -> f32
  }
  return
}

// ORDER: after tile-inline-calls: equal
// ORDER-NEXT: after tile-await-products: equal
// ORDER-NEXT: after tile-set-target: equal
// ORDER-NEXT: after tile-expand-grid: argument 1 DIFFERENT: {{[0-9]+}} of 16 elements ({{[0-9]+}} exact; largest difference {{.*}}); first at [{{[0-3]}}, {{[0-3]}}]: {{[0-9]+}}, expected {{[0-9]+}} exactly
// ORDER-NOT: after
func.func @order(%count: memref<1xi32>, %o: memref<4x4xi32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%x, %y) in (%c4, %c4) threads(32) attributes {rasterize = #tile.rasterize<column, 2>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
    memref.store %old, %o[%y, %x] : memref<4x4xi32>
  }
  return
}

// A reduction across warps becomes two, of numbers whose sums round: within the bounds.
// RUN: tile-run %s --entry=sum --on=reference --check-stages --seed=2 | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: after tile-materialize-scratch: equal
// ROUNDS: after tile-outline-kernels: equal

// SUM: after tile-materialize-scratch: equal
// SUM: after tile-outline-kernels: equal
// SUM: argument 0: memref<256xf32> 256 elements, from -3 to 3
// SUM: argument 1: memref<1xf32> 1 elements
// ALONE-NOT: after
// ALONE: argument 1: memref<1xf32> equal: 1 elements (1 exact)
func.func @sum(%a: memref<256xf32>, %o: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<256xf32> -> tensor<256xf32>
    %s = tile.reduce <add> %t dims [0] : tensor<256xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    memref.store %e, %o[%c0] : memref<1xf32>
  }
  return
}
