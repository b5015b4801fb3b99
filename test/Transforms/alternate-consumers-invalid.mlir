// Turns that a launch asks for and cannot have.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_90a --tile-layout-phase=bulk-copies --tile-schedule-phase --tile-alternate-consumers --split-input-file --verify-diagnostics -o /dev/null
// A chip that has no roles lets them be.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase --tile-schedule-phase --tile-alternate-consumers --split-input-file --remark-format=emitRemark --remarks-filter=tile-alternate-consumers -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-4: remark: [Missed] NotAlternating | Category:tile-alternate-consumers | {{.*}} | Reason="nobody takes turns: it has no producer beside the warps that compute"
// CHECK-NOT: remark
#shared = #gpu.address_space<workgroup>
func.func @one_warpgroup(%Q: memref<64x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<64x64xf32>, %P: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{asks for consumers that take turns and cannot have them: less than two warpgroups compute; launch 256 threads or more}}
  tile.launch @one_warpgroup blocks(%x) in (%c1) threads(128) attributes {consumers = #tile.consumers<alternating>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<64x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q to %q : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %low = arith.constant dense<0.0> : tensor<64x64xf32>
    %factor = arith.constant dense<0.5> : tensor<64x64xf32>
    %sum = scf.for %i = %c0 to %c256 step %step iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %r = arith.maximumf %s, %low : tensor<64x64xf32>
      %p = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
      %shrunk = arith.mulf %o, %factor : tensor<64x64xf32>
      %next = tile.gemm %p, %v, %shrunk {warps = #tile.warps<rows>} : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @own_fills(%Q: memref<128x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<128x64xf32>, %P: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{asks for consumers that take turns and cannot have them: it has no producer beside the warps that compute}}
  tile.launch @own_fills blocks(%x) in (%c1) threads(256) attributes {consumers = #tile.consumers<alternating>, warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<128x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q to %q : memref<128x64xf16> to memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %low = arith.constant dense<0.0> : tensor<128x64xf32>
    %factor = arith.constant dense<0.5> : tensor<128x64xf32>
    %sum = scf.for %i = %c0 to %c256 step %step iter_args(%o = %zero) -> (tensor<128x64xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      %r = arith.maximumf %s, %low : tensor<128x64xf32>
      %p = arith.truncf %r : tensor<128x64xf32> to tensor<128x64xf16>
      %shrunk = arith.mulf %o, %factor : tensor<128x64xf32>
      %next = tile.gemm %p, %v, %shrunk {warps = #tile.warps<rows>} : tensor<128x64xf16>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %next : tensor<128x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @meeting(%Q: memref<128x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<128x64xf32>, %P: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{asks for consumers that take turns and cannot have them: the warpgroups meet at a barrier in the loop}}
  tile.launch @meeting blocks(%x) in (%c1) threads(256) attributes {consumers = #tile.consumers<alternating>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<128x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q to %q : memref<128x64xf16> to memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %low = arith.constant dense<0.0> : tensor<128x64xf32>
    %factor = arith.constant dense<0.5> : tensor<128x64xf32>
    %none = arith.constant dense<0.0> : tensor<64xf32>
    %sum:2 = scf.for %i = %c0 to %c256 step %step iter_args(%o = %zero, %t = %none) -> (tensor<128x64xf32>, tensor<64xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      %r = arith.maximumf %s, %low : tensor<128x64xf32>
      %columns = tile.reduce <add> %r dims [0] init(%t) : tensor<128x64xf32> -> tensor<64xf32>
      %p = arith.truncf %r : tensor<128x64xf32> to tensor<128x64xf16>
      %shrunk = arith.mulf %o, %factor : tensor<128x64xf32>
      %next = tile.gemm %p, %v, %shrunk {warps = #tile.warps<rows>} : tensor<128x64xf16>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %next, %columns : tensor<128x64xf32>, tensor<64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum#0, %O : tensor<128x64xf32>, memref<128x64xf32>
    tile.store %sum#1, %P : tensor<64xf32>, memref<64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @one_product(%A: memref<128x256xf16>, %B: memref<256x64xf16>, %O: memref<128x64xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{asks for consumers that take turns and cannot have them: no loop has a product that runs under the computation of the next iteration}}
  tile.launch @one_product blocks(%x) in (%c1) threads(256) attributes {consumers = #tile.consumers<alternating>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %a = tile.alloc : memref<128x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %sum = scf.for %i = %c0 to %c256 step %c64 iter_args(%o = %zero) -> (tensor<128x64xf32>) {
      tile.copy %A[%c0, %i] to %a : memref<128x256xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%i, %c0] to %b : memref<256x64xf16> to memref<64x64xf16, #shared>
      %next = tile.gemm %a, %b, %o : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %next : tensor<128x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}
