// RUN: tile-opt %s --tile-outline-kernels --split-input-file --verify-diagnostics

module attributes {tile.target = #tile.target<"sm_80">} {
// expected-error @+1 {{the name @kernels is taken by the module of kernels; rename}}
func.func @kernels(%n: index) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
  }
  return
}
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-outline-kernels needs a launch at stage 'synchronized', this one is at 'placed'}}
  // expected-note @+1 {{the pass to run on it next is tile-insert-barriers}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
  }
  return
}
}
