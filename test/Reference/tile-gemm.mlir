// tile.gemm and its variants, a case per operation; values worked out by hand.
// RUN: tile-run %s --entry=all --on=reference | sed 's/ (block 0, 0, 0)//' | FileCheck %s
// RUN: not tile-run %s --entry=bad_positions --on=reference 2>&1 | FileCheck %s --check-prefix=POSITIONS
#shared = #gpu.address_space<workgroup>

func.func @all() {
  call @tile.gemm() : () -> ()
  call @tile.gemm_integers() : () -> ()
  call @tile.gemm_floats() : () -> ()
  call @tile.gemm_special() : () -> ()
  call @tile.gemm_sparse() : () -> ()
  call @tile.gemm_scaled() : () -> ()
  return
}

// a[m][k] = m + 2 k, b[k][n] is 1 where k = n: the product is a's first columns.
func.func private @tile.gemm() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %a = tile.parallel (%m, %k) in (8, 16) -> (tensor<8x16xf16>) {
      %k2 = arith.addi %k, %k : index
      %s = arith.addi %m, %k2 : index
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
    // CHECK: product [0, 0]: [0, 2, 4, 6, 8, 10, 12, 14]
    // CHECK-NEXT: product [1, 0]: [1, 3, 5, 7, 9, 11, 13, 15]
    // CHECK: product [7, 0]: [7, 9, 11, 13, 15, 17, 19, 21]
    tile.print "product" %d : tensor<8x8xf32>
    %t = tile.gemm %a, %b, %d : tensor<8x16xf16>, tensor<16x8xf16> -> tensor<8x8xf32>
    // CHECK: accumulated [0, 0]: [0, 4, 8, 12, 16, 20, 24, 28]
    tile.print "accumulated" %t : tensor<8x8xf32>
    // Operands the other way round, a through shared memory.
    %s = tile.alloc : memref<16x8xf16, #shared>
    %at = tile.transpose %a [1, 0] : tensor<8x16xf16> -> tensor<16x8xf16>
    tile.store %at, %s : tensor<16x8xf16>, memref<16x8xf16, #shared>
    %bt = tile.transpose %b [1, 0] : tensor<16x8xf16> -> tensor<8x16xf16>
    %u = tile.gemm %s, %bt {transpose_a, transpose_b} : memref<16x8xf16, #shared>, tensor<8x16xf16> -> tensor<8x8xf32>
    // CHECK: transposed [0, 0]: [0, 2, 4, 6, 8, 10, 12, 14]
    // CHECK-NEXT: transposed [1, 0]: [1, 3, 5, 7, 9, 11, 13, 15]
    tile.print "transposed" %u : tensor<8x8xf32>
    // a a^T: row 0 is 2 k, row m is m + 2 k; the sum over k < 16 of 4 k^2 is 4960 and
    // of 2 k m is 240 m.
    %w = tile.gemm %a, %a {transpose_b} : tensor<8x16xf16>, tensor<8x16xf16> -> tensor<8x8xf32>
    // CHECK: square [0, 0]: [4960, 5200, 5440, 5680, 5920, 6160, 6400, 6640]
    tile.print "square" %w : tensor<8x8xf32>
  }
  return
}

func.func private @tile.gemm_integers() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    // The bits of 200 are those of -56: 32 times one or the other.
    %a = arith.constant dense<200> : tensor<8x32xi8>
    %b = arith.constant dense<1> : tensor<32x8xi8>
    %s = tile.gemm %a, %b : tensor<8x32xi8>, tensor<32x8xi8> -> tensor<8x8xi32>
    // CHECK: signed [0, 0]: [-1792, -1792,
    tile.print "signed" %s : tensor<8x8xi32>
    %u = tile.gemm %a, %b {unsigned_a} : tensor<8x32xi8>, tensor<32x8xi8> -> tensor<8x8xi32>
    // CHECK: unsigned_a [0, 0]: [6400, 6400,
    tile.print "unsigned_a" %u : tensor<8x8xi32>
    %at = tile.transpose %a [1, 0] : tensor<8x32xi8> -> tensor<32x8xi8>
    %v = tile.gemm %a, %at {unsigned_b} : tensor<8x32xi8>, tensor<32x8xi8> -> tensor<8x8xi32>
    // 32 * -56 * 200.
    // CHECK: unsigned_b [0, 0]: [-358400, -358400,
    tile.print "unsigned_b" %v : tensor<8x8xi32>
    %w = tile.gemm %a, %at {unsigned_a, unsigned_b} : tensor<8x32xi8>, tensor<32x8xi8> -> tensor<8x8xi32>
    // CHECK: unsigned both [0, 0]: [1280000, 1280000,
    tile.print "unsigned both" %w : tensor<8x8xi32>
    // The sum wraps around: 2^31 - 1 + 32.
    %ones = arith.constant dense<1> : tensor<8x32xi8>
    %most = arith.constant dense<2147483647> : tensor<8x8xi32>
    %o = tile.gemm %ones, %b, %most : tensor<8x32xi8>, tensor<32x8xi8> -> tensor<8x8xi32>
    // CHECK: wraps [0, 0]: [-2147483617, -2147483617,
    tile.print "wraps" %o : tensor<8x8xi32>
  }
  return
}

