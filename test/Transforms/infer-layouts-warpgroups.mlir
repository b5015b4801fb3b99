// Products by warpgroups where nothing is in the way: the widest instruction, the grid of
// warpgroups that reads least. Otherwise each warp multiplies for itself, and a remark says
// what is in the way.
// RUN: tile-opt %s --tile-infer-layouts --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-infer-layouts --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-infer-layouts -o /dev/null

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func @square
// CHECK: tile.gemm
// CHECK-SAME: instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16.ss">
// CHECK-SAME: warp_grid = array<i64: 2, 1>
func.func @square(%n: index) {
  tile.launch @square blocks(%x) in (%n) threads(256) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<128x64xf16, #shared>
    %b = tile.alloc : memref<64x256xf16, #shared>
    %d = tile.gemm %a, %b : memref<128x64xf16, #shared>, memref<64x256xf16, #shared> -> tensor<128x256xf32>
  }
  return
}

// CHECK-LABEL: func @wide
// CHECK: tile.gemm
// CHECK-SAME: m64n128k16.f32.f16.f16.ss
// CHECK-SAME: warp_grid = array<i64: 1, 2>
func.func @wide(%n: index) {
  tile.launch @wide blocks(%x) in (%n) threads(256) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x256xf16, #shared>
    %d = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x256xf16, #shared> -> tensor<64x256xf32>
  }
  return
}

// 512 threads, a producer's among them, are assembled with 128 registers each, which
// the 128 accumulators of N = 256 do not leave enough of.
// CHECK-LABEL: func @three_groups
// CHECK: tile.gemm
// CHECK-SAME: m64n128k16.f32.f16.f16.ss
// CHECK-SAME: warp_grid = array<i64: 3, 1>
func.func @three_groups(%n: index) {
  tile.launch @three_groups blocks(%x) in (%n) threads(384) attributes {roles = #tile.roles<<consumer, warps = 12>, <producer, warps = 4>>, stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<192x64xf16, #shared>
    %b = tile.alloc : memref<64x256xf16, #shared>
    %d = tile.gemm %a, %b : memref<192x64xf16, #shared>, memref<64x256xf16, #shared> -> tensor<192x256xf32>
  }
  return
}

// Rows of the result stay in one warpgroup where the second product takes them from
// registers, without an exchange.
// CHECK-LABEL: func @chained
// CHECK: tile.gemm
// CHECK-SAME: m64n64k16.f32.f16.f16.ss
// CHECK-SAME: warp_grid = array<i64: 2, 1>
// CHECK-NOT: tile.convert_layout
// CHECK: tile.gemm
// CHECK-SAME: m64n128k16.f32.f16.f16.rs
// CHECK-SAME: warp_grid = array<i64: 2, 1>
func.func @chained(%n: index) {
  tile.launch @chained blocks(%x) in (%n) threads(256) attributes {stage = #tile.stage<logical>} {
    %q = tile.alloc : memref<128x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x128xf16, #shared>
    %s = tile.gemm %q, %k {transpose_b} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
    %p = arith.truncf %s : tensor<128x64xf32> to tensor<128x64xf16>
    %d = tile.gemm %p, %v : tensor<128x64xf16>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
  }
  return
}
}

// -----

