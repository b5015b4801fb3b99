// Two teams with every second tile each: the producer has all, each team starts at a tile of its own
// with the number of uses that this one has, and keeps its results in bytes of its own.
// RUN: tile-opt %s --tile-specialize-warps | FileCheck %s

// CHECK-LABEL: tile.launch @teams
// CHECK-SAME: blocks(%[[ID:.*]]) in
// CHECK-SAME: threads(256) attributes {roles = #tile.roles<<consumer, warps = 4>, <consumer, warps = 4>, <producer, warps = 4>>
// CHECK: consumer warps(4) {
// CHECK: scf.for %{{.*}} = %[[ID]] to %c8 step %{{.*}} iter_args(%[[USE:.*]] = %c0)
// CHECK: tile.ring_wait %{{.*}}[%[[USE]]]
// CHECK: tile.view %{{.*}}[2048]
// CHECK: %[[IS_LAST:.*]] = arith.cmpi eq, %[[USE]], %c1
// CHECK: %[[AFTER:.*]] = arith.addi %[[USE]], %c1
// CHECK: %[[NEXT:.*]] = arith.select %[[IS_LAST]], %c0, %[[AFTER]]
// CHECK: %[[SKIPS_LAST:.*]] = arith.cmpi eq, %[[NEXT]], %c1
// CHECK: %[[BEHIND:.*]] = arith.addi %[[NEXT]], %c1
// CHECK: %[[SKIPPED:.*]] = arith.select %[[SKIPS_LAST]], %c0, %[[BEHIND]]
// CHECK: scf.yield %[[SKIPPED]]
// CHECK: consumer warps(4) {
// CHECK: %[[FIRST:.*]] = arith.select %{{.*}}, %c0, %
// CHECK: %[[BEGIN:.*]] = arith.addi %[[ID]], %c2
// CHECK: %[[STEP:.*]] = arith.muli %c2, %
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %c8 step %[[STEP]] iter_args(%{{.*}} = %[[FIRST]])
// CHECK: tile.view %{{.*}}[3072]
// An odd number of tiles leaves a turn to the second team.
// CHECK: %[[LEFT:.*]] = arith.remui
// CHECK: %[[LESS:.*]] = arith.subi %[[LEFT]], %
// CHECK: %[[HAS_NONE:.*]] = arith.cmpi ult, %[[LESS]], %
// CHECK: scf.if %[[HAS_NONE]] {
// CHECK-NEXT: tile.take_turn
// CHECK-NEXT: tile.pass_turn
// CHECK: producer warps(4) {
// CHECK: scf.for %{{.*}} = %[[ID]] to %c8 step %c2
#shared = #gpu.address_space<workgroup>
#bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#f = #tile.fragment<[256], register = [2 : (1)], lane = [32 : (2)], warp = [4 : (64)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @teams(%n: index, %m: memref<256xf32>, %o: memref<256xf32>) {
  tile.launch @teams blocks(%b) in (%n) threads(128) attributes {consumers = #tile.consumers<pingpong>, roles = #tile.roles<<consumer, warps = 4>, <producer, warps = 4>>, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %arena = tile.arena 4096 : memref<4096xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 256]>) : memref<4096xi8, #shared> to memref<1x256xf32, #shared>
    %w = tile.view %arena[1024] layout(#tile.shared<[2, 1]>) : memref<4096xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x256xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %left = scf.for %t = %b to %c8 step %c2 iter_args(%use = %c0) -> (index) {
      %free = tile.ring_acquire %ring[%use] : !tile.ring<1>
      %to = memref.subview %s[%free, 0] [1, 256] [1, 1] : memref<1x256xf32, #shared> to memref<256xf32, strided<[1], offset: ?>, #shared>
      tile.copy %m to %to {instruction = #bulk} : memref<256xf32> to memref<256xf32, strided<[1], offset: ?>, #shared>
      tile.ring_commit %ring[%use] : !tile.ring<1>
      tile.take_turn
      %full = tile.ring_wait %ring[%use] : !tile.ring<1>
      %from = memref.subview %s[%full, 0] [1, 256] [1, 1] : memref<1x256xf32, #shared> to memref<256xf32, strided<[1], offset: ?>, #shared>
      %v = tile.load %from {vector_width = 2 : i64} : memref<256xf32, strided<[1], offset: ?>, #shared> -> tensor<256xf32, #f>
      tile.ring_release %ring[%use] : !tile.ring<1>
      tile.pass_turn
      %kept = tile.view %arena[2048] layout(#tile.shared<[256]>) : memref<4096xi8, #shared> to memref<256xf32, #shared>
      tile.store %v, %kept {vector_width = 2 : i64} : tensor<256xf32, #f>, memref<256xf32, #shared>
      %r = tile.load %kept {vector_width = 2 : i64} : memref<256xf32, #shared> -> tensor<256xf32, #f>
      tile.store %r, %o {vector_width = 2 : i64} : tensor<256xf32, #f>, memref<256xf32>
      %isLast = arith.cmpi eq, %use, %c1 : index
      %after = arith.addi %use, %c1 : index
      %next = arith.select %isLast, %c0, %after : index
      scf.yield %next : index
    }
  }
  return
}
}