func.func private @tile.gemm_floats() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    // f32: 2^24 + 1 - 2^24 along K, which an f32 sum may lose; the reference rounds
    // the exact sum once. K is a multiple of 1.
    %k = arith.constant dense<[16777216.0, 1.0, -16777216.0]> : tensor<3xf32>
    %a = tile.broadcast %k dims [0] : tensor<3xf32> -> tensor<8x3xf32>
    %b = arith.constant dense<1.0> : tensor<3x8xf32>
    %d = tile.gemm %a, %b : tensor<8x3xf32>, tensor<3x8xf32> -> tensor<8x8xf32>
    // CHECK: ieee [0, 0]: [1, 1,
    tile.print "ieee" %d : tensor<8x8xf32>
    // tf32 keeps 11 bits: 1 + 2^-12 becomes 1, 1 + 2^-11 is halfway and goes to 1,
    // 1 + 3 2^-11 is halfway and goes to 1 + 2^-9. Eight products with 1.
    %p0 = arith.constant dense<1.000244140625> : tensor<8x8xf32>
    %p1 = arith.constant dense<1.00048828125> : tensor<8x8xf32>
    %p2 = arith.constant dense<1.00146484375> : tensor<8x8xf32>
    %one = arith.constant dense<1.0> : tensor<8x8xf32>
    %t0 = tile.gemm %p0, %one {precision = #tile.precision<tf32>} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
    // CHECK: tf32 below [0, 0]: [8, 8,
    tile.print "tf32 below" %t0 : tensor<8x8xf32>
    %t1 = tile.gemm %p1, %one {precision = #tile.precision<tf32>} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
    // CHECK: tf32 halfway [0, 0]: [8, 8,
    tile.print "tf32 halfway" %t1 : tensor<8x8xf32>
    // 8 + 2^-6.
    %t2 = tile.gemm %one, %p2 {precision = #tile.precision<tf32>} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
    // CHECK: tf32 up [0, 0]: [8.01562, 8.01562,
    tile.print "tf32 up" %t2 : tensor<8x8xf32>
    %i2 = tile.gemm %one, %p2 : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
    // CHECK: ieee of the same [0, 0]: [8.01172, 8.01172,
    tile.print "ieee of the same" %i2 : tensor<8x8xf32>
    // f64: 2^53 + 1 needs all of its bits: 4 products, 2^53 - 2^53 + 1 + 1.
    %q = arith.constant dense<[9007199254740992.0, -9007199254740992.0, 1.0, 1.0]> : tensor<4xf64>
    %e = tile.broadcast %q dims [0] : tensor<4xf64> -> tensor<8x4xf64>
    %f = arith.constant dense<1.0> : tensor<4x8xf64>
    %g = tile.gemm %e, %f : tensor<8x4xf64>, tensor<4x8xf64> -> tensor<8x8xf64>
    // CHECK: f64 [0, 0]: [2, 2,
    tile.print "f64" %g : tensor<8x8xf64>
    // bf16: 16 products (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14, exact in f32:
    // 16 + 2^-2 + 2^-10.
    %h = arith.constant dense<1.0078125> : tensor<8x16xbf16>
    %r = tile.gemm %h, %h {transpose_b} : tensor<8x16xbf16>, tensor<8x16xbf16> -> tensor<8x8xf32>
    // CHECK: bf16 [0, 0]: [16.251, 16.251,
    tile.print "bf16" %r : tensor<8x8xf32>
    // f8 mixes: 32 * 1.125 * 1.25 = 45; to f16 the sum rounds: 45 + 2048 = 2093 is odd
    // and halfway between 2092 and 2094, whose f16 is 1046 or 1047 units.
    %wa = arith.constant dense<1.125> : tensor<8x32xf32>
    %wb = arith.constant dense<1.25> : tensor<32x8xf32>
    %na = arith.truncf %wa : tensor<8x32xf32> to tensor<8x32xf8E4M3FN>
    %nb = arith.truncf %wb : tensor<32x8xf32> to tensor<32x8xf8E5M2>
    %n = tile.gemm %na, %nb : tensor<8x32xf8E4M3FN>, tensor<32x8xf8E5M2> -> tensor<8x8xf32>
    // CHECK: f8 [0, 0]: [45, 45,
    tile.print "f8" %n : tensor<8x8xf32>
    %c = arith.constant dense<2048.0> : tensor<8x8xf16>
    %o = tile.gemm %na, %nb, %c : tensor<8x32xf8E4M3FN>, tensor<32x8xf8E5M2> -> tensor<8x8xf16>
    // CHECK: f8 to f16 [0, 0]: [2092, 2092,
    tile.print "f8 to f16" %o : tensor<8x8xf16>
    // f16 to f16: 16 * 4096 is infinite there.
    %big = arith.constant dense<64.0> : tensor<8x16xf16>
    %v = tile.gemm %big, %big {transpose_b} : tensor<8x16xf16>, tensor<8x16xf16> -> tensor<8x8xf16>
    // CHECK: f16 [0, 0]: [inf, inf,
    tile.print "f16" %v : tensor<8x8xf16>
  }
  return
}

// Zero times infinity spoils a row, as NaN does; undefined memory spoils a column.
func.func private @tile.gemm_special() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %i0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<8x16xf16>
    %one = arith.constant dense<1.0> : tensor<8x16xf16>
    %inf = arith.constant dense<[[0x7C00]]> : tensor<1x1xf16>
    %a = tensor.insert_slice %inf into %one[1, 3] [1, 1] [1, 1] : tensor<1x1xf16> into tensor<8x16xf16>
    %d = tile.gemm %a, %zero {transpose_b} : tensor<8x16xf16>, tensor<8x16xf16> -> tensor<8x8xf32>
    // CHECK: infinity [0, 0]: [0, 0, 0, 0, 0, 0, 0, 0]
    // CHECK-NEXT: infinity [1, 0]: [{{-?}}nan, {{-?}}nan,
    // CHECK-NEXT: infinity [2, 0]: [0, 0,
    tile.print "infinity" %d : tensor<8x8xf32>
    %s = tile.alloc : memref<8x16xf16, #shared>
    %rows = arith.constant dense<1.0> : tensor<2x16xf16>
    tile.store %rows, %s[%i0, %i0] : tensor<2x16xf16>, memref<8x16xf16, #shared>
    %u = tile.gemm %one, %s {transpose_b} : tensor<8x16xf16>, memref<8x16xf16, #shared> -> tensor<8x8xf32>
    // CHECK: undefined [0, 0]: [16, 16, poison, poison, poison, poison, poison, poison]
    tile.print "undefined" %u : tensor<8x8xf32>
  }
  return
}

