// RUN: tile-opt %s --tile-pipeline-loops --verify-diagnostics

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-pipeline-loops needs a launch at stage 'materialized', this one is at 'placed'}}
  // expected-note @+1 {{the pass to run on it next is tile-insert-barriers}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
  }
  return
}
}
