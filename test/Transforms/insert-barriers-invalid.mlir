// RUN: tile-opt %s --tile-insert-barriers --split-input-file --verify-diagnostics

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-insert-barriers needs a launch at stage 'placed', this one is at 'synchronized'}}
  // expected-note @+1 {{the pass to run on it next is tile-alternate-consumers}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
  }
  return
}
}

// -----

// Behind all uses of the ring in the loop is in front of the next iteration's: what was
// committed last is on its way.
#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[2, 64, 64], swizzle = 128>
#h = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @other_bytes_in_the_loop(%m: memref<64x64xf16>, %g: index) {
  tile.launch @k blocks(%x) in (%g) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = arith.constant dense<1.0> : tensor<64x64xf16, #h>
    %arena = tile.arena 16416 : memref<16416xi8, #shared>
    %a = tile.view %arena[0] layout(#l) : memref<16416xi8, #shared> to memref<2x64x64xf16, #shared>
    %b = tile.view %arena[0] layout(#tile.shared<[64, 64], swizzle = 128>) : memref<16416xi8, #shared> to memref<64x64xf16, #shared>
    %words = tile.view %arena[16384] layout(#tile.shared<[2, 2]>) : memref<16416xi8, #shared> to memref<2x2xi64, #shared>
    %r = tile.ring %a barriers(%words : memref<2x2xi64, #shared>) : memref<2x64x64xf16, #shared> -> !tile.ring<2>
    scf.for %i = %c0 to %c4 step %c1 {
      %isLater = arith.cmpi sgt, %i, %c0 : index
      scf.if %isLater {
        %before = arith.subi %i, %c1 : index
        %w = tile.ring_wait %r[%before] : !tile.ring<2>
        tile.ring_release %r[%before] : !tile.ring<2>
      }
      %next = arith.addi %i, %c1 : index
      %isEarlier = arith.cmpi slt, %next, %c4 : index
      scf.if %isEarlier {
        %f = tile.ring_acquire %r[%i] : !tile.ring<2>
        %v = memref.subview %a[%f, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
        // expected-note @below {{the copy}}
        tile.copy %m to %v {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">} : memref<64x64xf16> to memref<64x64xf16, strided<[64, 1], offset: ?>, #shared>
        tile.ring_commit %r[%i] : !tile.ring<2>
      }
      // expected-error @below {{touches memory that a bulk copy may still read or write; wait for the copy's use of its ring first}}
      tile.store %t, %b : tensor<64x64xf16, #h>, memref<64x64xf16, #shared>
    }
  }
  return
}
}