// CHECK-COUNT-7: "mma.sync
// CHECK-NOT: wgmma
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @declined(%n: index, %r: index) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = arith.constant dense<1.0> : tensor<32x64xf16>
    %rows = tile.alloc : memref<48x32xf16, #shared>
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %wide = tile.alloc : memref<32x512xf16, #shared>
    %fixed = tile.alloc layout(#tile.shared<[32, 64], pad = 8>) : memref<32x64xf16, #shared>
    // expected-remark @below {{[Missed] NoWarpgroupProduct | Category:tile-infer-layouts | Function=k | Reason="warps multiply each for themselves, not as warpgroups: operand b is a fragment, and is read from shared memory"}}
    %0 = tile.gemm %a, %t : memref<64x32xf16, #shared>, tensor<32x64xf16> -> tensor<64x64xf32>
    // expected-remark @below {{M = 48 gives 1 warpgroups no multiple of 64 rows}}
    %1 = tile.gemm %rows, %b : memref<48x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<48x64xf32>
    // expected-remark @below {{each thread would hold the result in 256 of its 255 registers}}
    %2 = tile.gemm %a, %wide : memref<64x32xf16, #shared>, memref<32x512xf16, #shared> -> tensor<64x512xf32>
    // expected-remark @below {{its buffer has layout [32, 64], offset = [64 : (0, 1), 32 : (1, 0) weight 72], which the access cannot use}}
    %3 = tile.gemm %a, %fixed : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
    %view = memref.subview %wide[0, %r] [32, 64] [1, 1] : memref<32x512xf16, #shared> to memref<32x64xf16, strided<[512, 1], offset: ?>, #shared>
    // expected-remark @below {{operand 1 is not known to begin at a multiple of its tile in a buffer}}
    // expected-remark @below {{OperandByElements}}
    %4 = tile.gemm %a, %view : memref<64x32xf16, #shared>, memref<32x64xf16, strided<[512, 1], offset: ?>, #shared> -> tensor<64x64xf32>
    // expected-remark @below {{its result has another layout}}
    %5 = tile.gemm %a, %b : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32, #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 4 : (0, 8), 2 : (16, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (32, 0), 2 : (0, 32)]>>
    %f = tile.alloc : memref<64x32xf32, #shared>
    // expected-remark @below {{f32 operands in shared memory would be cut to tf32, not rounded}}
    %6 = tile.gemm %f, %f {transpose_b, precision = #tile.precision<tf32>} : memref<64x32xf32, #shared>, memref<64x32xf32, #shared> -> tensor<64x64xf32>
    %i = tile.alloc : memref<64x64xi8, #shared>
    %j = tile.alloc : memref<64x24xi8, #shared>
    // expected-remark @below {{OperandByElements}}
    // expected-remark @below {{operand b lies along N, and elements that have not 16 bits are read along K: rows of its buffer would be accessed by 1 bytes instead of 16}}
    %7 = tile.gemm %i, %j : memref<64x64xi8, #shared>, memref<64x24xi8, #shared> -> tensor<64x24xi32>
  }
  // ptxas refuses a wgmma whose accumulators do not fit.
  tile.launch @few blocks(%x) in (%n) threads(128) attributes {max_registers = 56, stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    // expected-remark @below {{each thread would hold the result in 32 of its 56 registers}}
    %0 = tile.gemm %a, %b : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
  }
  tile.launch @many_blocks blocks(%x) in (%n) threads(128) attributes {min_blocks_per_sm = 10, stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    // expected-remark @below {{each thread would hold the result in 32 of its 51 registers}}
    %0 = tile.gemm %a, %b : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
  }
  tile.launch @two blocks(%x) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    // expected-remark @below {{2 warps are no warpgroups of 4}}
    %0 = tile.gemm %a, %b : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
  }
  return
}
}

// -----

// Operands of bytes that lie across K are transposed, in blocks of 4 x 4 that a thread has.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func @across
func.func @across(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %i = tile.alloc : memref<64x64xi8, #shared>
    %j = tile.alloc : memref<64x32xi8, #shared>
    // CHECK: %[[T:.*]] = tile.alloc layout({{.*}}) : memref<32x64xi8, #gpu.address_space<workgroup>>
    // CHECK: %[[READ:.*]] = tile.load %{{.*}} {vector_width = 4 : i64} : memref<64x32xi8, {{.*}}register = [4 : (0, 1), 4 : (1, 0)]
    // CHECK: tile.convert_layout %[[READ]] {{.*}}register = [4 : (1, 0), 4 : (0, 1)]
    // CHECK: tile.store %{{.*}}, %[[T]] {vector_width = 4 : i64}
    // CHECK: tile.gemm %{{.*}}, %[[T]] {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8.ss">, {{.*}}transpose_b
    // expected-remark @below {{[Missed] TransposedOperand | Category:tile-infer-layouts | Function=k | Reason="operand 1 lies across K, where a warpgroup finds no elements of 8 bits; threads transpose it in shared memory each time, which 'transpose_b' the other way round saves"}}
    %0 = tile.gemm %i, %j : memref<64x64xi8, #shared>, memref<64x32xi8, #shared> -> tensor<64x32xi32>
  }
  return
}
}

