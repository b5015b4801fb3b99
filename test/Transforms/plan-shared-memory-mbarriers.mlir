// The buffers of a ring with mbarriers hold something as long as it is used, also where
// nobody reads what is on its way, and its words to the end of the launch: nothing that
// is used meanwhile has the same bytes.
// RUN: tile-opt %s --tile-lower-rings --tile-plan-shared-memory=reuse=always | FileCheck %s
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<1x128xf32, #shared>
!slot = memref<128xf32, strided<[1], offset: ?>, #shared>
!other = memref<128xf32, #shared>

module attributes {tile.target = #tile.target<"sm_90a">} {
// The second buffer lies over the ring's: 512 bytes each for the ring and the first one,
// 16 for the words.
// CHECK-LABEL: func @held
// CHECK: tile.arena 1040
// CHECK: tile.view %{{.*}}[[RING:\[[0-9]+\]]] {{.*}} to memref<1x128xf32
// CHECK: tile.view %{{.*}}[1024] {{.*}} to memref<2x1xi64
// CHECK-NOT: tile.view %{{.*}}[1024]
// CHECK: tile.view %{{.*}}[[RING]] {{.*}} to memref<128xf32
func.func @held(%n: index, %a: memref<?x128xf32>, %o: memref<128xf32>) {
  tile.launch @k1 blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[1, 128]>) : !buffer
    %meanwhile = tile.alloc layout(#tile.shared<[128]>) : !other
    %ring = tile.ring %buf : !buffer -> !tile.ring<1>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<1>
    %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
    tile.copy %a[%c0, %c0] [1, 128] to %v {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<?x128xf32> to !slot
    tile.ring_commit %ring[%c0] : !tile.ring<1>
    tile.store %zero, %meanwhile {vector_width = 4 : i64} : tensor<128xf32, #f>, !other
    %x = tile.load %meanwhile {vector_width = 4 : i64} : !other -> tensor<128xf32, #f>
    %w = tile.ring_wait %ring[%c0] : !tile.ring<1>
    tile.ring_release %ring[%c0] : !tile.ring<1>
    %after = tile.alloc layout(#tile.shared<[128]>) : !other
    tile.store %x, %after {vector_width = 4 : i64} : tensor<128xf32, #f>, !other
    %y = tile.load %after {vector_width = 4 : i64} : !other -> tensor<128xf32, #f>
    tile.store %y, %o {vector_width = 4 : i64} : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}
}
