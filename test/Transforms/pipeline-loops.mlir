// RUN: tile-opt %s --tile-pipeline-loops | FileCheck %s
// RUN: tile-opt %s --tile-pipeline-loops --remark-format=emitRemark --remarks-filter=tile-pipeline-loops -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#big = #tile.fragment<[64, 256], register = [4 : (0, 1), 32 : (2, 0)], lane = [32 : (0, 4)], warp = [2 : (0, 128), 2 : (1, 0)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// Three stages: two copies before the loop, one ahead in each iteration, a ring of
// three slots. Every copy is guarded by its iteration's existence and every group
// is committed, so that waits count exactly.
// CHECK-LABEL: func @three_stages
// CHECK: stage = #tile.stage<scheduled>
// CHECK: %[[RING:.*]] = tile.alloc {{.*}} : memref<3x128xf32
// CHECK: scf.if
// CHECK: tile.copy %{{.*}} to %{{.*}} {{.*}}instruction = #tile.instruction<"cp.async">
// CHECK: tile.copy_commit
// CHECK: scf.if
// CHECK: tile.copy
// CHECK: tile.copy_commit
// CHECK: scf.for
// CHECK-NEXT: tile.copy_wait
// CHECK-NEXT: tile.barrier
// CHECK: scf.if
// CHECK: tile.copy
// CHECK: tile.copy_commit
// CHECK: %[[SLOT:.*]] = memref.subview %[[RING]]
// CHECK-NEXT: tile.load %[[SLOT]]
// CHECK-NOT: tile.stages
// CHECK: }
// CHECK: tile.copy_wait
// CHECK-NEXT: tile.barrier
// REMARK: pipeline-loops.mlir:[[#@LINE+7]]:{{.*}} remark: [Passed] Pipelined {{.*}}Function=a{{.*}}3 stages, 1 copies run ahead
func.func @three_stages(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @a blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<128xf32, #f>) {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %y = arith.addf %acc, %x : tensor<128xf32, #f>
      scf.yield %y : tensor<128xf32, #f>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// A loop that writes what it copies keeps running as written.
// CHECK-LABEL: func @writes_its_source
// CHECK-NOT: tile.copy_commit
// CHECK: scf.for
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.load
// REMARK: remark: [Missed] NotPipelined {{.*}}Function=b{{.*}}3 stages asked for; a buffer keeps one slot: the loop may write the memory it copies from
func.func @writes_its_source(%n: index, %m: memref<?xf32>) {
  tile.launch @b blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %m[%i] : tensor<128xf32, #f>, memref<?xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// Four slots of 64 KB do not fit; two do.
// CHECK-LABEL: func @slots_that_fit
// CHECK: tile.alloc {{.*}} : memref<2x64x256xf32
// REMARK: remark: [Passed] Pipelined {{.*}}Function=c{{.*}}2 stages
// REMARK: remark: [Missed] NotPipelined {{.*}}Function=c{{.*}}4 stages asked for; 2 slots instead of 4 fit the 166912 bytes of shared memory
func.func @slots_that_fit(%n: index, %m: memref<?x256xf32>, %o: memref<64x256xf32>) {
  tile.launch @c blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc layout(#tile.shared<[64, 256]>) : memref<64x256xf32, #shared>
    scf.for %i = %c0 to %n step %c64 {
      tile.copy %m[%i, %c0] to %s {layout = #big, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x256xf32> to memref<64x256xf32, #shared>
      %x = tile.load %s : memref<64x256xf32, #shared> -> tensor<64x256xf32, #big>
      tile.store %x, %o : tensor<64x256xf32, #big>, memref<64x256xf32>
    } {tile.stages = 4 : i32}
  }
  return
}

// A hint that asks for nothing is removed silently, and so is an explicit
// schedule.
// CHECK-LABEL: func @no_copies_asked_for
// CHECK: scf.for
// CHECK-NOT: tile.stages
// CHECK-NOT: tile.pipeline
// CHECK: return
// REMARK-NOT: Function=d
func.func @no_copies_asked_for(%n: index, %m: memref<?xf32>) {
  tile.launch @d blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %m[%i] {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : memref<?xf32>
      tile.once {
        memref.store %v, %m[%i] : memref<?xf32>
      } {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 1 : i32}
    } {tile.stages = 1 : i32}
  }
  return
}
}
