// A warpgroup's product: registers are fenced, all instructions started and committed as one
// group, and the accumulators come out of the wait. A descriptor is the buffer's, made once
// in front of the loop and taken through a shuffle, plus the slot, plus a constant.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#shared = #gpu.address_space<workgroup>
#c = #tile.fragment<[128, 16], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [8 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
  gpu.module @kernels {
    // 0x4000004000010000: rows of 128 bytes, 8 of them apart by 64 units; N of one panel.
    // CHECK-LABEL: llvm.func @product
    // CHECK-DAG: %[[ROWS:.*]] = arith.constant 4611686293305360384 : i64
    // CHECK-DAG: %[[STEP:.*]] = arith.constant 2 : i64
    // CHECK: %[[BYTES:.*]] = llvm.ptrtoint
    // CHECK: %[[GROUP:.*]] = arith.addi %[[BYTES]]
    // CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.idx.i32"
    // CHECK: %[[A:.*]] = arith.addi {{.*}}, %[[ROWS]] : i64
    // CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.idx.i32"
    // CHECK: scf.for
    // CHECK-NOT: shfl
    // CHECK: nvvm.wgmma.fence.aligned
    // CHECK: %[[AT:.*]] = arith.addi %[[A]], {{.*}} : i64
    // CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %[[STEP]] : i64
    // CHECK: llvm.inline_asm has_side_effects "{\0A\09wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $8, $9, 0, 1, 1, 0, 1;\0A\09}\0A\09{\0A\09wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $10, $11, 1, 1, 1, 0, 1;\0A\09}", "=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,l,l,l,l" %[[AT]], %{{.*}}, %[[NEXT]],
    // CHECK: nvvm.wgmma.commit.group.sync.aligned
    // CHECK: nvvm.wgmma.wait.group.sync.aligned 0
    // CHECK: llvm.inline_asm has_side_effects "", "=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,0,1,2,3,4,5,6,7"
    // CHECK: llvm.store
    gpu.func @product(%o: memref<128x16xf32>) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>,
                    tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %arena = tile.arena 36864 : memref<36864xi8, #shared>
      %as = tile.view %arena[0] layout(#tile.shared<[2, 128, 64], offset = [64 : (0, 0, 1), 128 : (0, 1, 0), 2 : (1, 0, 0)], xor = [3, 4, 3]>)
          : memref<36864xi8, #shared> to memref<2x128x64xf16, #shared>
      %b = tile.view %arena[32768] layout(#tile.shared<[32, 16], offset = [16 : (0, 1), 32 : (1, 0)], xor = [1, 4, 3]>)
          : memref<36864xi8, #shared> to memref<32x16xf16, #shared>
      scf.for %s = %c0 to %c2 step %c1 {
        %slot = memref.subview %as[%s, 0, 0] [1, 128, 64] [1, 1, 1] : memref<2x128x64xf16, #shared> to memref<128x64xf16, strided<[64, 1], offset: ?>, #shared>
        %a = memref.subview %slot[0, 0] [128, 32] [1, 1] : memref<128x64xf16, strided<[64, 1], offset: ?>, #shared> to memref<128x32xf16, strided<[64, 1], offset: ?>, #shared>
        %d = tile.gemm %a, %b {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16.ss">, warp_grid = array<i64: 2, 1>} : memref<128x32xf16, strided<[64, 1], offset: ?>, #shared>, memref<32x16xf16, #shared> -> tensor<128x16xf32, #c>
        tile.store %d, %o : tensor<128x16xf32, #c>, memref<128x16xf32>
      }
      gpu.return
    }

    // Accumulators that are added to are made in front of the fence.
    // CHECK-LABEL: llvm.func @sum
    // CHECK: %[[SUM:.*]] = llvm.inline_asm has_side_effects "", "=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,0,1,2,3,4,5,6,7"
    // CHECK: nvvm.wgmma.fence.aligned
    // CHECK: llvm.inline_asm has_side_effects "{\0A\09wgmma.mma_async
    gpu.func @sum(%o: memref<128x16xf32>) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>,
                    tile.stage = #tile.stage<outlined>} {
      %arena = tile.arena 36864 : memref<36864xi8, #shared>
      %a = tile.view %arena[0] layout(#tile.shared<[128, 64], offset = [64 : (0, 1), 128 : (1, 0)], xor = [3, 4, 3]>)
          : memref<36864xi8, #shared> to memref<128x64xf16, #shared>
      %b = tile.view %arena[32768] layout(#tile.shared<[64, 16], offset = [16 : (0, 1), 64 : (1, 0)], xor = [1, 4, 3]>)
          : memref<36864xi8, #shared> to memref<64x16xf16, #shared>
      %ones = arith.constant dense<1.0> : tensor<128x16xf32, #c>
      %d = tile.gemm %a, %b, %ones {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16.ss">, warp_grid = array<i64: 2, 1>} : memref<128x64xf16, #shared>, memref<64x16xf16, #shared> -> tensor<128x16xf32, #c>
      tile.store %d, %o : tensor<128x16xf32, #c>, memref<128x16xf32>
      gpu.return
    }

    // CHECK-LABEL: llvm.func @fence
    // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.func @fence() kernel
        attributes {known_block_size = array<i32: 128, 1, 1>,
                    tile.stage = #tile.stage<outlined>} {
      tile.proxy_fence
      gpu.return
    }
  }
}
