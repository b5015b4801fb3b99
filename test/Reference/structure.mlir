// Control flow, calls, launches and parallel loops, a case per operation; values
// worked out by hand.
// RUN: tile-run %s --entry=all --on=reference --data=iota | sed 's/ (block 0, 0, 0)//' | FileCheck %s
// RUN: tile-run %s --entry=tile.launch --on=reference --data=zeros | FileCheck %s --check-prefix=LAUNCH
// RUN: tile-run %s --entry=tile.launch --on=reference --data=zeros --seed=9 | FileCheck %s --check-prefix=LAUNCH
// RUN: tile-run %s --entry=order --on=reference --seed=0 > %t.0
// RUN: tile-run %s --entry=order --on=reference --seed=0 | diff %t.0 -
// RUN: tile-run %s --entry=order --on=reference --seed=1 | not diff %t.0 -
// RUN: FileCheck %s --check-prefix=ORDER --input-file=%t.0
#shared = #gpu.address_space<workgroup>

func.func @all(%m: memref<4x4xf32>) {
  call @scf.if() : () -> ()
  call @scf.index_switch() : () -> ()
  call @scf.for() : () -> ()
  call @scf.while() : () -> ()
  call @func.call() : () -> ()
  call @tile.alloc() : () -> ()
  call @tile.parallel(%m) : (memref<4x4xf32>) -> ()
  return
}

func.func private @scf.if() {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  // On the host it may choose between memrefs.
  %a = memref.alloc() : memref<1xi32>
  %d = memref.alloc() : memref<1xi32>
  %m = scf.if %true -> (memref<1xi32>) {
    scf.yield %d : memref<1xi32>
  } else {
    scf.yield %a : memref<1xi32>
  }
  tile.launch blocks(%b) in (%c1) threads(32) {
    %v = arith.constant 4 : i32
    memref.store %v, %m[%b] : memref<1xi32>
    %w = memref.load %d[%b] : memref<1xi32>
    // CHECK: if on the host: 4
    tile.print "if on the host" %w : i32
    %i1 = arith.constant 1 : index
    %p = arith.cmpi eq, %b, %i1 : index
    %t = scf.if %p -> (tensor<2xi32>) {
      %x = arith.constant dense<1> : tensor<2xi32>
      scf.yield %x : tensor<2xi32>
    } else {
      %y = arith.constant dense<2> : tensor<2xi32>
      scf.yield %y : tensor<2xi32>
    }
    // CHECK: if of the block: [2, 2]
    tile.print "if of the block" %t : tensor<2xi32>
    // Iterations may differ; nested conditions narrow who is active.
    %u = tile.parallel (%i) in (4) -> (tensor<4xindex>) {
      %two = arith.constant 2 : index
      %odd = arith.remui %i, %two : index
      %is_odd = arith.cmpi eq, %odd, %i1 : index
      %r = scf.if %is_odd -> (index) {
        %is_high = arith.cmpi ugt, %i, %two : index
        %s = scf.if %is_high -> (index) {
          %k = arith.constant 30 : index
          scf.yield %k : index
        } else {
          %k = arith.constant 10 : index
          scf.yield %k : index
        }
        scf.yield %s : index
      } else {
        scf.yield %i : index
      }
      tile.yield %r : index
    }
    // CHECK: if by iteration: [0, 10, 2, 30]
    tile.print "if by iteration" %u : tensor<4xindex>
  }
  return
}

func.func private @scf.index_switch() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<3xi32>
  tile.launch blocks(%b) in (%c3) threads(32) {
    %v = scf.index_switch %b -> i32
    case 0 {
      %c = arith.constant 100 : i32
      scf.yield %c : i32
    }
    case 2 {
      %c = arith.constant 102 : i32
      scf.yield %c : i32
    }
    default {
      %c = arith.constant -1 : i32
      scf.yield %c : i32
    }
    memref.store %v, %m[%b] : memref<3xi32>
  }
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %m : memref<3xi32> -> tensor<3xi32>
    // CHECK: index_switch: [100, -1, 102]
    tile.print "index_switch" %t : tensor<3xi32>
  }
  return
}

