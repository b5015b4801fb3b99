// Shapes, printing, assertions and facts, a case per operation; values worked out by
// hand.
// RUN: tile-run %s --entry=all --on=reference | sed 's/ (block 0, 0, 0)//' | FileCheck %s
// RUN: tile-run %s --entry=blocks --on=reference --seed=5 | FileCheck %s --check-prefix=BLOCKS
// RUN: not tile-run %s --entry=assert_fails --on=reference 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: not tile-run %s --entry=divisible_fails --on=reference 2>&1 | FileCheck %s --check-prefix=DIVISIBLE
// RUN: not tile-run %s --entry=size_fails --on=reference --shape=0:6x8 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not tile-run %s --entry=stride_fails --on=reference --shape=0:6x9 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: not tile-run %s --entry=alignment_fails --on=reference --shape=0:6x8 2>&1 | FileCheck %s --check-prefix=ALIGNMENT

func.func @all() {
  call @tile.broadcast() : () -> ()
  call @tile.transpose() : () -> ()
  call @tile.bitcast() : () -> ()
  call @tile.print() : () -> ()
  call @tile.assert() : () -> ()
  call @tile.assume_divisible() : () -> ()
  call @tile.assume() : () -> ()
  call @tile.assert_facts() : () -> ()
  return
}

func.func private @tile.broadcast() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // `dims` are the new ones: 0 makes rows, 1 columns.
    %v = arith.constant dense<[7, 8]> : tensor<2xi32>
    %r = tile.broadcast %v dims [0] : tensor<2xi32> -> tensor<3x2xi32>
    // CHECK: rows [0, 0]: [7, 8]
    // CHECK-NEXT: rows [1, 0]: [7, 8]
    // CHECK-NEXT: rows [2, 0]: [7, 8]
    tile.print "rows" %r : tensor<3x2xi32>
    %c = tile.broadcast %v dims [1] : tensor<2xi32> -> tensor<2x3xi32>
    // CHECK: columns [0, 0]: [7, 7, 7]
    // CHECK-NEXT: columns [1, 0]: [8, 8, 8]
    tile.print "columns" %c : tensor<2x3xi32>
    %s = arith.constant dense<5> : tensor<i32>
    %e = tile.broadcast %s dims [0, 1] : tensor<i32> -> tensor<2x2xi32>
    // CHECK: from rank 0 [0, 0]: [5, 5]
    // CHECK-NEXT: from rank 0 [1, 0]: [5, 5]
    tile.print "from rank 0" %e : tensor<2x2xi32>
    %m = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %d = tile.broadcast %m dims [1] : tensor<2x2xi32> -> tensor<2x2x2xi32>
    // CHECK: in the middle [0, 0, 0]: [1, 2]
    // CHECK-NEXT: in the middle [0, 1, 0]: [1, 2]
    // CHECK-NEXT: in the middle [1, 0, 0]: [3, 4]
    // CHECK-NEXT: in the middle [1, 1, 0]: [3, 4]
    tile.print "in the middle" %d : tensor<2x2x2xi32>
  }
  return
}

func.func private @tile.transpose() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
    %t = tile.transpose %a [1, 0] : tensor<2x3xi32> -> tensor<3x2xi32>
    // CHECK: transposed [0, 0]: [1, 4]
    // CHECK-NEXT: transposed [1, 0]: [2, 5]
    // CHECK-NEXT: transposed [2, 0]: [3, 6]
    tile.print "transposed" %t : tensor<3x2xi32>
    // Dimension d of the result is dimension permutation[d] of the operand: with
    // [2, 0, 1] element (i, j, k) is (j, k, i).
    %c = arith.constant dense<[[[1, 2], [3, 4], [5, 6]]]> : tensor<1x3x2xi32>
    %p = tile.transpose %c [2, 0, 1] : tensor<1x3x2xi32> -> tensor<2x1x3xi32>
    // CHECK: permuted [0, 0, 0]: [1, 3, 5]
    // CHECK-NEXT: permuted [1, 0, 0]: [2, 4, 6]
    tile.print "permuted" %p : tensor<2x1x3xi32>
  }
  return
}

