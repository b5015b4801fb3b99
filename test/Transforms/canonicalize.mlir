// Canonicalisation keeps values and schedules.
// RUN: tile-opt %s --tile-simplify-loops --tile-canonicalize | FileCheck %s
// RUN: tile-opt %s --tile-simplify-loops | FileCheck %s --check-prefix=LOOPS

// Casts to floats of 8 bits and fewer saturate; upstream would fold them to an infinity,
// or to zero where the type has none.
// CHECK-LABEL: @saturating
// CHECK-DAG:     %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK-DAG:     %[[NANS:.*]] = arith.constant dense<0x7FC00000> : tensor<4xf32>
// CHECK:         %[[E5M2:.*]] = arith.truncf %[[INF]] : f32 to f8E5M2
// CHECK:         %[[E2M3:.*]] = arith.truncf %[[NANS]] : tensor<4xf32> to tensor<4xf6E2M3FN>
// CHECK:         return %[[E5M2]], %[[E2M3]]
// LOOPS-LABEL: @saturating
// LOOPS:         arith.truncf {{.*}} : f32 to f8E5M2
// LOOPS:         arith.truncf {{.*}} : tensor<4xf32> to tensor<4xf6E2M3FN>
func.func @saturating() -> (f8E5M2, tensor<4xf6E2M3FN>) {
  %inf = arith.constant 0x7F800000 : f32
  %one = arith.constant 1.0 : f32
  %sum = arith.addf %inf, %one : f32
  %a = arith.truncf %sum : f32 to f8E5M2
  %nans = arith.constant dense<0x7FC00000> : tensor<4xf32>
  %b = arith.truncf %nans : tensor<4xf32> to tensor<4xf6E2M3FN>
  return %a, %b : f8E5M2, tensor<4xf6E2M3FN>
}

// What the operation says, and casts of others, stay.
// CHECK-LABEL: @kept
// CHECK:         builtin.unrealized_conversion_cast %{{.*}} : f32 to i32
// CHECK:         arith.truncf %{{.*}} to_nearest_even fastmath<nnan> {note = 1 : i32} : f32 to f8E4M3FN
func.func @kept(%x: f32) -> (i32, f8E4M3FN) {
  %i = builtin.unrealized_conversion_cast %x : f32 to i32
  %y = arith.truncf %x to_nearest_even fastmath<nnan> {note = 1 : i32} : f32 to f8E4M3FN
  return %i, %y : i32, f8E4M3FN
}

// Wider ones round as IEEE 754 says, and are folded.
// CHECK-LABEL: @ieee
// CHECK:         %[[INF:.*]] = arith.constant 0x7C00 : f16
// CHECK:         return %[[INF]]
func.func @ieee() -> f16 {
  %inf = arith.constant 0x7F800000 : f32
  %a = arith.truncf %inf : f32 to f16
  return %a : f16
}

// Two roundings stay two.
// CHECK-LABEL: @through_f32
// CHECK:         arith.sitofp
// CHECK:         arith.truncf
func.func @through_f32(%i: i32) -> f16 {
  %x = arith.sitofp %i : i32 to f32
  %y = arith.truncf %x : f32 to f16
  return %y : f16
}

// What stands in place of an operation with a schedule has its schedule.
// CHECK-LABEL: @scheduled
// CHECK:         scf.for
// CHECK:           %[[AT:.*]] = arith.addi %{{.*}}, %{{.*}} {tile.pipeline_order = 1 : i32, tile.pipeline_stage = 0 : i32}
// CHECK:           arith.select {{.*}} {tile.pipeline_order = 2 : i32, tile.pipeline_stage = 0 : i32}
// CHECK:           memref.store {{.*}}[%[[AT]]] {tile.pipeline_order = 3 : i32, tile.pipeline_stage = 1 : i32}
// CHECK:           memref.store {{.*}} {tile.pipeline_order = 4 : i32, tile.pipeline_stage = 1 : i32}
// CHECK:           memref.store {{.*}} {tile.pipeline_order = 5 : i32, tile.pipeline_stage = 1 : i32}
// CHECK-NOT:       scf.if
func.func @scheduled(%n: index, %o: memref<?xindex>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  tile.launch blocks(%b) in (%c1) threads(32) {
    scf.for %i = %c0 to %n step %c1 {
      %j = arith.addi %i, %c1 {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : index
      %k = arith.addi %j, %c2 {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 1 : i32} : index
      %x = scf.if %p -> index {
        scf.yield %c1 : index
      } else {
        scf.yield %b : index
      } {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 2 : i32}
      scf.if %true {
        memref.store %x, %o[%k] : memref<?xindex>
      } {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 3 : i32}
      memref.store %c1, %o[%c1] {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 4 : i32} : memref<?xindex>
      scf.for %once = %c0 to %c1 step %c1 {
        memref.store %once, %o[%c2] : memref<?xindex>
      } {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 5 : i32}
    } {tile.stages = 2 : i32}
  }
  return
}

// Of a view that lacks one of two dimensions of size 1 the same one is gone when more of
// its type is known.
// CHECK-LABEL: @dropped_of_constants
// CHECK-SAME:    %[[M:.*]]: memref<1x96x6x?xf32
// CHECK:         memref.subview %[[M]][0, 26, 0, 0] [1, 69, 1, 2] {{.*}} to memref<1x69x2xf32, strided<[?, ?, 1], offset: ?>>
func.func @dropped_of_constants(%m: memref<1x96x6x?xf32, strided<[?, ?, ?, 1]>>)
    -> memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>> {
  %c0 = arith.constant 0 : index
  %c69 = arith.constant 69 : index
  %v = memref.subview %m[0, 26, %c0, 0] [1, %c69, 1, 2] [1, 1, 1, 1]
      : memref<1x96x6x?xf32, strided<[?, ?, ?, 1]>> to memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>>
  return %v : memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>>
}

// CHECK-LABEL: @dropped_of_cast
// CHECK-SAME:    %[[M:.*]]: memref<1x96x6x8xf32{{.*}}, %[[N:.*]]: index
// CHECK:         memref.subview %[[M]][0, 26, 0, 0] [1, %[[N]], 1, 2] {{.*}} to memref<1x?x2xf32, strided<[4608, 48, 1], offset: 1248>>
func.func @dropped_of_cast(%m: memref<1x96x6x8xf32>, %n: index)
    -> memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>> {
  %d = memref.cast %m : memref<1x96x6x8xf32> to memref<1x?x?x?xf32, strided<[?, ?, ?, 1]>>
  %v = memref.subview %d[0, 26, 0, 0] [1, %n, 1, 2] [1, 1, 1, 1]
      : memref<1x?x?x?xf32, strided<[?, ?, ?, 1]>> to memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>>
  return %v : memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>>
}
