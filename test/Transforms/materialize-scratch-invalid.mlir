// RUN: tile-opt %s --tile-materialize-scratch --split-input-file --verify-diagnostics

#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @narrow_extract(%n: index, %a: memref<128xi4>, %i: index) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128xi4> -> tensor<128xi4, #f>
    // expected-error @+1 {{not implemented yet: reading single elements of less than a byte that another thread holds}}
    %e = tensor.extract %x[%i] : tensor<128xi4, #f>
    memref.store %e, %a[%i] : memref<128xi4>
  }
  return
}
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-materialize-scratch needs a launch at stage 'laid_out', this one is at 'source'}}
  // expected-note @+1 {{the pass to run on it next is tile-inline-calls}}
  tile.launch @k blocks(%bx) in (%n) threads(128) {
  }
  return
}
}
