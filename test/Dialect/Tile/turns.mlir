// Turns of the warpgroups of a role: text that is kept, in a role, in one launch with roles
// that are not split yet, and in control flow.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @in_a_role
// CHECK: consumer warps(8) {
// CHECK-NEXT: tile.take_turn
// CHECK-NEXT: tile.barrier {scope = #tile.scope<warp>}
// CHECK-NEXT: tile.pass_turn
// CHECK-NEXT: tile.take_turn
// CHECK-NEXT: tile.pass_turn
func.func @in_a_role(%n: index) {
  tile.launch blocks(%b) in (%n) threads(256) {
    tile.specialize
      consumer warps(8) {
        tile.take_turn
        tile.barrier {scope = #tile.scope<warp>}
        tile.pass_turn
        tile.take_turn
        tile.pass_turn
      }
  }
  return
}

// CHECK-LABEL: func.func @in_front_of_the_split
// CHECK: scf.for
// CHECK-NEXT: tile.take_turn
// CHECK-NEXT: tile.pass_turn
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.take_turn
// CHECK-NEXT: tile.pass_turn
func.func @in_front_of_the_split(%n: index) {
  tile.launch blocks(%b) in (%n) threads(384) attributes {roles = #tile.roles<<consumer, warps = 12>, <producer, warps = 4>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    scf.for %i = %c0 to %c5 step %c1 {
      tile.take_turn
      tile.pass_turn
      tile.barrier
      tile.take_turn
      tile.pass_turn
    }
  }
  return
}

// CHECK-LABEL: func.func @asked
// CHECK: tile.launch {{.*}} attributes {consumers = #tile.consumers<alternating>} {
// CHECK: tile.launch {{.*}} attributes {consumers = #tile.consumers<cooperative>} {
// CHECK: tile.launch {{.*}} attributes {consumers = #tile.consumers<auto>} {
func.func @asked(%n: index) {
  tile.launch blocks(%b) in (%n) threads(256) attributes {consumers = #tile.consumers<alternating>} {
  }
  tile.launch blocks(%b) in (%n) threads(256) attributes {consumers = #tile.consumers<cooperative>} {
  }
  tile.launch blocks(%b) in (%n) threads(256) attributes {consumers = #tile.consumers<auto>} {
  }
  return
}
