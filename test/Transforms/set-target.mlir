// RUN: tile-opt %s --tile-set-target=chip=sm_90a | FileCheck %s
// RUN: tile-opt %s --tile-set-target=chip=sm_90a | tile-opt --tile-set-target | FileCheck %s

// The chip is recorded once, and launches without a name are numbered within
// their function, around the names that are taken.
// CHECK: module attributes {tile.target = #tile.target<"sm_90a">}
module {
  // CHECK-LABEL: func @f
  // CHECK: tile.launch @f_0 blocks
  // CHECK: tile.launch @f_1 blocks
  // CHECK: tile.launch @f_2 blocks
  func.func @f(%n: index) {
    tile.launch blocks(%bx) in (%n) threads(128) {
    }
    tile.launch @f_1 blocks(%bx) in (%n) threads(64) {
    }
    tile.launch blocks(%bx) in (%n) threads(32) {
    }
    return
  }
}
