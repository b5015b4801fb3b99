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
    %uses = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %next = arith.addi %use, %c1 : index
      %kr = tile.ring_wait %keys[%use] : !tile.ring<3>
      %x = tile.load %k[%kr, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.ring_release %keys[%use] : !tile.ring<3>
      %kf = tile.ring_acquire %keys[%next] : !tile.ring<3>
      tile.copy %a[%i, %c0] [1, 128] to %k[%kf, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %keys[%next] : !tile.ring<3>
      %vr = tile.ring_wait %values[%use] : !tile.ring<3>
      %y = tile.load %v[%vr, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.ring_release %values[%use] : !tile.ring<3>
      %vf = tile.ring_acquire %values[%next] : !tile.ring<3>
      tile.copy %a[%i, %c0] [1, 128] to %v[%vf, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %values[%next] : !tile.ring<3>
      %z = arith.addf %x, %y : tensor<128xf32, #f>
      tile.store %z, %o : tensor<128xf32, #f>, memref<128xf32>
      scf.yield %next : index
    }
    %kl = tile.ring_wait %keys[%uses] : !tile.ring<3>
    tile.ring_release %keys[%uses] : !tile.ring<3>
    %vl = tile.ring_wait %values[%uses] : !tile.ring<3>
    tile.ring_release %values[%uses] : !tile.ring<3>
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
// CHECK: scf.if
// CHECK: tile.copy_commit
// CHECK: scf.for {{.*}} iter_args(%[[HELD:.*]] = %{{.*}}, %[[WAITED:.*]] = %{{.*}}, %[[FILLED:.*]] = %{{.*}})
// CHECK-NEXT: tile.copy_wait {pending = 0 : i64}
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
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    tile.store %zero, %buf[%s0, %c0] [1, 128] : tensor<128xf32, #f>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %h0 = tile.ring_wait %ring[%c0] : !tile.ring<3>
    %exists0 = arith.cmpi sgt, %n, %c0 : index
    scf.if %exists0 {
      %s1 = tile.ring_acquire %ring[%c1] : !tile.ring<3>
      tile.copy %a[%c0, %c0] [1, 128] to %buf[%s1, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %ring[%c1] : !tile.ring<3>
    }
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0, %slot = %h0) -> (index, index) {
      %next = arith.addi %use, %c1 : index
      %w = tile.ring_wait %ring[%next] : !tile.ring<3>
      %x = tile.load %buf[%slot, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %j = arith.addi %i, %c1 : index
      %exists = arith.cmpi slt, %j, %n : index
      scf.if %exists {
        %ahead = arith.addi %next, %c1 : index
        %s = tile.ring_acquire %ring[%ahead] : !tile.ring<3>
        tile.copy %a[%j, %c0] [1, 128] to %buf[%s, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
        tile.ring_commit %ring[%ahead] : !tile.ring<3>
      }
      scf.yield %next, %w : index, index
    }
    %y = tile.load %buf[%r#1, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%r#0] : !tile.ring<3>
  }
  return
}

// A ring that is made anew in each iteration of a loop around it, and one of that
// loop: behind the group of the use that the outer loop waits for there are at
// least its next one and the first of the inner ring, whose loop may not go round.
// CHECK-LABEL: func @loop_in_loop
// CHECK: tile.copy_commit
// CHECK: scf.for
// CHECK-NOT: tile.copy_wait
// CHECK: tile.copy_commit
// CHECK: tile.copy_commit
// CHECK: scf.for
// CHECK-NEXT: tile.copy_wait {pending = 0 : i64}
// CHECK: tile.copy_commit
// CHECK: }
// CHECK: tile.copy_wait {pending = 0 : i64}
// CHECK: tile.copy_wait {pending = 2 : i64}
// CHECK: return
func.func @loop_in_loop(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @f blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %outer = tile.ring %rows : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %outer[%c0] : !tile.ring<3>
    tile.copy %a[%c0, %c0] [1, 128] to %rows[%s0, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
    tile.ring_commit %outer[%c0] : !tile.ring<3>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %next = arith.addi %use, %c1 : index
      %s = tile.ring_acquire %outer[%next] : !tile.ring<3>
      tile.copy %a[%i, %c0] [1, 128] to %rows[%s, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %outer[%next] : !tile.ring<3>
      %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
      %inner = tile.ring %buf : !buffer -> !tile.ring<3>
      %t0 = tile.ring_acquire %inner[%c0] : !tile.ring<3>
      tile.copy %a[%c0, %c0] [1, 128] to %buf[%t0, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %inner[%c0] : !tile.ring<3>
      %end = scf.for %j = %c0 to %n step %c1 iter_args(%v = %c0) -> (index) {
        %w = tile.ring_wait %inner[%v] : !tile.ring<3>
        %after = arith.addi %v, %c1 : index
        %t = tile.ring_acquire %inner[%after] : !tile.ring<3>
        tile.copy %a[%j, %c0] [1, 128] to %buf[%t, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
        tile.ring_commit %inner[%after] : !tile.ring<3>
        %x = tile.load %buf[%w, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
        tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
        tile.ring_release %inner[%v] : !tile.ring<3>
        scf.yield %after : index
      }
      %y = tile.ring_wait %inner[%end] : !tile.ring<3>
      tile.ring_release %inner[%end] : !tile.ring<3>
      %b0 = tile.load %a[%i, %c0] [1, 128] : memref<?x128xf32> -> tensor<128xf32, #f>
      tile.store %b0, %o : tensor<128xf32, #f>, memref<128xf32>
      %r = tile.ring_wait %outer[%use] : !tile.ring<3>
      %x = tile.load %rows[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.ring_release %outer[%use] : !tile.ring<3>
      scf.yield %next : index
    }
    %l = tile.ring_wait %outer[%last] : !tile.ring<3>
    tile.ring_release %outer[%last] : !tile.ring<3>
  }
  return
}

// A commit in one of two branches is not moved: the other closes no group, and
// the fewest on any path count.
// CHECK-LABEL: func @one_of_two_branches
// CHECK: scf.if
// CHECK: tile.copy_commit
// CHECK-NEXT: } else {
// CHECK: }
// CHECK-NEXT: arith.constant 0
// CHECK-NEXT: tile.copy_wait {pending = 0 : i64}
// CHECK-NEXT: tile.load
func.func @one_of_two_branches(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @g blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    tile.copy %a[%c0, %c0] [1, 128] to %buf[%s0, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    scf.if %c {
      %s1 = tile.ring_acquire %ring[%c1] : !tile.ring<3>
      tile.copy %a[%c1, %c0] [1, 128] to %buf[%s1, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %ring[%c1] : !tile.ring<3>
    } else {
      tile.store %zero, %o : tensor<128xf32, #f>, memref<128xf32>
    }
    %r0 = tile.ring_wait %ring[%c0] : !tile.ring<3>
    %x = tile.load %buf[%r0, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%c0] : !tile.ring<3>
    scf.if %c {
      %r1 = tile.ring_wait %ring[%c1] : !tile.ring<3>
      tile.ring_release %ring[%c1] : !tile.ring<3>
    }
  }
  return
}

// Copies that no ring commits join the next group, which only waits for more; a
// group of the program's own counts.
// CHECK-LABEL: func @other_copies
// CHECK: tile.copy_commit
// CHECK: tile.copy %
// CHECK: tile.copy_commit
// CHECK: tile.copy_commit
// CHECK: tile.copy_wait {pending = 2 : i64}
func.func @other_copies(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @h blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %other = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    tile.copy %a[%c0, %c0] [1, 128] to %buf[%s0, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    tile.copy %a[%c0, %c0] [1, 128] to %other[%c0, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
    tile.copy_commit
    %s1 = tile.ring_acquire %ring[%c1] : !tile.ring<3>
    tile.copy %a[%c1, %c0] [1, 128] to %buf[%s1, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
    tile.ring_commit %ring[%c1] : !tile.ring<3>
    %r0 = tile.ring_wait %ring[%c0] : !tile.ring<3>
    %x = tile.load %buf[%r0, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%c0] : !tile.ring<3>
    %r1 = tile.ring_wait %ring[%c1] : !tile.ring<3>
    tile.ring_release %ring[%c1] : !tile.ring<3>
  }
  return
}

// The number of a use need not be counted by a loop: then its slot is divided.
// CHECK-LABEL: func @divided
// CHECK: %[[SLOTS:.*]] = arith.constant 3
// CHECK: arith.remui %{{.*}}, %[[SLOTS]]
func.func @divided(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @i blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s = tile.ring_acquire %ring[%n] : !tile.ring<3>
    tile.copy %a[%c0, %c0] [1, 128] to %buf[%s, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
    tile.ring_commit %ring[%n] : !tile.ring<3>
    %r = tile.ring_wait %ring[%n] : !tile.ring<3>
    %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%n] : !tile.ring<3>
  }
  return
}

// A condition around the wait too: the group ends in front of it.
// CHECK-LABEL: func @waited_for_in_condition
// CHECK: scf.if
// CHECK: tile.copy %
// CHECK-NEXT: tile.copy_commit
// CHECK: tile.copy_wait {pending = 0 : i64}
func.func @waited_for_in_condition(%n: index, %c: i1, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @j blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    scf.if %c {
      %s = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      tile.copy %a[%c0, %c0] [1, 128] to %buf[%s, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %ring[%c0] : !tile.ring<3>
      %r = tile.ring_wait %ring[%c0] : !tile.ring<3>
      %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.ring_release %ring[%c0] : !tile.ring<3>
    }
  }
  return
}

// Uses that a loop of two iterations fills beforehand, and two that are read
// behind the loop that fills without conditions: all groups are told apart.
// CHECK-LABEL: func @peeled
// CHECK: scf.for
// CHECK: tile.copy_commit
// CHECK: scf.for
// CHECK-NEXT: tile.copy_wait {pending = 1 : i64}
// CHECK: tile.copy_commit
// CHECK: tile.copy_wait {pending = 1 : i64}
// CHECK: tile.load
// CHECK: tile.copy_wait {pending = 0 : i64}
// CHECK: tile.load
func.func @peeled(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @l blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    scf.for %p = %c0 to %c2 step %c1 {
      %s = tile.ring_acquire %ring[%p] : !tile.ring<3>
      tile.copy %a[%p, %c0] [1, 128] to %buf[%s, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %ring[%p] : !tile.ring<3>
    }
    %end = arith.subi %n, %c2 : index
    %u = scf.for %i = %c0 to %end step %c1 iter_args(%use = %c0) -> (index) {
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      %m = arith.addi %use, %c2 : index
      %s = tile.ring_acquire %ring[%m] : !tile.ring<3>
      tile.copy %a[%i, %c0] [1, 128] to %buf[%s, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %ring[%m] : !tile.ring<3>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %next = arith.addi %use, %c1 : index
      scf.yield %next : index
    }
    %r0 = tile.ring_wait %ring[%u] : !tile.ring<3>
    %x = tile.load %buf[%r0, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%u] : !tile.ring<3>
    %u1 = arith.addi %u, %c1 : index
    %r1 = tile.ring_wait %ring[%u1] : !tile.ring<3>
    %y = tile.load %buf[%r1, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
    tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
    tile.ring_release %ring[%u1] : !tile.ring<3>
  }
  return
}

// A number that an scf.while carries: counted by dataflow, its slot divided.
// CHECK-LABEL: func @in_while
// CHECK: arith.remui
// CHECK: tile.copy_wait {pending = 1 : i64}
// CHECK: tile.copy_wait {pending = 0 : i64}
func.func @in_while(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @m blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    tile.copy %a[%c0, %c0] [1, 128] to %buf[%s0, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %u = scf.while (%use = %c0) : (index) -> index {
      %more = arith.cmpi slt, %use, %n : index
      scf.condition(%more) %use : index
    } do {
    ^bb0(%use: index):
      %next = arith.addi %use, %c1 : index
      %s = tile.ring_acquire %ring[%next] : !tile.ring<3>
      tile.copy %a[%use, %c0] [1, 128] to %buf[%s, %c0] [1, 128] {layout = #g, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !buffer
      tile.ring_commit %ring[%next] : !tile.ring<3>
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      scf.yield %next : index
    }
    %r1 = tile.ring_wait %ring[%u] : !tile.ring<3>
    tile.ring_release %ring[%u] : !tile.ring<3>
  }
  return
}

}
