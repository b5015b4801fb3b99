// Products with scales become products of blocks where the chip has no instruction for them.
// RUN: tile-opt %s --tile-split-scaled-products --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-split-scaled-products --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-split-scaled-products -o /dev/null

// Views of buffers are multiplied. A scale is two factors: its exponent with the bias, plus
// 127 or 128, halved; the factor that rounds up is the second of a and the first of b.
// CHECK-LABEL: func @blocks
// CHECK: %[[A:.*]] = memref.subview %{{.*}}[0, 0] [64, 32] [1, 1]
// CHECK: %[[B:.*]] = memref.subview %{{.*}}[0, 0] [32, 32] [1, 1]
// CHECK: %[[P:.*]] = tile.gemm %[[A]], %[[B]] {transpose_b}
// CHECK: memref.subview %{{.*}}[0, 0] [64, 1] [1, 1] : memref<64x2xf8E8M0FNU, #gpu.address_space<workgroup>> to memref<64xf8E8M0FNU
// CHECK: %[[SCALE:.*]] = tile.load %{{.*}} -> tensor<64xf32>
// CHECK: %[[DOWN:.*]] = arith.constant dense<127> : tensor<64xi32>
// CHECK: arith.addi %{{.*}}, %[[DOWN]]
// CHECK: %[[DOWN_A:.*]] = arith.bitcast %{{.*}} : tensor<64xi32> to tensor<64xf32>
// CHECK: %[[UP:.*]] = arith.constant dense<128> : tensor<64xi32>
// CHECK: arith.addi %{{.*}}, %[[UP]]
// CHECK: %[[UP_A:.*]] = arith.bitcast %{{.*}} : tensor<64xi32> to tensor<64xf32>
// CHECK: %[[FIRST_A:.*]] = arith.select %{{.*}}, %[[SCALE]], %[[DOWN_A]]
// CHECK: arith.constant dense<128> : tensor<32xi32>
// CHECK: %[[UP_B:.*]] = arith.bitcast %{{.*}} : tensor<32xi32> to tensor<32xf32>
// CHECK: %[[DOWN_B:.*]] = arith.bitcast %{{.*}} : tensor<32xi32> to tensor<32xf32>
// CHECK: %[[FIRST_B:.*]] = arith.select %{{.*}}, %{{.*}}, %[[UP_B]]
// CHECK: %[[ROWS:.*]] = tile.broadcast %[[FIRST_A]] dims [1]
// CHECK: %[[COLUMNS:.*]] = tile.broadcast %[[FIRST_B]] dims [0]
// CHECK: %[[FIRST:.*]] = arith.mulf %[[ROWS]], %[[COLUMNS]]
// CHECK: %[[HALF:.*]] = arith.mulf %[[P]], %[[FIRST]]
// CHECK: %[[ROWS:.*]] = tile.broadcast %[[UP_A]] dims [1]
// CHECK: %[[COLUMNS:.*]] = tile.broadcast %[[DOWN_B]] dims [0]
// CHECK: %[[SECOND:.*]] = arith.mulf %[[ROWS]], %[[COLUMNS]]
// CHECK: %[[D:.*]] = math.fma %[[HALF]], %[[SECOND]], %{{.*}} : tensor<64x32xf32>
// CHECK: memref.subview %{{.*}}[0, 32] [64, 32] [1, 1]
// CHECK: tile.gemm
// CHECK: %[[E:.*]] = math.fma %{{.*}}, %{{.*}}, %[[D]]
// CHECK: tile.store %[[E]]
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @blocks(%n: index, %o: memref<64x32xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x64xf8E4M3FN, #shared>
    %b = tile.alloc : memref<32x64xf8E5M2, #shared>
    %s = tile.alloc : memref<64x2xf8E8M0FNU, #shared>
    %t = tile.alloc : memref<32x2xf8E8M0FNU, #shared>
    %c = tile.load %o : memref<64x32xf32> -> tensor<64x32xf32>
    // expected-remark @below {{[Missed] SplitScaledGemm | Category:tile-split-scaled-products | Function=k | Reason="sm_90a has no matrix instruction for f8E4M3FN x f8E5M2 with scales of f8E8M0FNU and f8E8M0FNU for blocks of 32 and K = 64; each block is a product whose elements are multiplied by the scales"}}
    %p = tile.gemm_scaled %a, %s, %b, %t, %c {transpose_b} : memref<64x64xf8E4M3FN, #shared>, memref<64x2xf8E8M0FNU, #shared>, memref<32x64xf8E5M2, #shared>, memref<32x2xf8E8M0FNU, #shared> -> tensor<64x32xf32>
    tile.store %p, %o : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}
}

