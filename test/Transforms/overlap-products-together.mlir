// Products of one iteration run together where none can stay in flight over the loop: each is
// waited for in front of what uses its result or writes to what it reads.
// RUN: tile-opt %s --split-input-file --tile-overlap-products | FileCheck %s
// RUN: tile-opt %s --split-input-file --tile-overlap-products --tile-lower-rings | FileCheck %s --check-prefix=WAIT
// RUN: tile-opt %s --split-input-file --tile-overlap-products --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-overlap-products -o /dev/null

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[64, 64], swizzle = 128>
#d = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
#ss = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">
#rs = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs">
#slots = #tile.shared<[2, 64, 64], offset = [64 : (0, 0, 1), 64 : (0, 1, 0), 2 : (1, 0, 0)], xor = [3, 4, 3]>
!buffer = memref<64x64xf16, #shared>
!slot = memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
!sum = tensor<64x64xf32, #d>
!half = tensor<64x64xf16, #d>
module attributes {tile.target = #tile.target<"sm_90a">} {
// Two sums of one operand; who waits for the first lets the second go on.
// CHECK-LABEL: func @side_by_side
// CHECK: scf.for {{.*}} iter_args(%[[C:.*]] = %{{.*}}, %[[D:.*]] = %{{.*}})
// CHECK-NEXT: %[[P:.*]] = tile.gemm_async %{{.*}}, %{{.*}}, %[[C]]
// CHECK-NEXT: %[[Q:.*]] = tile.gemm_async %{{.*}}, %{{.*}}, %[[D]]
// CHECK-NEXT: %[[S:.*]] = tile.wait %[[P]]
// CHECK-NEXT: math.exp %[[S]]
// CHECK-NEXT: %[[T:.*]] = tile.wait %[[Q]]
// CHECK-NEXT: scf.yield %{{.*}}, %[[T]]
//
// WAIT-LABEL: func @side_by_side
// WAIT: scf.for
// WAIT: tile.gemm_async
// WAIT-NEXT: tile.gemm_async
// WAIT-NEXT: tile.product_wait {pending = 1 : i64}
// WAIT-NEXT: tile.wait
// WAIT-NEXT: math.exp
// WAIT-NEXT: tile.product_wait {pending = 0 : i64}
// WAIT-NEXT: tile.wait
func.func @side_by_side(%n: index, %o: memref<64x64xf32>) {
  tile.launch @side_by_side blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc layout(#l) : !buffer
    %b = tile.alloc layout(#l) : !buffer
    %zero = arith.constant dense<0.0> : !sum
    %u:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero, %d = %zero) -> (!sum, !sum) {
      %p = tile.gemm %a, %b, %c {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      // expected-remark @below {{[Missed] NotOverlapped | Category:tile-overlap-products | Function=side_by_side | Reason="products are waited for in their iteration: }}
      %q = tile.gemm %a, %a, %d {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      %e = math.exp %p : !sum
      scf.yield %e, %q : !sum, !sum
    }
    tile.store %u#0, %o : !sum, memref<64x64xf32>
    tile.store %u#1, %o : !sum, memref<64x64xf32>
  }
  return
}

// A product that adds to the one in front goes on from the pending sum; the operand in
// registers of the second is of no product.
// CHECK-LABEL: func @chain
// CHECK: scf.for
// CHECK-NEXT: %[[P:.*]] = tile.gemm_async %{{.*}}, %{{.*}} {
// CHECK-NEXT: %[[Q:.*]] = tile.gemm_async %{{.*}}, %{{.*}}, %[[P]]
// CHECK-NEXT: %[[S:.*]] = tile.wait %[[Q]]
// CHECK-NEXT: arith.addf %{{.*}}, %[[S]]
//
// WAIT-LABEL: func @chain
// WAIT: scf.for
// WAIT: tile.gemm_async
// WAIT-NEXT: tile.gemm_async
// WAIT-NEXT: tile.product_wait {pending = 0 : i64}
// WAIT-NEXT: tile.wait
func.func @chain(%n: index, %o: memref<64x64xf32>) {
  tile.launch @chain blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc layout(#l) : !buffer
    %h = arith.constant dense<1.0> : !half
    %zero = arith.constant dense<0.0> : !sum
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (!sum) {
      %p = tile.gemm %a, %a {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      %q = tile.gemm %h, %a, %p {instruction = #rs, warp_grid = array<i64: 1, 1>} : !half, !buffer -> !sum
      %e = arith.addf %c, %q : !sum
      scf.yield %e : !sum
    }
    tile.store %u, %o : !sum, memref<64x64xf32>
  }
  return
}

// What the first product reads is written, in a branch, before the second adds to it: it is
// waited for in front of that; the second runs beside the third.
// CHECK-LABEL: func @written
// CHECK: scf.for
// CHECK-NEXT: %[[P:.*]] = tile.gemm_async
// CHECK-NEXT: %[[S:.*]] = tile.wait %[[P]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile.store
// CHECK-NEXT: }
// CHECK-NEXT: %[[Q:.*]] = tile.gemm_async %{{.*}}, %{{.*}}, %[[S]]
// CHECK-NEXT: %[[R:.*]] = tile.gemm_async
// CHECK-NEXT: %[[T:.*]] = tile.wait %[[R]]
// CHECK-NEXT: math.exp %[[T]]
// CHECK-NEXT: tile.wait %[[Q]]
func.func @written(%n: index, %o: memref<64x64xf32>, %written: i1) {
  tile.launch @written blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc layout(#l) : !buffer
    %b = tile.alloc layout(#l) : !buffer
    %h = arith.constant dense<1.0> : !half
    %zero = arith.constant dense<0.0> : !sum
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (!sum) {
      %p = tile.gemm %a, %b {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      scf.if %written {
        tile.store %h, %a : !half, !buffer
      }
      %q = tile.gemm %b, %b, %p {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      %r = tile.gemm %b, %b {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      %e = math.exp %r : !sum
      %f = arith.addf %e, %q : !sum
      scf.yield %f : !sum
    }
    tile.store %u, %o : !sum, memref<64x64xf32>
  }
  return
}

// What the second product of a chain reads besides is written behind it.
// CHECK-LABEL: func @written_behind
// CHECK: scf.for
// CHECK-NEXT: %[[P:.*]] = tile.gemm_async
// CHECK-NEXT: %[[Q:.*]] = tile.gemm_async %{{.*}}, %{{.*}}, %[[P]]
// CHECK-NEXT: %[[S:.*]] = tile.wait %[[Q]]
// CHECK-NEXT: tile.store
// CHECK-NEXT: arith.addf %{{.*}}, %[[S]]
func.func @written_behind(%n: index, %o: memref<64x64xf32>) {
  tile.launch @written_behind blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc layout(#l) : !buffer
    %b = tile.alloc layout(#l) : !buffer
    %h = arith.constant dense<1.0> : !half
    %zero = arith.constant dense<0.0> : !sum
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (!sum) {
      %p = tile.gemm %a, %a {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      %q = tile.gemm %a, %b, %p {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      tile.store %h, %b : !half, !buffer
      %f = arith.addf %c, %q : !sum
      scf.yield %f : !sum
    }
    tile.store %u, %o : !sum, memref<64x64xf32>
  }
  return
}

// Registers of operands: a conversion gives them where no product is in flight, and what
// is used by others too is complete at once.
// CHECK-LABEL: func @registers
// CHECK: scf.for
// CHECK-NEXT: %[[P:.*]] = tile.gemm_async
// CHECK-NEXT: %[[Q:.*]] = tile.gemm_async
// CHECK-NEXT: %[[T:.*]] = tile.wait %[[Q]]
// CHECK-NEXT: %[[S:.*]] = tile.wait %[[P]]
// CHECK-NEXT: %[[OWN:.*]] = arith.truncf %[[S]]
// CHECK-NEXT: %[[SHARED:.*]] = arith.truncf %[[T]]
// CHECK-NEXT: %[[R:.*]] = tile.gemm_async %[[OWN]]
// CHECK-NEXT: %[[U:.*]] = tile.gemm_async %[[SHARED]]
// CHECK-NEXT: %[[V:.*]] = tile.wait %[[U]]
// CHECK-NEXT: tile.store %[[SHARED]]
// CHECK-NEXT: arith.addf %{{.*}}, %[[V]]
// CHECK-NEXT: tile.wait %[[R]]
func.func @registers(%n: index, %o: memref<64x64xf32>, %h: memref<64x64xf16>) {
  tile.launch @registers blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc layout(#l) : !buffer
    %zero = arith.constant dense<0.0> : !sum
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (!sum) {
      %p = tile.gemm %a, %a {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      %q = tile.gemm %a, %a {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      %own = arith.truncf %p : !sum to !half
      %shared = arith.truncf %q : !sum to !half
      %r = tile.gemm %own, %a {instruction = #rs, warp_grid = array<i64: 1, 1>} : !half, !buffer -> !sum
      %s = tile.gemm %shared, %a {instruction = #rs, warp_grid = array<i64: 1, 1>} : !half, !buffer -> !sum
      tile.store %shared, %h : !half, memref<64x64xf16>
      %e = arith.addf %c, %s : !sum
      %f = arith.addf %e, %r : !sum
      scf.yield %f : !sum
    }
    tile.store %u, %o : !sum, memref<64x64xf32>
  }
  return
}

// Outside of loops, where each is waited for in front of the next, which has its operand too,
// and the last two run together.
// CHECK-LABEL: func @operand_again
// CHECK: %[[H:.*]] = tile.load
// CHECK: %[[P:.*]] = tile.gemm_async %[[H]]
// CHECK-NEXT: %[[S:.*]] = tile.wait %[[P]]
// CHECK-NEXT: %[[Q:.*]] = tile.gemm_async %[[H]]
// CHECK-NEXT: %[[T:.*]] = tile.wait %[[Q]]
// CHECK-NEXT: %[[R:.*]] = tile.gemm_async
// CHECK-NEXT: %[[U:.*]] = tile.gemm_async
// CHECK-NEXT: arith.addf %[[S]], %[[T]]
// CHECK-NEXT: tile.wait %[[U]]
// CHECK-NEXT: tile.wait %[[R]]
func.func @operand_again(%h: memref<64x64xf16>, %o: memref<64x64xf32>) {
  %one = arith.constant 1 : index
  tile.launch @operand_again blocks(%x) in (%one) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %a = tile.alloc layout(#l) : !buffer
    %half = tile.load %h : memref<64x64xf16> -> !half
    %p = tile.gemm %half, %a {instruction = #rs, warp_grid = array<i64: 1, 1>} : !half, !buffer -> !sum
    %q = tile.gemm %half, %a {instruction = #rs, warp_grid = array<i64: 1, 1>} : !half, !buffer -> !sum
    %r = tile.gemm %a, %a {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
    %s = tile.gemm %a, %a {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
    %d = arith.addf %p, %q : !sum
    %e = arith.addf %r, %s : !sum
    %f = arith.addf %d, %e : !sum
    tile.store %f, %o : !sum, memref<64x64xf32>
  }
  return
}

// A slot is written before it is released; what fills the ring behind that is in nobody's way.
// CHECK-LABEL: func @slot_written
// CHECK: %[[P:.*]] = tile.gemm_async
// CHECK-NEXT: %[[Q:.*]] = tile.gemm_async
// CHECK-NEXT: tile.ring_acquire
// CHECK-NEXT: memref.subview
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.ring_commit
// CHECK-NEXT: tile.wait %[[P]]
// CHECK-NEXT: tile.store
func.func @slot_written(%h: memref<64x64xf16>, %o: memref<64x64xf32>) {
  %one = arith.constant 1 : index
  tile.launch @slot_written blocks(%x) in (%one) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc layout(#l) : !buffer
    %rb = tile.alloc layout(#slots) : memref<2x64x64xf16, #shared>
    %r = tile.ring %rb : memref<2x64x64xf16, #shared> -> !tile.ring<2>
    %half = tile.load %h : memref<64x64xf16> -> !half
    %first = tile.ring_acquire %r[%c0] : !tile.ring<2>
    tile.ring_commit %r[%c0] : !tile.ring<2>
    %w = tile.ring_wait %r[%c0] : !tile.ring<2>
    %u = memref.subview %rb[%w, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !slot
    tile.store %half, %u : !half, !slot
    %p = tile.gemm %u, %u {instruction = #ss, warp_grid = array<i64: 1, 1>} : !slot, !slot -> !sum
    %q = tile.gemm %a, %a {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
    %f = tile.ring_acquire %r[%c1] : !tile.ring<2>
    %v = memref.subview %rb[%f, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !slot
    tile.copy %h to %v {instruction = #tile.instruction<"ld.st">, layout = #d, vector_width = 2 : i64} : memref<64x64xf16> to !slot
    tile.ring_commit %r[%c1] : !tile.ring<2>
    tile.store %half, %u : !half, !slot
    tile.ring_release %r[%c0] : !tile.ring<2>
    %second = tile.ring_wait %r[%c1] : !tile.ring<2>
    tile.ring_release %r[%c1] : !tile.ring<2>
    %e = arith.addf %p, %q : !sum
    tile.store %e, %o : !sum, memref<64x64xf32>
  }
  return
}

// A slot is released where what reads it is complete, here with the product behind it; but
// in front of the next wait for a slot: what fills that may need the room.
// CHECK-LABEL: func @slots
// CHECK: scf.for
// CHECK: %[[P:.*]] = tile.gemm_async
// CHECK-NEXT: %[[Q:.*]] = tile.gemm_async
// CHECK-NEXT: tile.wait %[[Q]]
// CHECK-NEXT: tile.ring_release %[[RING:.*]][%
// CHECK-NEXT: arith.addf
// CHECK-NEXT: tile.wait %[[P]]
// CHECK: %[[R:.*]] = tile.gemm_async
// CHECK-NEXT: tile.ring_release %[[RING]][%
// CHECK-NEXT: tile.ring_wait
// CHECK: tile.wait %[[R]]
//
// WAIT-LABEL: func @slots
// WAIT: scf.for
// WAIT: tile.gemm_async
// WAIT-NEXT: tile.gemm_async
// WAIT-NEXT: tile.product_wait {pending = 0 : i64}
// WAIT-NEXT: tile.wait
// WAIT-NEXT: tile.ring_release
// WAIT-NOT: tile.product_wait
// WAIT: tile.gemm_async
func.func @slots(%n: index, %m: memref<64x64xf16>, %o: memref<64x64xf32>) {
  tile.launch @slots blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = tile.alloc layout(#l) : !buffer
    %rb = tile.alloc layout(#slots) : memref<2x64x64xf16, #shared>
    %r = tile.ring %rb : memref<2x64x64xf16, #shared> -> !tile.ring<2>
    %tb = tile.alloc layout(#slots) : memref<2x64x64xf16, #shared>
    %t = tile.ring %tb : memref<2x64x64xf16, #shared> -> !tile.ring<2>
    %zero = arith.constant dense<0.0> : !sum
    %u:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero, %use = %c0) -> (!sum, index) {
      %second = arith.addi %use, %c1 : index
      %f1 = tile.ring_acquire %r[%use] : !tile.ring<2>
      %v1 = memref.subview %rb[%f1, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !slot
      tile.copy %m to %v1 {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<64x64xf16> to !slot
      tile.ring_commit %r[%use] : !tile.ring<2>
      %w1 = tile.ring_wait %r[%use] : !tile.ring<2>
      %u1 = memref.subview %rb[%w1, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !slot
      %p = tile.gemm %u1, %u1 {instruction = #ss, warp_grid = array<i64: 1, 1>} : !slot, !slot -> !sum
      tile.ring_release %r[%use] : !tile.ring<2>
      %q = tile.gemm %a, %a {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      %e = arith.addf %c, %q : !sum
      %f = arith.addf %e, %p : !sum
      %f2 = tile.ring_acquire %r[%second] : !tile.ring<2>
      %v2 = memref.subview %rb[%f2, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !slot
      tile.copy %m to %v2 {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<64x64xf16> to !slot
      tile.ring_commit %r[%second] : !tile.ring<2>
      %f3 = tile.ring_acquire %t[%i] : !tile.ring<2>
      %v3 = memref.subview %tb[%f3, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !slot
      tile.copy %m to %v3 {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<64x64xf16> to !slot
      tile.ring_commit %t[%i] : !tile.ring<2>
      %w2 = tile.ring_wait %r[%second] : !tile.ring<2>
      %u2 = memref.subview %rb[%w2, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !slot
      %g = tile.gemm %u2, %u2 {instruction = #ss, warp_grid = array<i64: 1, 1>} : !slot, !slot -> !sum
      tile.ring_release %r[%second] : !tile.ring<2>
      %w3 = tile.ring_wait %t[%i] : !tile.ring<2>
      %u3 = memref.subview %tb[%w3, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !slot
      %h = arith.addf %f, %g : !sum
      %k = tile.gemm %u3, %u3 {instruction = #ss, warp_grid = array<i64: 1, 1>} : !slot, !slot -> !sum
      tile.ring_release %t[%i] : !tile.ring<2>
      %s = arith.addf %h, %k : !sum
      %next = arith.addi %use, %c2 : index
      scf.yield %s, %next : !sum, index
    }
    tile.store %u#0, %o : !sum, memref<64x64xf32>
  }
  return
}

// Each result is an operand of the next product.
// CHECK-LABEL: func @one_by_one
// CHECK-NOT: tile.gemm_async
// CHECK: return
func.func @one_by_one(%n: index, %o: memref<64x64xf32>) {
  tile.launch @one_by_one blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc layout(#l) : !buffer
    %zero = arith.constant dense<0.0> : !sum
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (!sum) {
      %q = tile.gemm %a, %a {instruction = #ss, warp_grid = array<i64: 1, 1>} : !buffer, !buffer -> !sum
      %qh = arith.truncf %q : !sum to !half
      %r = tile.gemm %qh, %a {instruction = #rs, warp_grid = array<i64: 1, 1>} : !half, !buffer -> !sum
      %rh = arith.truncf %r : !sum to !half
      // expected-remark @below {{each product is waited for before the next: there is another product in the loop}}
      %p = tile.gemm %rh, %a, %c {instruction = #rs, warp_grid = array<i64: 1, 1>} : !half, !buffer -> !sum
      scf.yield %p : !sum
    }
    tile.store %u, %o : !sum, memref<64x64xf32>
  }
  return
}
}