// -----

// Of a sparse operand the metadata come from registers, what 64 columns of K need in one:
// each lane of four has one word of two rows; a fragment is loaded as that.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func @sparse
// CHECK: tile.load {{.*}} tensor<128x4xi16, #tile.fragment<[128, 4], register = [2 : (8, 0), 2 : (64, 0)], lane = [4 : (0, 1), 8 : (1, 0)], warp = [4 : (16, 0)]>>
// CHECK: tile.gemm_sparse
// CHECK-SAME: instruction = #tile.instruction<"wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16.ss">
// CHECK-SAME: warp_grid = array<i64: 1, 1>
func.func @sparse(%n: index, %E: memref<128x4xi16>) {
  tile.launch @sparse blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<128x32xf16, #shared>
    %e = tile.load %E : memref<128x4xi16> -> tensor<128x4xi16>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %d = tile.gemm_sparse %a, %e, %b {warps = #tile.warps<rows>} : memref<128x32xf16, #shared>, tensor<128x4xi16>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
  }
  return
}

// A column of B is 64 bytes along K: no rows of 32.
// CHECK-LABEL: func @short_rows
// CHECK: tile.gemm_sparse
// CHECK-SAME: instruction = #tile.instruction<"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32">
func.func @short_rows(%n: index, %E: memref<64x4xi16>) {
  tile.launch @short_rows blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %e = tile.alloc : memref<64x4xi16, #shared>
    %b = tile.alloc layout(#tile.shared<[64, 64], offset = [16 : (0, 1), 64 : (1, 0), 4 : (0, 16)], xor = [1, 4, 3]>) : memref<64x64xf16, #shared>
    // expected-remark @below {{NoWarpgroupProduct}}
    %d = tile.gemm_sparse %a, %e, %b {transpose_b} : memref<64x32xf16, #shared>, memref<64x4xi16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
  }
  return
}

// What is in the way of dense ones is in the way of sparse ones.
// CHECK-LABEL: func @sparse_declined
// CHECK-COUNT-3: "mma.sp.sync.aligned.m16n8k32
func.func @sparse_declined(%n: index) {
  tile.launch @sparse_declined blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<48x32xf16, #shared>
    %e = tile.alloc : memref<48x4xi16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %t = arith.constant dense<1.0> : tensor<64x64xf16>
    // expected-remark @below {{M = 48 gives 1 warpgroups no multiple of 64 rows}}
    %0 = tile.gemm_sparse %a, %e, %b : memref<48x32xf16, #shared>, memref<48x4xi16, #shared>, memref<64x64xf16, #shared> -> tensor<48x64xf32>
    // expected-remark @below {{operand b is a fragment, and is read from shared memory}}
    %1 = tile.gemm_sparse %a, %e, %t : memref<48x32xf16, #shared>, memref<48x4xi16, #shared>, tensor<64x64xf16> -> tensor<48x64xf32>
  }
  tile.launch @two blocks(%x) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %e = tile.alloc : memref<64x4xi16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    // expected-remark @below {{2 warps are no warpgroups of 4}}
    %0 = tile.gemm_sparse %a, %e, %b : memref<64x32xf16, #shared>, memref<64x4xi16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
  }
  return
}
}
