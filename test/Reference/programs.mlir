// Whole programs: iterations that diverge, blocks in any order, host loops with
// calls, the last block that reduces.
// RUN: tile-run %s --entry=iterations --on=reference --data=iota | FileCheck %s --check-prefix=ITER
// RUN: tile-run %s --entry=blocks --on=reference --data=zeros --seed=7 | FileCheck %s --check-prefix=BLOCK
// RUN: tile-run %s --entry=host --on=reference --data=zeros --scalar=1:3 | FileCheck %s --check-prefix=HOST
// RUN: tile-run %s --entry=last_block --on=reference --data=zeros --seed=3 | FileCheck %s --check-prefix=LAST

func.func @iterations(%m: memref<4x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c1i = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0 : index
    %t = tile.parallel (%i) in (4) -> (tensor<4xindex>) {
      // Trip counts 0, 1, 2, 3: sums 0, 0, 1, 3.
      %s = scf.for %k = %c0 to %i step %c1i iter_args(%a = %z) -> (index) {
        %n = arith.addi %a, %k : index
        scf.yield %n : index
      }
      %odd = arith.remui %i, %c2 : index
      %p = arith.cmpi eq, %odd, %c1i : index
      %r = scf.if %p -> (index) {
        %neg = arith.subi %z, %s : index
        scf.yield %neg : index
      } else {
        scf.yield %s : index
      }
      tile.yield %r : index
    }
    // ITER: loops (block 0, 0, 0): [0, 0, 1, -3]
    tile.print "loops" %t : tensor<4xindex>
    // Halve until below 2: 3 -> 1, 2 -> 1; counts of steps 0, 0, 1, 1.
    %u = tile.parallel (%i) in (4) -> (tensor<4xindex>) {
      %r:2 = scf.while (%v = %i, %n = %z) : (index, index) -> (index, index) {
        %more = arith.cmpi uge, %v, %c2 : index
        scf.condition(%more) %v, %n : index, index
      } do {
      ^bb0(%v: index, %n: index):
        %h = arith.divui %v, %c2 : index
        %k = arith.addi %n, %c1i : index
        scf.yield %h, %k : index, index
      }
      tile.yield %r#1 : index
    }
    // ITER: while (block 0, 0, 0): [0, 0, 1, 1]
    tile.print "while" %u : tensor<4xindex>
    // An iteration sees its own writes; only odd ones write.
    %w = tile.parallel (%i) in (4) -> (tensor<4xf32>) {
      %odd = arith.remui %i, %c2 : index
      %p = arith.cmpi eq, %odd, %c1i : index
      %c100 = arith.constant 100.0 : f32
      scf.if %p {
        memref.store %c100, %m[%i, %c0] : memref<4x4xf32>
      }
      %v = memref.load %m[%i, %c0] : memref<4x4xf32>
      tile.yield %v : f32
    }
    // ITER: own (block 0, 0, 0): [0, 100, 8, 100]
    tile.print "own" %w : tensor<4xf32>
    // Gathers at any index, of fragments and memory.
    %g = tile.parallel (%i, %j) in (2, 2) -> (tensor<2x2xf32>) {
      %k = arith.addi %i, %j : index
      %a = tensor.extract %w[%k] : tensor<4xf32>
      tile.yield %a : f32
    }
    // ITER: gather (block 0, 0, 0) [0, 0]: [0, 100]
    // ITER: gather (block 0, 0, 0) [1, 0]: [100, 8]
    tile.print "gather" %g : tensor<2x2xf32>
  }
  return
}

func.func @blocks(%o: memref<6xi32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  tile.launch blocks(%x, %y) in (%c3, %c2) threads(32) {
    %c3i = arith.constant 3 : index
    %r = arith.muli %y, %c3i : index
    %n = arith.addi %r, %x : index
    %v = scf.index_switch %n -> i32
    case 0 {
      %c = arith.constant 100 : i32
      scf.yield %c : i32
    }
    case 4 {
      %c = arith.constant 104 : i32
      scf.yield %c : i32
    }
    default {
      %c = arith.index_cast %n : index to i32
      scf.yield %c : i32
    }
    memref.store %v, %o[%n] : memref<6xi32>
  }
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %o : memref<6xi32> -> tensor<6xi32>
    // BLOCK: values (block 0, 0, 0): [100, 1, 2, 3, 104, 5]
    tile.print "values" %t : tensor<6xi32>
  }
  return
}

func.func private @step(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @add_one blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<4xf32> -> tensor<4xf32>
    %one = arith.constant dense<1.0> : tensor<4xf32>
    %s = arith.addf %t, %one : tensor<4xf32>
    tile.store %s, %b : tensor<4xf32>, memref<4xf32>
  }
  return
}

// Swaps two buffers n times; a zero grid does nothing.
func.func @host(%o: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = memref.alloc() : memref<4xf32>
  memref.copy %o, %w : memref<4xf32> to memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %o, %b = %w) -> (memref<4xf32>, memref<4xf32>) {
    func.call @step(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  tile.launch @nothing blocks(%x) in (%c0) threads(32) {
    %z = arith.constant dense<-1.0> : tensor<4xf32>
    tile.store %z, %o : tensor<4xf32>, memref<4xf32>
  }
  tile.launch @show blocks(%x) in (%c1) threads(32) {
    %t = tile.load %r#0 : memref<4xf32> -> tensor<4xf32>
    // HOST: last (block 0, 0, 0): [3, 3, 3, 3]
    tile.print "last" %t : tensor<4xf32>
  }
  memref.dealloc %w : memref<4xf32>
  return
}

// The last block to arrive sees what all others wrote: a chain of atomics.
func.func @last_block(%parts: memref<4xf32>, %count: memref<1xi32>, %o: memref<1xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%x) in (%c4) threads(32) {
    %c0 = arith.constant 0 : index
    %i = arith.index_cast %x : index to i32
    %f = arith.sitofp %i : i32 to f32
    memref.store %f, %parts[%x] : memref<4xf32>
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %before = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
    %is_last = arith.cmpi eq, %before, %three : i32
    scf.if %is_last {
      %t = tile.load %parts : memref<4xf32> -> tensor<4xf32>
      %s = tile.reduce <add> %t dims [0] : tensor<4xf32> -> tensor<f32>
      %e = tensor.extract %s[] : tensor<f32>
      // LAST: total {{.*}}: 6
      tile.print "total" %e : f32
      memref.store %e, %o[%c0] : memref<1xf32>
    }
  }
  return
}
