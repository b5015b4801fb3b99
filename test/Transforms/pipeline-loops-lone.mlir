// A copy into a buffer that keeps one slot, beside copies that run ahead: it is issued in
// front of them, in a group of its own, so that the wait for it leaves them in flight.
// RUN: tile-opt %s --tile-pipeline-loops=modulo=false --tile-lower-rings | FileCheck %s

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// What is copied to %s is stored to in each iteration.
// CHECK-LABEL: func @in_front
// CHECK: %[[LONE:.*]] = tile.alloc {{.*}} : memref<128xf32,
// CHECK: scf.for
// CHECK: tile.copy_wait {pending = 1 : i64}
// CHECK-NEXT: memref.subview
// CHECK-NEXT: tile.copy %{{.*}} to %[[LONE]]
// CHECK-NEXT: tile.copy_commit
// CHECK: scf.if
// CHECK: tile.copy %{{.*}} to %{{.*}}strided
// CHECK: }
// CHECK-NEXT: tile.copy_commit
// CHECK-NOT: tile.copy_wait
// CHECK: tile.load %{{.*}}strided
// CHECK-NEXT: tile.copy_wait {pending = 1 : i64}
// CHECK-NEXT: tile.load %[[LONE]]
func.func @in_front(%n: index, %m: memref<?xf32>, %d: memref<128xf32>, %o: memref<128xf32>) {
  tile.launch @in_front_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %t {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      tile.copy %d to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
      %y = tile.load %t : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %z = arith.addf %x, %y : tensor<128xf32, #f>
      tile.store %z, %d : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// What a copy needs goes in front with it; two of them keep their order and share a group.
// CHECK-LABEL: func @two_in_front
// CHECK: %[[S:.*]] = tile.alloc {{.*}} : memref<128xf32,
// CHECK: %[[U:.*]] = tile.alloc {{.*}} : memref<128xf32,
// CHECK: scf.for
// CHECK: tile.copy_wait {pending = 1 : i64}
// CHECK: memref.load
// CHECK: tile.copy %{{.*}} to %[[S]]
// CHECK-NEXT: tile.copy %{{.*}} to %[[U]]
// CHECK-NEXT: tile.copy_commit
// CHECK: scf.if
// CHECK: tile.copy %{{.*}} to %{{.*}}strided
// CHECK: }
// CHECK-NEXT: tile.copy_commit
// CHECK-NOT: tile.copy_commit
// CHECK: tile.copy_wait {pending = 1 : i64}
// CHECK-NEXT: tile.load %[[S]]
// CHECK-NOT: tile.copy_wait
// CHECK: tile.load %[[U]]
func.func @two_in_front(%n: index, %m: memref<?xf32>, %p: memref<?xindex>, %d: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @two_in_front_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %u = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %t {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %k = memref.load %p[%i] : memref<?xindex>
      tile.copy %d[%k] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      tile.copy %d[%i] to %u {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %w = tile.load %u : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %y = tile.load %t : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %v = arith.addf %x, %y : tensor<128xf32, #f>
      %z = arith.addf %v, %w : tensor<128xf32, #f>
      tile.store %z, %d[%i] : tensor<128xf32, #f>, memref<?xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// What the copy reads is written in front of it in the same step: it stays behind what runs
// ahead, and nothing is left in flight that it could be waited for without.
// CHECK-LABEL: func @written_in_front
// CHECK: %[[LONE:.*]] = tile.alloc {{.*}} : memref<128xf32,
// CHECK: scf.for
// CHECK: tile.copy %{{.*}} to %{{.*}}strided
// CHECK: tile.copy_commit
// CHECK-NOT: tile.copy_commit
// CHECK: tile.store
// CHECK-NEXT: tile.copy %{{.*}} to %[[LONE]]
// CHECK-NEXT: tile.load %[[LONE]]
// CHECK: return
func.func @written_in_front(%n: index, %m: memref<?xf32>, %d: memref<128xf32>, %o: memref<128xf32>) {
  tile.launch @written_in_front_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %t {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %y = tile.load %t : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %y, %d : tensor<128xf32, #f>, memref<128xf32>
      tile.copy %d to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
  }
  return
}

// A copy in front of the loop that is read in front of it, too, is waited for without the
// first copies of the loop; one that is read in the loop is waited for with them.
// CHECK-LABEL: func @in_front_of_the_loop
// CHECK: %[[Q:.*]] = tile.alloc {{.*}} : memref<128xf32,
// CHECK: %[[R:.*]] = tile.alloc {{.*}} : memref<128xf32,
// CHECK: tile.copy %{{.*}} to %[[R]]
// CHECK-NEXT: tile.copy %{{.*}} to %[[Q]]
// CHECK-NEXT: tile.load %[[Q]]
// CHECK: scf.if
// CHECK: tile.copy %{{.*}} to %{{.*}}strided
// CHECK: tile.copy_commit
// CHECK-NOT: tile.copy_commit
// CHECK: scf.for
// CHECK: tile.copy_wait {pending = 0 : i64}
// CHECK: tile.copy_commit
// CHECK-NOT: tile.copy_wait
// CHECK: tile.load %[[R]]
// CHECK: return
func.func @in_front_of_the_loop(%n: index, %m: memref<?xf32>, %d: memref<128xf32>, %o: memref<128xf32>) {
  tile.launch @in_front_of_the_loop_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %q = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %r = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    tile.copy %d to %r {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    tile.copy %d to %q {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    %x = tile.load %q : memref<128xf32, #shared> -> tensor<128xf32, #f>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %t {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %y = tile.load %t : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %w = tile.load %r : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %v = arith.addf %w, %y : tensor<128xf32, #f>
      %z = arith.addf %v, %x : tensor<128xf32, #f>
      tile.store %z, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
}
