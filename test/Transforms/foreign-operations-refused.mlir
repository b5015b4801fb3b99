// What operations of another dialect ask of layouts is refused by layout inference
// where no layout is as they ask, or what they ask makes no sense.

// RUN: tile-test-opt %s --tile-infer-layouts --split-input-file --verify-diagnostics

// The user fixed the buffer: obeyed or refused, with both layouts.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @fixed(%n: index, %a: memref<64x64xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc layout(#tile.shared<[64, 64], swizzle = 128>) : memref<64x64xf16, #shared>
    %t = tile.load %a : memref<64x64xf16> -> tensor<64x64xf16>
    // expected-error @below {{has no layout: its buffer has layout [64, 64], offset = [64 : (0, 1), 64 : (1, 0)], xor = [3, 4, 3], which the access cannot use: the buffer's swizzle is not that of 64 bytes; [64, 64], offset = [32 : (0, 1), 64 : (1, 0), 2 : (0, 32)], xor = [2, 4, 3] meets it}}
    %u = test_tile.scale_tiles %t by %s swizzle 64 : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf16>
  }
  return
}
}

// -----

// Two accesses to one buffer.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @contradiction(%n: index, %a: memref<64x64xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.load %a : memref<64x64xf16> -> tensor<64x64xf16>
    %u = test_tile.scale_tiles %t by %s swizzle 128 : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf16>
    // expected-error @below {{but not what another access to the buffer asks: the buffer's swizzle is not that of 128 bytes}}
    %v = test_tile.scale_tiles %u by %s swizzle 64 : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf16>
  }
  return
}
}

// -----

// Rows of 48 bytes have no XOR mode.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @shape(%n: index, %a: memref<64x24xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<64x24xf16, #shared>
    %t = tile.load %a : memref<64x24xf16> -> tensor<64x24xf16>
    // expected-error @below {{; no layout of this shape meets it}}
    %u = test_tile.scale_tiles %t by %s swizzle 64 : tensor<64x24xf16>, memref<64x24xf16, #shared> -> tensor<64x24xf16>
  }
  return
}
}

// -----

// Every other row of a buffer.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @steps(%n: index, %a: memref<32x32xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<64x32xf16, #shared>
    %half = memref.subview %s[0, 0] [32, 32] [2, 1] : memref<64x32xf16, #shared> to memref<32x32xf16, strided<[64, 1]>, #shared>
    %t = tile.load %a : memref<32x32xf16> -> tensor<32x32xf16>
    // expected-error @below {{asks for a layout of operand 1, which is no view, an element a step, of a 'tile.alloc' of its launch}}
    %u = test_tile.scale_tiles %t by %half swizzle 64 : tensor<32x32xf16>, memref<32x32xf16, strided<[64, 1]>, #shared> -> tensor<32x32xf16>
  }
  return
}
}

// -----

// A constraint whose end is no fragment.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @misstated(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<32xf32, #shared>
    // expected-error @below {{'test_tile.misstated' op states a layout of what is neither a fragment of its launch nor an iteration space}}
    test_tile.misstated %s : memref<32xf32, #shared>
  }
  return
}
}
