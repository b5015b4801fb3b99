// Sparse and scaled gemms and the types of fewer than eight bits.
// RUN: tile-run %s --entry=sparse --on=reference | FileCheck %s --check-prefix=SPARSE
// RUN: not tile-run %s --entry=bad_positions --on=reference 2>&1 | FileCheck %s --check-prefix=POSITIONS
// RUN: tile-run %s --entry=scaled --on=reference | FileCheck %s --check-prefix=SCALED
// RUN: tile-run %s --entry=packed --on=reference --data=values(6,0.5,-3,100,0.25) | FileCheck %s --check-prefix=PACKED

// Positions 1 and 3 in every group of four: bits 0b1101 = 13 a group, four groups a
// word: 0xdddd = -8739 as i16. Kept elements 1 and 2 meet b's rows, b[k][n] = k:
// the sum over groups g of 1 (4 g + 1) + 2 (4 g + 3) = 12 g + 7; 8 groups: 392.
func.func @sparse() {
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
    %e = arith.constant dense<-8739> : tensor<16x2xi16>
    %d = tile.gemm_sparse %a, %e, %b : tensor<16x16xf16>, tensor<16x2xi16>, tensor<32x8xf16> -> tensor<16x8xf32>
    // SPARSE: sparse (block 0, 0, 0) [0, 0]: [392, 392,
    tile.print "sparse" %d : tensor<16x8xf32>
  }
  return
}

func.func @bad_positions() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %a = arith.constant dense<1.0> : tensor<16x16xf16>
    %b = arith.constant dense<1.0> : tensor<32x8xf16>
    %e = arith.constant dense<0> : tensor<16x2xi16>
    // POSITIONS: error: positions 0 and 0 of row 0, columns 0 to 3, are not increasing
    %d = tile.gemm_sparse %a, %e, %b : tensor<16x16xf16>, tensor<16x2xi16>, tensor<32x8xf16> -> tensor<16x8xf32>
  }
  return
}

// Scales 2^1 and 2^-1 for the two blocks of a, 4 and 1 for those of b:
// 32 * (2 * 1 * 4 * 1) + 32 * (0.5 * 1) = 256 + 16.
func.func @scaled() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %one = arith.constant dense<1.0> : tensor<16x64xf32>
    %a = arith.truncf %one : tensor<16x64xf32> to tensor<16x64xf8E4M3FN>
    %onet = arith.constant dense<1.0> : tensor<64x8xf32>
    %b = arith.truncf %onet : tensor<64x8xf32> to tensor<64x8xf8E4M3FN>
    // Exponents 128 and 126, biased by 127.
    %sab = arith.constant dense<[128, 126]> : tensor<2xi8>
    %sbb = arith.constant dense<[129, 127]> : tensor<2xi8>
    %sa1 = tile.bitcast %sab : tensor<2xi8> -> tensor<2xf8E8M0FNU>
    %sb1 = tile.bitcast %sbb : tensor<2xi8> -> tensor<2xf8E8M0FNU>
    %sa = tile.broadcast %sa1 dims [0] : tensor<2xf8E8M0FNU> -> tensor<16x2xf8E8M0FNU>
    %sb = tile.broadcast %sb1 dims [0] : tensor<2xf8E8M0FNU> -> tensor<8x2xf8E8M0FNU>
    %d = tile.gemm_scaled %a, %sa, %b, %sb {block = 32} : tensor<16x64xf8E4M3FN>, tensor<16x2xf8E8M0FNU>, tensor<64x8xf8E4M3FN>, tensor<8x2xf8E8M0FNU> -> tensor<16x8xf32>
    // SCALED: scaled (block 0, 0, 0) [0, 0]: [272, 272,
    tile.print "scaled" %d : tensor<16x8xf32>
  }
  return
}

// f4E2M1FN holds 0, 0.5, 1, 1.5, 2, 3, 4, 6: 100 saturates, 0.25 goes to even, 0.
// Bits 7, 1, 13 (-3), 7, 0: two a byte, low half first.
func.func @packed(%m: memref<5xf4E2M1FN>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %t = tile.load %m[%c0] : memref<5xf4E2M1FN> -> tensor<6xf4E2M1FN>
    // PACKED: f4 (block 0, 0, 0): [6, 0.5, -3, 6, 0, 0]
    tile.print "f4" %t : tensor<6xf4E2M1FN>
    %b = tile.bitcast %t : tensor<6xf4E2M1FN> -> tensor<3xi8>
    // PACKED: bytes (block 0, 0, 0): [23, 125, 0]
    tile.print "bytes" %b : tensor<3xi8>
  }
  return
}