// For every four columns of K two positions, lowest k in the lowest bits. Groups 0 to
// 3 keep (0, 2), (1, 2), (0, 3) and (2, 3): 0b1000, 0b1001, 0b1100, 0b1110, together
// 0xec98, or -4968. The kept values are 1 and 2 and b[k][n] = k: 0 + 2*2, 5 + 2*6,
// 8 + 2*11, 14 + 2*15 make 95; columns 16 to 31 add 4 * 3 * 16 to that: 382.
func.func private @tile.gemm_sparse() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c2 = arith.constant 2 : index
    %a = tile.parallel (%m, %k) in (16, 16) -> (tensor<16x16xf16>) {
      %odd = arith.remui %k, %c2 : index
      %one = arith.index_cast %odd : index to i32
      %f = arith.sitofp %one : i32 to f16
      %c = arith.constant 1.0 : f16
      %v = arith.addf %f, %c : f16
      tile.yield %v : f16
    }
    %b = tile.parallel (%k, %n) in (32, 8) -> (tensor<32x8xf16>) {
      %i = arith.index_cast %k : index to i32
      %f = arith.sitofp %i : i32 to f16
      tile.yield %f : f16
    }
    %e = arith.constant dense<-4968> : tensor<16x2xi16>
    %d = tile.gemm_sparse %a, %e, %b : tensor<16x16xf16>, tensor<16x2xi16>, tensor<32x8xf16> -> tensor<16x8xf32>
    // CHECK: sparse [0, 0]: [382, 382,
    // CHECK: sparse [15, 0]: [382, 382,
    tile.print "sparse" %d : tensor<16x8xf32>
    %t = tile.gemm_sparse %a, %e, %b, %d : tensor<16x16xf16>, tensor<16x2xi16>, tensor<32x8xf16> -> tensor<16x8xf32>
    // CHECK: sparse accumulated [0, 0]: [764, 764,
    tile.print "sparse accumulated" %t : tensor<16x8xf32>
  }
  return
}

