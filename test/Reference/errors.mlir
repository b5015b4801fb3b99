// What the interpreter reports, at the operation and with the other one involved.
// RUN: not tile-run %s --entry=poison_store --on=reference 2>&1 | FileCheck %s --check-prefix=STORE
// RUN: not tile-run %s --entry=poison_condition --on=reference 2>&1 | FileCheck %s --check-prefix=CONDITION
// RUN: not tile-run %s --entry=poison_address --on=reference 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: tile-run %s --entry=poison_not_chosen --on=reference 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: not tile-run %s --entry=two_blocks --on=reference 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not tile-run %s --entry=read_of_other --on=reference 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not tile-run %s --entry=plain_and_atomic --on=reference 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not tile-run %s --entry=read_after_atomics --on=reference --seed=3 2>&1 | FileCheck %s --check-prefix=RELAXED
// RUN: tile-run %s --entry=ordered --on=reference --data=zeros --seed=1 | FileCheck %s --check-prefix=ORDERED
// RUN: tile-run %s --entry=ordered --on=reference --data=zeros --seed=2 | FileCheck %s --check-prefix=ORDERED
// RUN: not tile-run %s --entry=iteration_reads_other --on=reference 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not tile-run %s --entry=two_iterations --on=reference 2>&1 | FileCheck %s --check-prefix=ITERATIONS
// RUN: not tile-run %s --entry=out_of_bounds --on=reference 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not tile-run %s --entry=asserted_bounds --on=reference 2>&1 | FileCheck %s --check-prefix=ASSERTED
// RUN: not tile-run %s --entry=repeated_rows --on=reference 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not tile-run %s --entry=overlapping_store --on=reference 2>&1 | FileCheck %s --check-prefix=STRIDES
// RUN: not tile-run %s --entry=overlapping_store_of_equal_values --on=reference 2>&1 | FileCheck %s --check-prefix=EQUAL
// RUN: not tile-run %s --entry=overlapping_windows --on=reference 2>&1 | FileCheck %s --check-prefix=WINDOWS
// RUN: not tile-run %s --entry=overlapping_copy --on=reference 2>&1 | FileCheck %s --check-prefix=OVERLAPPING-COPY
// RUN: tile-run %s --entry=distinct_strides --on=reference
// RUN: not tile-run %s --entry=overlap --on=reference 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not tile-run %s --entry=assumption --on=reference --shape=0:10 2>&1 | FileCheck %s --check-prefix=ASSUME
// RUN: not tile-run %s --entry=argument_fact --on=reference --shape=0:10 2>&1 | FileCheck %s --check-prefix=FACT
// RUN: not tile-run %s --entry=assertion --on=reference 2>&1 | FileCheck %s --check-prefix=ASSERTION
// RUN: not tile-run %s --entry=grid --on=reference --scalar=0:-1 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: tile-run %s --entry=grid --on=reference --scalar=0:0
// RUN: not tile-run %s --entry=freed --on=reference 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: not tile-run %s --entry=aliases --on=reference --alias=1:0 2>&1 | FileCheck %s --check-prefix=ALIAS
// RUN: not tile-run %s --entry=poison_atomic --on=reference 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: not tile-run %s --entry=poison_bound --on=reference 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: not tile-run %s --entry=poison_rows --on=reference 2>&1 | FileCheck %s --check-prefix=POISONROWS
#shared = #gpu.address_space<workgroup>

func.func @poison_store(%o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @k blocks(%x) in (%c1) threads(32) {
    %s = tile.alloc : memref<4xf32, #shared>
    %t = tile.load %s : memref<4xf32, #shared> -> tensor<4xf32>
    %u = arith.addf %t, %t : tensor<4xf32>
    // STORE: errors.mlir:[[@LINE+4]]:5: error: stores an element (0 of 4) that depends on memory that nobody wrote
    // STORE: note: in block (0, 0, 0) of kernel 'k'
    // STORE: errors.mlir:[[@LINE-4]]:10: note: it was read here, where nobody had written it
    // STORE: errors.mlir:{{.*}}: note: the buffer stored to is from here
    tile.store %u, %o : tensor<4xf32>, memref<4xf32>
  }
  return
}

