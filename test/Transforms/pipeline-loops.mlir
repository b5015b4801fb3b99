// RUN: tile-opt %s --tile-pipeline-loops=modulo=false | FileCheck %s
// RUN: tile-opt %s --tile-pipeline-loops=modulo=false --remark-format=emitRemark --remarks-filter=tile-pipeline-loops -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#big = #tile.fragment<[64, 256], register = [4 : (0, 1), 32 : (2, 0)], lane = [32 : (0, 4)], warp = [2 : (0, 128), 2 : (1, 0)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// Three stages: two copies in front of the loop, one ahead in each iteration, a
// ring of three slots. Every use of a slot ahead is guarded by the existence of
// its iteration.
// CHECK-LABEL: func @three_stages
// CHECK: stage = #tile.stage<scheduled>
// CHECK: %[[BUFFER:.*]] = tile.alloc {{.*}} : memref<3x128xf32
// CHECK: %[[RING:.*]] = tile.ring %[[BUFFER]]
// CHECK: arith.cmpi slt, %{{.*}}, %arg0 : index
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[FIRST:.*]] = tile.ring_acquire %[[RING]]
// CHECK-NEXT: %[[SLOT:.*]] = memref.subview %[[BUFFER]][%[[FIRST]], 0]
// CHECK-NEXT: tile.copy %{{.*}} to %[[SLOT]] {{.*}}instruction = #tile.instruction<"cp.async">
// CHECK-NEXT: tile.ring_commit
// CHECK-NEXT: }
// CHECK: scf.if
// CHECK: tile.ring_acquire
// CHECK: tile.ring_commit
// CHECK: scf.for
// CHECK-NEXT: %[[READ:.*]] = tile.ring_wait %[[RING]][%[[USE:.*]]]
// CHECK: scf.if
// CHECK: tile.ring_acquire
// CHECK: tile.copy
// CHECK: tile.ring_commit
// CHECK: %[[SLOT:.*]] = memref.subview %[[BUFFER]][%[[READ]], 0]
// CHECK-NEXT: tile.load %[[SLOT]]
// CHECK-NEXT: tile.ring_release %[[RING]][%[[USE]]]
// CHECK-NOT: tile.stages
// CHECK: return
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

// A copy through registers is loaded at the head of a step and stored behind its
// computation, into the second of two slots however many stages there are.
// CHECK-LABEL: func @through_registers
// CHECK: %[[BUFFER:.*]] = tile.alloc {{.*}} : memref<2x128xf32
// CHECK: scf.for
// CHECK-NEXT: tile.ring_wait
// CHECK: %[[LOADED:.*]] = scf.if
// CHECK: tile.load %arg1
// CHECK: tile.load
// CHECK: arith.addf
// CHECK: scf.if
// CHECK: tile.ring_acquire
// CHECK: tile.store %[[LOADED]]
// CHECK: tile.ring_commit
// REMARK: remark: [Passed] Pipelined {{.*}}Function=registers{{.*}}2 stages, 1 copies run ahead
func.func @through_registers(%n: index, %m: memref<?xf16>, %o: memref<128xf32>) {
  tile.launch @registers blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<128xf32, #f>) {
      %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"ld.st">} : memref<?xf16> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %y = arith.addf %acc, %x : tensor<128xf32, #f>
      scf.yield %y : tensor<128xf32, #f>
    } {tile.stages = 4 : i32}
    tile.store %r, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// A copy whose condition and place are loaded runs ahead together with the loads,
// which run one iteration further ahead: their values are carried from step to
// step. The use of the buffer stays under the condition.
// CHECK-LABEL: func @guarded_and_loaded
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<128xf32{{.*}}, index, index, i1, index, i1)
// CHECK: scf.if
// CHECK: memref.load
// CHECK: memref.load
// CHECK: tile.ring_acquire
// CHECK-NEXT: %[[SLOT:.*]] = memref.subview
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile.copy
// CHECK: tile.ring_commit
// CHECK: scf.if
// CHECK: tile.load
// REMARK: remark: [Passed] Pipelined {{.*}}Function=guarded{{.*}}2 stages, 1 copies run ahead
func.func @guarded_and_loaded(%n: index, %on: memref<?xi1>, %at: memref<?xindex>, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @guarded blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128xf32, #f>) {
      %is = memref.load %on[%i] : memref<?xi1>
      %where = memref.load %at[%i] : memref<?xindex>
      %next = scf.if %is -> (tensor<128xf32, #f>) {
        tile.copy %m[%where] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
        %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
        %y = arith.addf %acc, %x : tensor<128xf32, #f>
        scf.yield %y : tensor<128xf32, #f>
      } else {
        scf.yield %acc : tensor<128xf32, #f>
      }
      scf.yield %next : tensor<128xf32, #f>
    } {tile.stages = 2 : i32}
    tile.store %r, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// What is in the buffer in front of the loop is use 0 of its ring, and the last
