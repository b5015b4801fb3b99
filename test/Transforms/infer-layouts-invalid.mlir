// RUN: tile-opt %s --tile-infer-layouts --split-input-file --verify-diagnostics

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @sparse(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %a = arith.constant dense<0.0> : tensor<16x16xf16>
    %e = arith.constant dense<0> : tensor<16x2xi16>
    %b = arith.constant dense<0.0> : tensor<32x8xf16>
    // expected-error @+1 {{not implemented yet: tile.gemm_sparse}}
    %d = tile.gemm_sparse %a, %e, %b : tensor<16x16xf16>, tensor<16x2xi16>, tensor<32x8xf16> -> tensor<16x8xf32>
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
