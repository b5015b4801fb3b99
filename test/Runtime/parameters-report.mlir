// What a launcher in another language has to keep to, in the report.
// RUN: tile-opt %s --emit=report --format=json --chip=sm_80 | FileCheck %s

// CHECK:      "parameters": [
// CHECK-NEXT:   {
// CHECK-NEXT:     "type": "memref<?x?xf16>",
// CHECK-NEXT:     "base_alignment": 32,
// CHECK-NEXT:     "alignment": 32,
// CHECK-NEXT:     "size_divisors": [
// CHECK-NEXT:       1,
// CHECK-NEXT:       8
// CHECK-NEXT:     ],
// CHECK-NEXT:     "stride_divisors": [
// CHECK-NEXT:       8,
// CHECK-NEXT:       1
// CHECK-NEXT:     ],
// CHECK-NEXT:     "contiguous": true,
// CHECK-NEXT:     "may_alias": true
// CHECK:          "type": "i32",
// CHECK-NEXT:     "divisor": 1,
// CHECK-NEXT:     "min": null,
// CHECK-NEXT:     "max": null
// CHECK:          "type": "f32"
// CHECK:          "type": "memref<16x64xf16, strided<[?, 1], offset: ?>>",
// CHECK-NEXT:     "base_alignment": 32,
// CHECK-NEXT:     "alignment": 16,
// CHECK:          "may_alias": true
// CHECK:          "type": "index",
// CHECK-NEXT:     "divisor": 16,
// CHECK-NEXT:     "min": 0,
// CHECK-NEXT:     "max": 48
func.func @parameters(%a: memref<?x?xf16> {tile.align = 32, tile.divisible = array<i64: 1, 8>}, %q: index, %n: i32, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %v = memref.subview %a[%q, 0] [16, 64] [1, 1] : memref<?x?xf16> to memref<16x64xf16, strided<[?, 1], offset: ?>>
  scf.for %i = %c0 to %c64 step %c16 {
    tile.launch blocks(%b) in (%c1) threads(32) {
      %t = tile.load %v : memref<16x64xf16, strided<[?, 1], offset: ?>> -> tensor<16x64xf16>
      %j = arith.index_cast %n : i32 to index
      tile.store %t, %a[%i, %j] : tensor<16x64xf16>, memref<?x?xf16>
      tile.print "x" %x : f32
    }
  }
  return
}
