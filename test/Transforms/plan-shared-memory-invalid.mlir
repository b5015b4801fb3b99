// RUN: tile-opt %s --tile-plan-shared-memory --split-input-file --verify-diagnostics

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[256, 128], register = [256 : (1, 0)], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>
module attributes {tile.target = #tile.target<"sm_86">} {
// A program without stages: the buffer has to be smaller, or the chip larger.
func.func @too_large(%n: index, %m: memref<256x128xf32>) {
  // expected-error @+3 {{needs 131072 bytes of shared memory; a block of sm_86 has 101376, 29696 too few}}
  // expected-note @+2 {{live at the peak:}}
  // expected-note @+1 {{chips that take it as it is: sm_80, sm_90a, sm_100a}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    // expected-note @+1 {{a buffer of 131072 bytes; the launch fits with 1/2 of it here}}
    %s = tile.alloc layout(#tile.shared<[256, 128]>) : memref<256x128xf32, #shared>
    tile.copy %m to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"ld.st">} : memref<256x128xf32> to memref<256x128xf32, #shared>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_86">} {
// One loop has too many stages: three of its four fit beside the other ring. A smaller
// slot would do as well.
func.func @stages(%n: index, %m: memref<4xf32>) {
  // expected-error @+3 {{needs 147456 bytes of shared memory; a block of sm_86 has 101376, 46080 too few}}
  // expected-note @+2 {{live at the peak:}}
  // expected-note @+1 {{chips that take it as it is: sm_80, sm_90a, sm_100a}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @+1 {{a buffer of 131072 bytes; the launch fits with 1/2 of it here}}
    %r = tile.alloc layout(#tile.shared<[4, 64, 128]>) : memref<4x64x128xf32, #shared>
    // expected-note @+1 {{a buffer of 16384 bytes}}
    %s = tile.alloc layout(#tile.shared<[32, 128]>) : memref<32x128xf32, #shared>
    // expected-note @+1 {{the launch fits if this loop has 2 stages instead of 4: 81920 bytes}}
    scf.for %i = %c0 to %n step %c1 {
      %r_slot = memref.subview %r[%i, 0, 0] [1, 64, 128] [1, 1, 1] : memref<4x64x128xf32, #shared> to memref<64x128xf32, strided<[128, 1], offset: ?>, #shared>
      %a = memref.load %r_slot[%c0, %c0] : memref<64x128xf32, strided<[128, 1], offset: ?>, #shared>
      %b = memref.load %s[%c0, %c0] : memref<32x128xf32, #shared>
      %c = arith.addf %a, %b : f32
      tile.once {
        memref.store %c, %s[%c0, %c0] : memref<32x128xf32, #shared>
        memref.store %c, %r_slot[%c0, %c0] : memref<64x128xf32, strided<[128, 1], offset: ?>, #shared>
      }
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_86">} {
// Two loops, one after the other, over rings whose contents stay: neither alone is
// enough.
func.func @two_loops(%n: index, %m: memref<4xf32>, %h: f32) {
  // expected-error @+4 {{needs 262144 bytes of shared memory; a block of sm_86 has 101376, 160768 too few}}
  // expected-note @+3 {{live at the peak:}}
  // expected-note @+2 {{the launch fits if each loop has at most 1 stage: 65536 bytes}}
  // expected-note @+1 {{no known chip has so much: the most is 232448 bytes}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @+1 {{a buffer of 131072 bytes}}
    %r = tile.alloc layout(#tile.shared<[4, 64, 128]>) : memref<4x64x128xf32, #shared>
    // expected-note @+1 {{a buffer of 131072 bytes}}
    %s = tile.alloc layout(#tile.shared<[4, 64, 128]>) : memref<4x64x128xf32, #shared>
    %first = memref.subview %s[0, 0, 0] [1, 64, 128] [1, 1, 1] : memref<4x64x128xf32, #shared> to memref<64x128xf32, strided<[128, 1]>, #shared>
    tile.once {
      memref.store %h, %first[%c0, %c0] : memref<64x128xf32, strided<[128, 1]>, #shared>
    }
    scf.for %i = %c0 to %n step %c1 {
      %r_slot = memref.subview %r[%i, 0, 0] [1, 64, 128] [1, 1, 1] : memref<4x64x128xf32, #shared> to memref<64x128xf32, strided<[128, 1], offset: ?>, #shared>
      %a = memref.load %r_slot[%c0, %c0] : memref<64x128xf32, strided<[128, 1], offset: ?>, #shared>
      tile.once {
        memref.store %a, %r_slot[%c0, %c0] : memref<64x128xf32, strided<[128, 1], offset: ?>, #shared>
      }
    }
    scf.for %i = %c0 to %n step %c1 {
      %r_slot = memref.subview %r[%i, 0, 0] [1, 64, 128] [1, 1, 1] : memref<4x64x128xf32, #shared> to memref<64x128xf32, strided<[128, 1], offset: ?>, #shared>
      %a = memref.load %r_slot[%c0, %c0] : memref<64x128xf32, strided<[128, 1], offset: ?>, #shared>
      %s_slot = memref.subview %s[%i, 0, 0] [1, 64, 128] [1, 1, 1] : memref<4x64x128xf32, #shared> to memref<64x128xf32, strided<[128, 1], offset: ?>, #shared>
      %t = memref.load %s_slot[%c0, %c0] : memref<64x128xf32, strided<[128, 1], offset: ?>, #shared>
      tile.once {
        memref.store %t, %s_slot[%c0, %c0] : memref<64x128xf32, strided<[128, 1], offset: ?>, #shared>
        memref.store %a, %m[%c0] : memref<4xf32>
      }
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_86">} {
// Not even one stage is little enough.
func.func @without_stages(%n: index, %m: memref<4xf32>) {
  // expected-error @+4 {{needs 262144 bytes of shared memory; a block of sm_86 has 101376, 160768 too few}}
  // expected-note @+3 {{live at the peak:}}
  // expected-note @+2 {{without stages the launch needs 131072 bytes}}
  // expected-note @+1 {{no known chip has so much: the most is 232448 bytes}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @+1 {{a buffer of 262144 bytes; the launch fits with 1/4 of it here}}
    %r = tile.alloc layout(#tile.shared<[2, 256, 128]>) : memref<2x256x128xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      %r_slot = memref.subview %r[%i, 0, 0] [1, 256, 128] [1, 1, 1] : memref<2x256x128xf32, #shared> to memref<256x128xf32, strided<[128, 1], offset: ?>, #shared>
      %a = memref.load %r_slot[%c0, %c0] : memref<256x128xf32, strided<[128, 1], offset: ?>, #shared>
      tile.once {
        memref.store %a, %r_slot[%c0, %c0] : memref<256x128xf32, strided<[128, 1], offset: ?>, #shared>
      }
    }
  }
  return
}
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-plan-shared-memory needs a launch at stage 'scheduled', this one is at 'source'}}
  // expected-note @+1 {{the pass to run on it next is tile-inline-calls}}
  tile.launch @k blocks(%bx) in (%n) threads(128) {
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @ring_left(%n: index) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %s = tile.alloc layout(#tile.shared<[2, 32]>) : memref<2x32xf32, #shared>
    // expected-error @+1 {{'tile.ring' op is left; run 'tile-lower-rings' before 'tile-plan-shared-memory'}}
    %ring = tile.ring %s : memref<2x32xf32, #shared> -> !tile.ring<2>
  }
  return
}
}
