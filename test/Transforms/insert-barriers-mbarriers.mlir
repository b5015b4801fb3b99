// A pipelined product with bulk copies needs one barrier in front of its result: behind the
// ring, whose words one thread sets. There is none in the loop, no wait and no fence.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" --tile-layout-phase=bulk-copies \
// RUN:   --tile-schedule-phase --tile-check-barriers | FileCheck %s
#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: func @product
// CHECK: tile.ring {{.*}} barriers(
// CHECK: tile.barrier
// CHECK-NOT: tile.barrier
// CHECK-NOT: tile.copy_wait
// CHECK-NOT: tile.proxy_fence
// CHECK: scf.yield
// CHECK: return
func.func @product(%A: memref<64x?xf16> {tile.divisible = array<i64: 1, 8>}, %B: memref<?x64xf16>, %O: memref<64x64xf32>) {
  %h0 = arith.constant 0 : index
  %h1 = arith.constant 1 : index
  %K = memref.dim %B, %h0 : memref<?x64xf16>
  tile.launch @kernel blocks(%bx) in (%h1) threads(64) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %r = scf.for %k = %c0 to %K step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x?xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<?x64xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %a, %b, %acc : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// A producer's threads fill a slot: who has waited for it shows it to the products that
// read it through descriptors, without a barrier.
// CHECK-LABEL: func @by_threads
// CHECK: tile.ring {{.*}} barriers(
// CHECK: tile.barrier
// CHECK-NOT: tile.barrier
// CHECK: tile.ring_wait
// CHECK-NOT: tile.gemm
// CHECK: tile.proxy_fence
// CHECK-NEXT: tile.gemm
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: tile.ring_wait
// CHECK-NOT: tile.gemm
// CHECK: tile.proxy_fence
// CHECK-NEXT: tile.gemm
// CHECK-NOT: tile.barrier
// CHECK: scf.yield
// CHECK: return
func.func @by_threads(%A: memref<64x514xf16>, %B: memref<512x64xf16>, %O: memref<64x64xf32>) {
  %h1 = arith.constant 1 : index
  tile.launch @threads blocks(%bx) in (%h1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %r = scf.for %k = %c0 to %c512 step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x514xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<512x64xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %a, %b, %acc : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
