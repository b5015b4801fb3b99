// Rows of 40 bytes are copied by a producer's threads, 8 bytes each, in rounds that
// divide no access.
// RUN: tile-run %s --entry=rows --chip=sm_90a --check
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s

#shared = #gpu.address_space<workgroup>

// CHECK: cp.async.ca.shared.global {{.*}}, 8
// CHECK: cp.async.mbarrier.arrive.noinc
func.func @rows(%a: memref<128x384xi8>, %b: memref<384x40xi8>, %o: memref<128x40xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c96 = arith.constant 96 : index
    %c384 = arith.constant 384 : index
    %s = tile.alloc : memref<128x96xi8, #shared>
    %t = tile.alloc : memref<96x40xi8, #shared>
    %zero = arith.constant dense<0> : tensor<128x40xi32>
    %r = scf.for %k = %c0 to %c384 step %c96 iter_args(%sum = %zero) -> (tensor<128x40xi32>) {
      tile.copy %a[%c0, %k] to %s : memref<128x384xi8> to memref<128x96xi8, #shared>
      tile.copy %b[%k, %c0] to %t : memref<384x40xi8> to memref<96x40xi8, #shared>
      %f = tile.load %s : memref<128x96xi8, #shared> -> tensor<128x96xi8>
      %d = tile.gemm %f, %t, %sum : tensor<128x96xi8>, memref<96x40xi8, #shared> -> tensor<128x40xi32>
      scf.yield %d : tensor<128x40xi32>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<128x40xi32>, memref<128x40xi32>
  }
  return
}
