// What is written out from an operation runs when the program says of it.
// RUN: tile-opt %s --tile-materialize-scratch | FileCheck %s

#f = #tile.fragment<[128, 2], register = [2 : (0, 1)], lane = [32 : (1, 0)], warp = [4 : (32, 0)]>
#g = #tile.fragment<[2], register = [2 : (1)], lane = [32 : (0)], warp = [4 : (0)]>
#w = #tile.fragment<[128, 2], register = [2 : (0, 1)], lane = [32 : (4, 0)], warp = [4 : (1, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {

// CHECK-LABEL: func @reduction
// CHECK: tile.load %arg1{{.*}} {tile.pipeline_order = 3 : i32, tile.pipeline_stage = 0 : i32
// CHECK: tile.partial_reduce {{.*}} {tile.pipeline_order = 4 : i32, tile.pipeline_stage = 1 : i32
// CHECK: tile.store {{.*}} {tile.pipeline_order = 4 : i32, tile.pipeline_stage = 1 : i32
// CHECK: tile.load {{.*}} {tile.pipeline_order = 4 : i32, tile.pipeline_stage = 1 : i32
// CHECK: tile.reduce {{.*}} {tile.pipeline_order = 4 : i32, tile.pipeline_stage = 1 : i32
// CHECK: tile.once
// CHECK-NEXT: memref.store
// CHECK-NOT: tile.pipeline
// CHECK: } {tile.pipeline_order = 5 : i32, tile.pipeline_stage = 1 : i32}
func.func @reduction(%n: index, %m: memref<128x2xf32>, %o: memref<?xindex>) {
  tile.launch @a blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = tile.load %m {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 3 : i32, vector_width = 1 : i64} : memref<128x2xf32> -> tensor<128x2xf32, #f>
      %r = tile.reduce <add> %x dims [0] {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 4 : i32} : tensor<128x2xf32, #f> -> tensor<2xf32, #g>
      memref.store %i, %o[%i] {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 5 : i32} : memref<?xindex>
    } {tile.stages = 2 : i32}
  }
  return
}

// An exchange that layouts have put there has no hint, nor has what stands for it.
// CHECK-LABEL: func @exchange
// CHECK: tile.load %arg1{{.*}}tile.pipeline_stage = 0
// CHECK: tile.store
// CHECK-NOT: tile.pipeline
// CHECK: tile.load
// CHECK-NOT: tile.pipeline
// CHECK: tile.store {{.*}}tile.pipeline_order = 4 : i32, tile.pipeline_stage = 1
func.func @exchange(%n: index, %m: memref<128x2xf32>) {
  tile.launch @b blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = tile.load %m {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 3 : i32, vector_width = 1 : i64} : memref<128x2xf32> -> tensor<128x2xf32, #f>
      %y = tile.convert_layout %x : tensor<128x2xf32, #f> to tensor<128x2xf32, #w>
      tile.store %y, %m {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 4 : i32, vector_width = 1 : i64} : tensor<128x2xf32, #w>, memref<128x2xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
}
