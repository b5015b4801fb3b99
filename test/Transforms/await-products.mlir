// Products whose waits are written become products that are waited for where they start;
// loops and conditions carry fragments, and attributes stay.
// RUN: tile-opt %s --tile-await-products | FileCheck %s --implicit-check-not=pending --implicit-check-not=tile.wait

#shared = #gpu.address_space<workgroup>
!pending = !tile.pending<tensor<64x64xf32>>
!sum = tensor<64x64xf32>

// CHECK-LABEL: func @carried
// CHECK: %[[P:.*]] = tile.gemm %{{.*}}, %{{.*}} {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #gpu.address_space<workgroup>>, memref<64x64xf16, #gpu.address_space<workgroup>> -> tensor<64x64xf32>
// CHECK-NEXT: %[[R:.*]] = scf.for {{.*}} iter_args(%[[Q:.*]] = %[[P]]) -> (tensor<64x64xf32>)
// CHECK: %[[N:.*]] = tile.gemm %{{.*}}, %{{.*}}, %[[Q]] : memref<64x64xf16, #gpu.address_space<workgroup>>, memref<64x64xf16, #gpu.address_space<workgroup>> -> tensor<64x64xf32>
// CHECK-NEXT: scf.yield %[[N]] : tensor<64x64xf32>
// CHECK: tile.store %[[R]],
func.func @carried(%n: index, %o: memref<64x64xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %p = tile.gemm_async %a, %a {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> !pending
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> (!pending) {
      %next = tile.gemm_async %a, %a, %q : memref<64x64xf16, #shared>, memref<64x64xf16, #shared>, !pending -> !pending
      scf.yield %next : !pending
    }
    %d = tile.wait %r : !pending
    tile.store %d, %o : !sum, memref<64x64xf32>
  }
  return
}

// CHECK-LABEL: func @under_a_condition
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (tensor<64x64xf32>)
// CHECK: %[[P:.*]] = tile.gemm
// CHECK-NEXT: scf.yield %[[P]]
// CHECK: else
// CHECK: %[[Q:.*]] = tile.gemm
// CHECK-NEXT: scf.yield %[[Q]]
// CHECK: tile.store %[[R]],
func.func @under_a_condition(%n: index, %c: i1, %o: memref<64x64xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %r = scf.if %c -> (!pending) {
      %p = tile.gemm_async %a, %a : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> !pending
      scf.yield %p : !pending
    } else {
      %q = tile.gemm_async %b, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> !pending
      scf.yield %q : !pending
    }
    %d = tile.wait %r : !pending
    tile.store %d, %o : !sum, memref<64x64xf32>
  }
  return
}

// A copy of a fragment is the fragment, and nothing is in flight.
// CHECK-LABEL: func @cloned
// CHECK: %[[S:.*]] = tile.load
// CHECK-NEXT: %[[P:.*]] = tile.gemm %{{.*}}, %{{.*}}, %[[S]]
// CHECK-NEXT: %[[U:.*]] = arith.subf %[[P]], %[[S]]
// CHECK-NEXT: tile.store %[[U]],
func.func @cloned(%n: index, %o: memref<64x64xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %s = tile.load %o : memref<64x64xf32> -> !sum
    %c = tile.clone %s : !sum
    %p = tile.gemm_async %a, %a, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared>, !sum -> !pending
    tile.product_wait {pending = 0 : i64}
    %d = tile.wait %p : !pending
    %u = arith.subf %d, %s : !sum
    tile.store %u, %o : !sum, memref<64x64xf32>
  }
  return
}

// CHECK-LABEL: func @sparse
// CHECK: %[[P:.*]] = tile.gemm_sparse %[[A:.*]], %[[E:.*]], %[[B:.*]] {warps = #tile.warps<rows>} : memref<64x32xf16
// CHECK: %[[Q:.*]] = tile.gemm_sparse %[[A]], %[[E]], %[[B]], %[[P]] : memref<64x32xf16
// CHECK: tile.store %[[Q]],
func.func @sparse(%n: index, %o: memref<64x64xf32>) {
  tile.launch blocks(%x) in (%n) threads(128) {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %e = tile.alloc : memref<64x4xi16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %p = tile.gemm_async %a, %b meta(%e : memref<64x4xi16, #shared>) {warps = #tile.warps<rows>} : memref<64x32xf16, #shared>, memref<64x64xf16, #shared> -> !pending
    %q = tile.gemm_async %a, %b, %p meta(%e : memref<64x4xi16, #shared>) : memref<64x32xf16, #shared>, memref<64x64xf16, #shared>, !pending -> !pending
    %d = tile.wait %q : !pending
    tile.store %d, %o : !sum, memref<64x64xf32>
  }
  return
}
