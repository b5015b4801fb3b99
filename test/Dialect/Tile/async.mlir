// Roles, rings and pending values: text that is kept.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --canonicalize --cse | FileCheck %s --check-prefix=CANONICAL
#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: func.func @roles
// CHECK: threads(64) attributes {roles = #tile.roles<<producer, warps = 1, registers = 40>, <consumer, warps = 2>>}
// CHECK: %[[RING:.*]] = tile.ring %{{.*}}, %{{.*}} : memref<2x4xf32, #gpu.address_space<workgroup>>, memref<2x8xf16, #gpu.address_space<workgroup>> -> !tile.ring<2>
// CHECK: tile.ring %{{.*}} {consumers = 2 : i64} :
// CHECK: tile.specialize
// CHECK-NEXT: producer warps(1) registers(40) {
// CHECK: tile.ring_acquire %[[RING]][%{{.*}}] : !tile.ring<2>
// CHECK: tile.ring_commit %[[RING]][%{{.*}}] : !tile.ring<2>
// CHECK: tile.barrier {id = 1 : i64, warps = 3 : i64}
// CHECK: consumer warps(2) {
// CHECK: tile.ring_wait %[[RING]][%{{.*}}] : !tile.ring<2>
// CHECK: tile.ring_release %[[RING]][%{{.*}}] : !tile.ring<2>
// The operations on rings and barriers are kept, though nothing uses them.
// CANONICAL-LABEL: func.func @roles
// CANONICAL: tile.ring_acquire
// CANONICAL: tile.ring_commit
// CANONICAL: tile.barrier
// CANONICAL: tile.ring_wait
// CANONICAL: tile.ring_release
func.func @roles(%n: index) {
  tile.launch blocks(%b) in (%n) threads(64) attributes {roles = #tile.roles<<producer, warps = 1, registers = 40>, <consumer, warps = 2>>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %t = tile.alloc : memref<2x8xf16, #shared>
    %ring = tile.ring %s, %t : memref<2x4xf32, #shared>, memref<2x8xf16, #shared> -> !tile.ring<2>
    %u = tile.alloc : memref<1xf32, #shared>
    %other = tile.ring %u {consumers = 2 : i64} : memref<1xf32, #shared> -> !tile.ring<1>
    tile.specialize
      producer warps(1) registers(40) {
        %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
        tile.ring_commit %ring[%c0] : !tile.ring<2>
        tile.barrier {id = 1 : i64, warps = 3 : i64}
      }
      consumer warps(2) {
        %slot = tile.ring_wait %ring[%c0] : !tile.ring<2>
        tile.ring_release %ring[%c0] : !tile.ring<2>
        tile.barrier {id = 1 : i64, warps = 3 : i64}
      }
  }
  return
}

