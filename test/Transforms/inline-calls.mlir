// RUN: tile-opt %s --tile-inline-calls --split-input-file | FileCheck %s

// A call in a launch is replaced by the function's body, calls inside it too.
// CHECK-NOT: func.func private @twice
// CHECK-NOT: func.func private @add
// CHECK-LABEL: func @nested
func.func private @add(%a: index, %b: index) -> index {
  %s = arith.addi %a, %b : index
  return %s : index
}
func.func private @twice(%a: index) -> index {
  %s = func.call @add(%a, %a) : (index, index) -> index
  return %s : index
}
func.func @nested(%n: index, %m: memref<?xf32>) {
  // CHECK: tile.launch
  // CHECK-NEXT: %[[S:.*]] = arith.addi %bx, %bx
  // CHECK-NEXT: memref.load %{{.*}}[%[[S]]]
  // CHECK-NOT: func.call
  // CHECK: return
  tile.launch blocks(%bx) in (%n) threads(128) {
    %i = func.call @twice(%bx) : (index) -> index
    %v = memref.load %m[%i] : memref<?xf32>
    memref.store %v, %m[%bx] : memref<?xf32>
  }
  return
}

// -----

// Calls between host functions stay: their launches must not be duplicated.
// CHECK-LABEL: func @caller
// CHECK: call @callee
// CHECK: call @callee
func.func @callee(%n: index) {
  tile.launch @k blocks(%bx) in (%n) threads(128) {
  }
  return
}
func.func @caller(%n: index) {
  func.call @callee(%n) : (index) -> ()
  func.call @callee(%n) : (index) -> ()
  return
}

// -----

// A function used on both sides is inlined on both sides.
// CHECK-NOT: @ceil
// CHECK-LABEL: func @both
// CHECK: %[[G:.*]] = arith.ceildivui
// CHECK: tile.launch blocks(%bx) in (%[[G]])
// CHECK-NEXT: arith.ceildivui %bx
func.func private @ceil(%a: index, %b: index) -> index {
  %s = arith.ceildivui %a, %b : index
  return %s : index
}
func.func @both(%n: index, %m: memref<?xindex>) {
  %g = func.call @ceil(%n, %n) : (index, index) -> index
  tile.launch blocks(%bx) in (%g) threads(128) {
    %i = func.call @ceil(%bx, %n) : (index, index) -> index
    memref.store %i, %m[%bx] : memref<?xindex>
  }
  return
}

// -----

// What stands in place of a call runs when the program says of the call. Constants run at no
// time: a later pass puts them in front of the loop.
// CHECK-LABEL: func @scheduled
// CHECK: arith.constant 3 : index
// CHECK: arith.addi {{.*}} {tile.pipeline_order = 0 : i32, tile.pipeline_stage = 1 : i32}
// CHECK-NEXT: arith.muli {{.*}} {tile.pipeline_order = 0 : i32, tile.pipeline_stage = 1 : i32}
func.func private @place(%i: index) -> index {
  %c3 = arith.constant 3 : index
  %a = arith.addi %i, %c3 : index
  %b = arith.muli %a, %i : index
  return %b : index
}
func.func @scheduled(%n: index, %m: memref<?xindex>) {
  tile.launch blocks(%bx) in (%n) threads(32) {
    scf.for %i = %n to %n step %n {
      %p = func.call @place(%i) {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 0 : i32} : (index) -> index
      memref.store %p, %m[%i] {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 1 : i32} : memref<?xindex>
    } {tile.stages = 2 : i32}
  }
  return
}
