// Rings written by hand, run as groups of copies: each program gives what the reference
// computes from it as it stands, for trip counts from none to beyond the slots.
// RUN: tile-run %s --entry=three_slots --on=emulator --chip=sm_80 --check --scalar=2:0
// RUN: tile-run %s --entry=three_slots --on=emulator --chip=sm_80 --check --scalar=2:1
// RUN: tile-run %s --entry=three_slots --on=emulator --chip=sm_80 --check --scalar=2:2
// RUN: tile-run %s --entry=three_slots --on=emulator --chip=sm_90a --check --scalar=2:3
// RUN: tile-run %s --entry=three_slots --on=emulator --chip=sm_80 --check --scalar=2:7
// RUN: tile-run %s --entry=three_slots --on=reference --check-stages --chip=sm_80 --scalar=2:5
#shared = #gpu.address_space<workgroup>
!buffer = memref<3x128xf32, #shared>
!slot = memref<128xf32, strided<[1], offset: ?>, #shared>

// Copies two iterations ahead.
func.func @three_slots(%a: memref<8x128xf32>, %o: memref<128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32>
    %buf = tile.alloc : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %exists0 = arith.cmpi sgt, %n, %c0 : index
    scf.if %exists0 {
      %s = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
      tile.copy %a[%c0, %c0] [1, 128] to %v : memref<8x128xf32> to !slot
      tile.ring_commit %ring[%c0] : !tile.ring<3>
    }
    %exists1 = arith.cmpi sgt, %n, %c1 : index
    scf.if %exists1 {
      %s = tile.ring_acquire %ring[%c1] : !tile.ring<3>
      %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
      tile.copy %a[%c1, %c0] [1, 128] to %v : memref<8x128xf32> to !slot
      tile.ring_commit %ring[%c1] : !tile.ring<3>
    }
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %use = %c0) -> (tensor<128xf32>, index) {
      %slot = tile.ring_wait %ring[%use] : !tile.ring<3>
      %ahead = arith.addi %i, %c2 : index
      %exists = arith.cmpi slt, %ahead, %n : index
      scf.if %exists {
        %m = arith.addi %use, %c2 : index
        %s = tile.ring_acquire %ring[%m] : !tile.ring<3>
        %v = memref.subview %buf[%s, 0] [1, 128] [1, 1] : !buffer to !slot
        tile.copy %a[%ahead, %c0] [1, 128] to %v : memref<8x128xf32> to !slot
        tile.ring_commit %ring[%m] : !tile.ring<3>
      }
      %v = memref.subview %buf[%slot, 0] [1, 128] [1, 1] : !buffer to !slot
      %x = tile.load %v : !slot -> tensor<128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %d = arith.addf %acc, %x : tensor<128xf32>
      %next = arith.addi %use, %c1 : index
      scf.yield %d, %next : tensor<128xf32>, index
    }
    tile.store %r#0, %o : tensor<128xf32>, memref<128xf32>
  }
  return
}
