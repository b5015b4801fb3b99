// Iterations are counted over the integers, in the signedness of the loop.
// RUN: tile-opt %s --tile-simplify-loops | FileCheck %s

func.func private @use(i8)

// CHECK-LABEL: func @never
// CHECK-NEXT: return %arg0
func.func @never(%a: i8) -> i8 {
  %c0 = arith.constant 0 : i8
  %c100 = arith.constant 100 : i8
  %c-56 = arith.constant -56 : i8
  %r = scf.for %i = %c100 to %c-56 step %c100 iter_args(%s = %a) -> (i8) : i8 {
    scf.yield %i : i8
  }
  %t = scf.for %i = %r to %r step %c0 iter_args(%s = %r) -> (i8) : i8 {
    scf.yield %i : i8
  }
  return %t : i8
}

// One bit is 0 or 1 where it has no sign.
// CHECK-LABEL: func @once
// CHECK-NOT: scf.for
// CHECK: call @use(%c100_i8)
// CHECK-NOT: scf.for
// CHECK: return %true
func.func @once() -> i1 {
  %false = arith.constant false
  %true = arith.constant true
  %c100 = arith.constant 100 : i8
  %c-56 = arith.constant -56 : i8
  scf.for unsigned %i = %c100 to %c-56 step %c100 : i8 {
    func.call @use(%i) : (i8) -> ()
  }
  %r = scf.for unsigned %i = %false to %true step %true iter_args(%s = %false) -> (i1) : i1 {
    %n = arith.xori %s, %true : i1
    scf.yield %n : i1
  }
  return %r : i1
}

// A step of 200, and a distance of 200.
// CHECK-LABEL: func @twice
// CHECK: scf.for unsigned
// CHECK: scf.for %
func.func @twice() {
  %c0 = arith.constant 0 : i8
  %c-6 = arith.constant -6 : i8
  %c-56 = arith.constant -56 : i8
  %c-100 = arith.constant -100 : i8
  %c100 = arith.constant 100 : i8
  %c127 = arith.constant 127 : i8
  scf.for unsigned %i = %c0 to %c-6 step %c-56 : i8 {
    func.call @use(%i) : (i8) -> ()
  }
  scf.for %i = %c-100 to %c100 step %c127 : i8 {
    func.call @use(%i) : (i8) -> ()
  }
  return
}

// What yields a value from outside and does nothing else has that value.
// CHECK-LABEL: func @idle
// CHECK-NEXT: return %arg1
func.func @idle(%a: f32, %b: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %a) -> (f32) {
    scf.yield %b : f32
  }
  return %r : f32
}

// Bounds that are not known, and a step that is not positive.
// CHECK-LABEL: func @stays
// CHECK: scf.for
// CHECK: scf.for
func.func @stays(%n: i8) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  scf.for %i = %c0 to %n step %c1 : i8 {
    func.call @use(%i) : (i8) -> ()
  }
  scf.for %i = %c0 to %c1 step %c0 : i8 {
    func.call @use(%i) : (i8) -> ()
  }
  return
}

// A schedule goes with its loop.
// CHECK-LABEL: func @scheduled_once
// CHECK-NOT: tile.pipeline
// CHECK: return
func.func @scheduled_once(%a: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%s = %a) -> (index) {
    %x = arith.addi %s, %a {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : index
    %y = arith.muli %x, %s {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 1 : i32} : index
    scf.yield %y : index
  } {tile.stages = 2 : i32}
  return %r : index
}
