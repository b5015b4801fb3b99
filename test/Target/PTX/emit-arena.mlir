// Shared memory by lifetime as one SVG document: a chart for each kernel, the same text
// each time, well-formed XML.
// RUN: tile-opt %s --emit=arena --chip=sm_80 -o %t.svg && tile-opt %s --emit=arena --chip=sm_80 | diff - %t.svg
// RUN: %python %S/Inputs/check-svg.py %t.svg | FileCheck %s
// RUN: tile-opt %s --emit=arena --chip=sm_80 --reuse=never | FileCheck %s --check-prefix=NEVER
// RUN: tile-opt %s --emit=report --chip=sm_80 --reuse=never | FileCheck %s --check-prefix=REPORT
// RUN: not tile-opt %s --emit=arena --chip=sm_80 --reuse=often 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not tile-opt %s --reuse=never 2>&1 | FileCheck %s --check-prefix=ALONE
// WRONG: error: --reuse=often: known are always, cold and never
// ALONE: error: --reuse belongs to --emit=KIND, which is missing

// The two buffers of the first kernel share their bytes, so the chart is one high.
// CHECK: text: two_buffers: 65536 bytes of shared memory
// CHECK: box: loop, line [[#@LINE+24]]
// CHECK: box: 128x128xf32 (line [[#@LINE+19]]), 65536 bytes at 0
// CHECK: box: 128x128xf32 (line [[#@LINE+19]]), 65536 bytes at 0
// CHECK: text: 65536
// CHECK: text: bytes
// CHECK: text: line of the source
// CHECK: text: peak 65536
// CHECK: text: lower bound 65536
// CHECK: text: no_buffers: no shared memory
// NEVER: two_buffers: 131072 bytes of shared memory
// REPORT: shared 131072 bytes (lower bound 131072)
// REPORT: Arena: Buffers 2, Bytes 131072, LowerBound 131072, PairsKeptApart 1, PairsOfOneLoop 0, ReuseWouldSave 65536

#shared = #gpu.address_space<workgroup>
module {
func.func @two_launches(%n: index, %m: memref<128x128xf32>, %o: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  tile.launch @two_buffers blocks(%x) in (%n) threads(128) {
    %s = tile.alloc : memref<128x128xf32, #shared>
    %t = tile.alloc : memref<128x128xf32, #shared>
    tile.copy %m to %s : memref<128x128xf32> to memref<128x128xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
      %a = tile.load %s : memref<128x128xf32, #shared> -> tensor<128x128xf32>
      %b = arith.addf %acc, %a : tensor<128x128xf32>
      scf.yield %b : tensor<128x128xf32>
    }
    tile.store %sum, %t : tensor<128x128xf32>, memref<128x128xf32, #shared>
    tile.copy %t to %o : memref<128x128xf32, #shared> to memref<128x128xf32>
  }
  tile.launch @no_buffers blocks(%x) in (%n) threads(128) {
    %a = tile.load %m : memref<128x128xf32> -> tensor<128x128xf32>
    tile.store %a, %o : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}
}