// CHECK-LABEL: func.func @barriers
// CHECK: tile.ring %{{.*}}, %{{.*}} barriers(%{{.*}} : memref<2x3xi64, #gpu.address_space<workgroup>>) {consumers = 2 : i64, modulo} : memref<3x4xf32,
// CHECK: tile.product_wait {pending = 1 : i64}
// CHECK: tile.proxy_fence
// CANONICAL-LABEL: func.func @barriers
// CANONICAL: tile.product_wait
// CANONICAL: tile.proxy_fence
func.func @barriers(%n: index) {
  tile.launch blocks(%b) in (%n) threads(64) {
    %s = tile.alloc : memref<3x4xf32, #shared>
    %t = tile.alloc : memref<3x8xf16, #shared>
    %words = tile.alloc : memref<2x3xi64, #shared>
    %ring = tile.ring %s, %t barriers(%words : memref<2x3xi64, #shared>) {consumers = 2 : i64, modulo} : memref<3x4xf32, #shared>, memref<3x8xf16, #shared> -> !tile.ring<3>
    tile.product_wait {pending = 1}
    tile.proxy_fence
  }
  return
}

// A role's layouts are of its own warps.
// CHECK-LABEL: func.func @layouts
func.func @layouts(%n: index, %m: memref<64xf32>) {
  tile.launch blocks(%b) in (%n) threads(64) {
    tile.specialize
      producer warps(1) {
        %t = tile.load %m : memref<64xf32> -> tensor<64xf32, #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>>
      }
      consumer warps(2) {
        %t = tile.load %m : memref<64xf32> -> tensor<64xf32, #tile.fragment<[64], register = [], lane = [32 : (1)], warp = [2 : (32)]>>
      }
  }
  return
}

// CHECK-LABEL: func.func @sparse
// CHECK: %[[P:.*]] = tile.gemm_async %{{.*}}, %{{.*}}, %{{.*}} meta(%{{.*}} : tensor<16x2xi16>) {transpose_b} : tensor<16x16xf16>, tensor<8x32xf16>, tensor<16x8xf32> -> !tile.pending<tensor<16x8xf32>>
// CHECK: tile.gemm_async %{{.*}}, %{{.*}} meta(%{{.*}} : tensor<16x2xi16>) : tensor<16x16xf16>, tensor<32x8xf16> -> !tile.pending<tensor<16x8xf32>>
func.func @sparse(%n: index) {
  tile.launch blocks(%x) in (%n) threads(32) {
    %a = arith.constant dense<1.0> : tensor<16x16xf16>
    %b = arith.constant dense<1.0> : tensor<32x8xf16>
    %t = arith.constant dense<1.0> : tensor<8x32xf16>
    %e = arith.constant dense<17476> : tensor<16x2xi16>
    %c = arith.constant dense<0.0> : tensor<16x8xf32>
    %p = tile.gemm_async %a, %t, %c meta(%e : tensor<16x2xi16>) {transpose_b} : tensor<16x16xf16>, tensor<8x32xf16>, tensor<16x8xf32> -> !tile.pending<tensor<16x8xf32>>
    %d = tile.wait %p : !tile.pending<tensor<16x8xf32>>
    %q = tile.gemm_async %a, %b meta(%e : tensor<16x2xi16>) : tensor<16x16xf16>, tensor<32x8xf16> -> !tile.pending<tensor<16x8xf32>>
    %f = tile.wait %q : !tile.pending<tensor<16x8xf32>>
  }
  return
}

// CHECK-LABEL: func.func @pending
// CHECK: %[[C:.*]] = tile.clone %{{.*}} : tensor<16x8xf32>
// CHECK: %[[P:.*]] = tile.gemm_async %{{.*}}, %{{.*}}, %[[C]] {transpose_b} : tensor<16x16xf16>, tensor<8x16xf16>, tensor<16x8xf32> -> !tile.pending<tensor<16x8xf32>>
// CHECK: %[[Q:.*]] = tile.gemm_async %{{.*}}, %{{.*}}, %[[P]] {transpose_b} : tensor<16x16xf16>, tensor<8x16xf16>, !tile.pending<tensor<16x8xf32>> -> !tile.pending<tensor<16x8xf32>>
// CHECK: %{{.*}} = tile.wait %[[Q]] : !tile.pending<tensor<16x8xf32>>
// CHECK: tile.gemm_async %{{.*}}, %{{.*}} {transpose_b} : tensor<16x16xf16>, tensor<8x16xf16> -> !tile.pending<tensor<16x8xf32>>
// Two equal products are two.
// CANONICAL-LABEL: func.func @pending
// CANONICAL-COUNT-4: tile.gemm_async
func.func @pending(%n: index) {
  tile.launch blocks(%x) in (%n) threads(32) {
    %a = arith.constant dense<1.0> : tensor<16x16xf16>
    %b = arith.constant dense<1.0> : tensor<8x16xf16>
    %zero = arith.constant dense<0.0> : tensor<16x8xf32>
    %c = tile.clone %zero : tensor<16x8xf32>
    %p = tile.gemm_async %a, %b, %c {transpose_b} : tensor<16x16xf16>, tensor<8x16xf16>, tensor<16x8xf32> -> !tile.pending<tensor<16x8xf32>>
    %q = tile.gemm_async %a, %b, %p {transpose_b} : tensor<16x16xf16>, tensor<8x16xf16>, !tile.pending<tensor<16x8xf32>> -> !tile.pending<tensor<16x8xf32>>
    %d = tile.wait %q : !tile.pending<tensor<16x8xf32>>
    %r = tile.gemm_async %a, %b {transpose_b} : tensor<16x16xf16>, tensor<8x16xf16> -> !tile.pending<tensor<16x8xf32>>
    %r2 = tile.gemm_async %a, %b {transpose_b} : tensor<16x16xf16>, tensor<8x16xf16> -> !tile.pending<tensor<16x8xf32>>
    %e = tile.wait %r : !tile.pending<tensor<16x8xf32>>
    %e2 = tile.wait %r2 : !tile.pending<tensor<16x8xf32>>
  }
  return
}
