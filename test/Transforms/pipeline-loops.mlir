// RUN: tile-opt %s --tile-pipeline-loops --remark-format=emitRemark --remarks-filter=tile-pipeline-loops 2>&1 | FileCheck %s

// A hint is answered with a remark at its loop and removed; one that asks for
// nothing is removed silently.
// CHECK: pipeline-loops.mlir:[[#@LINE+13]]:{{.*}} remark: {{.*}}NotPipelined{{.*}}Function=k{{.*}}3 stages asked for
// CHECK-NOT: remark
// CHECK-LABEL: func @hints
// CHECK: attributes {stage = #tile.stage<scheduled>}
// CHECK: scf.for
// CHECK-NOT: tile.stages
// CHECK-NOT: tile.pipeline
// CHECK: return
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @hints(%n: index, %m: memref<?xf32>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %m[%i] {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : memref<?xf32>
      tile.once {
        memref.store %v, %m[%i] : memref<?xf32>
      } {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 1 : i32}
    } {tile.stages = 3 : i32}
    scf.for %i = %c0 to %n step %c1 {
    } {tile.stages = 1 : i32}
  }
  return
}
}
