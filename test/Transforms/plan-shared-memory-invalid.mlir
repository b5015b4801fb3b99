// RUN: tile-opt %s --tile-plan-shared-memory --split-input-file --verify-diagnostics

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[256, 128], register = [256 : (1, 0)], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>
module attributes {tile.target = #tile.target<"sm_86">} {
func.func @too_large(%n: index, %m: memref<256x128xf32>) {
  // expected-error @+2 {{needs 131072 bytes of shared memory; a block of sm_86 has 101376; use smaller tiles or fewer stages}}
  // expected-note @+1 {{live at the peak:}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    // expected-note @+1 {{a buffer of 131072 bytes}}
    %s = tile.alloc layout(#tile.shared<[256, 128]>) : memref<256x128xf32, #shared>
    tile.copy %m to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"ld.st">} : memref<256x128xf32> to memref<256x128xf32, #shared>
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
