// Results of products that are combined into global memory go by bulk reductions; what
// stays with the atomics of threads says why, where it is a result.
// RUN: tile-opt %s --tile-infer-layouts=bulk-copies --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter-missed=tile-infer-layouts | FileCheck %s

// CHECK-LABEL: func @combined
// CHECK: %[[S:.*]] = tile.alloc {{.*}} : memref<64x64xf32, #gpu.address_space<workgroup>>
// CHECK: tile.store %{{.*}}, %[[S]] {vector_width = 2 : i64}
// CHECK: tile.copy %[[S]] to %{{.*}}[%{{.*}}, %{{.*}}] {instruction = #tile.instruction<"cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group">} : memref<64x64xf32, #gpu.address_space<workgroup>> to memref<?x64xf32>
// A sum that was loaded is coalesced as it lies.
// CHECK-NOT: tile.alloc
// CHECK: tile.atomic_rmw addf %{{.*}}, %{{.*}} {vector_width = 4 : i64}
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @combined(%n: index, %a: memref<64x64xf16>, %o: memref<?x64xf32>, %p: memref<64x64xf32>, %q: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a to %s : memref<64x64xf16> to memref<64x64xf16, #shared>
    %d = tile.gemm %s, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.atomic_rmw addf %d, %o[%x, %c0] : tensor<64x64xf32>, memref<?x64xf32>
    %t = tile.load %p : memref<64x64xf32> -> tensor<64x64xf32>
    tile.atomic_rmw addf %t, %q : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @threads(%n: index, %a: memref<64x64xf16>, %b: memref<64x64xi8>, %o: memref<?x?xf32>, %p: memref<64x64xf32>, %q: memref<64x64xf32>, %r: memref<64x64xi32>, %u: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a to %s : memref<64x64xf16> to memref<64x64xf16, #shared>
    %d = tile.gemm %s, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    // expected-remark @below {{[Missed] AtomicByThreads | Category:tile-infer-layouts | Function=k | Reason="the stride of dimension 0 of its memref is known to be a multiple of 4 bytes, not of 16; state 'tile.divisible', or 'strides' by 'tile.assume'"}}
    tile.atomic_rmw addf %d, %o[%x, %c0] : tensor<64x64xf32>, memref<?x?xf32>
    // expected-remark @below {{[Missed] AtomicByThreads | Category:tile-infer-layouts | Function=k | Reason="bulk reductions do not combine f32 by 'maxnumf'"}}
    tile.atomic_rmw maxnumf %d, %p : tensor<64x64xf32>, memref<64x64xf32>
    // expected-remark @below {{[Missed] AtomicByThreads | Category:tile-infer-layouts | Function=k | Reason="the launch writes its memref too, by 'tile.atomic_rmw'; do that in a launch of its own"}}
    tile.atomic_rmw addf %d, %q : tensor<64x64xf32>, memref<64x64xf32>
    // expected-remark @below {{"the launch writes its memref too, by 'tile.atomic_rmw'; do that in a launch of its own"}}
    tile.atomic_rmw addf %d, %q : tensor<64x64xf32>, memref<64x64xf32>
    %t = tile.alloc : memref<64x64xi8, #shared>
    tile.copy %b to %t : memref<64x64xi8> to memref<64x64xi8, #shared>
    %e = tile.gemm %t, %t {transpose_b} : memref<64x64xi8, #shared>, memref<64x64xi8, #shared> -> tensor<64x64xi32>
    // expected-remark @below {{[Missed] AtomicByThreads | Category:tile-infer-layouts | Function=k | Reason="bulk reductions do not combine i32 by 'maxs'"}}
    tile.atomic_rmw maxs %e, %r : tensor<64x64xi32>, memref<64x64xi32>
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %n step %c64 {
      %f = tile.gemm %s, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      // expected-remark @below {{[Missed] AtomicByThreads | Category:tile-infer-layouts | Function=k | Reason="each step of the pipelined loop that it stands in would wait for the copy engine"}}
      tile.atomic_rmw addf %f, %u[%i, %c0] : tensor<64x64xf32>, memref<?x64xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
}
