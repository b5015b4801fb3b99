// A launch with roles is taken apart along its rings: the producer gets the bulk
// copies and what they need, the consumers everything else.
// RUN: tile-opt %s --tile-specialize-warps | FileCheck %s
// RUN: not tile-opt %s --tile-specialize-warps --tile-check-barriers 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: error: is taken apart into roles; check its barriers before tile-specialize-warps

#shared = #gpu.address_space<workgroup>
#bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
#roles = #tile.roles<<consumer, warps = 1>, <producer, warps = 1>>

module attributes {tile.target = #tile.target<"sm_90a">} {

// A guarded copy in a loop: the producer has the loop with the number of the use
// and the condition, which is loaded in both roles, but not the sum.
// CHECK-LABEL: func @guarded
// CHECK: tile.ring
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.specialize
// CHECK-NEXT: consumer warps(1) {
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<64xf32, #{{.*}}>, index) {
// CHECK-NEXT: memref.load
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: scf.if
// CHECK-NOT: tile.copy
// CHECK: tile.ring_wait
// CHECK: tile.load
// CHECK: tile.ring_release
// CHECK: tile.store
// CHECK: producer warps(1) {
// CHECK-NEXT: scf.for {{.*}} iter_args(%[[USE:.*]] = %{{.*}}) -> (index) {
// CHECK-NEXT: memref.load
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: scf.if {{.*}} -> (index) {
// CHECK-NEXT: %[[SLOT:.*]] = tile.ring_acquire %{{.*}}[%[[USE]]]
// CHECK-NEXT: memref.subview %{{.*}}[%[[SLOT]], 0]
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.ring_commit
// CHECK-NEXT: arith.addi
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @guarded(%n: index, %flags: memref<?xi32>, %m: memref<64xf32>, %o: memref<64xf32>) {
  tile.launch @guarded blocks(%b) in (%n) threads(32) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %false = arith.constant 0 : i32
    %arena = tile.arena 544 : memref<544xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[2, 64]>) : memref<544xi8, #shared> to memref<2x64xf32, #shared>
    %w = tile.view %arena[512] layout(#tile.shared<[2, 2]>) : memref<544xi8, #shared> to memref<2x2xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x2xi64, #shared>) : memref<2x64xf32, #shared> -> !tile.ring<2>
    tile.barrier
    %zero = arith.constant dense<0.0> : tensor<64xf32, #f>
    %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %zero, %use = %c0) -> (tensor<64xf32, #f>, index) {
      %flag = memref.load %flags[%i] : memref<?xi32>
      %cond = arith.cmpi ne, %flag, %false : i32
      %next:2 = scf.if %cond -> (tensor<64xf32, #f>, index) {
        %free = tile.ring_acquire %ring[%use] : !tile.ring<2>
        %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<2x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
        tile.copy %m to %to {instruction = #bulk} : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
        tile.ring_commit %ring[%use] : !tile.ring<2>
        %full = tile.ring_wait %ring[%use] : !tile.ring<2>
        %from = memref.subview %s[%full, 0] [1, 64] [1, 1] : memref<2x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
        %t = tile.load %from {vector_width = 2 : i64} : memref<64xf32, strided<[1], offset: ?>, #shared> -> tensor<64xf32, #f>
        tile.ring_release %ring[%use] : !tile.ring<2>
        %new = arith.addf %sum, %t : tensor<64xf32, #f>
        %one = arith.addi %use, %c1 : index
        scf.yield %new, %one : tensor<64xf32, #f>, index
      } else {
        scf.yield %sum, %use : tensor<64xf32, #f>, index
      }
      scf.yield %next#0, %next#1 : tensor<64xf32, #f>, index
    }
    tile.store %r#0, %o {vector_width = 2 : i64} : tensor<64xf32, #f>, memref<64xf32>
  }
  return
}

// A while loop, whose condition both roles need, around a nest.
// CHECK-LABEL: func @nest
// CHECK: consumer warps(1) {
// CHECK: scf.while
// CHECK: producer warps(1) {
// CHECK-NEXT: scf.while (%[[USE:.*]] = %{{.*}}) : (index) -> index {
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: scf.condition
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[FIRST:.*]]: index):
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]]) -> (index) {
// CHECK-NEXT: tile.ring_acquire
// CHECK-NOT: tile.ring_wait
// CHECK: tile.ring_commit
// CHECK-NEXT: arith.addi
// CHECK-NEXT: scf.yield
// CHECK: scf.yield
func.func @nest(%n: index, %m: memref<64xf32>, %o: memref<64xf32>) {
  tile.launch @nest blocks(%b) in (%n) threads(32) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %arena = tile.arena 544 : memref<544xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[2, 64]>) : memref<544xi8, #shared> to memref<2x64xf32, #shared>
    %w = tile.view %arena[512] layout(#tile.shared<[2, 2]>) : memref<544xi8, #shared> to memref<2x2xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x2xi64, #shared>) : memref<2x64xf32, #shared> -> !tile.ring<2>
    tile.barrier
    %zero = arith.constant dense<0.0> : tensor<64xf32, #f>
    %r:2 = scf.while (%use = %c0, %sum = %zero) : (index, tensor<64xf32, #f>) -> (index, tensor<64xf32, #f>) {
      %goes = arith.cmpi ult, %use, %c9 : index
      scf.condition(%goes) %use, %sum : index, tensor<64xf32, #f>
    } do {
    ^bb0(%first: index, %before: tensor<64xf32, #f>):
      %l:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%number = %first, %sum = %before) -> (index, tensor<64xf32, #f>) {
        %free = tile.ring_acquire %ring[%number] : !tile.ring<2>
        %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<2x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
        tile.copy %m to %to {instruction = #bulk} : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
        tile.ring_commit %ring[%number] : !tile.ring<2>
        %full = tile.ring_wait %ring[%number] : !tile.ring<2>
        %from = memref.subview %s[%full, 0] [1, 64] [1, 1] : memref<2x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
        %t = tile.load %from {vector_width = 2 : i64} : memref<64xf32, strided<[1], offset: ?>, #shared> -> tensor<64xf32, #f>
        tile.ring_release %ring[%number] : !tile.ring<2>
        %new = arith.addf %sum, %t : tensor<64xf32, #f>
        %after = arith.addi %number, %c1 : index
        scf.yield %after, %new : index, tensor<64xf32, #f>
      }
      scf.yield %l#0, %l#1 : index, tensor<64xf32, #f>
    }
    tile.store %r#1, %o {vector_width = 2 : i64} : tensor<64xf32, #f>, memref<64xf32>
  }
  return
}
}
