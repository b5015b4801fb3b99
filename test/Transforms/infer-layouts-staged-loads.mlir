// Loads of a loop with a producer go through a buffer; those that do not say why.
// RUN: tile-opt %s --tile-infer-layouts=bulk-copies --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter-missed=tile-infer-layouts | FileCheck %s

// Behind the copies in front of it, if its place is known there. It is a row, inside of the
// memref, which is copied as bytes.
// CHECK-LABEL: func @staged
// CHECK: %[[S:.*]] = tile.alloc {{.*}} : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK: tile.copy %{{.*}} to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.tensor.2d
// CHECK-NEXT: tile.copy %{{.*}}[%{{.*}}, %{{.*}}] [1, 64] in_bounds [true, true] to %[[S]] {instruction = #tile.instruction<"cp.async.bulk.shared
// CHECK: tile.load %[[S]] {{.*}}: memref<64xf32, #gpu.address_space<workgroup>> -> tensor<64xf32, #{{.*}}>
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @staged(%n: index, %a: memref<64x?xf16> {tile.divisible = array<i64: 1, 8>}, %t: memref<?x64xf32>, %o: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>, roles = #tile.roles<<consumer, warps = 4>, <producer, warps = 1>>} {
    %s = tile.alloc : memref<64x64xf16, #shared>
    %z = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %k = %c0 to %n step %c64 iter_args(%c = %z) -> (tensor<64x64xf32>) {
      tile.copy %a[%c0, %k] to %s : memref<64x?xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %l = tile.load %t[%x, %c0] [1, 64] in_bounds [true, false] : memref<?x64xf32> -> tensor<64xf32>
      %b = tile.broadcast %l dims [0] : tensor<64xf32> -> tensor<64x64xf32>
      %e = arith.mulf %d, %b : tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @threads(%n: index, %a: memref<64x?xf16> {tile.divisible = array<i64: 1, 8>}, %t: memref<?x64xf32>, %u: memref<?x?xf32>, %v: memref<64x64xf32>, %o: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>, roles = #tile.roles<<consumer, warps = 4>, <producer, warps = 1>>} {
    %one = arith.constant 1.0 : f32
    %s = tile.alloc : memref<64x64xf16, #shared>
    %z = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %k = %c0 to %n step %c64 iter_args(%c = %z) -> (tensor<64x64xf32>) {
      tile.copy %a[%c0, %k] to %s : memref<64x?xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      // expected-remark @below {{[Missed] LoadByThreads | Category:tile-infer-layouts | Function=k | Reason="it pads with something else than zeros"}}
      %l0 = tile.load %t[%x, %c0] [1, 64] pad(%one) : memref<?x64xf32> -> tensor<64xf32>
      // expected-remark @below {{"the stride of dimension 0 of its memref is known to be a multiple of 4 bytes, not of 16; state 'tile.divisible', or 'strides' by 'tile.assume'"}}
      %l1 = tile.load %u[%x, %c0] [1, 64] : memref<?x?xf32> -> tensor<64xf32>
      // expected-remark @below {{"it has 64 bytes, and the next slot of its buffer would begin at no multiple of 128"}}
      %l2 = tile.load %t[%x, %c0] [1, 16] : memref<?x64xf32> -> tensor<16xf32>
      // expected-remark @below {{"with the buffer that it takes the launch has 270336 bytes of shared memory, more than the 232448 of the chip"}}
      %l3 = tile.load %t[%k, %c0] [320, 64] : memref<?x64xf32> -> tensor<320x64xf32>
      // expected-remark @below {{"the launch writes its memref too, by 'tile.store'; do that in a launch of its own"}}
      %l4 = tile.load %v : memref<64x64xf32> -> tensor<64x64xf32>
      tile.store %l4, %v : tensor<64x64xf32>, memref<64x64xf32>
      %m3 = tile.reduce <add> %l3 dims [0] : tensor<320x64xf32> -> tensor<64xf32>
      %m0 = arith.addf %l0, %l1 : tensor<64xf32>
      %m = arith.addf %m0, %m3 : tensor<64xf32>
      %w = tile.reduce <add> %l2 dims [0] : tensor<16xf32> -> tensor<f32>
      %y = tensor.extract %w[] : tensor<f32>
      %q = tensor.splat %y : tensor<64xf32>
      %h = arith.addf %m, %q : tensor<64xf32>
      // expected-remark @below {{256 bytes move between lanes by 16 shuffles of each}}
      %b = tile.broadcast %h dims [0] : tensor<64xf32> -> tensor<64x64xf32>
      %e = arith.mulf %d, %b : tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
}

// -----

// No copy engine goes through an image in steps of 9, so loads stay as they are.
// CHECK-LABEL: func @gathered
// CHECK-NOT: memref<64xf32, #gpu.address_space<workgroup>>
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @gathered(%n: index, %a: memref<2x8x8x64xf16>, %w: memref<64x64xf16>, %t: memref<?x64xf32>, %o: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>, roles = #tile.roles<<consumer, warps = 4>, <producer, warps = 1>>} {
    %s = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    %z = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %k = %c0 to %n step %c64 iter_args(%c = %z) -> (tensor<64x64xf32>) {
      // expected-remark @below {{has strides of at most 8, got 9}}
      tile.im2col %a[%c0, %k] to %s {kernel = [1, 1], strides = [9, 9], dilations = [1, 1], padding = [0, 0]} : memref<2x8x8x64xf16> to memref<64x64xf16, #shared>
      tile.copy %w to %v : memref<64x64xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %v, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %l = tile.load %t[%x, %c0] [1, 64] : memref<?x64xf32> -> tensor<64xf32>
      %b = tile.broadcast %l dims [0] : tensor<64xf32> -> tensor<64x64xf32>
      %e = arith.mulf %d, %b : tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
}
