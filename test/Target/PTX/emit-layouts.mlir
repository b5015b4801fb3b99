// What lies where, of each fragment and buffer of a launch: as text, and as one SVG
// document, the same each time, well-formed XML.
// RUN: tile-opt %s --emit=layouts --chip=sm_80 | FileCheck %s --match-full-lines --strict-whitespace
// RUN: tile-opt %s --emit=layouts --format=svg --chip=sm_80 -o %t.svg && tile-opt %s --emit=layouts --format=svg --chip=sm_80 | diff - %t.svg
// RUN: %python %S/Inputs/check-svg.py %t.svg | FileCheck %s --check-prefix=SVG
// RUN: not tile-opt %s --emit=layouts --format=json --chip=sm_80 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: not tile-opt %s --emit=report --format=svg --chip=sm_80 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: error: --format: a report is text or json, layouts are text or svg

// A long dimension is cut where its digits step; the buffer is that of the exchange.
//      CHECK:kernel rows
// CHECK-NEXT:  tensor<4x64xf32>: tile.load (line 43)
// CHECK-NEXT:    [4, 64], register = [2 : (0, 1), 2 : (2, 0)], lane = [32 : (0, 2)], warp = [2 : (1, 0)]
// CHECK-NEXT:    thread:register
// CHECK-NEXT:          0     1     2  ..     4  ..    63
// CHECK-NEXT:    0   0:0   0:1   1:0  ..   2:0  ..  31:1
// CHECK-NEXT:    1  32:0  32:1  33:0  ..  34:0  ..  63:1
// CHECK-NEXT:    2   0:2   0:3   1:2  ..   2:2  ..  31:3
// CHECK-NEXT:    3  32:2  32:3  33:2  ..  34:2  ..  63:3
// CHECK-NEXT:  tensor<4xf32>: tile.load (line 44)
// CHECK-NEXT:    [4], register = [2 : (2)], lane = [32 : (0)], warp = [2 : (1)]
// CHECK-NEXT:    thread:register, the first of 32 threads that hold an element
// CHECK-NEXT:         0     1     2     3
// CHECK-NEXT:       0:0  32:0   0:1  32:1
// CHECK-NEXT:  memref<4x64xf32>: tile.alloc (line 45)
// CHECK-NEXT:    [4, 64], offset = [64 : (0, 1), 4 : (1, 0) weight 65]
// CHECK-NEXT:    bank:offset in bytes
// CHECK-NEXT:            0       1       2  ..      63
// CHECK-NEXT:    0     0:0     1:4     2:8  ..  31:252
// CHECK-NEXT:    1   1:260   2:264   3:268  ..   0:512
// CHECK-NEXT:    2   2:520   3:524   4:528  ..   1:772
// CHECK-NEXT:    3   3:780   4:784   5:788  ..  2:1032
// SVG: text: kernel rows
// SVG: text: tensor<4x64xf32>: tile.load (line 43)
// SVG: text: thread:register
// SVG: box: (3,63)
// SVG-NEXT: text: 63:3
// SVG: text: memref<4x64xf32>: tile.alloc (line 45)
#rows = #tile.fragment<[4, 64], register = [2 : (0, 1), 2 : (2, 0)], lane = [32 : (0, 2)], warp = [2 : (1, 0)]>
#sums = #tile.fragment<[4], register = [2 : (2)], lane = [32 : (0)], warp = [2 : (1)]>
func.func @f(%n: index, %a: memref<4x64xf32>, %b: memref<4xf32>) {
  tile.launch @rows blocks(%x) in (%n) threads(64) {
    %t = tile.load %a : memref<4x64xf32> -> tensor<4x64xf32, #rows>
    %u = tile.load %b : memref<4xf32> -> tensor<4xf32, #sums>
    %s = tile.alloc layout(#tile.shared<[4, 64], pad = 1>) : memref<4x64xf32, #gpu.address_space<workgroup>>
    tile.store %t, %s : tensor<4x64xf32, #rows>, memref<4x64xf32, #gpu.address_space<workgroup>>
    tile.store %u, %b : tensor<4xf32, #sums>, memref<4xf32>
  }
  return
}
