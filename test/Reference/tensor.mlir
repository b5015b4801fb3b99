// tensor operations on fragments, a case per operation; values worked out by hand. A
// fragment is its elements in row-major order.
// RUN: tile-run %s --entry=all --on=reference | sed 's/ (block 0, 0, 0)//' | FileCheck %s
// RUN: not tile-run %s --entry=extract_outside --on=reference 2>&1 | FileCheck %s --check-prefix=OUTSIDE

func.func @all() {
  call @tensor.extract() : () -> ()
  call @tensor.splat() : () -> ()
  call @tensor.from_elements() : () -> ()
  call @tensor.expand_shape() : () -> ()
  call @tensor.collapse_shape() : () -> ()
  call @tensor.extract_slice() : () -> ()
  call @tensor.insert_slice() : () -> ()
  return
}

func.func private @tensor.extract() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %e = tensor.extract %a[%i1, %i2] : tensor<2x3xi32>
    // CHECK: once for the block: 6
    tile.print "once for the block" %e : i32
    %s = arith.constant dense<7.0> : tensor<f32>
    %f = tensor.extract %s[] : tensor<f32>
    // CHECK: of rank 0: 7
    tile.print "of rank 0" %f : f32
    // Any index in bounds: row i, column 2 - j.
    %p = tile.parallel (%i, %j) in (2, 3) -> (tensor<2x3xi32>) {
      %c = arith.subi %i2, %j : index
      %v = tensor.extract %a[%i, %c] : tensor<2x3xi32>
      tile.yield %v : i32
    }
    // CHECK: by iteration [0, 0]: [3, 2, 1]
    // CHECK-NEXT: by iteration [1, 0]: [6, 5, 4]
    tile.print "by iteration" %p : tensor<2x3xi32>
    // Poison of the element that is read, and of no other.
    %m = arith.constant dense<[true, false]> : tensor<2xi1>
    %x = arith.constant dense<[8, 9]> : tensor<2xi32>
    %n = ub.poison : tensor<2xi32>
    %y = arith.select %m, %x, %n : tensor<2xi1>, tensor<2xi32>
    %i0 = arith.constant 0 : index
    %y0 = tensor.extract %y[%i0] : tensor<2xi32>
    %y1 = tensor.extract %y[%i1] : tensor<2xi32>
    // CHECK: defined: 8
    tile.print "defined" %y0 : i32
    // CHECK: undefined: poison
    tile.print "undefined" %y1 : i32
  }
  return
}

func.func @extract_outside() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<1> : tensor<2x3xi32>
    %i0 = arith.constant 0 : index
    tile.parallel (%i) in (4) {
      // OUTSIDE: tensor.mlir:[[@LINE+2]]:12: error: index 1 is 3, outside of [0, 3)
      // OUTSIDE: note: in iteration 3
      %v = tensor.extract %a[%i0, %i] : tensor<2x3xi32>
    }
  }
  return
}

func.func private @tensor.splat() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %v = arith.constant -3 : i8
    %a = tensor.splat %v : tensor<2x2xi8>
    // CHECK: splat [0, 0]: [-3, -3]
    // CHECK-NEXT: splat [1, 0]: [-3, -3]
    tile.print "splat" %a : tensor<2x2xi8>
    %f = tensor.splat %v : tensor<i8>
    // CHECK: splat of rank 0: -3
    tile.print "splat of rank 0" %f : tensor<i8>
  }
  return
}

func.func private @tensor.from_elements() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x = arith.constant 1.0 : f16
    %y = arith.constant -0.0 : f16
    %z = ub.poison : f16
    %a = tensor.from_elements %x, %y, %z, %x : tensor<2x2xf16>
    // CHECK: from_elements [0, 0]: [1, -0]
    // CHECK-NEXT: from_elements [1, 0]: [poison, 1]
    tile.print "from_elements" %a : tensor<2x2xf16>
  }
  return
}

func.func private @tensor.expand_shape() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
    %e = tensor.expand_shape %a [[0], [1, 2]] output_shape [2, 2, 2] : tensor<2x4xi32> into tensor<2x2x2xi32>
    // CHECK: expand_shape [0, 0, 0]: [1, 2]
    // CHECK-NEXT: expand_shape [0, 1, 0]: [3, 4]
    // CHECK-NEXT: expand_shape [1, 0, 0]: [5, 6]
    // CHECK-NEXT: expand_shape [1, 1, 0]: [7, 8]
    tile.print "expand_shape" %e : tensor<2x2x2xi32>
  }
  return
}

func.func private @tensor.collapse_shape() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
    %c = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x2x2xi32> into tensor<4x2xi32>
    // CHECK: collapse_shape [0, 0]: [1, 2]
    // CHECK-NEXT: collapse_shape [1, 0]: [3, 4]
    // CHECK-NEXT: collapse_shape [2, 0]: [5, 6]
    // CHECK-NEXT: collapse_shape [3, 0]: [7, 8]
    tile.print "collapse_shape" %c : tensor<4x2xi32>
    %o = arith.constant dense<[[9]]> : tensor<1x1xi32>
    %s = tensor.collapse_shape %o [] : tensor<1x1xi32> into tensor<i32>
    // CHECK: collapse_shape to rank 0: 9
    tile.print "collapse_shape to rank 0" %s : tensor<i32>
  }
  return
}

func.func private @tensor.extract_slice() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
    %s = tensor.extract_slice %a[1, 1] [2, 2] [1, 1] : tensor<3x3xi32> to tensor<2x2xi32>
    // CHECK: extract_slice [0, 0]: [5, 6]
    // CHECK-NEXT: extract_slice [1, 0]: [8, 9]
    tile.print "extract_slice" %s : tensor<2x2xi32>
    %r = tensor.extract_slice %a[0, 2] [3, 1] [1, 1] : tensor<3x3xi32> to tensor<3xi32>
    // CHECK: extract_slice of lower rank: [3, 6, 9]
    tile.print "extract_slice of lower rank" %r : tensor<3xi32>
  }
  return
}

func.func private @tensor.insert_slice() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
    %v = arith.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
    %i = tensor.insert_slice %v into %a[0, 1] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<3x3xi32>
    // CHECK: insert_slice [0, 0]: [1, 10, 20]
    // CHECK-NEXT: insert_slice [1, 0]: [4, 30, 40]
    // CHECK-NEXT: insert_slice [2, 0]: [7, 8, 9]
    tile.print "insert_slice" %i : tensor<3x3xi32>
    %w = arith.constant dense<[50, 60, 70]> : tensor<3xi32>
    %j = tensor.insert_slice %w into %a[0, 0] [3, 1] [1, 1] : tensor<3xi32> into tensor<3x3xi32>
    // CHECK: insert_slice of lower rank [0, 0]: [50, 2, 3]
    // CHECK-NEXT: insert_slice of lower rank [1, 0]: [60, 5, 6]
    // CHECK-NEXT: insert_slice of lower rank [2, 0]: [70, 8, 9]
    tile.print "insert_slice of lower rank" %j : tensor<3x3xi32>
    // The fragment inserted into is a value and stays.
    // CHECK: the old one [0, 0]: [1, 2, 3
    tile.print "the old one" %a : tensor<3x3xi32>
  }
  return
}