func.func @poison_condition() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<4xi1, #shared>
    %p = memref.load %s[%c0] : memref<4xi1, #shared>
    // CONDITION: errors.mlir:[[@LINE+3]]:5: error: the condition depends on memory that nobody wrote
    // CONDITION: note: in block (0, 0, 0) of kernel 'poison_condition_0'
    // CONDITION: errors.mlir:[[@LINE-3]]:10: note: it was read here, where nobody had written it
    scf.if %p {
      tile.print "yes" %p : i1
    }
  }
  return
}

func.func @poison_atomic(%o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<4xf32, #shared>
    %v = memref.load %s[%c0] : memref<4xf32, #shared>
    // ATOMIC: errors.mlir:[[@LINE+3]]:10: error: atomic on element 0 of buffer 'argument 0' depends on memory that nobody wrote
    // ATOMIC: errors.mlir:[[@LINE-2]]:10: note: it was read here, where nobody had written it
    // ATOMIC: note: the buffer is from here
    %w = memref.atomic_rmw addf %v, %o[%c0] : (f32, memref<4xf32>) -> f32
  }
  return
}

func.func @poison_bound() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %s = tile.alloc : memref<4xindex, #shared>
    %n = memref.load %s[%c0] : memref<4xindex, #shared>
    // BOUND: errors.mlir:[[@LINE+2]]:5: error: the upper bound depends on memory that nobody wrote
    // BOUND: errors.mlir:[[@LINE-2]]:10: note: it was read here, where nobody had written it
    scf.for %i = %c0 to %n step %one {
      tile.print "i" %i : index
    }
  }
  return
}

func.func @poison_rows(%m: memref<8x4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<4xi32, #shared>
    %r = tile.load %s : memref<4xi32, #shared> -> tensor<4xi32>
    // POISONROWS: errors.mlir:[[@LINE+2]]:10: error: row 0 depends on memory that nobody wrote
    // POISONROWS: errors.mlir:[[@LINE-2]]:10: note: it was read here, where nobody had written it
    %t = tile.load %m[%c0, %c0] rows(%r : tensor<4xi32>) dim 0 : memref<8x4xf32> -> tensor<4x4xf32>
    tile.print "t" %t : tensor<4x4xf32>
  }
  return
}

func.func @poison_address(%o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<4xindex, #shared>
    %i = memref.load %s[%c0] : memref<4xindex, #shared>
    // ADDRESS: errors.mlir:[[@LINE+2]]:10: error: the start of a tile depends on memory that nobody wrote
    // ADDRESS: errors.mlir:[[@LINE-2]]:10: note: it was read here, where nobody had written it
    %t = tile.load %o[%i] : memref<4xf32> -> tensor<2xf32>
  }
  return
}

func.func @poison_not_chosen(%o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %s = tile.alloc : memref<4xf32, #shared>
    %t = tile.load %s : memref<4xf32, #shared> -> tensor<4xf32>
    %z = arith.constant dense<1.0> : tensor<4xf32>
    %m = arith.constant dense<false> : tensor<4xi1>
    %u = arith.select %m, %t, %z : tensor<4xi1>, tensor<4xf32>
    // CHOSEN: argument 0: memref<4xf32> 4 elements, from 1 to 1, mean 1
    tile.store %u, %o : tensor<4xf32>, memref<4xf32>
  }
  return
}

func.func @two_blocks(%o: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%x) in (%c2) threads(32) {
    %z = arith.constant dense<1.0> : tensor<2xf32>
    %i = arith.constant 1 : index
    %s = arith.addi %x, %i : index
    // Block 0 writes 1 and 2, block 1 writes 2 and 3; which comes first, the seed says.
    // BLOCKS: errors.mlir:[[@LINE+2]]:5: error: block ([[A:[01]]], 0, 0) writes element 2 of buffer 'argument 0', which block ([[B:[01]]], 0, 0) wrote; blocks may only share elements through atomics
    // BLOCKS: errors.mlir:[[@LINE+1]]:5: note: the other access, by block ([[B]], 0, 0), is here
    tile.store %z, %o[%s] : tensor<2xf32>, memref<4xf32>
  }
  return
}

