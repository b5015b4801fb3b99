// Buffers that are filled element by element, and what of them keeps one slot.
// RUN: tile-opt %s --tile-pipeline-loops=modulo=false | FileCheck %s
// RUN: tile-opt %s --tile-pipeline-loops=modulo=false --remark-format=emitRemark --remarks-filter=tile-pipeline-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128, 2], register = [2 : (0, 1)], lane = [32 : (1, 0)], warp = [4 : (32, 0)]>
#h = #tile.fragment<[64, 2], register = [], lane = [32 : (1, 0)], warp = [2 : (32, 0), 2 : (0, 1)]>
#p = #tile.fragment<[2, 4], register = [2 : (1, 0)], lane = [32 : (0, 0)], warp = [4 : (0, 1)]>
#t = #tile.shared<[2, 4], offset = [4 : (0, 1), 2 : (1, 0)]>
#s = #tile.shared<[128, 2], offset = [2 : (0, 1), 128 : (1, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {

// Each element is read a step ahead, in front of the computation, and stored behind it
// into the slot of the next iteration.
// CHECK-LABEL: func @read_and_stored
// CHECK: scf.for
// CHECK: %[[NEXT:.*]] = scf.if {{.*}} -> (tensor<128x2xf32
// CHECK: %[[READ:.*]] = tile.parallel (%[[I:.*]], %[[J:.*]]) in (128, 2) -> (tensor<128x2xf32
// CHECK: %[[X:.*]] = memref.load %arg1
// CHECK: %[[Y:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NOT: memref.store
// CHECK: tile.yield %[[Y]] : f32
// CHECK: scf.yield %[[READ]]
// CHECK: tile.store %{{.*}}, %arg2
// CHECK: tile.store %[[NEXT]], %{{.*}} : tensor<128x2xf32{{.*}}, memref<128x2xf32, strided
// REMARK: [Passed] Pipelined {{.*}}Function=read_and_stored | {{.*}}Remark="2 stages, 1 copies run ahead
func.func @read_and_stored(%n: index, %m: memref<?x2xf32>, %o: memref<128x2xf32>) {
  tile.launch @read_and_stored blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#s) : memref<128x2xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.parallel (%u, %v) in (128, 2) attributes {layout = #f, vector_width = 1 : i64} {
        %row = arith.addi %i, %u : index
        %x = memref.load %m[%row, %v] : memref<?x2xf32>
        %y = arith.addf %x, %x : f32
        memref.store %y, %s[%u, %v] : memref<128x2xf32, #shared>
      }
      %t = tile.load %s : memref<128x2xf32, #shared> -> tensor<128x2xf32, #f>
      tile.store %t, %o : tensor<128x2xf32, #f>, memref<128x2xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// An iteration that stores elsewhere is no fragment.
