// Gemm, reductions, scans, combiners; values worked out by hand.
// RUN: tile-run %s --entry=gemm --on=reference --data=iota | FileCheck %s --check-prefix=GEMM
// RUN: tile-run %s --entry=variants --on=reference | FileCheck %s --check-prefix=VARIANT
// RUN: tile-run %s --entry=reduce --on=reference | FileCheck %s --check-prefix=REDUCE
// RUN: tile-run %s --entry=scan --on=reference | FileCheck %s --check-prefix=SCAN
// RUN: tile-run %s --entry=combiner --on=reference | FileCheck %s --check-prefix=COMBINE
#shared = #gpu.address_space<workgroup>

// a[m][k] = m + k, b[k][n] = k == n: the product is a's first columns.
func.func @gemm(%o: memref<8x16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %a = tile.parallel (%m, %k) in (8, 16) -> (tensor<8x16xf16>) {
      %s = arith.addi %m, %k : index
      %i = arith.index_cast %s : index to i32
      %f = arith.sitofp %i : i32 to f16
      tile.yield %f : f16
    }
    %b = tile.parallel (%k, %n) in (16, 8) -> (tensor<16x8xf16>) {
      %e = arith.cmpi eq, %k, %n : index
      %f = arith.uitofp %e : i1 to f16
      tile.yield %f : f16
    }
    %d = tile.gemm %a, %b : tensor<8x16xf16>, tensor<16x8xf16> -> tensor<8x8xf32>
    // GEMM: product (block 0, 0, 0) [0, 0]: [0, 1, 2, 3, 4, 5, 6, 7]
    // GEMM-NEXT: product (block 0, 0, 0) [1, 0]: [1, 2, 3, 4, 5, 6, 7, 8]
    // GEMM: product (block 0, 0, 0) [7, 0]: [7, 8, 9, 10, 11, 12, 13, 14]
    tile.print "product" %d : tensor<8x8xf32>
    // b transposed is the identity's transpose: the same; with c added twice a.
    %bt = tile.transpose %b [1, 0] : tensor<16x8xf16> -> tensor<8x16xf16>
    %t = tile.gemm %a, %bt, %d {transpose_b} : tensor<8x16xf16>, tensor<8x16xf16> -> tensor<8x8xf32>
    // GEMM: twice (block 0, 0, 0) [0, 0]: [0, 2, 4, 6, 8, 10, 12, 14]
    // GEMM-NEXT: twice (block 0, 0, 0) [1, 0]: [2, 4,
    tile.print "twice" %t : tensor<8x8xf32>
    // a transposed: memory holds K x M.
    %s = tile.alloc : memref<16x8xf16, #shared>
    %at = tile.transpose %a [1, 0] : tensor<8x16xf16> -> tensor<16x8xf16>
    tile.store %at, %s : tensor<16x8xf16>, memref<16x8xf16, #shared>
    %u = tile.gemm %s, %b {transpose_a} : memref<16x8xf16, #shared>, tensor<16x8xf16> -> tensor<8x8xf32>
    // GEMM: turned (block 0, 0, 0) [0, 0]: [0, 1, 2, 3, 4, 5, 6, 7]
    // GEMM-NEXT: turned (block 0, 0, 0) [1, 0]: [1, 2,
    tile.print "turned" %u : tensor<8x8xf32>
  }
  return
}

func.func @variants() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    // 200 as unsigned is -56 as signed: 32 * 200 * 1 or 32 * -56 * 1.
    %a = arith.constant dense<200> : tensor<8x32xi8>
    %b = arith.constant dense<1> : tensor<32x8xi8>
    %s = tile.gemm %a, %b : tensor<8x32xi8>, tensor<32x8xi8> -> tensor<8x8xi32>
    %u = tile.gemm %a, %b {unsigned_a} : tensor<8x32xi8>, tensor<32x8xi8> -> tensor<8x8xi32>
    // VARIANT: signed (block 0, 0, 0) [0, 0]: [-1792, -1792,
    tile.print "signed" %s : tensor<8x8xi32>
    // VARIANT: unsigned (block 0, 0, 0) [0, 0]: [6400, 6400,
    tile.print "unsigned" %u : tensor<8x8xi32>
    // tf32 keeps 11 significand bits: 1 + 2^-12 becomes 1.
    %p = arith.constant dense<1.000244140625> : tensor<8x8xf32>
    %ieee = tile.gemm %p, %p : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
    %tf32 = tile.gemm %p, %p {precision = #tile.precision<tf32>} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
    // VARIANT: ieee (block 0, 0, 0) [0, 0]: [8.00391,
    tile.print "ieee" %ieee : tensor<8x8xf32>
    // VARIANT: tf32 (block 0, 0, 0) [0, 0]: [8, 8,
    tile.print "tf32" %tf32 : tensor<8x8xf32>
  }
  return
}

