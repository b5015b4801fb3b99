// RUN: tile-opt %s --tile-plan-roles --split-input-file --remark-format=emitRemark --remarks-filter=tile-plan-roles --verify-diagnostics | FileCheck %s

// What a chip cannot do is a remark at the launch, and all warps compute.
// CHECK-LABEL: func @on
// CHECK: tile.launch @k blocks(%bx) in (%{{.*}}) threads(128) attributes {stage = #tile.stage<logical>} {
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @on(%n: index) {
  // expected-remark @below {{[Missed] NotSpecialized | Category:tile-plan-roles | Function=k | Reason="the chip has no bulk copies for producer warps; all 4 warps compute"}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<on>} {
  }
  return
}
}

// -----

// Nothing is said of what is left to the compiler.
// CHECK-LABEL: func @auto
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @auto(%n: index) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<auto>} {
  }
  return
}
}

// -----

// A chip that could is said to, for now.
// CHECK-LABEL: func @not_yet
// CHECK: tile.launch @k blocks(%bx) in (%{{.*}}) threads(64) attributes {stage = #tile.stage<logical>} {
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @not_yet(%n: index) {
  // expected-remark @below {{[Missed] NotSpecialized | Category:tile-plan-roles | Function=k | Reason="warp specialisation is not implemented yet; all 2 warps compute"}}
  tile.launch @k blocks(%bx) in (%n) threads(64) attributes {stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<on>} {
  }
  return
}
}
