// Results of products that stay with the stores of threads say why; what is none is
// left alone.
// RUN: tile-opt %s --tile-infer-layouts=bulk-copies --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-infer-layouts | FileCheck %s

// What was loaded is stored by threads, and so are elements of 64 bits, of which they find
// 64 bytes together. The sum of a product and a bias is a result, and a store that converts
// does so on the way into the buffer.
// CHECK-LABEL: func @results
// CHECK: tile.alloc {{.*}} : memref<64x64xf16, #gpu.address_space<workgroup>>
// CHECK-NOT: tile.alloc
// CHECK: tile.store %{{.*}}, %{{.*}} : tensor<64x64xf16, {{.*}}>, memref<64x64xf16>
// CHECK: tile.store %{{.*}}, %{{.*}} : tensor<64x64xf64, {{.*}}>, memref<64x64xf64>
// CHECK: %[[W:.*]] = tile.alloc layout(#tile.shared<[64, 64], offset = [32 : (0, 1), 64 : (1, 0), 2 : (0, 32)], xor = [3, 4, 3]>) {{.*}} : memref<64x64xf32, #gpu.address_space<workgroup>>
// CHECK: tile.store %{{.*}}, %[[W]] {vector_width = 2 : i64} : tensor<64x64xf32, {{.*}}>, memref<64x64xf32, #gpu.address_space<workgroup>>
// CHECK: tile.copy %[[W]] to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group">}
// CHECK: %[[V:.*]] = tile.alloc {{.*}} : memref<64x64xbf16, #gpu.address_space<workgroup>>
// CHECK: tile.store %{{.*}}, %[[V]] {vector_width = 2 : i64} : tensor<64x64xf32, {{.*}}>, memref<64x64xbf16, #gpu.address_space<workgroup>>
// CHECK: tile.copy %[[V]] to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group">}
// CHECK: %[[S:.*]] = tile.alloc {{.*}} : memref<64x64xf16, #gpu.address_space<workgroup>>
// CHECK: tile.store %{{.*}}, %[[S]] {{.*}} : tensor<64x64xf16, {{.*}}>, memref<64x64xf16, #gpu.address_space<workgroup>>
// CHECK: tile.copy %[[S]] to %{{.*}}[%{{.*}}, %{{.*}}] [64, 1, 64] in_bounds [true, false, true] {instruction = #tile.instruction<"cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group">}
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @results(%n: index, %a: memref<64x64xf16>, %bias: memref<64x64xf16>, %o: memref<64x64xf16>, %u: memref<64x64xf64>, %w: memref<64x64xf32>, %v: memref<64x64xbf16>, %p: memref<?x8x64xf16>) {
  %c0 = arith.constant 0 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a to %s : memref<64x64xf16> to memref<64x64xf16, #shared>
    %d = tile.gemm %s, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %b = tile.load %bias : memref<64x64xf16> -> tensor<64x64xf16>
    tile.store %b, %o : tensor<64x64xf16>, memref<64x64xf16>
    %e = arith.extf %d : tensor<64x64xf32> to tensor<64x64xf64>
    tile.store %e, %u : tensor<64x64xf64>, memref<64x64xf64>
    tile.store %d, %w : tensor<64x64xf32>, memref<64x64xf32>
    tile.store %d, %v : tensor<64x64xf32>, memref<64x64xbf16>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %r = arith.addf %h, %b : tensor<64x64xf16>
    tile.store %r, %p[%c0, %x, %c0] [64, 1, 64] in_bounds [true, false, true] : tensor<64x64xf16>, memref<?x8x64xf16>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @threads(%n: index, %a: memref<64x64xf16>, %o: memref<?x?xf16>, %p: memref<64x64xf16>, %q: memref<64x64xf16>) {
  %c0 = arith.constant 0 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a to %s : memref<64x64xf16> to memref<64x64xf16, #shared>
    %d = tile.gemm %s, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    // expected-remark @below {{[Missed] StoreByThreads | Category:tile-infer-layouts | Function=k | Reason="the stride of dimension 0 of its memref is known to be a multiple of 2 bytes, not of 16; state 'tile.divisible', or 'strides' by 'tile.assume'"}}
    tile.store %h, %o[%x, %c0] : tensor<64x64xf16>, memref<?x?xf16>
    // expected-remark @below {{"the launch writes its memref too, by 'tile.store'; do that in a launch of its own"}}
    tile.store %h, %p : tensor<64x64xf16>, memref<64x64xf16>
    tile.barrier
    // expected-remark @below {{"the launch writes its memref too, by 'tile.store'; do that in a launch of its own"}}
    tile.store %h, %p : tensor<64x64xf16>, memref<64x64xf16>
    %i = arith.index_cast %x : index to i64
    %j = tensor.splat %i : tensor<64xi64>
    %k = arith.index_cast %j : tensor<64xi64> to tensor<64xindex>
    // expected-remark @below {{"it has rows of its own choice, and a bulk copy moves boxes"}}
    tile.store %h, %q[%c0, %c0] rows(%k : tensor<64xindex>) dim 0 : tensor<64x64xf16>, memref<64x64xf16>
  }
  return
}
}

