// One product in flight over a loop: the first iteration is peeled, the loop carries a
// pending sum, a slot is released behind the start of the next product, and what the same
// threads fill comes behind that.
// RUN: tile-opt %s --tile-overlap-products --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-overlap-products --tile-lower-rings --split-input-file | FileCheck %s --check-prefix=WAIT
// RUN: tile-opt %s --tile-overlap-products --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-overlap-products -o /dev/null

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[2, 64, 64], offset = [64 : (0, 0, 1), 64 : (0, 1, 0), 2 : (1, 0, 0)], xor = [3, 4, 3]>
#f = #tile.fragment<[64, 64], register = [8 : (0, 1), 4 : (16, 0)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [4 : (4, 0)]>
#d = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
!slot = memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func @ring
// CHECK: tile.ring_wait %{{.*}}[%c0]
// CHECK: %[[FIRST:.*]] = tile.gemm_async %{{.*}}, %{{.*}}, %cst
// CHECK: %[[LAST:.*]]:2 = scf.for %{{.*}} = %c1{{.*}} to %c4 step %{{.*}} iter_args(%[[SUM:.*]] = %[[FIRST]], %[[N:.*]] = %{{.*}})
// CHECK-NOT: tile.ring_acquire
// CHECK: tile.ring_wait %{{.*}}[%[[N]]]
// CHECK: %[[NEXT:.*]] = tile.gemm_async %{{.*}}, %{{.*}}, %[[SUM]]
// CHECK: %[[BEFORE:.*]] = arith.addi %[[N]], %c-1
// CHECK-NEXT: tile.ring_release %{{.*}}[%[[BEFORE]]]
// CHECK: scf.if
// CHECK: tile.ring_acquire
// CHECK: tile.ring_commit
// CHECK: scf.yield %[[NEXT]]
// CHECK: tile.wait %[[LAST]]#0
// CHECK: %[[END:.*]] = arith.addi %[[LAST]]#1, %c-1
// CHECK: tile.ring_release %{{.*}}[%[[END]]]
// CHECK: tile.store
//
// WAIT-LABEL: func @ring
// WAIT: tile.gemm_async
// WAIT-NOT: tile.product_wait
// WAIT: scf.for
// WAIT: tile.gemm_async
// WAIT: tile.product_wait {pending = 1 : i64}
// WAIT: scf.if
// WAIT: scf.yield
// WAIT: tile.product_wait {pending = 0 : i64}
// WAIT-NEXT: tile.wait
// WAIT-NOT: tile.product_wait
// WAIT: return
func.func @ring(%n: index, %m: memref<256x64xf16>, %o: memref<64x64xf32>) {
  tile.launch @ring blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #d>
    %a = tile.alloc layout(#l) : memref<2x64x64xf16, #shared>
    %ring = tile.ring %a : memref<2x64x64xf16, #shared> -> !tile.ring<2>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    %v = memref.subview %a[%s, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !slot
    tile.copy %m[%c0, %c0] to %v {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 8 : i64} : memref<256x64xf16> to !slot
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %zero, %use = %c0) -> (tensor<64x64xf32, #d>, index) {
      %after = arith.addi %use, %c1 : index
      %next = arith.addi %i, %c1 : index
      %has = arith.cmpi slt, %next, %c4 : index
      scf.if %has {
        %fill = tile.ring_acquire %ring[%after] : !tile.ring<2>
        %w = memref.subview %a[%fill, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !slot
        %row = arith.muli %next, %c64 : index
        tile.copy %m[%row, %c0] to %w {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 8 : i64} : memref<256x64xf16> to !slot
        tile.ring_commit %ring[%after] : !tile.ring<2>
      }
      %read = tile.ring_wait %ring[%use] : !tile.ring<2>
      %u = memref.subview %a[%read, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !slot
      %p = tile.gemm %u, %u, %c {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : !slot, !slot -> tensor<64x64xf32, #d>
      tile.ring_release %ring[%use] : !tile.ring<2>
      scf.yield %p, %after : tensor<64x64xf32, #d>, index
    }
    tile.store %r#0, %o : tensor<64x64xf32, #d>, memref<64x64xf32>
  }
  return
}
}

// -----

// A loop that may not run: all of it stands under a condition, and the sum is what it was
// before where it does not hold.
#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[64, 64], swizzle = 128>
#d = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func @counted
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %c0, %
// CHECK: %[[SUM:.*]] = scf.if %[[RUNS]]
// CHECK: tile.gemm_async
// CHECK: scf.for
// CHECK: tile.gemm_async
// CHECK: %[[END:.*]] = tile.wait
// CHECK: scf.yield %[[END]]
// CHECK: else
// CHECK: scf.yield %cst
// CHECK: tile.store %[[SUM]]
// WAIT-LABEL: func @counted
func.func @counted(%n: index, %o: memref<64x64xf32>) {
  tile.launch @counted blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #d>
    %a = tile.alloc layout(#l) : memref<64x64xf16, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32, #d>) {
      %p = tile.gemm %a, %a, %c {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #d>
      scf.yield %p : tensor<64x64xf32, #d>
    }
    tile.store %r, %o : tensor<64x64xf32, #d>, memref<64x64xf32>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[64, 64], swizzle = 128>
#h = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
// An inner loop whose number of iterations is not known.
// CHECK-LABEL: func @inner
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.gemm_async
// CHECK: scf.for {{.*}} -> (!tile.pending
// CHECK: tile.gemm_async
// CHECK: tile.wait
// WAIT-LABEL: func @inner
func.func @inner(%n: index, %o: memref<64x64xf32>) {
  tile.launch @inner blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #h>
    %a = tile.alloc layout(#l) : memref<64x64xf16, #shared>
    %0 = scf.for %j = %c0 to %n step %c1 iter_args(%d = %zero) -> (tensor<64x64xf32, #h>) {
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %d) -> (tensor<64x64xf32, #h>) {
        %p = tile.gemm %a, %a, %c {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #h>
        scf.yield %p : tensor<64x64xf32, #h>
      }
      scf.yield %r : tensor<64x64xf32, #h>
    }
    tile.store %0, %o : tensor<64x64xf32, #h>, memref<64x64xf32>
  }
  return
}

// CHECK-LABEL: func @declined
// CHECK-NOT: tile.gemm_async
// CHECK: return
// WAIT-LABEL: func @declined
func.func @declined(%n: index, %m: memref<64x64xf16>, %o: memref<64x64xf32>) {
  tile.launch @declined blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #h>
    %t = arith.constant dense<1.0> : tensor<64x64xf16, #h>
    %a = tile.alloc layout(#l) : memref<64x64xf16, #shared>
    %a1 = tile.alloc layout(#tile.shared<[1, 64, 64], swizzle = 128>) : memref<1x64x64xf16, #shared>
    %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32, #h>) {
      tile.store %t, %a : tensor<64x64xf16, #h>, memref<64x64xf16, #shared>
      // expected-remark @below {{[Missed] NotOverlapped | Category:tile-overlap-products | Function=declined | Reason="each product is waited for before the next: an operand is written in the loop and in no ring; 'tile.stages' gives slots to what copies from global memory fill"}}
      %p = tile.gemm %a, %a, %c {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #h>
      scf.yield %p : tensor<64x64xf32, #h>
    }
    %3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %0) -> (tensor<64x64xf32, #h>) {
      // expected-remark @below {{an operand is in registers}}
      %p = tile.gemm %t, %a, %c {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs">, warp_grid = array<i64: 1, 1>} : tensor<64x64xf16, #h>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #h>
      scf.yield %p : tensor<64x64xf32, #h>
    }
    %ra = tile.ring %a1 : memref<1x64x64xf16, #shared> -> !tile.ring<1>
    %4 = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %3) -> (tensor<64x64xf32, #h>) {
      %f = tile.ring_acquire %ra[%i] : !tile.ring<1>
      %fv = memref.subview %a1[%f, 0, 0] [1, 64, 64] [1, 1, 1] : memref<1x64x64xf16, #shared> to memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
      tile.copy %m to %fv {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<64x64xf16> to memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
      tile.ring_commit %ra[%i] : !tile.ring<1>
      %w = tile.ring_wait %ra[%i] : !tile.ring<1>
      %wv = memref.subview %a1[%w, 0, 0] [1, 64, 64] [1, 1, 1] : memref<1x64x64xf16, #shared> to memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
      // expected-remark @below {{a slot that it reads is not released once an iteration, behind it}}
      %p = tile.gemm %wv, %a, %c {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #h>
      tile.ring_release %ra[%i] : !tile.ring<1>
      scf.yield %p : tensor<64x64xf32, #h>
    }
    tile.store %4, %o : tensor<64x64xf32, #h>, memref<64x64xf32>
  }
  return
}

// CHECK-LABEL: func @filled_where_read
// CHECK-NOT: tile.gemm_async
// CHECK: return
// WAIT-LABEL: func @filled_where_read
func.func @filled_where_read(%m: memref<64x64xf16>, %o: memref<64x64xf32>, %g: index) {
  tile.launch @same_use blocks(%x) in (%g) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #h>
    %a1 = tile.alloc layout(#tile.shared<[1, 64, 64], swizzle = 128>) : memref<1x64x64xf16, #shared>
    %a2 = tile.alloc layout(#tile.shared<[2, 64, 64], swizzle = 128>) : memref<2x64x64xf16, #shared>
    %r1 = tile.ring %a1 : memref<1x64x64xf16, #shared> -> !tile.ring<1>
    %0:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %zero, %u = %c0) -> (tensor<64x64xf32, #h>, index) {
      %f = tile.ring_acquire %r1[%u] : !tile.ring<1>
      %fv = memref.subview %a1[%f, 0, 0] [1, 64, 64] [1, 1, 1] : memref<1x64x64xf16, #shared> to memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
      tile.copy %m to %fv {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<64x64xf16> to memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
      tile.ring_commit %r1[%u] : !tile.ring<1>
      %w = tile.ring_wait %r1[%u] : !tile.ring<1>
      %wv = memref.subview %a1[%w, 0, 0] [1, 64, 64] [1, 1, 1] : memref<1x64x64xf16, #shared> to memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
      // expected-remark @below {{its ring has one slot}}
      %p = tile.gemm %wv, %wv, %c {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>, memref<64x64xf16, strided<[64, 1], offset: ?>, #shared> -> tensor<64x64xf32, #h>
      tile.ring_release %r1[%u] : !tile.ring<1>
      %v = arith.addi %u, %c1 : index
      scf.yield %p, %v : tensor<64x64xf32, #h>, index
    }
    %r2 = tile.ring %a2 : memref<2x64x64xf16, #shared> -> !tile.ring<2>
    %1:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %0#0, %u = %c0) -> (tensor<64x64xf32, #h>, index) {
      %f = tile.ring_acquire %r2[%u] : !tile.ring<2>
      %fv = memref.subview %a2[%f, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
      tile.copy %m to %fv {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<64x64xf16> to memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
      tile.ring_commit %r2[%u] : !tile.ring<2>
      %w = tile.ring_wait %r2[%u] : !tile.ring<2>
      %wv = memref.subview %a2[%w, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
      // expected-remark @below {{it reads a slot in the iteration that fills it}}
      %p = tile.gemm %wv, %wv, %c {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>, memref<64x64xf16, strided<[64, 1], offset: ?>, #shared> -> tensor<64x64xf32, #h>
      tile.ring_release %r2[%u] : !tile.ring<2>
      %v = arith.addi %u, %c1 : index
      scf.yield %p, %v : tensor<64x64xf32, #h>, index
    }
    tile.store %1#0, %o : tensor<64x64xf32, #h>, memref<64x64xf32>
  }
  return
}
}