// Block 0 writes element 0 and all read it. Whatever the order, the two accesses are
// found: a read of what was written, or a write of what others have read.
func.func @read_of_other(%o: memref<4xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%x) in (%c4) threads(32) {
    %c0 = arith.constant 0 : index
    // READ: errors.mlir:[[LOAD:[0-9]+]]:10: {{error: block [(][1-3], 0, 0[)] reads element 0 of buffer 'argument 0', which block [(]0, 0, 0[)] wrote|note: the other access, by block [(][1-3], 0, 0[)], is here}}
    %v = memref.load %o[%c0] : memref<4xf32>
    memref.store %v, %o[%x] : memref<4xf32>
  }
  return
}

// A plain write by one block and atomics by another, in either order.
func.func @plain_and_atomic(%o: memref<4xi32>) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%x) in (%c2) threads(32) {
    %c0 = arith.constant 0 : index
    %is_first = arith.cmpi eq, %x, %c0 : index
    %v = arith.constant dense<1> : tensor<4xi32>
    // PLAIN-DAG: errors.mlir:[[@LINE+2]]:7: {{error|note}}: {{.*}}block (0, 0, 0){{.*}}
    scf.if %is_first {
      tile.store %v, %o : tensor<4xi32>, memref<4xi32>
    } else {
      // PLAIN-DAG: errors.mlir:[[@LINE+1]]:7: {{error|note}}: {{.*}}block (1, 0, 0){{.*}}
      tile.atomic_rmw addi %v, %o : tensor<4xi32>, memref<4xi32>
    }
  }
  return
}

// Both blocks update atomically; block 1, which runs last with this seed, then reads
// without an order what the other one updated before its own update.
func.func @read_after_atomics(%o: memref<1xi32>) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%x) in (%c2) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = arith.constant dense<1> : tensor<1xi32>
    tile.atomic_rmw addi %v, %o : tensor<1xi32>, memref<1xi32>
    %is_second = arith.cmpi eq, %x, %c1 : index
    scf.if %is_second {
      // RELAXED: errors.mlir:[[@LINE+2]]:12: error: block (1, 0, 0) reads element 0 of buffer 'argument 0', which block (0, 0, 0) wrote
      // RELAXED: errors.mlir:[[@LINE-4]]:5: note: the other access, by block (0, 0, 0), is here
      %r = memref.load %o[%c0] : memref<1xi32>
    }
  }
  return
}

// Block-level atomics order what stands before and after them: no error.
func.func @ordered(%o: memref<1xi32>, %data: memref<4xi32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%x) in (%c4) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    memref.store %one, %data[%x] : memref<4xi32>
    %n = memref.atomic_rmw addi %one, %o[%c0] : (i32, memref<1xi32>) -> i32
    %is_last = arith.cmpi eq, %n, %three : i32
    scf.if %is_last {
      %t = tile.load %data : memref<4xi32> -> tensor<4xi32>
      // ORDERED: all {{.*}}: [1, 1, 1, 1]
      tile.print "all" %t : tensor<4xi32>
      // It may also write, plainly, what all updated.
      memref.store %one, %o[%c0] : memref<1xi32>
    }
  }
  return
}

func.func @two_iterations(%o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c2 = arith.constant 2 : index
    tile.parallel (%i) in (4) {
      %v = arith.constant 1.0 : f32
      %h = arith.divui %i, %c2 : index
      // ITERATIONS: errors.mlir:[[@LINE+2]]:7: error: iteration 1 writes element 0 of buffer 'argument 0', which iteration 0 wrote; iterations of a tile.parallel may only share elements that all of them update atomically
      // ITERATIONS: errors.mlir:[[@LINE+1]]:7: note: the other access, by iteration 0, is here
      memref.store %v, %o[%h] : memref<4xf32>
    }
  }
  return
}

