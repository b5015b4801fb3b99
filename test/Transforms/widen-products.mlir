// Products of f8 become products of f16 where the chip has no instruction for them.
// RUN: tile-opt %s --tile-widen-products --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-widen-products --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-widen-products -o /dev/null

// Fragments are widened where they are, in the type that each has.
// CHECK-LABEL: func @fragments
// CHECK: %[[T:.*]] = tile.load %arg1
// CHECK: %[[U:.*]] = tile.load %arg2
// CHECK: %[[A:.*]] = arith.extf %[[T]] : tensor<32x32xf8E4M3FN> to tensor<32x32xf16>
// CHECK: %[[B:.*]] = arith.extf %[[U]] : tensor<32x32xf8E5M2> to tensor<32x32xf16>
// CHECK: tile.gemm %[[A]], %[[B]] : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
// CHECK: tile.store %[[T]]
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @fragments(%n: index, %a: memref<32x32xf8E4M3FN>, %b: memref<32x32xf8E5M2>, %o: memref<32x32xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
    %u = tile.load %b : memref<32x32xf8E5M2> -> tensor<32x32xf8E5M2>
    // expected-remark @below {{[Missed] WidenedGemm | Category:tile-widen-products | Function=k | Reason="sm_80 has no matrix instruction for e4m3 x e5m2 -> f32; the operands are widened to f16"}}
    %p = tile.gemm %t, %u : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E5M2> -> tensor<32x32xf32>
    tile.store %t, %a : tensor<32x32xf8E4M3FN>, memref<32x32xf8E4M3FN>
    tile.store %p, %o : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}
}

// -----

// Buffers are loaded as f16, transposed or not; the accumulator stays.
// CHECK-LABEL: func @buffers
// CHECK: %[[S:.*]] = tile.alloc
// CHECK: %[[T:.*]] = tile.alloc
// CHECK: %[[A:.*]] = tile.load %[[S]] : memref<16x32xf8E5M2, #gpu.address_space<workgroup>> -> tensor<16x32xf16>
// CHECK: %[[B:.*]] = tile.load %[[T]] : memref<8x32xf8E5M2, #gpu.address_space<workgroup>> -> tensor<8x32xf16>
// CHECK: tile.gemm %[[A]], %[[B]], %{{.*}} {{.*}}transpose_b{{.*}} : tensor<16x32xf16>, tensor<8x32xf16> -> tensor<16x8xf32>
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_86">} {
func.func @buffers(%n: index, %a: memref<16x32xf8E5M2>, %b: memref<8x32xf8E5M2>, %o: memref<16x8xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<16x32xf8E5M2, #shared>
    %t = tile.alloc : memref<8x32xf8E5M2, #shared>
    tile.copy %a to %s : memref<16x32xf8E5M2> to memref<16x32xf8E5M2, #shared>
    tile.copy %b to %t : memref<8x32xf8E5M2> to memref<8x32xf8E5M2, #shared>
    %one = arith.constant dense<1.0> : tensor<16x8xf32>
    // expected-remark @below {{[Missed] WidenedGemm | Category:tile-widen-products | Function=k | Reason="sm_86 has no matrix instruction for e5m2 x e5m2 -> f32; the operands are widened to f16"}}
    %p = tile.gemm %s, %t, %one {transpose_b} : memref<16x32xf8E5M2, #shared>, memref<8x32xf8E5M2, #shared> -> tensor<16x8xf32>
    tile.store %p, %o : tensor<16x8xf32>, memref<16x8xf32>
  }
  return
}
}

// -----

// sm_89 multiplies f8.
// CHECK-LABEL: func @kept
// CHECK-NOT: f16
module attributes {tile.target = #tile.target<"sm_89">} {
func.func @kept(%n: index, %a: memref<32x32xf8E4M3FN>, %b: memref<32x32xf8E5M2>, %o: memref<32x32xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
    %u = tile.load %b : memref<32x32xf8E5M2> -> tensor<32x32xf8E5M2>
    %p = tile.gemm %t, %u : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E5M2> -> tensor<32x32xf32>
    tile.store %p, %o : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}
}

// -----

// Products of other types have instructions or run on single threads.
// CHECK-LABEL: func @others
// CHECK-NOT: arith.extf
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @others(%n: index, %a: memref<32x32xf32>, %h: memref<32x32xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32>
    %p = tile.gemm %t, %t : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    %u = tile.load %h : memref<32x32xf16> -> tensor<32x32xf16>
    %q = tile.gemm %u, %u, %p : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    tile.store %q, %a : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}
}