// -----

// sm_120a has the instruction, which takes scales from registers.
// CHECK-LABEL: func @instruction
// CHECK: %[[S:.*]] = tile.load %{{.*}} : memref<64x1xf8E8M0FNU, #gpu.address_space<workgroup>> -> tensor<64x1xf8E8M0FNU>
// CHECK: %[[T:.*]] = tile.load %{{.*}} : memref<32x1xf8E8M0FNU, #gpu.address_space<workgroup>> -> tensor<32x1xf8E8M0FNU>
// CHECK: tile.gemm_scaled %{{.*}}, %[[S]], %{{.*}}, %[[T]] {block = 64 : i64, transpose_b}
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_120a">} {
func.func @instruction(%n: index, %o: memref<64x32xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x64xf8E4M3FN, #shared>
    %b = tile.alloc : memref<32x64xf8E5M2, #shared>
    %s = tile.alloc : memref<64x1xf8E8M0FNU, #shared>
    %t = tile.alloc : memref<32x1xf8E8M0FNU, #shared>
    %p = tile.gemm_scaled %a, %s, %b, %t {block = 64, transpose_b} : memref<64x64xf8E4M3FN, #shared>, memref<64x1xf8E8M0FNU, #shared>, memref<32x64xf8E5M2, #shared>, memref<32x1xf8E8M0FNU, #shared> -> tensor<64x32xf32>
    tile.store %p, %o : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}
}

// -----

// Its scales are powers of two. Others are one factor; blocks of 16 are widened, as f16 has
// instructions of 16 elements along K. An accumulator of zeros is none.
// CHECK-LABEL: func @sixteens
// CHECK: %[[A:.*]] = tensor.extract_slice %{{.*}}[0, 16] [16, 16] [1, 1]
// CHECK: %[[WIDE:.*]] = arith.extf %[[A]] : tensor<16x16xf8E4M3FN> to tensor<16x16xf16>
// CHECK: %[[P:.*]] = tile.gemm %[[WIDE]]
// CHECK: %[[F:.*]] = arith.mulf
// CHECK: math.fma %[[P]], %[[F]], %{{.*}}
// CHECK-NOT: math.fma
module attributes {tile.target = #tile.target<"sm_120a">} {
func.func @sixteens(%n: index, %o: memref<16x8xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %t = arith.constant dense<1.0> : tensor<16x32xf8E4M3FN>
    %u = arith.constant dense<2.0> : tensor<32x8xf8E4M3FN>
    %s = arith.constant dense<0.5> : tensor<16x2xf8E4M3FN>
    %v = arith.constant dense<0.5> : tensor<8x2xf8E4M3FN>
    %c = arith.constant dense<0.0> : tensor<16x8xf32>
    // expected-remark @below {{SplitScaledGemm}}
    %p = tile.gemm_scaled %t, %s, %u, %v, %c {block = 16} : tensor<16x32xf8E4M3FN>, tensor<16x2xf8E4M3FN>, tensor<32x8xf8E4M3FN>, tensor<8x2xf8E4M3FN> -> tensor<16x8xf32>
    tile.store %p, %o : tensor<16x8xf32>, memref<16x8xf32>
  }
  return
}
}

// -----

