// Inner loops that run as often as a value says, in a pipelined loop.
// RUN: tile-opt %s --tile-pipeline-loops=modulo=false | FileCheck %s
// RUN: tile-opt %s --tile-pipeline-loops=modulo=false --remark-format=emitRemark --remarks-filter=tile-pipeline-loops -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[32, 4], register = [4 : (0, 1)], lane = [32 : (1, 0)], warp = []>
#g = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
#s = #tile.shared<[128, 4], offset = [4 : (0, 1), 128 : (1, 0)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// A loop fills parts, another one uses them, both as often as a value says: what is read was
// filled in the iteration, however many parts there are.
// CHECK-LABEL: func @to_one_value
// CHECK: tile.ring
// CHECK: scf.if
// CHECK: tile.ring_acquire
// CHECK: scf.for
// CHECK: tile.copy
// CHECK: tile.ring_commit
// CHECK: return
func.func @to_one_value(%n: index, %count: index, %other: index, %m: memref<?x4xf32>, %o: memref<32x4xf32>) {
  tile.launch @to_one_value blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc layout(#s) : memref<128x4xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %count step %c1 {
        %row = arith.muli %j, %c32 : index
        %from = arith.addi %i, %row : index
        tile.copy %m[%from, %c0] [32, 4] to %s[%row, %c0] {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x4xf32> to memref<128x4xf32, #shared>
      }
      scf.for %j = %c0 to %count step %c1 {
        %row = arith.muli %j, %c32 : index
        %x = tile.load %s[%row, %c0] : memref<128x4xf32, #shared> -> tensor<32x4xf32, #f>
        tile.store %x, %o : tensor<32x4xf32, #f>, memref<32x4xf32>
      }
    } {tile.stages = 3 : i32}
  }
  return
}

// A loop that uses each part when it has filled it is taken apart.
// CHECK-LABEL: func @in_turns
// CHECK: tile.ring
// CHECK: scf.if
// CHECK: tile.ring_acquire
// CHECK: scf.for
// CHECK: tile.copy
// CHECK: tile.ring_commit
// CHECK: return
func.func @in_turns(%n: index, %count: index, %other: index, %m: memref<?x4xf32>, %o: memref<32x4xf32>) {
  tile.launch @in_turns blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc layout(#s) : memref<128x4xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %count step %c1 {
        %row = arith.muli %j, %c32 : index
        %from = arith.addi %i, %row : index
        tile.copy %m[%from, %c0] [32, 4] to %s[%row, %c0] {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x4xf32> to memref<128x4xf32, #shared>
        %x = tile.load %s[%row, %c0] : memref<128x4xf32, #shared> -> tensor<32x4xf32, #f>
        tile.store %x, %o : tensor<32x4xf32, #f>, memref<32x4xf32>
      }
    } {tile.stages = 3 : i32}
  }
  return
}