// All read element 0, and iteration 1 writes it; iteration 3 was the last to read.
func.func @iteration_reads_other() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2xf32, #shared>
    %z = arith.constant dense<0.0> : tensor<2xf32>
    tile.store %z, %s : tensor<2xf32>, memref<2xf32, #shared>
    tile.parallel (%i) in (4) {
      %c1i = arith.constant 1 : index
      %v = memref.load %s[%c0] : memref<2xf32, #shared>
      %is_one = arith.cmpi eq, %i, %c1i : index
      scf.if %is_one {
        // SHARED: errors.mlir:[[@LINE+2]]:9: error: iteration 1 writes element 0 of shared buffer 'tile.alloc', which iteration {{[023]}} read
        // SHARED: errors.mlir:[[@LINE-4]]:12: note: the other access, by iteration {{[023]}}, is here
        memref.store %v, %s[%c0] : memref<2xf32, #shared>
      }
    }
  }
  return
}

func.func @out_of_bounds(%o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.parallel (%i) in (8) -> (tensor<8xf32>) {
      // BOUNDS: errors.mlir:[[@LINE+2]]:12: error: index 0 is 4, outside of [0, 4) of buffer 'argument 0'
      // BOUNDS: note: in iteration 4
      %v = memref.load %o[%i] : memref<4xf32>
      tile.yield %v : f32
    }
  }
  return
}

func.func @asserted_bounds(%o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c3 = arith.constant 3 : index
    // ASSERTED: error: in_bounds asserts dimension 0 of the memref, but coordinate 4 is outside of [0, 4)
    %t = tile.load %o[%c3] in_bounds [true] : memref<4xf32> -> tensor<2xf32>
  }
  return
}

func.func @repeated_rows(%o: memref<4x1xf32>, %r: memref<2xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %rows = tile.load %r : memref<2xi32> -> tensor<2xi32>
    %v = arith.constant dense<1.0> : tensor<2x1xf32>
    // ROWS: error: element 0 is written twice, because a row is repeated; use tile.atomic_rmw
    tile.store %v, %o[%c0, %c0] rows(%rows : tensor<2xi32>) dim 0 : tensor<2x1xf32>, memref<4x1xf32>
  }
  return
}

func.func @overlapping_store(%o: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %m = memref.reinterpret_cast %o to offset: [0], sizes: [4, 8], strides: [0, 1]
        : memref<8xf32> to memref<4x8xf32, strided<[0, 1]>>
    %v = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    // STRIDES: :[[#@LINE+1]]:{{.*}}error: elements [0, 0] and [1, 0] of the tile are both written to element 2 of buffer 'argument 0', because the strides of the memref overlap
    tile.store %v, %m[%c0, %c2] : tensor<2x3xf32>, memref<4x8xf32, strided<[0, 1]>>
  }
  return
}

func.func @overlapping_store_of_equal_values(%o: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %m = memref.reinterpret_cast %o to offset: [0], sizes: [4, 8], strides: [0, 1]
        : memref<8xf32> to memref<4x8xf32, strided<[0, 1]>>
    %v = arith.constant dense<1.0> : tensor<4x8xf32>
    // EQUAL: error: elements [0, 0] and [1, 0] of the tile are both written to element 0
    tile.store %v, %m : tensor<4x8xf32>, memref<4x8xf32, strided<[0, 1]>>
  }
  return
}

func.func @overlapping_windows(%o: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %m = memref.reinterpret_cast %o to offset: [0], sizes: [4, 3], strides: [1, 1]
        : memref<8xf32> to memref<4x3xf32, strided<[1, 1]>>
    %v = arith.constant dense<1.0> : tensor<4x3xf32>
    // WINDOWS: error: elements [0, 1] and [1, 0] of the tile are both written to element 1
    tile.store %v, %m : tensor<4x3xf32>, memref<4x3xf32, strided<[1, 1]>>
  }
  return
}

