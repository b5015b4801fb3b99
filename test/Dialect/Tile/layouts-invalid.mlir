// RUN: tile-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{a digit must have one step per dimension of the shape: expected 2, got 1}}
func.func private @rank(tensor<8x8xf32, #tile.fragment<[8, 8], register = [2 : (1)], lane = [], warp = []>>)

// -----

// expected-error@+1 {{a digit steps through one dimension, this one through 0 and 1; split it into two digits}}
func.func private @diagonal(tensor<8x8xf32, #tile.fragment<[8, 8], register = [2 : (1, 1)], lane = [], warp = []>>)

// -----

// expected-error@+1 {{invalid fragment layout:}}
func.func private @gap(tensor<8xf32, #tile.fragment<[8], register = [2 : (1)], lane = [4 : (4)], warp = []>>)

// -----

// expected-error@+1 {{invalid fragment layout:}}
func.func private @too_small(tensor<8xf32, #tile.fragment<[8], register = [2 : (1)], lane = [2 : (2)], warp = []>>)

// -----

// expected-error@+1 {{invalid fragment layout:}}
func.func private @replicating_register(tensor<8xf32, #tile.fragment<[8], register = [2 : (0)], lane = [8 : (1)], warp = []>>)

// -----

// expected-error@+1 {{the layout is for shape [8], the tensor has shape [16]}}
func.func private @tensor_shape(tensor<16xf32, #tile.fragment<[8], register = [], lane = [8 : (1)], warp = []>>)

// -----

// expected-error@+1 {{#tile.shared is the layout of a shared buffer; a tensor has a #tile.fragment}}
func.func private @shared_on_tensor(tensor<16xf32, #tile.shared<[16]>>)

// -----

// expected-error@+1 {{unknown field 'swizzel' of a shared layout; known: offset, xor, order, pad, swizzle}}
func.func private @field() attributes {a = #tile.shared<[16], swizzel = 128>}

// -----

// expected-error@+1 {{'pad' is given twice}}
func.func private @twice() attributes {a = #tile.shared<[16], pad = 8, pad = 8>}

// -----

// expected-error@+1 {{'pad' must not be negative, got -8}}
func.func private @negative() attributes {a = #tile.shared<[16], pad = -8>}

// -----

// expected-error@+1 {{'swizzle' must be one of 0, 32, 64, 128 (bytes), got 16}}
func.func private @mode() attributes {a = #tile.shared<[16], swizzle = 16>}

// -----

// expected-error@+1 {{a shared layout has either 'pad' = 8 or 'swizzle' = 128, not both; drop one of them}}
func.func private @pad_and_swizzle() attributes {a = #tile.shared<[16, 64], pad = 8, swizzle = 128>}

// -----

// expected-error@+1 {{'order' must list each of the 2 dimensions once, fastest first, got [1, 1]}}
func.func private @order() attributes {a = #tile.shared<[16, 64], order = [1, 1]>}

// -----

// expected-error@+1 {{the extents of a shared layout must be positive, got 0}}
func.func private @extent() attributes {a = #tile.shared<[0, 64]>}

// -----

// expected-error@+1 {{a shared layout has either 'offset' or the short form's 'order', 'pad' and 'swizzle'}}
func.func private @both_forms() attributes {a = #tile.shared<[16], offset = [16 : (1)], pad = 8>}

// -----

// expected-error@+1 {{'xor' needs the digits of 'offset'; the short form has 'swizzle'}}
func.func private @xor_alone() attributes {a = #tile.shared<[16], xor = [3, 4, 3]>}

// -----

// expected-error@+1 {{'xor' must be [bits, base, shift], got 2 numbers}}
func.func private @xor_count() attributes {a = #tile.shared<[16], offset = [16 : (1)], xor = [3, 4]>}

// -----

// expected-error@+1 {{the numbers of 'xor' are from 0 to 31}}
func.func private @xor_range() attributes {a = #tile.shared<[16], offset = [16 : (1)], xor = [3, 4, 64]>}

// -----

// expected-error@+1 {{a digit of a shared layout cannot replicate: one of its steps must not be zero}}
func.func private @shared_replicates() attributes {a = #tile.shared<[16], offset = [16 : (1), 2 : (0)]>}

// -----

// expected-error@+1 {{the offset does not fit 64 bits}}
func.func private @overflow() attributes {a = #tile.shared<[16], offset = [16 : (1) weight 4611686018427387904]>}

// -----

// expected-error@+1 {{invalid shared layout:}}
func.func private @shared_gap() attributes {a = #tile.shared<[16], offset = [4 : (1), 4 : (8)]>}

// -----

// expected-error@+1 {{the panel of a rasterization must be at least 1, got 0}}
func.func private @panel() attributes {a = #tile.rasterize<row, 0>}

// -----

// expected-error@+1 {{the target names a chip, as in #tile.target<"sm_90a">}}
func.func private @chip() attributes {a = #tile.target<"">}

// -----

func.func @fragment_on_alloc() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // expected-error@+1 {{the layout of a shared buffer must be a #tile.shared<..>, got the layout of a fragment, #tile.fragment<[16],}}
    %s = tile.alloc layout(#tile.fragment<[16], register = [], lane = [16 : (1), 2 : (0)], warp = []>) : memref<16xf32, #gpu.address_space<workgroup>>
  }
  return
}

// -----

func.func @text_on_alloc() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // expected-error@+1 {{the layout of a shared buffer must be a #tile.shared<..>, got "rows"}}
    %s = tile.alloc layout("rows") : memref<16xf32, #gpu.address_space<workgroup>>
  }
  return
}

// -----

func.func @fragment_on_view() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.arena 64 : memref<64xi8, #gpu.address_space<workgroup>>
    // expected-error@+1 {{the layout of a shared buffer must be a #tile.shared<..>, got the layout of a fragment, #tile.fragment<[16],}}
    %s = tile.view %a[0] layout(#tile.fragment<[16], register = [], lane = [16 : (1), 2 : (0)], warp = []>) : memref<64xi8, #gpu.address_space<workgroup>> to memref<16xf32, #gpu.address_space<workgroup>>
  }
  return
}

// -----

func.func @shared_on_copy(%A: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %s = tile.alloc : memref<16xf32, #gpu.address_space<workgroup>>
    // expected-error@+1 {{attribute 'layout' failed to satisfy constraint: #tile.fragment<..>, the layout of a fragment: which thread holds which element}}
    tile.copy %A to %s {layout = #tile.shared<[16]>} : memref<16xf32> to memref<16xf32, #gpu.address_space<workgroup>>
  }
  return
}

// -----

func.func @shared_on_parallel() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // expected-error@+1 {{attribute 'layout' failed to satisfy constraint: #tile.fragment<..>, the layout of a fragment: which thread holds which element}}
    tile.parallel (%i) in (16) attributes {layout = #tile.shared<[16]>} {
    }
  }
  return
}
