// Results of products that stay with the stores of threads say why; what is none is
// left alone.
// RUN: tile-opt %s --tile-infer-layouts=bulk-copies --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-infer-layouts | FileCheck %s

// A load is stored by threads, and so are elements of 32 bits. The sum of a product
// and a bias is a result.
// CHECK-LABEL: func @results
// CHECK: tile.alloc {{.*}} : memref<64x64xf16, #gpu.address_space<workgroup>>
// CHECK-NOT: tile.alloc
// CHECK: tile.store %{{.*}}, %{{.*}} : tensor<64x64xf16, {{.*}}>, memref<64x64xf16>
// CHECK: tile.store %{{.*}}, %{{.*}} : tensor<64x64xf32, {{.*}}>, memref<64x64xf32>
// CHECK: %[[S:.*]] = tile.alloc {{.*}} : memref<64x64xf16, #gpu.address_space<workgroup>>
// CHECK: tile.store %{{.*}}, %[[S]] {{.*}} : tensor<64x64xf16, {{.*}}>, memref<64x64xf16, #gpu.address_space<workgroup>>
// CHECK: tile.copy %[[S]] to %{{.*}}[%{{.*}}, %{{.*}}] [64, 1, 64] in_bounds [true, false, true] {instruction = #tile.instruction<"cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group">}
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @results(%n: index, %a: memref<64x64xf16>, %bias: memref<64x64xf16>, %o: memref<64x64xf16>, %w: memref<64x64xf32>, %p: memref<?x8x64xf16>) {
  %c0 = arith.constant 0 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a to %s : memref<64x64xf16> to memref<64x64xf16, #shared>
    %d = tile.gemm %s, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %b = tile.load %bias : memref<64x64xf16> -> tensor<64x64xf16>
    tile.store %b, %o : tensor<64x64xf16>, memref<64x64xf16>
    tile.store %d, %w : tensor<64x64xf32>, memref<64x64xf32>
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
