// RUN: tile-opt %s --tile-inline-calls --split-input-file --verify-diagnostics

// Which calls a launch may hold is the verifier's: see test/Dialect/Tile.

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-inline-calls needs a launch at stage 'source', this one is at 'logical'}}
  // expected-note @+1 {{the pass to run on it next is tile-version-launches}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
  }
  return
}
}