func.func private @scf.for() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i7 = arith.constant 7 : index
    %n3 = arith.constant -3 : index
    // 1 + 3 + 5, the last below 7; none from 7 to 0; -3, -1, 1 below 2.
    %s = scf.for %k = %i1 to %i7 step %i2 iter_args(%a = %i0) -> (index) {
      %n = arith.addi %a, %k : index
      scf.yield %n : index
    }
    %z = scf.for %k = %i7 to %i0 step %i1 iter_args(%a = %i2) -> (index) {
      scf.yield %k : index
    }
    %g = scf.for %k = %n3 to %i2 step %i2 iter_args(%a = %i0) -> (index) {
      %n = arith.addi %a, %k : index
      scf.yield %n : index
    }
    %t = tensor.from_elements %s, %z, %g : tensor<3xindex>
    // CHECK: for: [9, 2, -3]
    tile.print "for" %t : tensor<3xindex>
    // As unsigned, -3 is far above 2.
    %u = scf.for unsigned %k = %n3 to %i2 step %i1 iter_args(%a = %i7) -> (index) {
      scf.yield %k : index
    }
    // CHECK: for unsigned: 7
    tile.print "for unsigned" %u : index
    // i8 from 100 by 50: 100 only, since 150 is past 127.
    %l = arith.constant 100 : i8
    %h = arith.constant 127 : i8
    %w = arith.constant 50 : i8
    %o = scf.for %k = %l to %h step %w iter_args(%a = %i0) -> (index) : i8 {
      %n = arith.addi %a, %i1 : index
      scf.yield %n : index
    }
    // CHECK: for i8: 1
    tile.print "for i8" %o : index
    // Two values that change places three times.
    %r:2 = scf.for %k = %i0 to %i7 step %i1 iter_args(%x = %i0, %y = %i1) -> (index, index) {
      scf.yield %y, %x : index, index
    }
    %q = tensor.from_elements %r#0, %r#1 : tensor<2xindex>
    // CHECK: for swaps: [1, 0]
    tile.print "for swaps" %q : tensor<2xindex>
    // Trip counts 0, 1, 2, 3 of iterations: sums 0, 0, 1, 3.
    %p = tile.parallel (%i) in (4) -> (tensor<4xindex>) {
      %e = scf.for %k = %i0 to %i step %i1 iter_args(%a = %i0) -> (index) {
        %n = arith.addi %a, %k : index
        scf.yield %n : index
      }
      tile.yield %e : index
    }
    // CHECK: for by iteration: [0, 0, 1, 3]
    tile.print "for by iteration" %p : tensor<4xindex>
  }
  return
}

func.func private @scf.while() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i40 = arith.constant 40 : index
    // Halve while at least 2: 40, 20, 10, 5, 2, 1: five steps.
    %r:2 = scf.while (%v = %i40, %n = %i0) : (index, index) -> (index, index) {
      %more = arith.cmpi uge, %v, %i2 : index
      scf.condition(%more) %v, %n : index, index
    } do {
    ^bb0(%v: index, %n: index):
      %h = arith.divui %v, %i2 : index
      %k = arith.addi %n, %i1 : index
      scf.yield %h, %k : index, index
    }
    %t = tensor.from_elements %r#0, %r#1 : tensor<2xindex>
    // CHECK: while: [1, 5]
    tile.print "while" %t : tensor<2xindex>
    // What the condition passes on is the result, also when the body never runs.
    %z = scf.while (%v = %i0) : (index) -> (index) {
      %d = arith.addi %v, %i40 : index
      %never = arith.constant false
      scf.condition(%never) %d : index
    } do {
    ^bb0(%v: index):
      scf.yield %v : index
    }
    // CHECK: while never: 40
    tile.print "while never" %z : index
    // Each iteration leaves at its own time: 0 and 1 at once, 2 and 3 after one step.
    %u = tile.parallel (%i) in (4) -> (tensor<4xindex>) {
      %s:2 = scf.while (%v = %i, %n = %i0) : (index, index) -> (index, index) {
        %more = arith.cmpi uge, %v, %i2 : index
        scf.condition(%more) %v, %n : index, index
      } do {
      ^bb0(%v: index, %n: index):
        %h = arith.divui %v, %i2 : index
        %k = arith.addi %n, %i1 : index
        scf.yield %h, %k : index, index
      }
      %e = arith.muli %s#1, %i40 : index
      %f = arith.addi %e, %s#0 : index
      tile.yield %f : index
    }
    // CHECK: while by iteration: [0, 1, 41, 41]
    tile.print "while by iteration" %u : tensor<4xindex>
  }
  return
}

