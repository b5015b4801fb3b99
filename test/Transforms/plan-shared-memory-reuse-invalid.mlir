// Too much memory only because nothing may be shared.
// RUN: tile-opt %s --tile-plan-shared-memory=reuse=never --verify-diagnostics

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_86">} {
func.func @apart(%n: index, %m: memref<4xf32>, %h: f32) {
  // expected-error @+4 {{needs 131072 bytes of shared memory; a block of sm_86 has 101376, 29696 too few}}
  // expected-note @+3 {{live at the peak:}}
  // expected-note @+2 {{with reuse=cold the launch fits in 65536 bytes}}
  // expected-note @+1 {{chips that take it as it is: sm_80, sm_90a, sm_100a}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc layout(#tile.shared<[128, 128]>) : memref<128x128xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[128, 128]>) : memref<128x128xf32, #shared>
    tile.once {
      memref.store %h, %s[%c0, %c0] : memref<128x128xf32, #shared>
    }
    %a = memref.load %s[%c0, %c0] : memref<128x128xf32, #shared>
    tile.once {
      memref.store %a, %t[%c0, %c0] : memref<128x128xf32, #shared>
    }
    %b = memref.load %t[%c0, %c0] : memref<128x128xf32, #shared>
    tile.once {
      memref.store %b, %m[%c0] : memref<4xf32>
    }
  }
  return
}
}
