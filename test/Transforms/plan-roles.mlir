// RUN: tile-opt %s --tile-plan-roles --split-input-file --remark-format=emitRemark --remarks-filter=tile-plan-roles 2>&1 | FileCheck %s

// What a chip cannot do is a remark at the launch, and all warps compute.
// CHECK: plan-roles.mlir:[[#@LINE+5]]:{{.*}} remark: {{.*}}NotSpecialized{{.*}}Function=k{{.*}}the chip has no bulk copies for producer warps; all 4 warps compute
// CHECK-LABEL: func @on
// CHECK: tile.launch @k blocks(%bx) in (%{{.*}}) threads(128) attributes {stage = #tile.stage<logical>} {
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @on(%n: index) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<on>} {
  }
  return
}
}

// -----

// CHECK-NOT: remark
// CHECK-LABEL: func @auto
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @auto(%n: index) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<auto>} {
  }
  return
}
}
