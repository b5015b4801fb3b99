// RUN: tile-opt %s --tile-lower-rings --split-input-file --verify-diagnostics
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<3x128xf32, #shared>
!slot = memref<128xf32, strided<[1], offset: ?>, #shared>

module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @two_ways(%n: index, %a: memref<?x128xf32>) {
  tile.launch @k1 blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
    // expected-error @+1 {{is filled by bulk copies and in other ways; each fills a ring of its own}}
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
    // expected-note @+1 {{a bulk copy}}
    tile.copy %a[%c0, %c0] [1, 128] to %v {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<?x128xf32> to !slot
    // expected-note @+1 {{another fill}}
    tile.store %zero, %v {vector_width = 4 : i64} : tensor<128xf32, #f>, !slot
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %slot = tile.ring_wait %ring[%c0] : !tile.ring<3>
    tile.ring_release %ring[%c0] : !tile.ring<3>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
!buffer = memref<3x128xf32, #shared>
!slot = memref<128xf32, strided<[1], offset: ?>, #shared>

module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @in_a_loop(%n: index, %a: memref<?x128xf32>) {
  tile.launch @k2 blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %buf = tile.alloc layout(#tile.shared<[3, 128]>) : !buffer
      // expected-error @+1 {{it stands in the body of the launch, in front of the loops that use it}}
      %ring = tile.ring %buf : !buffer -> !tile.ring<3>
      %s = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
      tile.copy %a[%c0, %c0] [1, 128] to %v {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<?x128xf32> to !slot
      tile.ring_commit %ring[%c0] : !tile.ring<3>
      %slot = tile.ring_wait %ring[%c0] : !tile.ring<3>
      tile.ring_release %ring[%c0] : !tile.ring<3>
    }
  }
  return
}
}
