// RUN: tile-test-opt %s --split-input-file --verify-diagnostics

// What operations of another dialect ask of layouts holds from `laid_out` on, and
// they stand where they say.

#shared = #gpu.address_space<workgroup>
#rows = #tile.fragment<[32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []>
#columns = #tile.fragment<[32, 32], register = [32 : (1, 0)], lane = [32 : (0, 1)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @taken(%n: index, %a: memref<32x32xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<laid_out>} {
    %s = tile.alloc layout(#tile.shared<[32]>) : memref<32xf32, #shared>
    %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32, #rows>
    // expected-error @below {{breaks stage 'laid_out': operand 0 has layout #tile.fragment<[32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []>, but #tile.fragment<[32, 32], register = [32 : (1, 0)], lane = [32 : (0, 1)], warp = []> follows from the other side; put a 'tile.convert_layout' between}}
    %u = test_tile.scale_rows %t by %s : tensor<32x32xf32, #rows>, memref<32xf32, #shared> -> tensor<32x32xf32, #columns>
  }
  return
}
}

// -----

#rows = #tile.fragment<[32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @given(%n: index, %a: memref<32x32xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<laid_out>} {
    %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32, #rows>
    // expected-error @below {{breaks stage 'laid_out': the result has layout #tile.fragment<[32, 32], register = [32 : (0, 1)]}}
    %u = test_tile.negate_transposed %t : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #rows>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#rows = #tile.fragment<[32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @buffer(%n: index, %t: memref<32x32xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<laid_out>} {
    %s = tile.alloc layout(#tile.shared<[32, 32], pad = 8>) : memref<32x32xf16, #shared>
    %u = tile.load %t : memref<32x32xf16> -> tensor<32x32xf16, #rows>
    // expected-error @below {{breaks stage 'laid_out': the buffer of operand 1 has layout #tile.shared<[32, 32], pad = 8>, which its access cannot use: the buffer's swizzle is not that of 64 bytes; #tile.shared<[32, 32], offset = [32 : (0, 1), 32 : (1, 0)], xor = [2, 4, 3]> meets it}}
    %v = test_tile.scale_tiles %u by %s swizzle 64 : tensor<32x32xf16, #rows>, memref<32x32xf16, #shared> -> tensor<32x32xf16, #rows>
  }
  return
}
}

// -----

// Every other row of a buffer.
#shared = #gpu.address_space<workgroup>
#rows = #tile.fragment<[32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @steps(%n: index, %t: memref<32x32xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<laid_out>} {
    %s = tile.alloc layout(#tile.shared<[64, 32], swizzle = 64>) : memref<64x32xf16, #shared>
    %half = memref.subview %s[0, 0] [32, 32] [2, 1] : memref<64x32xf16, #shared> to memref<32x32xf16, strided<[64, 1]>, #shared>
    %u = tile.load %t : memref<32x32xf16> -> tensor<32x32xf16, #rows>
    // expected-error @below {{operand 1 is no view, an element a step, of a buffer whose layout is known, and its access asks for one}}
    %v = test_tile.scale_tiles %u by %half swizzle 64 : tensor<32x32xf16, #rows>, memref<32x32xf16, strided<[64, 1]>, #shared> -> tensor<32x32xf16, #rows>
  }
  return
}
}

// -----

// An iteration space without threads.
#rows = #tile.fragment<[32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @space(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<laid_out>} {
    // expected-error @below {{'test_tile.iota' op breaks stage 'laid_out': it has no 'layout'; 'tile-infer-layouts' chooses it}}
    %t = test_tile.iota [32, 32] : tensor<32x32xf32, #rows>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @once(%n: index, %m: memref<32xf32>) {
  tile.launch blocks(%x) in (%n) threads(32) {
    %one = arith.constant 1.0 : f32
    %s = tile.alloc : memref<32xf32, #shared>
    tile.once {
      // expected-error @below {{it acts on the whole block; put it outside}}
      test_tile.fill %s with %one : memref<32xf32, #shared>
    }
  }
  return
}
