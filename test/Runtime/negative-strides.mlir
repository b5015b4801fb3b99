// Arguments and views whose strides are negative: the buffer holds what lies in front
// of the first element, and elements are where the strides say.
// RUN: tile-run %s --entry=reversed --on=emulator --chip=sm_80 --check --data=0:iota --data=2:iota
// RUN: tile-run %s --entry=reversed --on=emulator --chip=sm_90a --check --data=0:iota --data=2:iota
// RUN: tile-run %s --entry=reversed --on=reference --check-stages --data=0:iota --data=2:iota
// RUN: not tile-run %s --entry=too_far --on=reference 2>&1 | FileCheck %s

func.func @reversed(%x: memref<37xf32, strided<[-1], offset: 36>>, %y: memref<37xf32>, %z: memref<10x16xf32, strided<[-20, 1], offset: ?>>) {
  %c1 = arith.constant 1 : index
  %c36 = arith.constant 36 : index
  %r = memref.reinterpret_cast %y to offset: [%c36], sizes: [37], strides: [-1] : memref<37xf32> to memref<37xf32, strided<[-1], offset: ?>>
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c9 = arith.constant 9 : index
    %before = arith.constant -3 : index
    %t = tile.load %x[%before] : memref<37xf32, strided<[-1], offset: 36>> -> tensor<48xf32>
    tile.store %t, %r[%before] : tensor<48xf32>, memref<37xf32, strided<[-1], offset: ?>>
    %first = memref.load %y[%c0] : memref<37xf32>
    %last = arith.constant 36.0 : f32
    %is_reversed = arith.cmpf oeq, %first, %last : f32
    tile.assert %is_reversed, "element 36 of x is element 0 of y"
    %u = tile.load %z : memref<10x16xf32, strided<[-20, 1], offset: ?>> -> tensor<10x16xf32>
    %v = arith.addf %u, %u : tensor<10x16xf32>
    tile.store %v, %z : tensor<10x16xf32>, memref<10x16xf32, strided<[-20, 1], offset: ?>>
    %doubled = memref.load %z[%c9, %c0] : memref<10x16xf32, strided<[-20, 1], offset: ?>>
    %expected = arith.constant 288.0 : f32
    %is_doubled = arith.cmpf oeq, %doubled, %expected : f32
    tile.assert %is_doubled, "row 9 of z begins with twice 144"
  }
  return
}

// CHECK: error: argument 0: memref<37xf32, strided<[-1], offset: 30>> of size 37 has 36 elements in front of its first one, more than its offset 30
func.func @too_far(%x: memref<37xf32, strided<[-1], offset: 30>>) {
  return
}
