// RUN: tile-opt %s --split-input-file --verify-diagnostics

// From `laid_out` on a buffer is laid out as what reads and writes it asks: behind a
// descriptor one of its patterns, else groups of elements that lie together.

#shared = #gpu.address_space<workgroup>
#c = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @descriptor(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = tile.alloc layout(#tile.shared<[64, 64], swizzle = 128>) : memref<64x64xf16, #shared>
    %b = tile.alloc layout(#tile.shared<[64, 64], pad = 8>) : memref<64x64xf16, #shared>
    // expected-error@+1 {{breaks stage 'laid_out': the buffer of operand 1 has layout #tile.shared<[64, 64], pad = 8>, which its access cannot use: element 1 of dimension 0 lies 72 elements behind the start of its tile, where the instruction reads 8; #tile.shared<[64, 64], offset = [64 : (1, 0), 64 : (0, 1)], xor = [3, 4, 3]> meets it}}
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #c>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#c = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @along_k(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = tile.alloc layout(#tile.shared<[64, 8]>) : memref<64x8xf32, #shared>
    %b = tile.alloc layout(#tile.shared<[8, 64]>) : memref<8x64xf32, #shared>
    // Elements of 32 bits lie along K, which has 32 bytes here.
    // expected-error@+1 {{the buffer of operand 0 has layout #tile.shared<[64, 8]>}}
    %d = tile.gemm %a, %b {precision = #tile.precision<tf32>, instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32.ss">, warp_grid = array<i64: 1, 1>} : memref<64x8xf32, #shared>, memref<8x64xf32, #shared> -> tensor<64x64xf32, #c>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#b = #tile.fragment<[64, 64], register = [32 : (0, 1)], lane = [2 : (0, 32), 16 : (1, 0)], warp = [4 : (16, 0)]>
#c = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @fragment(%n: index, %m: memref<64x64xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = tile.alloc layout(#tile.shared<[64, 64], swizzle = 128>) : memref<64x64xf16, #shared>
    %b = tile.load %m : memref<64x64xf16> -> tensor<64x64xf16, #b>
    // expected-error@+1 {{operand 1 is a fragment, and its instruction reads it from shared memory}}
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, tensor<64x64xf16, #b> -> tensor<64x64xf32, #c>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#c = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @loaded_twice(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = tile.alloc layout(#tile.shared<[64, 64], swizzle = 128>) : memref<64x64xf16, #shared>
    // expected-error@+1 {{it has 'load_a', and its instruction reads operand 0 from shared memory itself}}
    %d = tile.gemm %a, %a {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>, load_a = #tile.operand_load<<"ld">, width = 2>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #c>
  }
  return
}
}

// -----

// ldmatrix: rows of 16 bytes along K, of the view's dimension 0 and the buffer's 1.
#shared = #gpu.address_space<workgroup>
#c = #tile.fragment<[32, 32], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 16)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @matrix_rows(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = tile.alloc layout(#tile.shared<[2, 32, 16], pad = 8>) : memref<2x32x16xf16, #shared>
    %b = tile.alloc layout(#tile.shared<[2, 16, 32], order = [2, 1, 0], pad = 4>) : memref<2x16x32xf16, #shared>
    %s = memref.subview %a[%x, 0, 0] [1, 32, 16] [1, 1, 1] : memref<2x32x16xf16, #shared> to memref<32x16xf16, strided<[16, 1], offset: ?>, #shared>
    %t = memref.subview %b[%x, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x32xf16, #shared> to memref<16x32xf16, strided<[32, 1], offset: ?>, #shared>
    // expected-error@+1 {{the buffer of operand 1 has layout #tile.shared<[2, 16, 32], order = [2, 1, 0], pad = 4>, which its access cannot use: groups of 8 elements along dimension 2 do not lie together, only of 4}}
    %d = tile.gemm %s, %t {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">, warp_grid = array<i64: 2, 2>, load_a = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.shared.b16">, width = 8>, load_b = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16">, width = 8>} : memref<32x16xf16, strided<[16, 1], offset: ?>, #shared>, memref<16x32xf16, strided<[32, 1], offset: ?>, #shared> -> tensor<32x32xf32, #c>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[32, 32], register = [8 : (0, 1)], lane = [4 : (0, 8), 8 : (1, 0)], warp = [4 : (8, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @load(%n: index) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %s = tile.alloc layout(#tile.shared<[32, 32], order = [0, 1]>) : memref<32x32xf16, #shared>
    // expected-error@+1 {{'tile.load' op breaks stage 'laid_out': the buffer of the operand has layout #tile.shared<[32, 32], order = [0, 1]>, which its access cannot use: groups of 4 elements along dimension 1 do not lie together, only of 1; #tile.shared<[32, 32], offset = [32 : (0, 1), 32 : (1, 0)], xor = [2, 4, 3]> meets it}}
    %t = tile.load %s {vector_width = 4} : memref<32x32xf16, #shared> -> tensor<32x32xf16, #f>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[32, 32], register = [8 : (0, 1)], lane = [4 : (0, 8), 8 : (1, 0)], warp = [4 : (8, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @store(%n: index, %m: memref<32x32xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %s = tile.alloc layout(#tile.shared<[32, 32], pad = 4>) : memref<32x32xf16, #shared>
    %t = tile.load %m : memref<32x32xf16> -> tensor<32x32xf16, #f>
    // expected-error@+1 {{'tile.store' op breaks stage 'laid_out': the buffer of operand 1 has layout #tile.shared<[32, 32], pad = 4>, which its access cannot use: groups of 8 elements along dimension 1 do not lie together, only of 4}}
    tile.store %t, %s {vector_width = 2, inner_width = 8} : tensor<32x32xf16, #f>, memref<32x32xf16, #shared>
  }
  return
}
}

// -----

// cp.async writes 16 bytes at once.
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[32, 32], register = [8 : (0, 1)], lane = [4 : (0, 8), 8 : (1, 0)], warp = [4 : (8, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @copy(%n: index, %m: memref<32x32xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %s = tile.alloc layout(#tile.shared<[32, 32], pad = 4>) : memref<32x32xf16, #shared>
    // expected-error@+1 {{'tile.copy' op breaks stage 'laid_out': the buffer of operand 1 has layout #tile.shared<[32, 32], pad = 4>, which its access cannot use: groups of 8 elements}}
    tile.copy %m to %s {layout = #f, vector_width = 8, instruction = #tile.instruction<"cp.async">} : memref<32x32xf16> to memref<32x32xf16, #shared>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[32, 32], register = [8 : (0, 1)], lane = [4 : (0, 8), 8 : (1, 0)], warp = [4 : (8, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @im2col(%n: index, %m: memref<1x8x8x32xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc layout(#tile.shared<[32, 32], pad = 4>) : memref<32x32xf16, #shared>
    // expected-error@+1 {{'tile.im2col' op breaks stage 'laid_out': the buffer of operand 3 has layout #tile.shared<[32, 32], pad = 4>}}
    tile.im2col %m[%c0, %c0] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1], layout = #f, vector_width = 8, instruction = #tile.instruction<"cp.async">} : memref<1x8x8x32xf16> to memref<32x32xf16, #shared>
  }
  return
}
}