// The last dimension scales with the width, lowest bits first.
func.func private @tile.bitcast() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 0x21, 0x0f: halves 1, 2, -1, 0; as one word 0x0f21.
    %x = arith.constant dense<[33, 15]> : tensor<2xi8>
    %n = tile.bitcast %x : tensor<2xi8> -> tensor<4xi4>
    // CHECK: halves: [1, 2, -1, 0]
    tile.print "halves" %n : tensor<4xi4>
    %y = tile.bitcast %n : tensor<4xi4> -> tensor<2xi8>
    // CHECK: bytes: [33, 15]
    tile.print "bytes" %y : tensor<2xi8>
    %w = tile.bitcast %x : tensor<2xi8> -> tensor<1xi16>
    // CHECK: word: [3873]
    tile.print "word" %w : tensor<1xi16>
    // Rows stay apart. 0x3f800000 is 1.0, its halves 0 and 0x3f80, 1 in bf16.
    %f = arith.constant dense<[[1.0], [-2.0]]> : tensor<2x1xf32>
    %h = tile.bitcast %f : tensor<2x1xf32> -> tensor<2x2xbf16>
    // CHECK: bf16 [0, 0]: [0, 1]
    // CHECK-NEXT: bf16 [1, 0]: [0, -2]
    tile.print "bf16" %h : tensor<2x2xbf16>
    // One undefined half makes the byte undefined, an undefined byte both halves.
    %k = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
    %u = ub.poison : tensor<4xi4>
    %q = arith.select %k, %n, %u : tensor<4xi1>, tensor<4xi4>
    %s = tile.bitcast %q : tensor<4xi4> -> tensor<2xi8>
    // CHECK: undefined byte: [poison, 15]
    tile.print "undefined byte" %s : tensor<2xi8>
    %v = tile.bitcast %s : tensor<2xi8> -> tensor<4xi4>
    // CHECK: undefined halves: [poison, poison, -1, 0]
    tile.print "undefined halves" %v : tensor<4xi4>
  }
  return
}

func.func private @tile.print() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i = arith.constant -7 : i64
    // CHECK: a scalar: -7
    tile.print "a scalar" %i : i64
    %t = arith.constant dense<[true, false]> : tensor<2xi1>
    // CHECK: truth: [1, 0]
    tile.print "truth" %t : tensor<2xi1>
    %f = arith.constant dense<[0.1, -0.0, 1.0e10, 0xFF800000]> : tensor<4xf32>
    // CHECK: floats: [0.1, -0, 1e+10, -inf]
    tile.print "floats" %f : tensor<4xf32>
    // Inside of a tile.parallel a line for every iteration that gets there.
    // CHECK: iteration [0, 1]: 1
    // CHECK-NEXT: iteration [1, 1]: 2
    // CHECK-NOT: iteration
    tile.parallel (%r, %c) in (2, 2) {
      %one = arith.constant 1 : index
      %p = arith.cmpi eq, %c, %one : index
      scf.if %p {
        %s = arith.addi %r, %c : index
        tile.print "iteration" %s : index
      }
    }
  }
  return
}

// Blocks run in an order that only the seed decides; each line names its block.
func.func @blocks() {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%x, %y) in (%c2, %c2) threads(32) {
    // BLOCKS-DAG: at (block 0, 0, 0): 0
    // BLOCKS-DAG: at (block 1, 0, 0): 1
    // BLOCKS-DAG: at (block 0, 1, 0): 10
    // BLOCKS-DAG: at (block 1, 1, 0): 11
    %ten = arith.constant 10 : index
    %t = arith.muli %y, %ten : index
    %s = arith.addi %t, %x : index
    tile.print "at" %s : index
  }
  return
}

