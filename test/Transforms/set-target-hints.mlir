// RUN: tile-opt %s --tile-set-target=chip=sm_80 --remark-format=emitRemark --remarks-filter=tile-set-target --verify-diagnostics | FileCheck %s
// RUN: tile-opt %s --tile-set-target=chip=sm_90a | FileCheck %s --check-prefix=KEPT

// What only says when a launch may start is taken away where the chip cannot do it.
// CHECK: tile.launch @k blocks(%{{.*}}) in (%{{.*}}) threads(32) {
// KEPT: tile.launch @k blocks(%{{.*}}) in (%{{.*}}) threads(32) attributes {programmatic_dependent_launch} {
func.func @dependent(%n: index) {
  // expected-remark @below {{[Missed] NotDependent | Category:tile-set-target | Function=k | Reason="no kernel of sm_80 starts before the launch in front of it has ended"}}
  tile.launch @k blocks(%b) in (%n) threads(32) attributes {programmatic_dependent_launch} {
  }
  return
}
