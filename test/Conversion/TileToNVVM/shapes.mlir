// Shapes and conversions that move nothing leave no operation behind.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#x = #tile.fragment<[4, 32], register = [4 : (1, 0)], lane = [32 : (0, 1)], warp = []>
#t = #tile.fragment<[32, 4], register = [4 : (0, 1)], lane = [32 : (1, 0)], warp = []>
#v = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
#all = #tile.fragment<[2], register = [2 : (1)], lane = [32 : (0)], warp = []>
#two = #tile.fragment<[2], register = [], lane = [2 : (1), 16 : (0)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // The broadcast's four registers are the one loaded; the transpose renames.
    // CHECK-LABEL: llvm.func @rename
    // CHECK: %[[V:.*]] = llvm.load
    // CHECK-NOT: llvm.load
    // CHECK: %[[S:.*]] = llvm.insertelement %[[V]], %{{.*}}[%c0_i32
    // CHECK: %[[S1:.*]] = llvm.insertelement %[[V]], %[[S]][%c1_i32
    // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>
    gpu.func @rename(%a: memref<32xf32>, %o: memref<32x4xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %v = tile.load %a : memref<32xf32> -> tensor<32xf32, #v>
      %b = tile.broadcast %v dims [0] : tensor<32xf32, #v> -> tensor<4x32xf32, #x>
      %t = tile.transpose %b [1, 0] : tensor<4x32xf32, #x> -> tensor<32x4xf32, #t>
      tile.store %t, %o {vector_width = 4 : i64} : tensor<32x4xf32, #t>, memref<32x4xf32>
      gpu.return
    }
    // Every thread has both elements; which register it keeps depends on its lane.
    // CHECK-LABEL: llvm.func @choose
    // CHECK: %[[P:.*]] = llvm.extractelement
    // CHECK: %[[Q:.*]] = llvm.extractelement
    // CHECK: %[[BIT:.*]] = arith.andi %{{.*}}, %c1_i32
    // CHECK: %[[ODD:.*]] = arith.cmpi ne, %[[BIT]], %c0_i32
    // CHECK: arith.select %[[ODD]], %[[Q]], %[[P]]
    gpu.func @choose(%a: memref<2xf32>, %o: memref<2xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %v = tile.load %a {vector_width = 2 : i64} : memref<2xf32> -> tensor<2xf32, #all>
      %w = tile.convert_layout %v : tensor<2xf32, #all> to tensor<2xf32, #two>
      tile.store %w, %o : tensor<2xf32, #two>, memref<2xf32>
      gpu.return
    }
  }
}
