// RUN: tile-opt %s | tile-opt | FileCheck %s

#shared = #gpu.address_space<workgroup>

// The accumulator of mma.m16n8k16: what is parsed in another spelling (a split
// digit, an extent of one) is printed canonically.
// CHECK-LABEL: func private @canonical_fragment(tensor<16x8xf32, #tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = []>>)
func.func private @canonical_fragment(tensor<16x8xf32, #tile.fragment<[16, 8], register = [2 : (0, 1), 1 : (0, 0), 2 : (8, 0)], lane = [2 : (0, 2), 2 : (0, 4), 8 : (1, 0)], warp = []>>)

// CHECK-LABEL: func private @replicating_digit(tensor<8xf32, #tile.fragment<[8], register = [], lane = [8 : (1), 4 : (0)], warp = [2 : (0)]>>)
func.func private @replicating_digit(tensor<8xf32, #tile.fragment<[8], register = [], lane = [8 : (1), 4 : (0)], warp = [2 : (0)]>>)

// CHECK-LABEL: func private @rank_zero(tensor<f32, #tile.fragment<[], register = [], lane = [32 : ()], warp = [4 : ()]>>)
func.func private @rank_zero(tensor<f32, #tile.fragment<[], register = [], lane = [32 : ()], warp = [4 : ()]>>)

// CHECK-LABEL: func private @padded_non_power_of_two(tensor<90xf32, #tile.fragment<[90], register = [3 : (1)], lane = [32 : (3)], warp = []>>)
func.func private @padded_non_power_of_two(tensor<90xf32, #tile.fragment<[90], register = [3 : (1)], lane = [32 : (3)], warp = []>>)

// CHECK-LABEL: func @shared_layouts
func.func @shared_layouts(%n: index) {
  tile.launch @k blocks(%bx) in (%n) threads(128) {
    // CHECK: tile.alloc layout(#tile.shared<[32, 128], offset = [64 : (0, 1), 32 : (1, 0), 2 : (0, 64)], xor = [3, 4, 3]>) : memref<32x128xf16,
    %a = tile.alloc layout(#tile.shared<[32, 128], offset = [64 : (0, 1), 32 : (1, 0), 2 : (0, 64)], xor = [3, 4, 3]>) : memref<32x128xf16, #shared>
    // Digits merge where coordinate and weight continue; the gap stays.
    // CHECK: tile.alloc layout(#tile.shared<[128, 64], offset = [64 : (0, 1), 128 : (1, 0) weight 72]>) : memref<128x64xf16,
    %b = tile.alloc layout(#tile.shared<[128, 64], offset = [8 : (0, 1), 8 : (0, 8), 128 : (1, 0) weight 72]>) : memref<128x64xf16, #shared>
    // The short form is kept as written.
    // CHECK: tile.alloc layout(#tile.shared<[128, 64], order = [1, 0], swizzle = 128>) alignment(1024) : memref<128x64xf16,
    %c = tile.alloc layout(#tile.shared<[128, 64], order = [1, 0], swizzle = 128>) alignment(1024) : memref<128x64xf16, #shared>
    // CHECK: tile.alloc layout(#tile.shared<[128, 64], pad = 8>) : memref<128x64xf16,
    %d = tile.alloc layout(#tile.shared<[128, 64], pad = 8>) : memref<128x64xf16, #shared>
    // CHECK: tile.alloc layout(#tile.shared<[16]>) : memref<16xi4,
    %e = tile.alloc layout(#tile.shared<[16]>) : memref<16xi4, #shared>
    // CHECK: tile.alloc layout(#tile.shared<[128, 64], pad = 8, swizzle = 0>) : memref<128x64xf16,
    %f = tile.alloc layout(#tile.shared<[128, 64], pad = 8, swizzle = 0>) : memref<128x64xf16, #shared>
  }
  return
}

// CHECK-LABEL: func @other_attributes
func.func @other_attributes() attributes {
  // CHECK: a = #tile.precision<tf32>, b = #tile.warps<columns>, c = #tile.rasterize<row, 8>, d = #tile.target<"sm_90a">, e = #tile.stage<laid_out>, f = #tile.warp_specialize<off>
  a = #tile.precision<tf32>, b = #tile.warps<columns>,
  c = #tile.rasterize<row, 8>, d = #tile.target<"sm_90a">,
  e = #tile.stage<laid_out>, f = #tile.warp_specialize<off>} {
  return
}
