// The last of two products of an iteration moves into the next one.
// DEFINE: %{until} = --tile-logical-phase=chip=sm_90a --tile-layout-phase=bulk-copies --tile-pipeline-loops
// RUN: tile-opt %s %{until} --tile-overlap-products --split-input-file | FileCheck %s
// RUN: tile-opt %s %{until} --tile-overlap-products --tile-lower-rings --split-input-file 2>&1 | FileCheck %s --check-prefix=WAIT --implicit-check-not=warning
// RUN: tile-opt %s %{until} --tile-overlap-products --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-overlap-products -o /dev/null
#shared = #gpu.address_space<workgroup>

// Operands that no product reads together have rings of their own: the first is waited for
// in front of its product, the second behind what is computed from that, in front of the
// wait for the product of the iteration before, whose slot is released then.
// CHECK-LABEL: func @late
// CHECK: %[[KS:.*]] = tile.alloc {{.*}} memref<2x64x64xf16
// CHECK: %[[K:.*]] = tile.ring %[[KS]]
// CHECK: %[[VS:.*]] = tile.alloc {{.*}} memref<2x64x64xf16
// CHECK: %[[V:.*]] = tile.ring %[[VS]]
// CHECK: tile.ring_wait %[[K]]
// CHECK: tile.gemm
// CHECK: tile.ring_release %[[K]]
// CHECK: %[[P0:.*]] = arith.truncf
// CHECK: %[[SLOT0:.*]] = tile.ring_wait %[[V]]
// CHECK-NOT: tile.gemm
// CHECK: %[[LAST:.*]]:4 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}}, %[[P:.*]] = %[[P0]], %[[SLOT:.*]] = %[[SLOT0]])
// CHECK: tile.ring_acquire %[[K]]
// CHECK: tile.ring_acquire %[[V]]
// CHECK: tile.ring_wait %[[K]][%[[N]]]
// CHECK: %[[FIRST:.*]] = tile.gemm_async
// CHECK: %[[VIEW:.*]] = memref.subview %[[VS]][%[[SLOT]], 0, 0]
// CHECK: %[[LATE:.*]] = tile.gemm_async %[[P]], %[[VIEW]], %[[SUM]]
// CHECK: tile.wait %[[FIRST]]
// CHECK: tile.ring_release %[[K]][%[[N]]]
// CHECK: %[[R:.*]] = arith.maximumf
// CHECK: %[[NEXTSLOT:.*]] = tile.ring_wait %[[V]][%[[N]]]
// CHECK: %[[DONE:.*]] = tile.wait %[[LATE]]
// CHECK: %[[BEFORE:.*]] = arith.addi %[[N]], %c-1
// CHECK: tile.ring_release %[[V]][%[[BEFORE]]]
// CHECK: %[[NEXTP:.*]] = arith.truncf %[[R]]
// CHECK: %[[SHRUNK:.*]] = arith.mulf %[[DONE]]
// CHECK: scf.yield %[[SHRUNK]], %{{.*}}, %[[NEXTP]], %[[NEXTSLOT]]
// CHECK: %[[LASTVIEW:.*]] = memref.subview %[[VS]][%[[LAST]]#3, 0, 0]
// CHECK: tile.gemm %[[LAST]]#2, %[[LASTVIEW]], %[[LAST]]#0
// CHECK: %[[END:.*]] = arith.addi %[[LAST]]#1, %c-1
// CHECK: tile.ring_release %[[V]][%[[END]]]
// WAIT-LABEL: func @late
// WAIT: scf.for
// WAIT: tile.gemm_async
// WAIT: tile.gemm_async
// WAIT: tile.product_wait {pending = 1 : i64}
// WAIT: tile.product_wait {pending = 0 : i64}
// WAIT-NOT: tile.product_wait
// WAIT: return
func.func @late(%Q: memref<64x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @late blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<64x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q to %q : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %factor = arith.constant dense<0.5> : tensor<64x64xf32>
    %sum = scf.for %i = %c0 to %c256 step %c64 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %r = arith.maximumf %s, %zero : tensor<64x64xf32>
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
// Without a producer.
// CHECK-LABEL: func @own_fills
// CHECK-NOT: tile.gemm_async
// CHECK: return
func.func @own_fills(%Q: memref<64x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @own_fills blocks(%x) in (%c1) threads(128) attributes {warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<64x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q to %q : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %factor = arith.constant dense<0.5> : tensor<64x64xf32>
    %sum = scf.for %i = %c0 to %c256 step %c64 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %r = arith.maximumf %s, %zero : tensor<64x64xf32>
      %p = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
      %shrunk = arith.mulf %o, %factor : tensor<64x64xf32>
      // expected-remark @below {{[Missed] NotOverlapped | Category:tile-overlap-products | Function=own_fills | Reason="each product is waited for before the next: the threads that compute also fill its slots"}}
      %next = tile.gemm %p, %v, %shrunk {warps = #tile.warps<rows>} : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// The product in front reads the same slot; what another buffer is filled with, nobody.
// CHECK-LABEL: func @slot_of_both
// CHECK-NOT: tile.gemm_async
// CHECK: return
func.func @slot_of_both(%Q: memref<64x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @slot_of_both blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<64x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q to %q : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %factor = arith.constant dense<0.5> : tensor<64x64xf32>
    %sum = scf.for %i = %c0 to %c256 step %c64 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %q, %v {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %r = arith.maximumf %s, %zero : tensor<64x64xf32>
      %p = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
      %shrunk = arith.mulf %o, %factor : tensor<64x64xf32>
      // expected-remark @below {{something else reads its slot}}
      %next = tile.gemm %p, %v, %shrunk {warps = #tile.warps<rows>} : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// What an iteration stores is not there in time.
// CHECK-LABEL: func @effect
// CHECK-NOT: tile.gemm_async
// CHECK: return
func.func @effect(%Q: memref<64x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @effect blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<64x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q to %q : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %factor = arith.constant dense<0.5> : tensor<64x64xf32>
    %sum = scf.for %i = %c0 to %c256 step %c64 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %r = arith.maximumf %s, %zero : tensor<64x64xf32>
      %p = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
      %shrunk = arith.mulf %o, %factor : tensor<64x64xf32>
      tile.store %shrunk, %O : tensor<64x64xf32>, memref<64x64xf32>
      // expected-remark @below {{what follows from its sum has an effect in the iteration}}
      %next = tile.gemm %p, %v, %shrunk {warps = #tile.warps<rows>} : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// The product in front goes on from the sum.
// CHECK-LABEL: func @depends
// CHECK-NOT: tile.gemm_async
// CHECK: return
func.func @depends(%Q: memref<64x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @depends blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<64x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q to %q : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %factor = arith.constant dense<0.5> : tensor<64x64xf32>
    %sum = scf.for %i = %c0 to %c256 step %c64 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x64xf16> to memref<64x64xf16, #shared>
      // expected-remark @below {{32 registers a thread are copied: the accumulator is used again behind the product}}
      %s = tile.gemm %q, %k, %o {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %r = arith.maximumf %s, %zero : tensor<64x64xf32>
      %p = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
      %shrunk = arith.mulf %o, %factor : tensor<64x64xf32>
      // expected-remark @below {{the product in front depends on its sum}}
      %next = tile.gemm %p, %v, %shrunk {warps = #tile.warps<rows>} : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// The operand is the result of the product in front itself.
// CHECK-LABEL: func @halves
// CHECK-NOT: tile.gemm_async
// CHECK: return
func.func @halves(%Q: memref<64x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @halves blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<64x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q to %q : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %factor = arith.constant dense<0.5> : tensor<64x64xf32>
    %sum = scf.for %i = %c0 to %c256 step %c64 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x64xf16> to memref<64x64xf16, #shared>
      %p = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf16>
      %shrunk = arith.mulf %o, %factor : tensor<64x64xf32>
      // expected-remark @below {{its operand in registers is no conversion that could follow the product before}}
      %next = tile.gemm %p, %v, %shrunk {warps = #tile.warps<rows>} : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// 128 registers for each of two sums, 64 for the operand.
// CHECK-LABEL: func @registers
// CHECK-NOT: tile.gemm_async
// CHECK: return
func.func @registers(%Q: memref<64x64xf16>, %K: memref<1024x64xf16>, %V: memref<1024x256xf16>, %O: memref<64x256xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @registers blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c1024 = arith.constant 1024 : index
    %q = tile.alloc : memref<64x64xf16, #shared>
    %k = tile.alloc : memref<128x64xf16, #shared>
    %v = tile.alloc : memref<128x256xf16, #shared>
    tile.copy %Q to %q : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x256xf32>
    %sum = scf.for %i = %c0 to %c1024 step %c128 iter_args(%o = %zero) -> (tensor<64x256xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<1024x64xf16> to memref<128x64xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<1024x256xf16> to memref<128x256xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<128x64xf16, #shared> -> tensor<64x128xf32>
      %p = arith.truncf %s : tensor<64x128xf32> to tensor<64x128xf16>
      // expected-remark @below {{two products in flight take more registers than a thread has}}
      %next = tile.gemm %p, %v, %o {warps = #tile.warps<rows>} : tensor<64x128xf16>, memref<128x256xf16, #shared> -> tensor<64x256xf32>
      scf.yield %next : tensor<64x256xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<64x256xf32>, memref<64x256xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// Metadata come from registers of the iteration: a sparse product is not late, but in
// front of one that is.
// CHECK-LABEL: func @sparse
// CHECK-NOT: tile.gemm_async
// CHECK: return
func.func @sparse(%Q: memref<64x64xf16>, %K: memref<256x64xf16>, %V: memref<512x64xf16>, %E: memref<64x8xi16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @sparse blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c4 = arith.constant 4 : index
    %q = tile.alloc : memref<64x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<128x64xf16, #shared>
    tile.copy %Q to %q : memref<64x64xf16> to memref<64x64xf16, #shared>
    %e = tile.load %E : memref<64x8xi16> -> tensor<64x8xi16>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %deep = arith.addi %row, %row : index
      tile.copy %K[%row, %c0] to %k : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%deep, %c0] to %v : memref<512x64xf16> to memref<128x64xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %r = arith.maximumf %s, %zero : tensor<64x64xf32>
      %p = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
      // expected-remark @below {{its metadata are those of the iteration}}
      %next = tile.gemm_sparse %p, %e, %v, %o {warps = #tile.warps<rows>} : tensor<64x64xf16>, tensor<64x8xi16>, memref<128x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