// A block that is no multiple of 16 stands among zeros, in both operands: what is not of it
// may be infinite.
// CHECK-LABEL: func @twelves
// CHECK: %[[MASK:.*]] = arith.constant dense<[false, false, false, false, false, false, false, false, false, false, false, false, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false]> : tensor<32xi1>
// CHECK: %[[A:.*]] = tile.broadcast %[[MASK]] dims [0] : tensor<32xi1> -> tensor<16x32xi1>
// CHECK: %[[LEFT:.*]] = arith.select %[[A]]
// CHECK: %[[B:.*]] = tile.broadcast %{{.*}} dims [1] : tensor<32xi1> -> tensor<32x8xi1>
// CHECK: %[[RIGHT:.*]] = arith.select %[[B]]
// CHECK: tile.gemm %[[LEFT]], %[[RIGHT]] : tensor<16x32xf16>, tensor<32x8xf16>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @twelves(%n: index, %o: memref<16x8xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %t = arith.constant dense<1.0> : tensor<16x96xf8E4M3FN>
    %u = arith.constant dense<2.0> : tensor<96x8xf8E4M3FN>
    %s = arith.constant dense<0.5> : tensor<16x8xf8E8M0FNU>
    %v = arith.constant dense<0.5> : tensor<8x8xf8E8M0FNU>
    // expected-remark @below {{SplitScaledGemm}}
    %p = tile.gemm_scaled %t, %s, %u, %v {block = 12} : tensor<16x96xf8E4M3FN>, tensor<16x8xf8E8M0FNU>, tensor<96x8xf8E4M3FN>, tensor<8x8xf8E8M0FNU> -> tensor<16x8xf32>
    tile.store %p, %o : tensor<16x8xf32>, memref<16x8xf32>
  }
  return
}
}

// -----

// Elements of 4 bits that share their bytes with those of the next column; scales for 16 of
// them beside elements of 8 bits.
// CHECK-LABEL: func @across
// CHECK: tile.gemm %
// CHECK: tile.gemm %
// CHECK: tile.gemm_scaled
// CHECK: tile.gemm %
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_120a">} {
func.func @across(%n: index, %o: memref<16x16xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x16xf4E2M1FN, #shared>
    %b = tile.alloc : memref<64x16xf4E2M1FN, #shared>
    %c = arith.constant dense<1.0> : tensor<16x32xf4E2M1FN>
    %d = arith.constant dense<1.0> : tensor<16x32xf8E5M2>
    %t = arith.constant dense<1.0> : tensor<64x16xf4E2M1FN>
    %s = arith.constant dense<0.5> : tensor<16x2xf8E8M0FNU>
    %u = arith.constant dense<0.5> : tensor<16x2xf8E4M3FN>
    // expected-remark @below {{sm_120a has no matrix instruction for f4E2M1FN along M x f4E2M1FN along N with scales of f8E8M0FNU and f8E8M0FNU for blocks of 32 and K = 64;}}
    %p = tile.gemm_scaled %a, %s, %b, %s {transpose_a} : memref<64x16xf4E2M1FN, #shared>, tensor<16x2xf8E8M0FNU>, memref<64x16xf4E2M1FN, #shared>, tensor<16x2xf8E8M0FNU> -> tensor<16x16xf32>
    // Fragments are put together from registers.
    %q = tile.gemm_scaled %t, %s, %t, %s, %p {transpose_a} : tensor<64x16xf4E2M1FN>, tensor<16x2xf8E8M0FNU>, tensor<64x16xf4E2M1FN>, tensor<16x2xf8E8M0FNU> -> tensor<16x16xf32>
    // expected-remark @below {{f4E2M1FN x f8E5M2 with scales of f8E4M3FN and f8E4M3FN for blocks of 16 and K = 32;}}
    %r = tile.gemm_scaled %c, %u, %d, %u, %q {block = 16, transpose_b} : tensor<16x32xf4E2M1FN>, tensor<16x2xf8E4M3FN>, tensor<16x32xf8E5M2>, tensor<16x2xf8E4M3FN> -> tensor<16x16xf32>
    tile.store %r, %o : tensor<16x16xf32>, memref<16x16xf32>
  }
  return
}
}