func.func @bad_positions() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %a = arith.constant dense<1.0> : tensor<16x16xf16>
    %b = arith.constant dense<1.0> : tensor<32x8xf16>
    %e = arith.constant dense<0> : tensor<16x2xi16>
    // POSITIONS: tile-gemm.mlir:[[@LINE+1]]:10: error: positions 0 and 0 of row 0, columns 0 to 3, are not increasing
    %d = tile.gemm_sparse %a, %e, %b : tensor<16x16xf16>, tensor<16x2xi16>, tensor<32x8xf16> -> tensor<16x8xf32>
  }
  return
}

// Scales 2 and 0.5 for the blocks of a's rows, 4 and 1 for those of b's columns:
// 32 * (2 * 4) + 32 * (0.5 * 1).
func.func private @tile.gemm_scaled() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %a = arith.constant dense<1.0> : tensor<16x64xf8E4M3FN>
    %b = arith.constant dense<1.0> : tensor<64x8xf8E4M3FN>
    %ka = arith.constant dense<[2.0, 0.5]> : tensor<2xf8E8M0FNU>
    %kb = arith.constant dense<[4.0, 1.0]> : tensor<2xf8E8M0FNU>
    %sa = tile.broadcast %ka dims [0] : tensor<2xf8E8M0FNU> -> tensor<16x2xf8E8M0FNU>
    %sb = tile.broadcast %kb dims [0] : tensor<2xf8E8M0FNU> -> tensor<8x2xf8E8M0FNU>
    %d = tile.gemm_scaled %a, %sa, %b, %sb {block = 32} : tensor<16x64xf8E4M3FN>, tensor<16x2xf8E8M0FNU>, tensor<64x8xf8E4M3FN>, tensor<8x2xf8E8M0FNU> -> tensor<16x8xf32>
    // CHECK: scaled [0, 0]: [272, 272,
    tile.print "scaled" %d : tensor<16x8xf32>
    // Of each row and column its own: 2^m for row m of a and column m of b, both
    // blocks: 64 * 2^(m + n).
    %pa = arith.constant dense<[[1.0, 1.0], [2.0, 2.0], [4.0, 4.0], [8.0, 8.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]> : tensor<8x2xf8E8M0FNU>
    %qa = tensor.insert_slice %pa into %sa[0, 0] [8, 2] [1, 1] : tensor<8x2xf8E8M0FNU> into tensor<16x2xf8E8M0FNU>
    %e = tile.gemm_scaled %a, %qa, %b, %pa {block = 32} : tensor<16x64xf8E4M3FN>, tensor<16x2xf8E8M0FNU>, tensor<64x8xf8E4M3FN>, tensor<8x2xf8E8M0FNU> -> tensor<16x8xf32>
    // CHECK: scaled rows [0, 0]: [64, 128, 256, 512, 64, 64, 64, 64]
    // CHECK-NEXT: scaled rows [1, 0]: [128, 256, 512, 1024, 128, 128, 128, 128]
    tile.print "scaled rows" %e : tensor<16x8xf32>
  }
  return
}
