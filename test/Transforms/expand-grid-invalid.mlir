// RUN: tile-opt %s --tile-expand-grid --split-input-file --verify-diagnostics

func.func @no_target(%n: index) {
  // expected-error @+1 {{the module names no chip; run tile-set-target with chip=<name> first, known: sm_80}}
  tile.launch @k blocks(%bx) in (%n) threads(128) {
  }
  return
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func private @g(%i: index) -> index {
  return %i : index
}
func.func @call_left(%n: index) {
  tile.launch @k blocks(%bx) in (%n) threads(128) {
    // expected-error @+1 {{a call is left in a launch; run tile-inline-calls first}}
    %i = func.call @g(%bx) : (index) -> index
  }
  return
}
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-expand-grid needs a launch at stage 'source', this one is at 'logical'}}
  // expected-note @+1 {{the pass to run on it next is tile-version-launches}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
  }
  return
}
}
