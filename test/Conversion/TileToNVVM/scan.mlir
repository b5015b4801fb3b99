// Scans: prefixes in registers, totals between lanes, then what stands before each box.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#x = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
#p = #tile.fragment<[20], register = [], lane = [32 : (1)], warp = []>
#o = #tile.fragment<[33], register = [2 : (32)], lane = [32 : (1)], warp = []>
#i = #tile.fragment<[], register = [], lane = [32 : ()], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // A pair in registers, five steps between lanes, one to the lane behind; nothing
    // tells the total to all, as nothing comes after.
    // CHECK-LABEL: llvm.func @forward
    // CHECK: %[[PAIR:.*]] = arith.addi
    // CHECK: nvvm.shfl.sync up %c-1_i32, %[[PAIR]], %c1_i32, %c0_i32 : i32 -> i32
    // CHECK: nvvm.shfl.sync up %c-1_i32, %{{.*}}, %c2_i32, %c0_i32
    // CHECK: nvvm.shfl.sync up %c-1_i32, %{{.*}}, %c4_i32, %c0_i32
    // CHECK: nvvm.shfl.sync up %c-1_i32, %{{.*}}, %c8_i32, %c0_i32
    // CHECK: nvvm.shfl.sync up %c-1_i32, %{{.*}}, %c16_i32, %c0_i32
    // CHECK: nvvm.shfl.sync up %c-1_i32, %{{.*}}, %c1_i32, %c0_i32
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK: llvm.return
    gpu.func @forward(%a: memref<64xi32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %a : memref<64xi32> -> tensor<64xi32, #x>
      %s = tile.scan <add> %t dim 0 : tensor<64xi32, #x>
      tile.store %s, %a : tensor<64xi32, #x>, memref<64xi32>
      gpu.return
    }
    // In reverse the padding comes first: it counts as the neutral element. f16 adds in
    // f32 and every prefix is rounded.
    // CHECK-LABEL: llvm.func @reverse
    // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
    // CHECK: arith.select %{{.*}}, %[[WIDE]], %
    // CHECK: nvvm.shfl.sync down %c-1_i32, %{{.*}}, %c1_i32, %c31_i32 : f32 -> f32
    // CHECK: arith.truncf %{{.*}} : f32 to f16
    gpu.func @reverse(%a: memref<20xf16>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %a : memref<20xf16> -> tensor<20xf16, #p>
      %s = tile.scan <add> %t dim 0 {reverse} : tensor<20xf16, #p>
      tile.store %s, %a : tensor<20xf16, #p>, memref<20xf16>
      gpu.return
    }
    // Registers above lanes: the total of the first 32 goes to all lanes.
    // CHECK-LABEL: llvm.func @carry
    // CHECK-COUNT-5: nvvm.shfl.sync up
    // CHECK: %[[LAST:.*]] = arith.ori %{{.*}}, %c31_i32 : i32
    // CHECK: nvvm.shfl.sync idx %c-1_i32, %{{.*}}, %[[LAST]], %c31_i32 : f32 -> f32
    gpu.func @carry(%a: memref<33xf32>, %b: memref<f32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %a : memref<33xf32> -> tensor<33xf32, #o>
      %u = tile.load %b : memref<f32> -> tensor<f32, #i>
      %s = tile.scan (%t) dim 0 init(%u) {exclusive} : (tensor<33xf32, #o>) {
      ^bb0(%l: f32, %r: f32):
        %m = arith.mulf %l, %r : f32
        tile.yield %m : f32
      }
      tile.store %s, %a : tensor<33xf32, #o>, memref<33xf32>
      gpu.return
    }
  }
}
