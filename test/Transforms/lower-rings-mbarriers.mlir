// RUN: tile-opt %s --tile-lower-rings | FileCheck %s
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<3x128xf32, #shared>
!slot = memref<128xf32, strided<[1], offset: ?>, #shared>

module attributes {tile.target = #tile.target<"sm_90a">} {

// A ring that bulk copies fill stays. It gets the words of its mbarriers, and the
// loop counts its numbers modulo six, that of the fill two ahead; the number itself
// is gone.
// CHECK-LABEL: func @three_slots
// CHECK: %[[BUF:.*]] = tile.alloc
// CHECK: %[[WORDS:.*]] = tile.alloc {{.*}} alignment(8) : memref<2x3xi64
// CHECK-NEXT: %[[RING:.*]] = tile.ring %[[BUF]] barriers(%[[WORDS]] : {{.*}}) {modulo}
// CHECK: scf.if
// CHECK: tile.ring_acquire %[[RING]][%c0
// CHECK: tile.ring_commit %[[RING]][%c0
// CHECK: scf.if
// CHECK: tile.ring_acquire %[[RING]][%c1
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[USE:.*]] = %c0{{[_0-9]*}}, %[[FILL:.*]] = %c2{{[_0-9]*}}) ->
// CHECK-NOT: copy_wait
// CHECK: tile.ring_wait %[[RING]][%[[USE]]]
// CHECK: scf.if
// CHECK: %[[SLOT:.*]] = tile.ring_acquire %[[RING]][%[[FILL]]]
// CHECK: memref.subview %[[BUF]][%[[SLOT]], 0]
// CHECK: tile.ring_commit %[[RING]][%[[FILL]]]
// CHECK-NOT: proxy_fence
// CHECK: tile.ring_release %[[RING]][%[[USE]]]
// CHECK: %[[LAST:.*]] = arith.constant 5 : index
// CHECK: arith.cmpi eq, %[[USE]], %[[LAST]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}} : tensor<{{.*}}>, index, index
func.func @three_slots(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k1 blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
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
      tile.copy %a[%c0, %c0] [1, 128] to %v {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<?x128xf32> to !slot
      tile.ring_commit %ring[%c0] : !tile.ring<3>
    }
    %exists1 = arith.cmpi sgt, %n, %c1 : index
    scf.if %exists1 {
      %s = tile.ring_acquire %ring[%c1] : !tile.ring<3>
      %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
      tile.copy %a[%c1, %c0] [1, 128] to %v {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<?x128xf32> to !slot
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
        tile.copy %a[%ahead, %c0] [1, 128] to %v {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<?x128xf32> to !slot
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

// What threads write to a slot is shown to the copy engine before the release.
// CHECK-LABEL: func @in_place
// CHECK: tile.ring_wait
// CHECK: tile.store
// CHECK: tile.proxy_fence
// CHECK: tile.ring_release
func.func @in_place(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k2 blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
    tile.copy %a[%c0, %c0] [1, 128] to %v {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<?x128xf32> to !slot
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %slot = tile.ring_wait %ring[%c0] : !tile.ring<3>
    %w = memref.subview %buf[%slot, 0] [1, 128] [1, 1] : !buffer to !slot
    tile.store %zero, %w {vector_width = 4 : i64} : tensor<128xf32, #f>, !slot
    tile.ring_release %ring[%c0] : !tile.ring<3>
  }
  return
}

// Nothing but the ring's own loads is under way when a slot is released.
// CHECK-LABEL: func @under_way
// CHECK: tile.ring_wait
// CHECK: tile.copy {{.*}}"ld.st"
// CHECK: tile.proxy_fence
// CHECK: tile.ring_release
func.func @under_way(%n: index, %a: memref<?x128xf32>) {
  tile.launch @k9 blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
    tile.copy %a[%c0, %c0] [1, 128] to %v {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<?x128xf32> to !slot
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %slot = tile.ring_wait %ring[%c0] : !tile.ring<3>
    %w = memref.subview %buf[%slot, 0] [1, 128] [1, 1] : !buffer to !slot
    tile.copy %a[%c0, %c0] [1, 128] to %w {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x128xf32> to !slot
    tile.ring_release %ring[%c0] : !tile.ring<3>
  }
  return
}
}
