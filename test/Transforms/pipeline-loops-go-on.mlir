// Two loops that fill one buffer, which is read behind both: the second one, which may run no
// iteration, goes on with the uses of the first.
// RUN: tile-opt %s --tile-pipeline-loops=modulo=false | FileCheck %s
// RUN: tile-opt %s --tile-pipeline-loops=modulo=false --remark-format=emitRemark --remarks-filter=tile-pipeline-loops -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#big = #tile.fragment<[15360], register = [120 : (128)], lane = [32 : (1)], warp = [4 : (32)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// One ring; the slot that the first loop leaves is what the second one begins with, and only the
// last use of the second one is released behind both.
// CHECK-LABEL: func @equal_stages
// CHECK: %[[SLOTS:.*]] = tile.alloc {{.*}} memref<3x128xf32
// CHECK: %[[RING:.*]] = tile.ring %[[SLOTS]]
// CHECK-NOT: tile.ring %
// CHECK: %[[FIRST:.*]]:3 = scf.for {{.*}} iter_args
// CHECK-NOT: tile.ring_release %[[RING]][%[[FIRST]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[FIRST]]#0, %{{.*}}
// CHECK: %[[SECOND:.*]]:3 = scf.for {{.*}} iter_args(%[[USE:.*]] = %[[FIRST]]#0, %{{.*}} = %[[FIRST]]#1, %{{.*}} = %{{.*}})
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1
// CHECK: tile.ring_release %[[RING]][%[[USE]]]
// CHECK: tile.ring_acquire %[[RING]]
// CHECK: memref.subview %[[SLOTS]][%[[SECOND]]#1, 0]
// CHECK: tile.load
// CHECK: tile.ring_release %[[RING]][%[[SECOND]]#0]
// CHECK: return
// REMARK-COUNT-2: [Passed] Pipelined {{.*}}Function=equal_stages_kernel{{.*}}"3 stages, 1 copies run ahead"
func.func @equal_stages(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @equal_stages_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
    %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
    tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// The ring has the slots of the loop that asks for more, and each loop runs ahead as it asks.
// CHECK-LABEL: func @more_behind
// CHECK: %[[RING:.*]] = tile.ring {{.*}} -> !tile.ring<4>
// CHECK-NOT: tile.ring %
// CHECK: return
// REMARK: [Passed] Pipelined {{.*}}Function=more_behind_kernel{{.*}}"2 stages, 1 copies run ahead"
// REMARK: [Passed] Pipelined {{.*}}Function=more_behind_kernel{{.*}}"4 stages, 1 copies run ahead"
func.func @more_behind(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @more_behind_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 4 : i32}
    %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
    tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// CHECK-LABEL: func @fewer_behind
// CHECK: %[[RING:.*]] = tile.ring {{.*}} -> !tile.ring<3>
// CHECK-NOT: tile.ring %
// CHECK: return
// REMARK: [Passed] Pipelined {{.*}}Function=fewer_behind_kernel{{.*}}"3 stages, 1 copies run ahead"
// REMARK: [Passed] Pipelined {{.*}}Function=fewer_behind_kernel{{.*}}"2 stages, 1 copies run ahead"
func.func @fewer_behind(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @fewer_behind_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
    %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
    tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// A third loop goes on with the second one.
// CHECK-LABEL: func @three_loops
// CHECK: %[[RING:.*]] = tile.ring {{.*}} -> !tile.ring<2>
// CHECK-NOT: tile.ring %
// CHECK: %[[FIRST:.*]]:3 = scf.for
// CHECK: %[[SECOND:.*]]:3 = scf.for {{.*}} = %[[FIRST]]#0
// CHECK: %[[THIRD:.*]]:3 = scf.for {{.*}} = %[[SECOND]]#0
// CHECK-NOT: tile.ring_release %[[RING]][%[[SECOND]]
// CHECK: tile.ring_release %[[RING]][%[[THIRD]]#0]
// CHECK: return
// REMARK-COUNT-3: [Passed] Pipelined {{.*}}Function=three_loops_kernel{{.*}}"2 stages, 1 copies run ahead"
func.func @three_loops(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @three_loops_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
    %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
    tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// What the second loop asks for does not fit: it has the slots that there are.
// CHECK-LABEL: func @as_much_as_fits
// CHECK: tile.ring {{.*}} -> !tile.ring<2>
// CHECK-NOT: tile.ring %
// CHECK: return
// REMARK: [Passed] Pipelined {{.*}}Function=as_much_as_fits_kernel{{.*}}"2 stages, 1 copies run ahead"
// REMARK: [Passed] Pipelined {{.*}}Function=as_much_as_fits_kernel{{.*}}"2 stages, 1 copies run ahead"
// REMARK: [Missed] NotPipelined {{.*}}Function=as_much_as_fits_kernel{{.*}}"4 stages asked for; 'tile.copy' (line {{[0-9]+}}) runs 1 iteration ahead: the ring that it goes on with, of 'scf.for' (line {{[0-9]+}}), has 2 slots"
func.func @as_much_as_fits(%n: index, %m: memref<?xf32>, %o: memref<?xf32>) {
  tile.launch @as_much_as_fits_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[15360]>) : memref<15360xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #big, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<15360xf32, #shared>
      %x = tile.load %s : memref<15360xf32, #shared> -> tensor<15360xf32, #big>
      tile.store %x, %o[%c0] : tensor<15360xf32, #big>, memref<?xf32>
    } {tile.stages = 2 : i32}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #big, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<15360xf32, #shared>
      %x = tile.load %s : memref<15360xf32, #shared> -> tensor<15360xf32, #big>
      tile.store %x, %o[%c0] : tensor<15360xf32, #big>, memref<?xf32>
    } {tile.stages = 4 : i32}
    %y = tile.load %s : memref<15360xf32, #shared> -> tensor<15360xf32, #big>
    tile.store %y, %o[%c0] : tensor<15360xf32, #big>, memref<?xf32>
  }
  return
}
}