// use is read behind the loop before it is released.
// CHECK-LABEL: func @read_behind
// CHECK: %[[BUFFER:.*]] = tile.alloc {{.*}} : memref<2x128xf32
// CHECK-NEXT: %[[RING:.*]] = tile.ring
// CHECK: tile.ring_acquire %[[RING]]
// CHECK-NEXT: tile.ring_commit %[[RING]]
// CHECK-NEXT: %[[BEFORE:.*]] = tile.ring_wait %[[RING]]
// CHECK-NEXT: %[[SLOT:.*]] = memref.subview %[[BUFFER]][%[[BEFORE]], 0]
// CHECK: tile.store %{{.*}}, %[[SLOT]]
// CHECK: %[[LOOP:.*]]:{{[0-9]}} = scf.for
// CHECK: %[[READ:.*]] = tile.ring_wait
// CHECK-NEXT: tile.ring_release
// CHECK: scf.yield {{.*}}%[[READ]]
// CHECK: %[[LAST:.*]] = memref.subview %[[BUFFER]][%[[LOOP]]
// CHECK: tile.load %[[LAST]]
// CHECK: tile.ring_release
func.func @read_behind(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @behind blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    tile.store %zero, %s : tensor<128xf32, #f>, memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
    %last = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
    tile.store %last, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// The program says the schedule: the load of the slot runs one iteration behind
// the copy and one ahead of the sum, which gets it from the step before.
// CHECK-LABEL: func @explicit
// CHECK: tile.alloc {{.*}} : memref<2x128xf32
// CHECK: scf.for {{.*}} iter_args(%[[ACC:[^ ]*]] = %{{[^,]*}}, {{.*}} %[[CARRIED:[^ ]*]] = %{{[^,)]*}}) -> (tensor<128xf32{{.*}}, tensor<128xf32
// CHECK: arith.addf %[[ACC]], %[[CARRIED]]
// REMARK: remark: [Passed] Pipelined {{.*}}Function=explicit{{.*}}3 stages, 1 copies run ahead
func.func @explicit(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @explicit blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<128xf32, #f>) {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">, tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 1 : i32} : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %y = arith.addf %acc, %x {tile.pipeline_stage = 2 : i32, tile.pipeline_order = 2 : i32} : tensor<128xf32, #f>
      scf.yield %y : tensor<128xf32, #f>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// A slot is released behind its last reader.
// CHECK-LABEL: func @two_readers
// CHECK: scf.for
// CHECK: %[[READ:.*]] = tile.ring_wait
// CHECK: %[[SLOT:.*]] = memref.subview %{{.*}}[%[[READ]], 0]
// CHECK-NEXT: tile.load %[[SLOT]]
// CHECK: tile.load %[[SLOT]]
// CHECK: tile.ring_release
func.func @two_readers(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @two_readers blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %z = arith.addf %x, %y : tensor<128xf32, #f>
      tile.store %z, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
  }
  return
}

// With one stage a fill follows the last use of its buffer; what nobody uses is
// released as soon as it is there.
// CHECK-LABEL: func @one_slot
// CHECK: %[[RING:.*]] = tile.ring %{{.*}} -> !tile.ring<1>
// CHECK: scf.for
// CHECK-NEXT: tile.ring_wait %[[RING]][%[[USE:.*]]]
// CHECK-NEXT: tile.ring_release %[[RING]][%[[USE]]]
// CHECK: tile.ring_acquire %[[RING]]
// CHECK: tile.ring_commit
// CHECK: tile.load
func.func @one_slot(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @one_slot blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %m[%i] : memref<?xf32> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 1 : i32}
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
