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
