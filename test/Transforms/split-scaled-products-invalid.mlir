// RUN: tile-opt %s --tile-split-scaled-products --split-input-file --verify-diagnostics

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-split-scaled-products needs a launch at stage 'logical', this one is at 'source'}}
  // expected-note @+1 {{the pass to run on it next is tile-inline-calls}}
  tile.launch @k blocks(%bx) in (%n) threads(128) {
  }
  return
}
}
