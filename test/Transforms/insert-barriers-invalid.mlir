// RUN: tile-opt %s --tile-insert-barriers --verify-diagnostics

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-insert-barriers needs a launch at stage 'placed', this one is at 'synchronized'}}
  // expected-note @+1 {{the pass to run on it next is tile-specialize-warps}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
  }
  return
}
}
