// RUN: tile-opt %s --tile-lower-rings | FileCheck %s
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
#g = #tile.fragment<[1, 128], register = [4 : (0, 1)], lane = [32 : (0, 4)], warp = []>
!buffer = memref<3x128xf32, #shared>
!slot = memref<128xf32, strided<[1], offset: ?>, #shared>

module attributes {tile.target = #tile.target<"sm_80">} {

// Three slots: the copies of two iterations before the loop, each group ended
// behind its condition; in the loop all but one group are waited for. Read and
// fill count the slots; the number itself is gone, and so is a last wait.
// CHECK-LABEL: func @three_slots
// CHECK: %[[BUF:.*]] = tile.alloc
// CHECK-NOT: tile.ring
// CHECK: scf.if
// CHECK: %[[S0:.*]] = arith.constant 0
// CHECK: memref.subview %[[BUF]][%[[S0]], 0]
// CHECK: tile.copy %{{.*}} to memref
// CHECK-NEXT: }
// CHECK-NEXT: tile.copy_commit
// CHECK: scf.if
// CHECK: %[[S1:.*]] = arith.constant 1
// CHECK: memref.subview %[[BUF]][%[[S1]], 0]
// CHECK: tile.copy %{{.*}} to memref
// CHECK-NEXT: }
// CHECK-NEXT: tile.copy_commit
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[READ:.*]] = %[[ZERO]], %[[FILL:.*]] = %[[TWO]])
// CHECK-NEXT: tile.copy_wait {pending = 1 : i64}
// CHECK: scf.if
// CHECK-NEXT: memref.subview %[[BUF]][%[[FILL]], 0]
// CHECK: tile.copy %{{.*}} to memref
// CHECK-NEXT: }
// CHECK-NEXT: tile.copy_commit
// CHECK: memref.subview %[[BUF]][%[[READ]], 0]
// CHECK: arith.cmpi eq, %[[READ]]
// CHECK: arith.cmpi eq, %[[FILL]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}} : tensor<{{.*}}>, index, index
// CHECK-NOT: tile.copy_wait
// CHECK: tile.store
func.func @three_slots(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @a blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %exists0 = arith.cmpi sgt, %n, %c0 : index
    scf.if %exists0 {
      %s = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
      tile.copy %a[%c0, %c0] [1, 128] to %v {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !slot
      tile.ring_commit %ring[%c0] : !tile.ring<3>
    }
    %exists1 = arith.cmpi sgt, %n, %c1 : index
    scf.if %exists1 {
      %s = tile.ring_acquire %ring[%c1] : !tile.ring<3>
      %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
      tile.copy %a[%c1, %c0] [1, 128] to %v {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !slot
      tile.ring_commit %ring[%c1] : !tile.ring<3>
    }
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %use = %c0) -> (tensor<128xf32, #f>, index) {
      %slot = tile.ring_wait %ring[%use] : !tile.ring<3>
      %ahead = arith.addi %i, %c2 : index
      %exists = arith.cmpi slt, %ahead, %n : index
      scf.if %exists {
        %m = arith.addi %c2, %use : index
        %s = tile.ring_acquire %ring[%m] : !tile.ring<3>
        %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
        tile.copy %a[%ahead, %c0] [1, 128] to %v {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !slot
        tile.ring_commit %ring[%m] : !tile.ring<3>
      }
      %v = memref.subview %buf[%slot, 0] [1, 128] [1, 1] : !buffer to !slot
      %x = tile.load %v : !slot -> tensor<128xf32, #f>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %d = arith.addf %acc, %x : tensor<128xf32, #f>
      %next = arith.addi %use, %c1 : index
      scf.yield %d, %next : tensor<128xf32, #f>, index
    }
    tile.store %r#0, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// Two rings whose groups end at different places: of each wait, the groups of
// both rings that were closed since.
// CHECK-LABEL: func @two_rings
// CHECK-COUNT-2: tile.copy_commit
// CHECK: scf.for
// CHECK: tile.copy_wait {pending = 1 : i64}
// CHECK: tile.copy_commit
// CHECK: tile.copy_wait {pending = 1 : i64}
// CHECK: tile.copy_commit
// CHECK: scf.yield
func.func @two_rings(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @b blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %k = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %v = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %keys = tile.ring %k : !buffer -> !tile.ring<3>
    %values = tile.ring %v : !buffer -> !tile.ring<3>
    %k0 = tile.ring_acquire %keys[%c0] : !tile.ring<3>
    tile.copy %a[%c0, %c0] [1, 128] to %k[%k0, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
    tile.ring_commit %keys[%c0] : !tile.ring<3>
    %v0 = tile.ring_acquire %values[%c0] : !tile.ring<3>
    tile.copy %a[%c1, %c0] [1, 128] to %v[%v0, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
    tile.ring_commit %values[%c0] : !tile.ring<3>
    scf.for %i = %c0 to %c10 step %c1 {
      %next = arith.addi %i, %c1 : index
      %kr = tile.ring_wait %keys[%i] : !tile.ring<3>
      %x = tile.load %k[%kr, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.ring_release %keys[%i] : !tile.ring<3>
      %kf = tile.ring_acquire %keys[%next] : !tile.ring<3>
      tile.copy %a[%next, %c0] [1, 128] to %k[%kf, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %keys[%next] : !tile.ring<3>
      %vr = tile.ring_wait %values[%i] : !tile.ring<3>
      %y = tile.load %v[%vr, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.ring_release %values[%i] : !tile.ring<3>
      %vf = tile.ring_acquire %values[%next] : !tile.ring<3>
      tile.copy %a[%next, %c0] [1, 128] to %v[%vf, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %values[%next] : !tile.ring<3>
      %z = arith.addf %x, %y : tensor<128xf32, #f>
      tile.store %z, %o : tensor<128xf32, #f>, memref<128xf32>
    }
    %kl = tile.ring_wait %keys[%c10] : !tile.ring<3>
    tile.ring_release %keys[%c10] : !tile.ring<3>
    %vl = tile.ring_wait %values[%c10] : !tile.ring<3>
    tile.ring_release %values[%c10] : !tile.ring<3>
  }
  return
}

// What is stored is there with the operation: a commit behind the computation
// closes no group, and nothing is waited for.
// CHECK-LABEL: func @stored
// CHECK-NOT: tile.copy_commit
// CHECK-NOT: tile.copy_wait
// CHECK: return
func.func @stored(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @c blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    %t0 = tile.load %a[%c0, %c0] [1, 128] : memref<?x128xf32> -> tensor<128xf32, #f>
    tile.store %t0, %buf[%s0, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %next = arith.addi %use, %c1 : index
      %s = tile.ring_acquire %ring[%next] : !tile.ring<3>
      %t = tile.load %a[%i, %c0] [1, 128] : memref<?x128xf32> -> tensor<128xf32, #f>
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      tile.store %t, %buf[%s, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
      tile.ring_commit %ring[%next] : !tile.ring<3>
      scf.yield %next : index
    }
    %l = tile.ring_wait %ring[%u] : !tile.ring<3>
    tile.ring_release %ring[%u] : !tile.ring<3>
  }
  return
}

// Two loops use one buffer: the second goes on counting where the first ended,
// and the first slot that it waits for is the last that the first one filled.
// CHECK-LABEL: func @loops_in_sequence
// CHECK: %[[FIRST:.*]]:2 = scf.for
// CHECK-NEXT: tile.copy_wait {pending = 0 : i64}
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]]#0, %{{.*}} = %[[FIRST]]#1)
// CHECK-NEXT: tile.copy_wait {pending = 0 : i64}
func.func @loops_in_sequence(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @d blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    tile.copy %a[%c0, %c0] [1, 128] to %buf[%s0, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      %next = arith.addi %use, %c1 : index
      %s = tile.ring_acquire %ring[%next] : !tile.ring<3>
      tile.copy %a[%i, %c0] [1, 128] to %buf[%s, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %ring[%next] : !tile.ring<3>
      %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      scf.yield %next : index
    }
    %w = scf.for %i = %c0 to %n step %c1 iter_args(%use = %u) -> (index) {
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      %next = arith.addi %use, %c1 : index
      %s = tile.ring_acquire %ring[%next] : !tile.ring<3>
      tile.copy %a[%i, %c0] [1, 128] to %buf[%s, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %ring[%next] : !tile.ring<3>
      %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      scf.yield %next : index
    }
    %l = tile.ring_wait %ring[%w] : !tile.ring<3>
    tile.ring_release %ring[%w] : !tile.ring<3>
  }
  return
}

// Use 0 is held: an iteration waits for the next use before it releases the one
// that it reads, and the last is read behind the loop. It is filled by a store,
// for which there is no group.
// CHECK-LABEL: func @held
// CHECK-NOT: tile.copy_commit
// CHECK-NOT: tile.copy_wait
// CHECK: tile.copy %
// CHECK-NEXT: tile.copy_commit
// CHECK: scf.for {{.*}} iter_args(%[[HELD:.*]] = %{{.*}}, %[[WAITED:.*]] = %{{.*}}, %[[FILLED:.*]] = %{{.*}})
// CHECK: tile.copy_wait {pending = 0 : i64}
// CHECK: tile.load %{{.*}}[%[[HELD]],
// CHECK: tile.copy %{{.*}} to %{{.*}}[%[[FILLED]],
// CHECK: tile.copy_commit
// CHECK: scf.yield %[[WAITED]],
// CHECK-NOT: tile.copy_wait
// CHECK: return
func.func @held(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @e blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    tile.store %zero, %buf[%s0, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %h0 = tile.ring_wait %ring[%c0] : !tile.ring<3>
    %s1 = tile.ring_acquire %ring[%c1] : !tile.ring<3>
    tile.copy %a[%c0, %c0] [1, 128] to %buf[%s1, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
    tile.ring_commit %ring[%c1] : !tile.ring<3>
    %c2 = arith.constant 2 : index
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0, %slot = %h0) -> (index, index) {
      %next = arith.addi %use, %c1 : index
      %w = tile.ring_wait %ring[%next] : !tile.ring<3>
      %x = tile.load %buf[%slot, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %ahead = arith.addi %next, %c1 : index
      %s = tile.ring_acquire %ring[%ahead] : !tile.ring<3>
      tile.copy %a[%i, %c0] [1, 128] to %buf[%s, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %ring[%ahead] : !tile.ring<3>
      scf.yield %next, %w : index, index
    }
    %y = tile.load %buf[%r#1, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%r#0] : !tile.ring<3>
  }
  return
}

}