func.func private @step(%a: memref<2xf32>, %o: memref<2xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @add_one blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<2xf32> -> tensor<2xf32>
    %one = arith.constant dense<1.0> : tensor<2xf32>
    %s = arith.addf %t, %one : tensor<2xf32>
    tile.store %s, %o : tensor<2xf32>, memref<2xf32>
  }
  return
}

func.func private @twice(%t: tensor<2xf32>, %k: f32) -> (tensor<2xf32>, f32) {
  %s = arith.addf %t, %t : tensor<2xf32>
  %d = arith.addf %k, %k : f32
  return %s, %d : tensor<2xf32>, f32
}

// On the host, where launches follow each other and memrefs change places; and in a
// launch, with fragments and scalars.
func.func private @func.call() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %p = memref.alloc() : memref<2xf32>
  %q = memref.alloc() : memref<2xf32>
  tile.launch blocks(%x) in (%c1) threads(32) {
    %z = arith.constant dense<[0.0, 10.0]> : tensor<2xf32>
    tile.store %z, %p : tensor<2xf32>, memref<2xf32>
  }
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %p, %o = %q) -> (memref<2xf32>, memref<2xf32>) {
    func.call @step(%a, %o) : (memref<2xf32>, memref<2xf32>) -> ()
    scf.yield %o, %a : memref<2xf32>, memref<2xf32>
  }
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %r#0 : memref<2xf32> -> tensor<2xf32>
    // CHECK: call on the host: [3, 13]
    tile.print "call on the host" %t : tensor<2xf32>
    %k = arith.constant 5.0 : f32
    %d:2 = func.call @twice(%t, %k) : (tensor<2xf32>, f32) -> (tensor<2xf32>, f32)
    // CHECK: call in a launch: [6, 26]
    tile.print "call in a launch" %d#0 : tensor<2xf32>
    // CHECK: and its scalar: 10
    tile.print "and its scalar" %d#1 : f32
  }
  return
}

// Each execution makes a fresh buffer with undefined contents.
func.func private @tile.alloc() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %v = arith.constant dense<[3, 4]> : tensor<2xi32>
    scf.for %k = %i0 to %i2 step %i1 {
      %s = tile.alloc : memref<2xi32, #shared>
      %t = tile.load %s : memref<2xi32, #shared> -> tensor<2xi32>
      // CHECK: alloc: [poison, poison]
      // CHECK-NEXT: alloc filled: [3, 4]
      // CHECK-NEXT: alloc: [poison, poison]
      tile.print "alloc" %t : tensor<2xi32>
      tile.store %v, %s : tensor<2xi32>, memref<2xi32, #shared>
      %u = tile.load %s : memref<2xi32, #shared> -> tensor<2xi32>
      tile.print "alloc filled" %u : tensor<2xi32>
    }
    // A layout changes nothing about values, nor does an alignment.
    %p = tile.alloc layout(#tile.shared<[2, 64], swizzle = 128>) alignment(1024) : memref<2x64xf16, #shared>
    %x = arith.constant 7.0 : f16
    memref.store %x, %p[%i1, %i2] : memref<2x64xf16, #shared>
    %y = memref.load %p[%i1, %i2] : memref<2x64xf16, #shared>
    // CHECK: alloc with a layout: 7
    tile.print "alloc with a layout" %y : f16
  }
  return
}