// -----

// A sparse operand of f8 where no instruction's K divides that of the product.
// CHECK-LABEL: func @sparse
// CHECK: %[[T:.*]] = tile.load %arg1
// CHECK: %[[E:.*]] = tile.load %arg2
// CHECK: %[[A:.*]] = arith.extf %[[T]] : tensor<16x16xf8E4M3FN> to tensor<16x16xf16>
// CHECK: tile.gemm_sparse %[[A]], %[[E]], %{{.*}} : tensor<16x16xf16>, tensor<16x2xi16>, tensor<32x8xf16> -> tensor<16x8xf32>
// CHECK: tile.gemm_sparse {{.*}} : tensor<16x32xf8E4M3FN>, tensor<16x4xi16>, tensor<64x8xf8E4M3FN>
module attributes {tile.target = #tile.target<"sm_89">} {
func.func @sparse(%n: index, %a: memref<16x16xf8E4M3FN>, %e: memref<16x2xi16>, %o: memref<16x8xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<16x16xf8E4M3FN> -> tensor<16x16xf8E4M3FN>
    %u = tile.load %e : memref<16x2xi16> -> tensor<16x2xi16>
    %b = arith.constant dense<1.0> : tensor<32x8xf8E4M3FN>
    // expected-remark @below {{Reason="sm_89 has no matrix instruction for e4m3 x e4m3 -> f32 with two of four columns of a and K = 32; the operands are widened to f16"}}
    %p = tile.gemm_sparse %t, %u, %b : tensor<16x16xf8E4M3FN>, tensor<16x2xi16>, tensor<32x8xf8E4M3FN> -> tensor<16x8xf32>
    %c = arith.constant dense<1.0> : tensor<16x32xf8E4M3FN>
    %f = arith.constant dense<17476> : tensor<16x4xi16>
    %d = arith.constant dense<1.0> : tensor<64x8xf8E4M3FN>
    %q = tile.gemm_sparse %c, %f, %d, %p : tensor<16x32xf8E4M3FN>, tensor<16x4xi16>, tensor<64x8xf8E4M3FN> -> tensor<16x8xf32>
    tile.store %q, %o : tensor<16x8xf32>, memref<16x8xf32>
  }
  return
}
}

// -----

// tf32: the instruction keeps one column of two. Each element is one of the two that are
// kept, or zero.
// CHECK-LABEL: func @expanded
// CHECK: %[[A:.*]] = tile.parallel (%[[M:.*]], %[[K:.*]]) in (16, 32) -> (tensor<16x32xf32>)
// CHECK: %[[E:.*]] = tensor.extract %{{.*}}[%[[M]], %{{.*}}] : tensor<16x2xi16>
// CHECK: memref.load %{{.*}}[%{{.*}}, %[[M]]] : memref<16x16xf32
// CHECK: memref.load %{{.*}}[%{{.*}}, %[[M]]] : memref<16x16xf32
// CHECK: tile.gemm %[[A]], %{{.*}}, %{{.*}} {precision = #tile.precision<tf32>, transpose_b} : tensor<16x32xf32>, tensor<8x32xf32> -> tensor<16x8xf32>
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @expanded(%n: index, %a: memref<16x16xf32>, %e: memref<16x2xi16>, %o: memref<16x8xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<16x16xf32, #shared>
    tile.copy %a to %s : memref<16x16xf32> to memref<16x16xf32, #shared>
    %u = tile.load %e : memref<16x2xi16> -> tensor<16x2xi16>
    %b = arith.constant dense<1.0> : tensor<8x32xf32>
    %c = arith.constant dense<2.0> : tensor<16x8xf32>
    // expected-remark @below {{[Missed] ExpandedGemm | Category:tile-widen-products | Function=k | Reason="sm_90a has no matrix instruction for tf32 x tf32 -> f32 with two of four columns of a and K = 32; a is multiplied with its zeros"}}
    %p = tile.gemm_sparse %s, %u, %b, %c {precision = #tile.precision<tf32>, transpose_a, transpose_b} : memref<16x16xf32, #shared>, tensor<16x2xi16>, tensor<8x32xf32> -> tensor<16x8xf32>
    tile.store %p, %o : tensor<16x8xf32>, memref<16x8xf32>
  }
  return
}
}
