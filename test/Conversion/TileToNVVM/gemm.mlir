// A gemm of two warps: one ldmatrix for four matrices, transposed for the operand
// whose columns lie together; addresses differ by constants.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#shared = #gpu.address_space<workgroup>
#c = #tile.fragment<[32, 16], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0)]>
#s = #tile.fragment<[24, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // CHECK-LABEL: llvm.func @gemm
    // K = 32 is two steps of one tile of A, two of B.
    // CHECK-COUNT-1: "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16"
    // CHECK-COUNT-1: "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16"
    // CHECK-COUNT-2: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
    // CHECK: "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16"
    // The second step of B is 16 rows of 48 bytes further on.
    // CHECK: %[[NEXT:.*]] = llvm.getelementptr %{{.*}}[768] : (!llvm.ptr<3>)
    // CHECK: "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16"(%[[NEXT]])
    // CHECK-COUNT-2: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
    // CHECK-NOT: "llvm.nvvm.mma
    gpu.func @gemm(%o: memref<32x16xf32>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %a = tile.view %arena[0] layout(#tile.shared<[32, 32], swizzle = 64>)
          : memref<4096xi8, #shared> to memref<32x32xf16, #shared>
      %b = tile.view %arena[2048] layout(#tile.shared<[32, 16], pad = 8>)
          : memref<4096xi8, #shared> to memref<32x16xf16, #shared>
      %d = tile.gemm %a, %b {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">, warp_grid = array<i64: 2, 1>,
                            load_a = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.shared.b16">, width = 8>,
                            load_b = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16">, width = 8>}
          : memref<32x32xf16, #shared>, memref<32x16xf16, #shared> -> tensor<32x16xf32, #c>
      tile.store %d, %o : tensor<32x16xf32, #c>, memref<32x16xf32>
      gpu.return
    }
    // One register of metadata serves two steps of 32 columns; its two words are of two
    // rows. Rows from 24 on are not there: of the second warp's the upper eight keep the
    // first two columns.
    // CHECK-LABEL: llvm.func @sparse
    // CHECK: %[[LOW:.*]] = llvm.load %{{.*}} -> i16
    // CHECK: %[[HIGH:.*]] = llvm.load %{{.*}} -> i16
    // CHECK: %[[WORD:.*]] = llvm.bitcast %{{.*}} : vector<2xi16> to i32
    // CHECK: %[[OTHER:.*]] = llvm.or
    // CHECK: %[[META:.*]] = {{.*}}select %{{.*}}, %[[WORD]], %[[OTHER]]
    // CHECK: "llvm.nvvm.mma.sp.m16n8k32.row.col.f32.f32"({{.*}}, %[[META]], %[[FIRST:[a-z0-9_]+]])
    // CHECK: "llvm.nvvm.mma.sp.m16n8k32.row.col.f32.f32"({{.*}}, %[[META]], %[[SECOND:[a-z0-9_]+]])
    // CHECK-NOT: "llvm.nvvm.mma
    gpu.func @sparse(%o: memref<24x8xf32>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %a = tile.view %arena[0] layout(#tile.shared<[24, 32], swizzle = 64>)
          : memref<4096xi8, #shared> to memref<24x32xf16, #shared>
      %b = tile.view %arena[2048] layout(#tile.shared<[64, 8]>)
          : memref<4096xi8, #shared> to memref<64x8xf16, #shared>
      %e = tile.view %arena[3072] layout(#tile.shared<[24, 4]>)
          : memref<4096xi8, #shared> to memref<24x4xi16, #shared>
      %d = tile.gemm_sparse %a, %e, %b {instruction = #tile.instruction<"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32">, warp_grid = array<i64: 2, 1>,
                            load_a = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.shared.b16">, width = 8>,
                            load_b = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16">, width = 8>}
          : memref<24x32xf16, #shared>, memref<24x4xi16, #shared>, memref<64x8xf16, #shared> -> tensor<24x8xf32, #s>
      tile.store %d, %o : tensor<24x8xf32, #s>, memref<24x8xf32>
      gpu.return
    }
    // Full precision: a loop over K, one multiply-add per register.
    // CHECK-LABEL: llvm.func @fma
    // CHECK: scf.for
    // CHECK: llvm.intr.fma
    gpu.func @fma(%o: memref<32x16xf32>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %a = tile.view %arena[0] layout(#tile.shared<[32, 8]>)
          : memref<4096xi8, #shared> to memref<32x8xf32, #shared>
      %b = tile.view %arena[2048] layout(#tile.shared<[8, 16]>)
          : memref<4096xi8, #shared> to memref<8x16xf32, #shared>
      %d = tile.gemm %a, %b {instruction = #tile.instruction<"fma">}
          : memref<32x8xf32, #shared>, memref<8x16xf32, #shared> -> tensor<32x16xf32, #c>
      tile.store %d, %o : tensor<32x16xf32, #c>, memref<32x16xf32>
      gpu.return
    }
  }
}