func.func @reduce() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %a = arith.constant dense<[[1, 5, -3], [4, 2, 9]]> : tensor<2x3xi32>
    %rows = tile.reduce <add> %a dims [1] : tensor<2x3xi32> -> tensor<2xi32>
    %cols = tile.reduce <maxsi> %a dims [0] : tensor<2x3xi32> -> tensor<3xi32>
    %umin = tile.reduce <maxui> %a dims [1] : tensor<2x3xi32> -> tensor<2xi32>
    %all = tile.reduce <mul> %a dims [0, 1] : tensor<2x3xi32> -> tensor<i32>
    // REDUCE: rows (block 0, 0, 0): [3, 15]
    tile.print "rows" %rows : tensor<2xi32>
    // REDUCE: cols (block 0, 0, 0): [4, 5, 9]
    tile.print "cols" %cols : tensor<3xi32>
    // As unsigned -3 is the largest.
    // REDUCE: unsigned (block 0, 0, 0): [-3, 9]
    tile.print "unsigned" %umin : tensor<2xi32>
    // REDUCE: all (block 0, 0, 0): -1080
    tile.print "all" %all : tensor<i32>
    // f16 sums round once, after init: 2048 + 1 + 1 = 2050, not 2048.
    %h = arith.constant dense<[1.0, 1.0]> : tensor<2xf16>
    %init = arith.constant dense<2048.0> : tensor<f16>
    %sum = tile.reduce <add> %h dims [0] init(%init) : tensor<2xf16> -> tensor<f16>
    // REDUCE: once (block 0, 0, 0): 2050
    tile.print "once" %sum : tensor<f16>
    %n = arith.constant dense<[1.0, 0x7FC00000, 3.0]> : tensor<3xf32>
    %max = tile.reduce <maximumf> %n dims [0] : tensor<3xf32> -> tensor<f32>
    %num = tile.reduce <maxnumf> %n dims [0] : tensor<3xf32> -> tensor<f32>
    // REDUCE: maximumf (block 0, 0, 0): nan
    tile.print "maximumf" %max : tensor<f32>
    // REDUCE: maxnumf (block 0, 0, 0): 3
    tile.print "maxnumf" %num : tensor<f32>
  }
  return
}

func.func @scan() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %a = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
    %i = tile.scan <add> %a dim 1 : tensor<2x3xi32>
    %r = tile.scan <add> %a dim 1 {reverse} : tensor<2x3xi32>
    %e = tile.scan <add> %a dim 0 {exclusive} : tensor<2x3xi32>
    %m = tile.scan <maxsi> %a dim 1 {exclusive} : tensor<2x3xi32>
    // SCAN: inclusive (block 0, 0, 0) [0, 0]: [1, 3, 6]
    // SCAN-NEXT: inclusive (block 0, 0, 0) [1, 0]: [4, 9, 15]
    tile.print "inclusive" %i : tensor<2x3xi32>
    // SCAN: reverse (block 0, 0, 0) [0, 0]: [6, 5, 3]
    // SCAN-NEXT: reverse (block 0, 0, 0) [1, 0]: [15, 11, 6]
    tile.print "reverse" %r : tensor<2x3xi32>
    // SCAN: exclusive (block 0, 0, 0) [0, 0]: [0, 0, 0]
    // SCAN-NEXT: exclusive (block 0, 0, 0) [1, 0]: [1, 2, 3]
    tile.print "exclusive" %e : tensor<2x3xi32>
    // SCAN: neutral (block 0, 0, 0) [0, 0]: [-2147483648, 1, 2]
    // SCAN-NEXT: neutral (block 0, 0, 0) [1, 0]: [-2147483648, 4, 5]
    tile.print "neutral" %m : tensor<2x3xi32>
    %f = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %x0 = tile.scan <maximumf> %f dim 0 {exclusive, reverse} : tensor<2xf32>
    // SCAN: infinity (block 0, 0, 0): [2, -inf]
    tile.print "infinity" %x0 : tensor<2xf32>
  }
  return
}

func.func @combiner() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %v = arith.constant dense<[[3.0, 9.0, 9.0, 1.0], [0.0, -1.0, 2.0, 7.0]]> : tensor<2x4xf32>
    %idx = tile.parallel (%i, %j) in (2, 4) -> (tensor<2x4xi32>) {
      %c = arith.index_cast %j : index to i32
      tile.yield %c : i32
    }
    %best, %at = tile.reduce (%v, %idx) dims [1] : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
    ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
      %p = arith.cmpf ogt, %b, %a : f32
      %r = arith.select %p, %b, %a : f32
      %ri = arith.select %p, %bi, %ai : i32
      tile.yield %r, %ri : f32, i32
    }
    // COMBINE: best (block 0, 0, 0): [9, 7]
    // COMBINE: at (block 0, 0, 0): [1, 3]
    tile.print "best" %best : tensor<2xf32>
    tile.print "at" %at : tensor<2xi32>
    // x -> 2 x + 1 composed 3 times: 1, 3, 7 from zero.
    %m = arith.constant dense<2.0> : tensor<3xf32>
    %o = arith.constant dense<1.0> : tensor<3xf32>
    %q, %s = tile.scan (%m, %o) dim 0 : (tensor<3xf32>, tensor<3xf32>) {
    ^bb0(%a: f32, %c: f32, %b: f32, %d: f32):
      %r = arith.mulf %a, %b : f32
      %t = arith.mulf %c, %b : f32
      %u = arith.addf %t, %d : f32
      tile.yield %r, %u : f32, f32
    }
    // COMBINE: powers (block 0, 0, 0): [2, 4, 8]
    // COMBINE: states (block 0, 0, 0): [1, 3, 7]
    tile.print "powers" %q : tensor<3xf32>
    tile.print "states" %s : tensor<3xf32>
    // The empty prefix is init.
    %one = arith.constant dense<1.0> : tensor<f32>
    %zero = arith.constant dense<5.0> : tensor<f32>
    %w, %z = tile.scan (%m, %o) dim 0 init(%one, %zero) {exclusive} : (tensor<3xf32>, tensor<3xf32>) {
    ^bb0(%a: f32, %c: f32, %b: f32, %d: f32):
      %r = arith.mulf %a, %b : f32
      %t = arith.mulf %c, %b : f32
      %u = arith.addf %t, %d : f32
      tile.yield %r, %u : f32, f32
    }
    // COMBINE: shifted (block 0, 0, 0): [5, 11, 23]
    tile.print "shifted" %z : tensor<3xf32>
  }
  return
}
