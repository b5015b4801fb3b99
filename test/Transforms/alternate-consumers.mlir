// Warpgroups start their products in turns where the last one runs under the next iteration.
// DEFINE: %{until} = --tile-logical-phase=chip=sm_90a --tile-layout-phase=bulk-copies --tile-schedule-phase
// RUN: tile-opt %s %{until} --tile-alternate-consumers --split-input-file | FileCheck %s
// RUN: tile-opt %s %{until} --tile-alternate-consumers --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-alternate-consumers -o /dev/null
// Barriers are what they were.
// RUN: tile-opt %s %{until} --tile-alternate-consumers --tile-check-barriers --split-input-file -o /dev/null
// Once is enough: a file that has turns, or roles that are split, may be taken on from there.
// RUN: tile-opt %s %{until} --tile-alternate-consumers --tile-alternate-consumers --tile-specialize-warps --tile-alternate-consumers --split-input-file | FileCheck %s --check-prefix=ONCE
// ONCE-LABEL: func @late
// ONCE: tile.specialize
// ONCE-COUNT-2: tile.take_turn
// ONCE-NOT: tile.take_turn
// ONCE: producer
// ONCE-NOT: tile.take_turn
// ONCE-LABEL: func @cooperative
#shared = #gpu.address_space<workgroup>
// The products of an iteration are started in a turn, behind the wait for the slot; that of the
// first iteration, in front of the loop, in a turn of its own. The last one has none.
// CHECK-LABEL: func @late
// CHECK: tile.ring_wait
// CHECK: tile.take_turn
// CHECK-NEXT: %[[P:.*]] = tile.gemm_async
// CHECK-NEXT: tile.pass_turn
// CHECK-NEXT: tile.product_wait {pending = 0 : i64}
// CHECK-NEXT: %[[S:.*]] = tile.wait %[[P]]
// CHECK: arith.maximumf %[[S]]
// CHECK: scf.for
// CHECK: tile.ring_wait
// CHECK: tile.take_turn
// CHECK-NEXT: tile.gemm_async
// CHECK-NEXT: memref.subview
// CHECK-NEXT: tile.gemm_async
// CHECK-NEXT: tile.pass_turn
// CHECK-NEXT: tile.product_wait {pending = 1 : i64}
// CHECK: tile.product_wait {pending = 0 : i64}
// CHECK-NOT: tile.take_turn
// CHECK: return
func.func @late(%Q: memref<128x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<128x64xf32>, %P: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @late blocks(%x) in (%c1) threads(256) {
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
    // expected-remark @below {{[Passed] Alternating | Category:tile-alternate-consumers | Function=late | Reason="2 warpgroups start products in turns"}}
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
// Who says so starts them all at once, and nothing is said of it.
// CHECK-LABEL: func @cooperative
// CHECK-NOT: tile.take_turn
// CHECK: return
func.func @cooperative(%Q: memref<128x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<128x64xf32>, %P: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @cooperative blocks(%x) in (%c1) threads(256) attributes {consumers = #tile.consumers<cooperative>} {
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
// There is nobody to take turns with.
// CHECK-LABEL: func @one_warpgroup
// CHECK-NOT: tile.take_turn
// CHECK: return
func.func @one_warpgroup(%Q: memref<64x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<64x64xf32>, %P: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @one_warpgroup blocks(%x) in (%c1) threads(128) {
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
// Head sizes with which turns are not known to help.
// CHECK-LABEL: func @wide
// CHECK-NOT: tile.take_turn
// CHECK: return
func.func @wide(%Q: memref<128x256xf16>, %K: memref<256x256xf16>, %V: memref<256x256xf16>, %O: memref<128x256xf32>, %P: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @wide blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<128x256xf16, #shared>
    %k = tile.alloc : memref<64x256xf16, #shared>
    %v = tile.alloc : memref<64x256xf16, #shared>
    tile.copy %Q to %q : memref<128x256xf16> to memref<128x256xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x256xf32>
    %low = arith.constant dense<0.0> : tensor<128x64xf32>
    %factor = arith.constant dense<0.5> : tensor<128x256xf32>
    // expected-remark @below {{[Missed] NotAlternating | Category:tile-alternate-consumers | Function=wide | Reason="warpgroups start products as they come: turns are known to help up to 128 columns of the late product, which has 256"}}
    %sum = scf.for %i = %c0 to %c256 step %step iter_args(%o = %zero) -> (tensor<128x256xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x256xf16> to memref<64x256xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x256xf16> to memref<64x256xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<128x256xf16, #shared>, memref<64x256xf16, #shared> -> tensor<128x64xf32>
      %r = arith.maximumf %s, %low : tensor<128x64xf32>
      %p = arith.truncf %r : tensor<128x64xf32> to tensor<128x64xf16>
      %shrunk = arith.mulf %o, %factor : tensor<128x256xf32>
      %next = tile.gemm %p, %v, %shrunk {warps = #tile.warps<rows>} : tensor<128x64xf16>, memref<64x256xf16, #shared> -> tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<128x256xf32>, memref<128x256xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// They can have them where they ask.
// CHECK-LABEL: func @wide_asked
// CHECK-COUNT-2: tile.take_turn
// CHECK: return
func.func @wide_asked(%Q: memref<128x256xf16>, %K: memref<256x256xf16>, %V: memref<256x256xf16>, %O: memref<128x256xf32>, %P: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @wide_asked blocks(%x) in (%c1) threads(256) attributes {consumers = #tile.consumers<alternating>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<128x256xf16, #shared>
    %k = tile.alloc : memref<64x256xf16, #shared>
    %v = tile.alloc : memref<64x256xf16, #shared>
    tile.copy %Q to %q : memref<128x256xf16> to memref<128x256xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x256xf32>
    %low = arith.constant dense<0.0> : tensor<128x64xf32>
    %factor = arith.constant dense<0.5> : tensor<128x256xf32>
    // expected-remark @below {{[Passed] Alternating | Category:tile-alternate-consumers | Function=wide_asked | Reason="2 warpgroups start products in turns"}}
    %sum = scf.for %i = %c0 to %c256 step %step iter_args(%o = %zero) -> (tensor<128x256xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x256xf16> to memref<64x256xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x256xf16> to memref<64x256xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<128x256xf16, #shared>, memref<64x256xf16, #shared> -> tensor<128x64xf32>
      %r = arith.maximumf %s, %low : tensor<128x64xf32>
      %p = arith.truncf %r : tensor<128x64xf32> to tensor<128x64xf16>
      %shrunk = arith.mulf %o, %factor : tensor<128x256xf32>
      %next = tile.gemm %p, %v, %shrunk {warps = #tile.warps<rows>} : tensor<128x64xf16>, memref<64x256xf16, #shared> -> tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<128x256xf32>, memref<128x256xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// Sums over rows of both warpgroups: they meet in each iteration.
// CHECK-LABEL: func @meeting
// CHECK: scf.for
// CHECK: tile.barrier
// CHECK-NOT: tile.take_turn
// CHECK: return
func.func @meeting(%Q: memref<128x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<128x64xf32>, %P: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @meeting blocks(%x) in (%c1) threads(256) {
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
    // expected-remark @below {{[Missed] NotAlternating | Category:tile-alternate-consumers | Function=meeting | Reason="warpgroups start products as they come: the warpgroups meet at a barrier in the loop"}}
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
