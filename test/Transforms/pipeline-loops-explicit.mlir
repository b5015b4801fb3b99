// Loops whose schedule the program says, in which passes put operations of their own.
// RUN: tile-opt %s --tile-pipeline-loops | FileCheck %s

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {

// An exchange through scratch follows what it exchanges: the sum of this step is of
// what the step before has exchanged.
// CHECK-LABEL: func @behind_what_it_needs
// CHECK: scf.for {{.*}} iter_args(%[[ACC:[^ ]*]] = %{{[^,]*}}, {{.*}}%[[CARRIED:[^ ]*]] = %{{[^,]*}}, %{{[^,]*}}) -> (tensor
// CHECK: arith.addf %[[ACC]], %[[CARRIED]]
// CHECK: %[[NEXT:.*]] = scf.if %{{.*}} -> (tensor
// CHECK: tile.load
// CHECK: tile.store %{{.*}}, %[[SCRATCH:[^ ]*]] :
// CHECK: %[[EXCHANGED:.*]] = tile.load %[[SCRATCH]]
// CHECK: scf.yield %[[EXCHANGED]]
// CHECK: scf.yield {{.*}}, %[[NEXT]],
func.func @behind_what_it_needs(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @a blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<128xf32, #f>) {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">, tile.pipeline_stage = 0 : i32, tile.pipeline_order = 7 : i32} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 8 : i32} : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %t : tensor<128xf32, #f>, memref<128xf32, #shared>
      %e = tile.load %t : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %y = arith.addf %acc, %e {tile.pipeline_stage = 2 : i32, tile.pipeline_order = 2 : i32} : tensor<128xf32, #f>
      scf.yield %y : tensor<128xf32, #f>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// What nothing in the iteration comes before stands in front of what needs it: the
// carried sum is exchanged where it is used, behind the copy.
// CHECK-LABEL: func @in_front_of_what_needs_it
// CHECK: scf.for
// CHECK: tile.copy %arg1
// CHECK: tile.store %{{.*}}, %[[SCRATCH:[^ ]*]] : {{.*}} memref<128xf32, #gpu
// CHECK: tile.load %[[SCRATCH]]
func.func @in_front_of_what_needs_it(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @b blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<128xf32, #f>) {
      tile.store %acc, %t : tensor<128xf32, #f>, memref<128xf32, #shared>
      %e = tile.load %t : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">, tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 1 : i32} : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %y = arith.addf %e, %x {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 2 : i32} : tensor<128xf32, #f>
      scf.yield %y : tensor<128xf32, #f>
    } {tile.stages = 2 : i32}
    tile.store %r, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}
}