// CHECK-LABEL: func @stored_elsewhere
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=stored_elsewhere {{.*}}3 stages asked for; the buffer that 'tile.parallel' (line [[#@LINE+7]]) fills keeps one slot: it stores each element as it has read it; yield them as a fragment and store that
func.func @stored_elsewhere(%n: index, %m: memref<?x2xf32>, %o: memref<128x2xf32>) {
  tile.launch @stored_elsewhere blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc layout(#s) : memref<128x2xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      tile.parallel (%u, %v) in (128, 2) attributes {layout = #f, vector_width = 1 : i64} {
        %x = memref.load %m[%i, %v] : memref<?x2xf32>
        %w = arith.subi %c1, %v : index
        memref.store %x, %s[%u, %w] : memref<128x2xf32, #shared>
      }
      %t = tile.load %s : memref<128x2xf32, #shared> -> tensor<128x2xf32, #f>
      tile.store %t, %o : tensor<128x2xf32, #f>, memref<128x2xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// What is changed in place is no fill.
// CHECK-LABEL: func @changed
// CHECK-NOT: tile.ring
// CHECK: memref.store
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=changed {{.*}}neither a fill of a shared buffer nor a load
func.func @changed(%n: index, %m: memref<?x2xf32>, %o: memref<128x2xf32>) {
  tile.launch @changed blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc layout(#s) : memref<128x2xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      tile.parallel (%u, %v) in (128, 2) attributes {layout = #f, vector_width = 1 : i64} {
        %x = memref.load %m[%i, %v] : memref<?x2xf32>
        %y = memref.load %s[%u, %v] : memref<128x2xf32, #shared>
        %z = arith.addf %x, %y : f32
        memref.store %z, %s[%u, %v] : memref<128x2xf32, #shared>
      }
      %t = tile.load %s : memref<128x2xf32, #shared> -> tensor<128x2xf32, #f>
      tile.store %t, %o : tensor<128x2xf32, #f>, memref<128x2xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// A fragment that is stored and used is not stored behind the computation.
// CHECK-LABEL: func @used_twice
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=used_twice {{.*}}3 stages asked for; the buffer that 'tile.store' (line [[#@LINE+8]]) fills keeps one slot: what it stores is used by others too; load it for them again
func.func @used_twice(%n: index, %m: memref<?x128x2xf32>, %o: memref<128x2xf32>) {
  tile.launch @used_twice blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc layout(#s) : memref<128x2xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      %x = tile.load %m[%i, %c0, %c0] [1, 128, 2] : memref<?x128x2xf32> -> tensor<128x2xf32, #f>
      tile.store %x, %s : tensor<128x2xf32, #f>, memref<128x2xf32, #shared>
      %t = tile.load %s : memref<128x2xf32, #shared> -> tensor<128x2xf32, #f>
      %y = arith.addf %x, %t : tensor<128x2xf32, #f>
      tile.store %y, %o : tensor<128x2xf32, #f>, memref<128x2xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// What combines loaded elements is computation: a store of it is no fill.
// CHECK-LABEL: func @combined
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK-NOT: NotPipelined {{.*}}Function=combined
func.func @combined(%n: index, %m: memref<?x128x2xf32>, %o: memref<128x2xf32>) {
  tile.launch @combined blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc layout(#t) : memref<2x4xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      %x = tile.load %m[%i, %c0, %c0] [1, 128, 2] : memref<?x128x2xf32> -> tensor<128x2xf32, #f>
      %p = tile.partial_reduce <add> %x dims [0] : tensor<128x2xf32, #f> -> tensor<2x4xf32, #p>
      tile.store %p, %s : tensor<2x4xf32, #p>, memref<2x4xf32, #shared>
      tile.store %x, %o : tensor<128x2xf32, #f>, memref<128x2xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// Elements that are stored into what a copy has filled do not take its slots.
// CHECK-LABEL: func @beside_a_copy
// CHECK: tile.ring %{{.*}} : memref<3x128x2xf32
// CHECK: return
// REMARK-NOT: NotPipelined {{.*}}Function=beside_a_copy
func.func @beside_a_copy(%n: index, %m: memref<?x2xf32>, %o: memref<128x2xf32>) {
  tile.launch @beside_a_copy blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc layout(#s) : memref<128x2xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %m[%i, %c0] to %s {layout = #f, vector_width = 2 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x2xf32> to memref<128x2xf32, #shared>
      tile.parallel (%u, %v) in (64, 2) attributes {layout = #h, vector_width = 1 : i64} {
        %x = memref.load %m[%u, %v] : memref<?x2xf32>
        memref.store %x, %s[%u, %v] : memref<128x2xf32, #shared>
      }
      %t = tile.load %s : memref<128x2xf32, #shared> -> tensor<128x2xf32, #f>
      tile.store %t, %o : tensor<128x2xf32, #f>, memref<128x2xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// An inner loop of which nobody knows whether it runs has filled nothing for sure, and one that
// uses what it fills in each step is not taken apart.
// CHECK-LABEL: func @inner_loops
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=inner_loops {{.*}}the buffer that 'tile.copy' (line [[#@LINE+14]]) fills keeps one slot: 'scf.for' (line [[#@LINE+13]]) fills it and uses it in turns; give that loop tile.stages instead
// REMARK: [Missed] NotPipelined {{.*}}Function=inner_loops {{.*}}the buffer that 'scf.for' (line [[#@LINE+8]]) fills keeps one slot: 'tile.load' (line [[#@LINE+11]]) may read what this iteration has not filled: how often 'scf.for' (line [[#@LINE+8]]) runs is not constant
func.func @inner_loops(%n: index, %m: memref<?x2xf32>, %o: memref<128x2xf32>) {
  tile.launch @inner_loops blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc layout(#s) : memref<128x2xf32, #shared>
    %t = tile.alloc layout(#s) : memref<128x2xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %i step %c1 {
        tile.copy %m[%i, %c0] to %s {layout = #f, vector_width = 2 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x2xf32> to memref<128x2xf32, #shared>
      }
      %x = tile.load %s : memref<128x2xf32, #shared> -> tensor<128x2xf32, #f>
      scf.for %j = %c0 to %i step %c1 {
        tile.copy %m[%j, %c0] to %t {layout = #f, vector_width = 2 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x2xf32> to memref<128x2xf32, #shared>
        %y = tile.load %t : memref<128x2xf32, #shared> -> tensor<128x2xf32, #f>
        %z = arith.addf %x, %y : tensor<128x2xf32, #f>
        tile.store %z, %o : tensor<128x2xf32, #f>, memref<128x2xf32>
      }
    } {tile.stages = 3 : i32}
  }
  return
}

// What is computed has no slots and no remark.
// CHECK-LABEL: func @computed
// REMARK-NOT: NotPipelined {{.*}}Function=computed
func.func @computed(%n: index, %m: memref<?x2xf32>, %o: memref<128x2xf32>) {
  tile.launch @computed blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#s) : memref<128x2xf32, #shared>
    %t = tile.alloc layout(#s) : memref<128x2xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i, %c0] to %s {layout = #f, vector_width = 2 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x2xf32> to memref<128x2xf32, #shared>
      %x = tile.load %s : memref<128x2xf32, #shared> -> tensor<128x2xf32, #f>
      tile.store %x, %t : tensor<128x2xf32, #f>, memref<128x2xf32, #shared>
      %y = tile.load %t : memref<128x2xf32, #shared> -> tensor<128x2xf32, #f>
      tile.store %y, %o : tensor<128x2xf32, #f>, memref<128x2xf32>
    } {tile.stages = 3 : i32}
  }
  return
}
}