// -----

// Rows of eight elements are all that threads find together too; 40 elements of 32 bits
// are five of those to the copy engine.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @rows(%n: index, %a: memref<64x64xf16>, %o: memref<64x?xf16> {tile.divisible = array<i64: 1, 8>}, %p: memref<64x40xf32>) {
  %c0 = arith.constant 0 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a to %s : memref<64x64xf16> to memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x8xf16, #shared>
    tile.copy %a[%c0, %c0] to %t : memref<64x64xf16> to memref<64x8xf16, #shared>
    %u = tile.alloc : memref<64x40xf16, #shared>
    tile.copy %a[%c0, %c0] to %u : memref<64x64xf16> to memref<64x40xf16, #shared>
    %d = tile.gemm %s, %t : memref<64x64xf16, #shared>, memref<64x8xf16, #shared> -> tensor<64x8xf32>
    %h = arith.truncf %d : tensor<64x8xf32> to tensor<64x8xf16>
    // expected-remark @below {{[Missed] StoreByThreads | Category:tile-infer-layouts | Function=k | Reason="its boxes have rows of 8 elements, and threads store 8 together"}}
    tile.store %h, %o[%c0, %x] : tensor<64x8xf16>, memref<64x?xf16>
    // expected-remark @below {{operand b: rows of its buffer would be accessed by 2 bytes instead of 16}}
    %e = tile.gemm %s, %u : memref<64x64xf16, #shared>, memref<64x40xf16, #shared> -> tensor<64x40xf32>
    // expected-remark @below {{[Missed] StoreByThreads | Category:tile-infer-layouts | Function=k | Reason="its boxes have rows of 8 elements, and threads store 8 together"}}
    tile.store %e, %p : tensor<64x40xf32>, memref<64x40xf32>
  }
  return
}
}

// -----

// In a loop around, a producer fills all slots while the result is stored: 4 of 49152
// bytes, words of 128 for both buffers, and 65536.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @slots(%n: index, %a: memref<128x512xf16>, %b: memref<256x512xf16>, %o: memref<?x256xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  tile.launch @k blocks(%x) in (%n) threads(256) attributes {stage = #tile.stage<logical>, roles = #tile.roles<<consumer, warps = 8>, <producer, warps = 4>>} {
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<256x64xf16, #shared>
    %z = arith.constant dense<0.0> : tensor<128x256xf32>
    scf.for %i = %c0 to %n step %c128 {
      %r = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %z) -> (tensor<128x256xf32>) {
        tile.copy %a[%c0, %k] to %s : memref<128x512xf16> to memref<128x64xf16, #shared>
        tile.copy %b[%c0, %k] to %t : memref<256x512xf16> to memref<256x64xf16, #shared>
        %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x64xf16, #shared>, memref<256x64xf16, #shared> -> tensor<128x256xf32>
        scf.yield %d : tensor<128x256xf32>
      } {tile.stages = 4 : i32}
      %h = arith.truncf %r : tensor<128x256xf32> to tensor<128x256xf16>
      // expected-remark @below {{[Missed] StoreByThreads | Category:tile-infer-layouts | Function=k | Reason="with the buffer that it takes the launch has 262272 bytes of shared memory, more than the 232448 of the chip"}}
      tile.store %h, %o[%i, %c0] : tensor<128x256xf16>, memref<?x256xf16>
    }
  }
  return
}
}

// -----

// Behind the loop the result lies where the slots were.
// CHECK-LABEL: func @behind
// CHECK: tile.copy %{{.*}} to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group">} : memref<128x256xf32
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @behind(%n: index, %a: memref<128x512xf16>, %b: memref<256x512xf16>, %o: memref<128x256xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  tile.launch @k blocks(%x) in (%n) threads(256) attributes {stage = #tile.stage<logical>, roles = #tile.roles<<consumer, warps = 8>, <producer, warps = 4>>} {
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<256x64xf16, #shared>
    %z = arith.constant dense<0.0> : tensor<128x256xf32>
    %r = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %z) -> (tensor<128x256xf32>) {
      tile.copy %a[%c0, %k] to %s : memref<128x512xf16> to memref<128x64xf16, #shared>
      tile.copy %b[%c0, %k] to %t : memref<256x512xf16> to memref<256x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x64xf16, #shared>, memref<256x64xf16, #shared> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    } {tile.stages = 4 : i32}
    tile.store %r, %o : tensor<128x256xf32>, memref<128x256xf32>
  }
  return
}
}
