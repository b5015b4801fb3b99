// A product keeps the instruction that is written on it, and its buffers get the
// layouts that the instruction reads through descriptors: the widest XOR mode whose
// rows fit, along K or, of 16-bit elements, across it.
// RUN: tile-opt %s --tile-infer-layouts | FileCheck %s

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {

// Two warpgroups along M; B is over (K, N), and stays as it was copied.
// CHECK-LABEL: func @from_memory
// CHECK: tile.alloc layout(#tile.shared<[128, 64], offset = [64 : (0, 1), 128 : (1, 0)], xor = [3, 4, 3]>)
// CHECK: tile.alloc layout(#tile.shared<[64, 64], offset = [64 : (0, 1), 64 : (1, 0)], xor = [3, 4, 3]>)
// CHECK: tile.gemm
// CHECK-NOT: load_
// CHECK-SAME: warp_grid = array<i64: 2, 1>
// CHECK-NOT: load_
// CHECK-SAME: tensor<128x64xf32,
func.func @from_memory(%n: index, %o: memref<128x64xf32>) {
  tile.launch @from_memory blocks(%x) in (%n) threads(256) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<128x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
    tile.store %d, %o : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}

// Elements of 8 bits lie together along K, which is dimension 0 of B here: the
// default, along N, will not do, and rows of N are copied to it one by one.
// CHECK-LABEL: func @across
// CHECK: tile.alloc layout(#tile.shared<[64, 128], offset = [128 : (0, 1), 64 : (1, 0)], xor = [3, 4, 3]>)
// CHECK: tile.alloc layout(#tile.shared<[128, 32], offset = [128 : (1, 0), 32 : (0, 1)], xor = [3, 4, 3]>)
// CHECK: tile.copy {{.*}}instruction = #tile.instruction<"cp.async">,{{.*}}vector_width = 16
// CHECK: tile.copy {{.*}}instruction = #tile.instruction<"ld.st">,{{.*}}vector_width = 1 :
func.func @across(%n: index, %p: memref<64x128xi8>, %q: memref<128x32xi8>, %o: memref<64x32xi32>) {
  tile.launch @across blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x128xi8, #shared>
    %b = tile.alloc : memref<128x32xi8, #shared>
    tile.copy %p to %a : memref<64x128xi8> to memref<64x128xi8, #shared>
    tile.copy %q to %b : memref<128x32xi8> to memref<128x32xi8, #shared>
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8.ss">} : memref<64x128xi8, #shared>, memref<128x32xi8, #shared> -> tensor<64x32xi32>
    tile.store %d, %o : tensor<64x32xi32>, memref<64x32xi32>
  }
  return
}

// The same of B over (N, K), where it lies along K by default.
// CHECK-LABEL: func @transposed
// CHECK: tile.alloc layout(#tile.shared<[64, 128], offset = [128 : (0, 1), 64 : (1, 0)], xor = [3, 4, 3]>)
// CHECK: tile.alloc layout(#tile.shared<[32, 128], offset = [128 : (0, 1), 32 : (1, 0)], xor = [3, 4, 3]>)
func.func @transposed(%n: index, %o: memref<64x32xi32>) {
  tile.launch @transposed blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x128xi8, #shared>
    %b = tile.alloc : memref<32x128xi8, #shared>
    %d = tile.gemm %a, %b {transpose_b, instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8.ss">} : memref<64x128xi8, #shared>, memref<32x128xi8, #shared> -> tensor<64x32xi32>
    tile.store %d, %o : tensor<64x32xi32>, memref<64x32xi32>
  }
  return
}

// A from registers: loaded from shared memory as for mma, which asks nothing of the
// buffer. Rows of B have 96 bytes: a mode of 32, panels side by side.
// CHECK-LABEL: func @from_registers
// CHECK: tile.alloc layout(#tile.shared<[64, 64],
// CHECK: tile.alloc layout(#tile.shared<[64, 48], offset = [16 : (0, 1), 64 : (1, 0), 3 : (0, 16)], xor = [1, 4, 3]>)
// CHECK: tile.gemm
// CHECK-SAME: load_a = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.shared.b16">, width = 8>
func.func @from_registers(%n: index, %o: memref<64x48xf32>) {
  tile.launch @from_registers blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x48xf16, #shared>
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16.rs">} : memref<64x64xf16, #shared>, memref<64x48xf16, #shared> -> tensor<64x48xf32>
    tile.store %d, %o : tensor<64x48xf32>, memref<64x48xf32>
  }
  return
}
}