func.func private @tile.assert() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %true = arith.constant true
    tile.assert %true, "holds"
    // Only iterations that get there count.
    tile.parallel (%i) in (4) {
      %two = arith.constant 2 : index
      %p = arith.cmpi ult, %i, %two : index
      scf.if %p {
        tile.assert %p, "holds in iterations 0 and 1"
      }
    }
    // CHECK: after the assertions: 1
    tile.print "after the assertions" %true : i1
  }
  return
}

func.func @assert_fails() {
  %c1 = arith.constant 1 : index
  tile.launch @k blocks(%b) in (%c1) threads(32) {
    tile.parallel (%i) in (4) {
      %three = arith.constant 3 : index
      %p = arith.cmpi ult, %i, %three : index
      // ASSERT: tile-shape.mlir:[[@LINE+3]]:7: error: assertion failed: below three
      // ASSERT: note: in block (0, 0, 0) of kernel 'k'
      // ASSERT: note: in iteration 3
      tile.assert %p, "below three"
    }
  }
  return
}

// The value itself; zero and negative multiples are divisible.
func.func private @tile.assume_divisible() {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %h = tile.assume_divisible %c64 by 16 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %n = arith.constant -32 : index
    %a = tile.assume_divisible %n by 16 : index
    %z = tile.assume_divisible %b by 16 : index
    %t = tensor.from_elements %h, %a, %z : tensor<3xindex>
    // CHECK: assume_divisible: [64, -32, 0]
    tile.print "assume_divisible" %t : tensor<3xindex>
  }
  return
}

func.func @divisible_fails() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    tile.parallel (%i) in (4) {
      %c8 = arith.constant 8 : index
      %n = arith.muli %i, %c8 : index
      // DIVISIBLE: tile-shape.mlir:[[@LINE+2]]:12: error: assumption violated: 8 is not divisible by 16
      // DIVISIBLE: note: in iteration 1
      %a = tile.assume_divisible %n by 16 : index
    }
  }
  return
}

func.func private @tile.assume() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4x8xf32>
  %a = tile.assume %m sizes [4, 8] strides [8, 1] alignment 16 : memref<4x8xf32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %v = arith.constant 3.0 : f32
    memref.store %v, %a[%b, %b] : memref<4x8xf32>
    %w = memref.load %m[%b, %b] : memref<4x8xf32>
    // CHECK: assume: 3
    tile.print "assume" %w : f32
  }
  return
}

func.func private @tile.assert_facts() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4x8xf32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    tile.assert_facts %m sizes [4, 8] strides [8, 1] alignment 16 : memref<4x8xf32>
    %v = arith.constant 4.0 : f32
    // CHECK: assert_facts: 4
    tile.print "assert_facts" %v : f32
  }
  return
}

func.func @size_fails(%m: memref<?x?xf32>) {
  // SIZE: tile-shape.mlir:[[@LINE+1]]:8: error: assumption violated: the size of dimension 0 is 6, not divisible by 4
  %a = tile.assume %m sizes [4, 8] : memref<?x?xf32>
  return
}

func.func @stride_fails(%m: memref<?x?xf32>) {
  // STRIDE: tile-shape.mlir:[[@LINE+1]]:8: error: assumption violated: the stride of dimension 0 is 9, not divisible by 8
  %a = tile.assume %m strides [8, 1] : memref<?x?xf32>
  return
}

func.func @alignment_fails(%m: memref<?x?xf32>) {
  %c1 = arith.constant 1 : index
  %v = memref.subview %m[0, %c1] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  // ALIGNMENT: tile-shape.mlir:[[@LINE+1]]:8: error: assumption violated: the memref begins at byte 4 of its buffer, not a multiple of 16
  %a = tile.assume %v alignment 16 : memref<4x4xf32, strided<[?, 1], offset: ?>>
  return
}
