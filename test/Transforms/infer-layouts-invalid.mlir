// RUN: tile-opt %s --tile-infer-layouts --split-input-file --verify-diagnostics

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @scan(%n: index, %m: memref<64xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %m : memref<64xf32> -> tensor<64xf32>
    // expected-error @+1 {{not implemented yet: tile.scan}}
    %s = tile.scan <add> %t dim 0 : tensor<64xf32>
    tile.store %s, %m : tensor<64xf32>, memref<64xf32>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @im2col(%n: index, %m: memref<2x8x8x16xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<32x16xf16, #shared>
    // expected-error @+1 {{not implemented yet: tile.im2col}}
    tile.im2col %m[%x, %x] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<2x8x8x16xf16> to memref<32x16xf16, #shared>
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
