// What is wrong with a launch or a stage is shown at the operation, without the body of
// the launch around it.
// RUN: split-file %s %t
// RUN: not tile-opt %t/layouts.mlir 2>&1 | FileCheck %s --check-prefix=LAYOUTS
// RUN: not tile-opt %t/order.mlir --tile-infer-layouts 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not tile-opt %t/order.mlir --tile-set-target=chip=sm_80 2>&1 | FileCheck %s --check-prefix=CLUSTER

// LAYOUTS: error: 'tile.launch' op breaks stage 'logical': it has no name
// LAYOUTS: note: see current operation: {{.*}}tile.launch
// LAYOUTS-NOT: tile.alloc
// ORDER: error: tile-infer-layouts needs a launch at stage 'logical', this one is at 'source'
// ORDER: note: see current operation: {{.*}}tile.launch
// ORDER-NOT: tile.alloc
// CLUSTER: error: has clusters of 2 blocks; sm_80 has no clusters
// CLUSTER: note: see current operation: {{.*}}tile.launch
// CLUSTER-NOT: tile.alloc

//--- layouts.mlir
module attributes {tile.target = #tile.target<"sm_80">} {
  func.func @f() {
    %c1 = arith.constant 1 : index
    tile.launch blocks(%x) in (%c1) threads(32) attributes {stage = #tile.stage<logical>} {
      %s = tile.alloc : memref<4xf32, #gpu.address_space<workgroup>>
    }
    return
  }
}
//--- order.mlir
func.func @f() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) cluster(2) {
    %s = tile.alloc : memref<4xf32, #gpu.address_space<workgroup>>
  }
  return
}