func.func private @tile.parallel(%m: memref<4x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Element (i, j) is what iteration (i, j) yields.
    %p, %q = tile.parallel (%i, %j) in (2, 3) -> (tensor<2x3xindex>, tensor<2x3xi1>) {
      %ten = arith.constant 10 : index
      %t = arith.muli %i, %ten : index
      %s = arith.addi %t, %j : index
      %e = arith.cmpi eq, %i, %j : index
      tile.yield %s, %e : index, i1
    }
    // CHECK: parallel [0, 0]: [0, 1, 2]
    // CHECK-NEXT: parallel [1, 0]: [10, 11, 12]
    tile.print "parallel" %p : tensor<2x3xindex>
    // CHECK: diagonal [0, 0]: [1, 0, 0]
    // CHECK-NEXT: diagonal [1, 0]: [0, 1, 0]
    tile.print "diagonal" %q : tensor<2x3xi1>
    // An iteration sees its own writes; only odd ones write. Column 0 of %m is 4 i.
    %w = tile.parallel (%i) in (4) -> (tensor<4xf32>) {
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %i2 = arith.constant 2 : index
      %odd = arith.remui %i, %i2 : index
      %is_odd = arith.cmpi eq, %odd, %i1 : index
      scf.if %is_odd {
        %c100 = arith.constant 100.0 : f32
        memref.store %c100, %m[%i, %i0] : memref<4x4xf32>
      }
      %v = memref.load %m[%i, %i0] : memref<4x4xf32>
      tile.yield %v : f32
    }
    // CHECK: own writes: [0, 100, 8, 100]
    tile.print "own writes" %w : tensor<4xf32>
    // A value that is the same for all iterations.
    %u = tile.parallel (%i) in (2) -> (tensor<2xf32>) {
      %c5 = arith.constant 5.0 : f32
      tile.yield %c5 : f32
    }
    // CHECK: uniform: [5, 5]
    tile.print "uniform" %u : tensor<2xf32>
    // A poisoned branch that was not taken does no harm.
    %s = tile.alloc : memref<4xf32, #shared>
    %z = tile.parallel (%i) in (4) -> (tensor<4xf32>) {
      %v = memref.load %s[%i] : memref<4xf32, #shared>
      %c6 = arith.constant 6.0 : f32
      %never = arith.constant false
      %x = arith.select %never, %v, %c6 : f32
      tile.yield %x : f32
    }
    // CHECK: not chosen: [6, 6, 6, 6]
    tile.print "not chosen" %z : tensor<4xf32>
  }
  return
}

// Three dimensions, the first is the fastest; each block runs once, whatever the
// order. A grid with a zero extent launches nothing.
func.func @tile.launch(%o: memref<2x3x2xi32>, %runs: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  tile.launch @numbers blocks(%x, %y, %z) in (%c2, %c3, %c2) threads(64) {
    %i0 = arith.constant 0 : index
    %i2 = arith.constant 2 : index
    %i6 = arith.constant 6 : index
    %t = arith.muli %z, %i6 : index
    %u = arith.muli %y, %i2 : index
    %v = arith.addi %t, %u : index
    %w = arith.addi %v, %x : index
    %e = arith.index_cast %w : index to i32
    memref.store %e, %o[%z, %y, %x] : memref<2x3x2xi32>
    %one = arith.constant 1 : i32
    %before = memref.atomic_rmw addi %one, %runs[%i0] : (i32, memref<1xi32>) -> i32
  }
  tile.launch @nothing blocks(%x, %y) in (%c3, %c0) threads(32) {
    %i0 = arith.constant 0 : index
    %k = arith.constant -1 : i32
    memref.store %k, %runs[%i0] : memref<1xi32>
  }
  tile.launch @show blocks(%x) in (%c1) threads(32) {
    %f = tile.load %o : memref<2x3x2xi32> -> tensor<2x3x2xi32>
    %l = tensor.collapse_shape %f [[0, 1, 2]] : tensor<2x3x2xi32> into tensor<12xi32>
    %n = memref.load %runs[%x] : memref<1xi32>
    // LAUNCH: numbers (block 0, 0, 0): [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    tile.print "numbers" %l : tensor<12xi32>
    // LAUNCH: runs (block 0, 0, 0): 12
    tile.print "runs" %n : i32
  }
  return
}

// A seed names one order of the blocks; it is not the ascending one, 0 included.
func.func @order() {
  %c16 = arith.constant 16 : index
  tile.launch blocks(%x) in (%c16) threads(32) {
    // ORDER-NOT: block (0, 0, 0): 0
    // ORDER: ran (block {{[1-9][0-9]*}}, 0, 0)
    tile.print "ran" %x : index
  }
  return
}
