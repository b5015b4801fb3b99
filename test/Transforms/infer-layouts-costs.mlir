// Layouts are chosen by what they cost: where the greedy ones cost more than others,
// others are taken. The report says what decided them.
// RUN: tile-opt %s --split-input-file --tile-infer-layouts --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-layout-decisions | FileCheck %s

// Two products in a row. A grid of 2 x 2 warps reads the fewest elements; but then the
// weights would change warps on their way to the second, in each step. One of 4 x 1
// leaves them where they are, through the loop between.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
// CHECK-LABEL: @chained
// CHECK-NOT: tile.convert_layout
// CHECK: tile.gemm {{.*}} warp_grid = array<i64: 4, 1>
// CHECK-NOT: tile.convert_layout
// CHECK: tile.gemm {{.*}} warp_grid = array<i64: 4, 1>
// CHECK-NOT: tile.convert_layout
// CHECK: tile.store
func.func @chained(%n: index, %o: memref<64x64xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %q = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    // expected-remark @below {{[Analysis] Layout | Category:tile-layout-decisions | Function=k | Cost=4496, DecidedBy=product, Layout="[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]", Of=tensor<64x64xf32>, RunnerUp="[64, 64], register = [2 : (0, 1), 2 : (8, 0), 4 : (0, 8), 2 : (16, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (32, 0), 2 : (0, 32)]", RunnerUpCost=5724}}
    %s = tile.gemm %q, %v {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    // expected-remark @below {{Of="loop 64x64"}}
    // expected-remark @below {{Of=tensor<64x64xf16>}}
    %p = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xf16>) {
      %e = tensor.extract %s[%i, %j] : tensor<64x64xf32>
      %h = arith.truncf %e : f32 to f16
      tile.yield %h : f16
    }
    // expected-remark @below {{DecidedBy=product}}
    %r = tile.gemm %p, %v : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %r, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
}

// -----

// Nothing costs less than 16 bytes an access of consecutive threads.
module attributes {tile.target = #tile.target<"sm_80">} {
// CHECK-LABEL: @copied
// CHECK: tile.load {{.*}}register = [4 : (0, 1), 8 : (8, 0)], lane = [16 : (0, 4), 2 : (1, 0)]
func.func @copied(%n: index, %a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    // expected-remark @below {{Cost=2368, DecidedBy=access, Layout="[64, 64], register = [4 : (0, 1), 8 : (8, 0)], lane = [16 : (0, 4), 2 : (1, 0)], warp = [4 : (2, 0)]", Of=tensor<64x64xf32>}}
    %t = tile.load %a : memref<64x64xf32> -> tensor<64x64xf32>
    tile.store %t, %b : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
}

// -----

// The user's layout stays, what is read in the loop follows from it, and nothing is
// said to be next best.
#fixed = #tile.fragment<[32, 8], register = [8 : (0, 1)], lane = [32 : (1, 0)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
// CHECK-LABEL: @fixed
// CHECK: tile.load {{.*}} lane = [32 : (1)], warp = []
func.func @fixed(%n: index, %a: memref<32xf32>, %b: memref<32x8xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    // expected-remark @below {{Layout="[32], register = [], lane = [32 : (1)], warp = []", Of=tensor<32xf32>}}
    %t = tile.load %a : memref<32xf32> -> tensor<32xf32>
    // expected-remark @below {{Of="loop 32x8"}}
    // expected-remark @below {{DecidedBy=fixed, Layout="[32, 8], register = [8 : (0, 1)], lane = [32 : (1, 0)], warp = []"}}
    %u = tile.parallel (%i, %j) in (32, 8) -> (tensor<32x8xf32, #fixed>) {
      %e = tensor.extract %t[%i] : tensor<32xf32>
      tile.yield %e : f32
    }
    tile.store %u, %b : tensor<32x8xf32, #fixed>, memref<32x8xf32>
  }
  return
}
}