func.func @overlapping_copy(%i: memref<4x8xf32>, %o: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %s = tile.alloc : memref<4x8xf32, #gpu.address_space<workgroup>>
    tile.copy %i to %s : memref<4x8xf32> to memref<4x8xf32, #gpu.address_space<workgroup>>
    %m = memref.reinterpret_cast %o to offset: [0], sizes: [4, 8], strides: [0, 1]
        : memref<8xf32> to memref<4x8xf32, strided<[0, 1]>>
    // OVERLAPPING-COPY: error: elements [0, 0] and [1, 0] of the tile are both written to element 0 of buffer 'argument 1'
    tile.copy %s to %m : memref<4x8xf32, #gpu.address_space<workgroup>> to memref<4x8xf32, strided<[0, 1]>>
  }
  return
}

// Strides that overlap are fine where no element is written twice, and where a
// view is read.
func.func @distinct_strides(%i: memref<8xf32>, %o: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %all = memref.reinterpret_cast %i to offset: [0], sizes: [4, 8], strides: [0, 1]
        : memref<8xf32> to memref<4x8xf32, strided<[0, 1]>>
    %v = tile.load %all : memref<4x8xf32, strided<[0, 1]>> -> tensor<4x8xf32>
    %m = memref.reinterpret_cast %o to offset: [0], sizes: [4, 8], strides: [1, 8]
        : memref<64xf32> to memref<4x8xf32, strided<[1, 8]>>
    tile.store %v, %m : tensor<4x8xf32>, memref<4x8xf32, strided<[1, 8]>>
    %row = memref.reinterpret_cast %o to offset: [32], sizes: [4, 8], strides: [0, 1]
        : memref<64xf32> to memref<4x8xf32, strided<[0, 1], offset: 32>>
    %w = arith.constant dense<1.0> : tensor<1x8xf32>
    tile.store %w, %row[%c2, %c0] : tensor<1x8xf32>, memref<4x8xf32, strided<[0, 1], offset: 32>>
  }
  return
}

func.func @overlap(%o: memref<8xf32>, %n: memref<1xindex>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %i = memref.load %n[%c0] : memref<1xindex>
    // OVERLAP: error: source and destination overlap at element 0 of buffer 'argument 0'
    tile.copy %o[%i] [4] to %o[%x] [4] : memref<8xf32> to memref<8xf32>
  }
  return
}

func.func @assumption(%o: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %o, %c0 : memref<?xf32>
  // ASSUME: error: assumption violated: 10 is not divisible by 4
  %m = tile.assume_divisible %n by 4 : index
  return
}

// FACT: error: argument 0 of 'argument_fact': dimension 0 has size 10, which tile.divisible says is divisible by 8
func.func @argument_fact(%o: memref<?xf32> {tile.divisible = array<i64: 8>}) {
  return
}

func.func @assertion() {
  %c2 = arith.constant 2 : index
  tile.launch @k blocks(%x) in (%c2) threads(32) {
    %c1 = arith.constant 1 : index
    %p = arith.cmpi ult, %x, %c1 : index
    // ASSERTION: errors.mlir:[[@LINE+2]]:5: error: assertion failed: only one block
    // ASSERTION: note: in block (1, 0, 0) of kernel 'k'
    tile.assert %p, "only one block"
  }
  return
}

func.func @grid(%n: index) {
  // GRID: error: extent 0 of the grid is -1, below zero
  tile.launch blocks(%x) in (%n) threads(32) {
  }
  return
}

func.func @freed() {
  %c1 = arith.constant 1 : index
  %w = memref.alloc() : memref<4xf32>
  memref.dealloc %w : memref<4xf32>
  tile.launch blocks(%x) in (%c1) threads(32) {
    // FREED: error: buffer 'memref.alloc' was deallocated
    %t = tile.load %w : memref<4xf32> -> tensor<4xf32>
  }
  return
}

// ALIAS: error: argument 1 of 'aliases': overlaps argument 0; arguments that overlap carry tile.may_alias
func.func @aliases(%a: memref<4xf32>, %b: memref<4xf32>) {
  return
}

// RUN: not tile-run %s --entry=unknown_type --on=reference 2>&1 | FileCheck %s --check-prefix=TYPE
func.func @unknown_type() {
  // TYPE: errors.mlir:[[@LINE+1]]:8: error: a value of type 'complex<f32>' has no meaning in a tile program
  %c = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  return
}
