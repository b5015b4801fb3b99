// A consumer's loop whose step is one product that stays in flight goes over rounds of
// slots: each of its steps has a slot that is constant. Other loops count slots.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_90a --tile-layout-phase --tile-schedule-phase --tile-specialize-warps --remark-format=emitRemark --remarks-filter='tile-specialize-warps' -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

#shared = #gpu.address_space<workgroup>

// The first step is in front of the loop, so that its rounds start with slot 1. The number
// of steps is not known: each but the first of a round is under a condition.
// REMARK: [[@LINE+38]]:{{.*}} [Passed] ConstantSlots | Category:tile-specialize-warps | Function=dynamic | Remark="a loop over rounds of 3 slots", Slots=3
// CHECK-LABEL: func @dynamic
// CHECK: consumer
// CHECK: tile.gemm_async
// CHECK: %[[ROUNDS:.*]] = arith.ceildivui
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[ROUNDS]] step %{{.*}} iter_args({{.*}}, %[[IS_SECOND:.*]] = %false{{.*}}) -> ({{.*}}) {
// CHECK: %[[ROUND:.*]] = arith.select %[[IS_SECOND]], %c3{{.*}}, %c0{{.*}} : index
// CHECK: %[[OTHER:.*]] = arith.select %[[IS_SECOND]], %c0{{.*}}, %c3{{.*}} : index
// CHECK: %[[USE1:.*]] = arith.addi %[[ROUND]], %c1{{.*}} : index
// CHECK: tile.ring_wait %{{.*}}[%[[USE1]]]
// CHECK: tile.product_wait {pending = 1 : i64}
// CHECK-NEXT: tile.ring_release %{{.*}}[%[[ROUND]]]
// CHECK: scf.if
// CHECK: %[[USE2:.*]] = arith.addi %[[ROUND]], %c2{{.*}} : index
// CHECK: %[[BEFORE:.*]] = arith.addi %[[ROUND]], %c1{{.*}} : index
// CHECK: tile.ring_wait %{{.*}}[%[[USE2]]]
// CHECK: tile.ring_release %{{.*}}[%[[BEFORE]]]
// CHECK: scf.if
// CHECK: tile.ring_wait %{{.*}}[%[[OTHER]]]
// CHECK: tile.gemm_async
// CHECK-NOT: tile.gemm_async
// CHECK: tile.wait
// CHECK: producer
// CHECK-NOT: arith.ceildivui
// CHECK: scf.for
// CHECK: tile.ring_acquire
// CHECK-NOT: tile.ring_acquire
func.func @dynamic(%n: index, %A: memref<64x448xf16>, %B: memref<32x448xf16>, %O: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @dynamic blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x448xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %b : memref<32x448xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %acc {transpose_b} : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %O : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// Six steps behind the first one are two rounds: nothing is asked.
// REMARK: [Passed] ConstantSlots | Category:tile-specialize-warps | Function=whole
// CHECK-LABEL: func @whole
// CHECK: consumer
// CHECK: scf.for
// CHECK-COUNT-3: tile.gemm_async
// CHECK-NOT: scf.if
// CHECK: tile.wait
// CHECK: producer
func.func @whole(%A: memref<64x448xf16>, %B: memref<32x448xf16>, %O: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @whole blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c224 = arith.constant 224 : index
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    %r = scf.for %k = %c0 to %c224 step %c32 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x448xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %b : memref<32x448xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %acc {transpose_b} : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %O : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// Two steps behind the first one are no round of three.
// REMARK: [Missed] CountedSlots | Category:tile-specialize-warps | Function=few | Reason="slots are counted: it has fewer steps than slots"
// CHECK-LABEL: func @few
// CHECK-NOT: arith.ceildivui
func.func @few(%A: memref<64x448xf16>, %B: memref<32x448xf16>, %O: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @few blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    %r = scf.for %k = %c0 to %c96 step %c32 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x448xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %b : memref<32x448xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %acc {transpose_b} : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %O : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// Uses are counted on from one tile to the next: where a tile starts is not known.
// REMARK: [Missed] CountedSlots | Category:tile-specialize-warps | Function=tiles | Reason="slots are counted: the slot that it starts with is not known: what runs before it, in a persistent launch its own steps for the tile before, need not be a multiple of 3 steps; bounds known to be multiples of 96, by tile.divisible for instance, make them one"
// CHECK-LABEL: func @tiles
// CHECK-NOT: arith.ceildivui
func.func @tiles(%n: index, %A: memref<64x448xf16>, %B: memref<32x448xf16>, %O: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @tiles blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    scf.for %t = %c0 to %c2 step %one {
      %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
        tile.copy %A[%c0, %k] to %a : memref<64x448xf16> to memref<64x32xf16, #shared>
        tile.copy %B[%c0, %k] to %b : memref<32x448xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %b, %acc {transpose_b} : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf32>
        scf.yield %d : tensor<64x32xf32>
      } {tile.stages = 3 : i32}
      tile.store %r, %O : tensor<64x32xf32>, memref<64x32xf32>
    }
  }
  return
}

// Each tile takes a multiple of three steps, whatever that is: it starts with slot 0, in a
// round that is not known. The first step is in front of the loop. Of what is left each
// round has two steps, and the last one not the third. Behind it the last use is in slot 2.
// REMARK: [Passed] ConstantSlots | Category:tile-specialize-warps | Function=whole_tiles | Remark="a loop over rounds of 3 slots", Slots=3
// CHECK-LABEL: func @whole_tiles
// CHECK: consumer
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[FIRST:.*]] = %c0{{.*}}, %[[SECOND:.*]] = %c1{{.*}})
// CHECK: tile.ring_wait %{{.*}}[%[[FIRST]]]
// CHECK-DAG: %[[WAIT:.*]] = arith.cmpi uge, %[[SECOND]], %c3
// CHECK-DAG: %[[RELEASE:.*]] = arith.cmpi uge, %[[FIRST]], %c3
// CHECK: %[[ENDS:.*]]:{{[0-9]+}} = scf.for {{.*}} iter_args({{.*}}, %[[IN_WAIT:.*]] = %[[WAIT]], %[[IN_RELEASE:.*]] = %[[RELEASE]])
// CHECK: %[[BEGIN:.*]] = arith.select %[[IN_WAIT]], %c3{{.*}}, %c0{{.*}} : index
// CHECK: %[[NUMBER:.*]] = arith.addi %[[BEGIN]], %c1{{.*}} : index
// CHECK: tile.ring_wait %{{.*}}[%[[NUMBER]]]
// CHECK: tile.gemm_async
// CHECK-NOT: scf.if
// CHECK: tile.gemm_async
// CHECK: scf.if
// CHECK: tile.gemm_async
// CHECK-NOT: tile.gemm_async
// CHECK: tile.wait
// CHECK: producer
func.func @whole_tiles(%A: memref<64x?xf16> {tile.divisible = array<i64: 1, 96>}, %B: memref<32x?xf16> {tile.divisible = array<i64: 1, 96>}, %O: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<64x?xf16>
  tile.launch @whole_tiles blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    scf.for %t = %c0 to %c2 step %one {
      %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
        tile.copy %A[%c0, %k] to %a : memref<64x?xf16> to memref<64x32xf16, #shared>
        tile.copy %B[%c0, %k] to %b : memref<32x?xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %b, %acc {transpose_b} : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf32>
        scf.yield %d : tensor<64x32xf32>
      } {tile.stages = 3 : i32}
      tile.store %r, %O : tensor<64x32xf32>, memref<64x32xf32>
    }
  }
  return
}
