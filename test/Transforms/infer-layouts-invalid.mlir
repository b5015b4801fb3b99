// RUN: tile-opt %s --tile-infer-layouts --split-input-file --verify-diagnostics

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @scaled(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %a = arith.constant dense<0.0> : tensor<16x32xf8E4M3FN>
    %s = arith.constant dense<1.0> : tensor<16x1xf8E8M0FNU>
    %b = arith.constant dense<0.0> : tensor<32x16xf8E4M3FN>
    // expected-error @+1 {{'tile.gemm_scaled' op has no instruction on sm_80 that takes its scales; run tile-split-scaled-products first}}
    %d = tile.gemm_scaled %a, %s, %b, %s : tensor<16x32xf8E4M3FN>, tensor<16x1xf8E8M0FNU>, tensor<32x16xf8E4M3FN>, tensor<16x1xf8E8M0FNU> -> tensor<16x16xf32>
  }
  return
}
}

// -----

// Dense products have instructions that sparse ones have not.
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @sparse_types(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %a = arith.constant dense<0.0> : tensor<16x32xf8E4M3FN>
    %e = arith.constant dense<0> : tensor<16x4xi16>
    %b = arith.constant dense<0.0> : tensor<64x8xf8E4M3FN>
    // expected-error @+1 {{has no instruction on sm_80 for e4m3 x e4m3 -> f32; the first chip that has one is sm_89}}
    %d = tile.gemm_sparse %a, %e, %b : tensor<16x32xf8E4M3FN>, tensor<16x4xi16>, tensor<64x8xf8E4M3FN> -> tensor<16x8xf32>
  }
  return
}
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @written_sparse(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %a = arith.constant dense<0.0> : tensor<16x16xf16>
    %e = arith.constant dense<0> : tensor<16x2xi16>
    %b = arith.constant dense<0.0> : tensor<32x8xf16>
    // expected-error @+1 {{has #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">, which does not multiply these types}}
    %d = tile.gemm_sparse %a, %e, %b {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">} : tensor<16x16xf16>, tensor<16x2xi16>, tensor<32x8xf16> -> tensor<16x8xf32>
  }
  return
}
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-infer-layouts needs a launch at stage 'logical', this one is at 'source'}}
  // expected-note @+1 {{}}
  tile.launch @k blocks(%x) in (%n) threads(64) {
  }
  return
}
}

// -----

// An instruction that is written on a product is taken or refused.
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @written_types(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %a = arith.constant dense<0.0> : tensor<16x16xf16>
    %b = arith.constant dense<0.0> : tensor<16x8xf16>
    // expected-error @+1 {{has #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32">, which does not multiply these types}}
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32">} : tensor<16x16xf16>, tensor<16x8xf16> -> tensor<16x8xf32>
  }
  return
}
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @written_chip(%n: index, %a: memref<64x64xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %f = tile.load %a : memref<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{has #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, which sm_80 has not}}
    %d = tile.gemm %f, %f {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  }
  return
}
}

// -----

module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @written_fragment(%n: index, %a: memref<64x64xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %f = tile.load %a : memref<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{has #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs">, which reads from shared memory what is 'tensor<64x64xf16>'; store it to a 'tile.alloc' first}}
    %d = tile.gemm %f, %f {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs">} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  }
  return
}
}

// -----

// Two warps are no warpgroup.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @written_warps(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x64xf16, #shared>
    // expected-error @+1 {{of 64 x 64 x 64 cannot be shared by 2 warps}}
    %d = tile.gemm %a, %a {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
  }
  return
}
}