// Another value may be larger.
// CHECK-LABEL: func @to_other_values
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=to_other_values {{.*}}keeps one slot: 'tile.load' (line [[#@LINE+16]]) may read what this iteration has not filled: how often 'scf.for' (line [[#@LINE+9]]) runs is not constant
func.func @to_other_values(%n: index, %count: index, %other: index, %m: memref<?x4xf32>, %o: memref<32x4xf32>) {
  tile.launch @to_other_values blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc layout(#s) : memref<128x4xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %count step %c1 {
        %row = arith.muli %j, %c32 : index
        %from = arith.addi %i, %row : index
        tile.copy %m[%from, %c0] [32, 4] to %s[%row, %c0] {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x4xf32> to memref<128x4xf32, #shared>
      }
      scf.for %j = %c0 to %other step %c1 {
        %row = arith.muli %j, %c32 : index
        %x = tile.load %s[%row, %c0] : memref<128x4xf32, #shared> -> tensor<32x4xf32, #f>
        tile.store %x, %o : tensor<32x4xf32, #f>, memref<32x4xf32>
      }
    } {tile.stages = 3 : i32}
  }
  return
}

// The part behind may not have been filled.
// CHECK-LABEL: func @one_part_more
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=one_part_more {{.*}}keeps one slot: 'tile.load' {{.*}} may read what this iteration has not filled: how often
func.func @one_part_more(%n: index, %count: index, %other: index, %m: memref<?x4xf32>, %o: memref<32x4xf32>) {
  tile.launch @one_part_more blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc layout(#s) : memref<128x4xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %count step %c1 {
        %row = arith.muli %j, %c32 : index
        %from = arith.addi %i, %row : index
        tile.copy %m[%from, %c0] [32, 4] to %s[%row, %c0] {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x4xf32> to memref<128x4xf32, #shared>
      }
      scf.for %j = %c0 to %count step %c1 {
        %row = arith.muli %j, %c32 : index
        %next = arith.addi %row, %c32 : index
        %x = tile.load %s[%next, %c0] : memref<128x4xf32, #shared> -> tensor<32x4xf32, #f>
        tile.store %x, %o : tensor<32x4xf32, #f>, memref<32x4xf32>
      }
    } {tile.stages = 3 : i32}
  }
  return
}

// There may be no step at all.
// CHECK-LABEL: func @all_of_it
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=all_of_it {{.*}}keeps one slot: 'tile.load' {{.*}} may read what this iteration has not filled: how often
func.func @all_of_it(%n: index, %count: index, %other: index, %m: memref<?x4xf32>, %o: memref<32x4xf32>) {
  tile.launch @all_of_it blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc layout(#s) : memref<128x4xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %count step %c1 {
        %row = arith.muli %j, %c32 : index
        %from = arith.addi %i, %row : index
        tile.copy %m[%from, %c0] [32, 4] to %s[%row, %c0] {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x4xf32> to memref<128x4xf32, #shared>
      }
      %x = tile.load %s[%c0, %c0] : memref<128x4xf32, #shared> -> tensor<32x4xf32, #f>
      tile.store %x, %o : tensor<32x4xf32, #f>, memref<32x4xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// Filled under a condition, read without.
// CHECK-LABEL: func @under_a_condition
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=under_a_condition {{.*}}keeps one slot: 'tile.load' {{.*}} may read what this iteration has not filled
func.func @under_a_condition(%n: index, %count: index, %other: index, %m: memref<?x4xf32>, %o: memref<32x4xf32>) {
  tile.launch @under_a_condition blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc layout(#s) : memref<128x4xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      %on = arith.cmpi eq, %i, %c2 : index
      scf.if %on {
        scf.for %j = %c0 to %count step %c1 {
          %row = arith.muli %j, %c32 : index
          %from = arith.addi %i, %row : index
          tile.copy %m[%from, %c0] [32, 4] to %s[%row, %c0] {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x4xf32> to memref<128x4xf32, #shared>
        }
      }
      scf.for %j = %c0 to %count step %c1 {
        %row = arith.muli %j, %c32 : index
        %x = tile.load %s[%row, %c0] : memref<128x4xf32, #shared> -> tensor<32x4xf32, #f>
        tile.store %x, %o : tensor<32x4xf32, #f>, memref<32x4xf32>
      }
    } {tile.stages = 3 : i32}
  }
  return
}

// Parts that come again, after many steps.
// CHECK-LABEL: func @back_and_forth
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=back_and_forth {{.*}}keeps one slot
func.func @back_and_forth(%n: index, %count: index, %other: index, %m: memref<?x4xf32>, %o: memref<32x4xf32>) {
  tile.launch @back_and_forth blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c512 = arith.constant 512 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc layout(#s) : memref<128x4xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %count step %c1 {
        %part = arith.remui %j, %c512 : index
        %row = arith.muli %part, %c32 : index
        %from = arith.addi %i, %row : index
        tile.copy %m[%from, %c0] [32, 4] to %s[%row, %c0] {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x4xf32> to memref<128x4xf32, #shared>
      }
      scf.for %j = %c0 to %count step %c1 {
        %row = arith.muli %j, %c32 : index
        %x = tile.load %s[%row, %c0] : memref<128x4xf32, #shared> -> tensor<32x4xf32, #f>
        tile.store %x, %o : tensor<32x4xf32, #f>, memref<32x4xf32>
      }
    } {tile.stages = 3 : i32}
  }
  return
}

// Steps that begin in front of the buffer are not behind it.
// CHECK-LABEL: func @read_from_in_front
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=read_from_in_front {{.*}}keeps one slot
func.func @read_from_in_front(%n: index, %count: index, %other: index, %m: memref<?x4xf32>, %o: memref<32x4xf32>) {
  tile.launch @read_from_in_front blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %before = arith.constant -1 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc layout(#s) : memref<128x4xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %count step %c1 {
        %row = arith.muli %j, %c32 : index
        %from = arith.addi %i, %row : index
        tile.copy %m[%from, %c0] [32, 4] to %s[%row, %c0] {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x4xf32> to memref<128x4xf32, #shared>
      }
      scf.for %j = %before to %other step %c1 {
        %is = arith.cmpi sgt, %j, %before : index
        scf.if %is {
          %row = arith.muli %j, %c32 : index
          %x = tile.load %s[%row, %c0] : memref<128x4xf32, #shared> -> tensor<32x4xf32, #f>
          tile.store %x, %o : tensor<32x4xf32, #f>, memref<32x4xf32>
        }
      }
    } {tile.stages = 3 : i32}
  }
  return
}

// Nor are those whose parts do.
// CHECK-LABEL: func @read_the_part_before
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=read_the_part_before {{.*}}keeps one slot
func.func @read_the_part_before(%n: index, %count: index, %other: index, %m: memref<?x4xf32>, %o: memref<32x4xf32>) {
  tile.launch @read_the_part_before blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %before = arith.constant -1 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc layout(#s) : memref<128x4xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %count step %c1 {
        %row = arith.muli %j, %c32 : index
        %from = arith.addi %i, %row : index
        tile.copy %m[%from, %c0] [32, 4] to %s[%row, %c0] {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x4xf32> to memref<128x4xf32, #shared>
      }
      scf.for %j = %c0 to %other step %c1 {
        %is = arith.cmpi sgt, %j, %c0 : index
        scf.if %is {
          %k = arith.addi %j, %before : index
          %row = arith.muli %k, %c32 : index
          %x = tile.load %s[%row, %c0] : memref<128x4xf32, #shared> -> tensor<32x4xf32, #f>
          tile.store %x, %o : tensor<32x4xf32, #f>, memref<32x4xf32>
        }
      }
    } {tile.stages = 3 : i32}
  }
  return
}

// What decides over a fill is loaded from a buffer that is written in front of it: it stays there.
// CHECK-LABEL: func @condition_from_a_buffer
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NEXT: tile.store
// CHECK: memref.load
// CHECK: scf.if
// CHECK: tile.copy
// CHECK: return
func.func @condition_from_a_buffer(%n: index, %count: index, %other: index, %m: memref<?x4xf32>, %o: memref<32x4xf32>) {
  tile.launch @condition_from_a_buffer blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %places = arith.constant dense<1> : tensor<32xindex, #g>
    %p = tile.alloc layout(#tile.shared<[32]>) : memref<32xindex, #shared>
    %s = tile.alloc layout(#s) : memref<128x4xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      %on = arith.cmpi eq, %i, %c2 : index
      scf.if %on {
        tile.store %places, %p : tensor<32xindex, #g>, memref<32xindex, #shared>
        %limit = memref.load %p[%i] : memref<32xindex, #shared>
        %few = arith.cmpi ult, %limit, %count : index
        scf.if %few {
          %from = arith.addi %i, %c0 : index
          tile.copy %m[%from, %c0] [32, 4] to %s[%c0, %c0] {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x4xf32> to memref<128x4xf32, #shared>
        }
        %x = tile.load %s[%c0, %c0] : memref<128x4xf32, #shared> -> tensor<32x4xf32, #f>
        tile.store %x, %o : tensor<32x4xf32, #f>, memref<32x4xf32>
      }
    } {tile.stages = 3 : i32}
  }
  return
}
}
