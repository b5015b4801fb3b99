// Reductions: registers as a tree, then one butterfly step per bit of the lanes.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#x = #tile.fragment<[4, 64], register = [4 : (0, 1), 2 : (2, 0)], lane = [16 : (0, 4), 2 : (1, 0)], warp = []>
#m = #tile.fragment<[4], register = [2 : (2)], lane = [16 : (0), 2 : (1)], warp = []>
#p = #tile.fragment<[20], register = [], lane = [32 : (1)], warp = []>
#q = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
#s = #tile.fragment<[], register = [], lane = [32 : ()], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // Two rows a thread, each of 4 registers and 16 lanes: 3 + 4 steps.
    // CHECK-LABEL: llvm.func @rows
    // CHECK-COUNT-3: arith.maximumf
    // CHECK-NOT: arith.maximumf
    // CHECK: nvvm.shfl.sync bfly %c-1_i32, %{{.*}}, %c1_i32, %c31_i32 : f32 -> f32
    // CHECK-NEXT: arith.maximumf
    // CHECK-NEXT: nvvm.shfl.sync bfly %c-1_i32, %{{.*}}, %c2_i32,
    // CHECK-NEXT: arith.maximumf
    // CHECK-NEXT: nvvm.shfl.sync bfly %c-1_i32, %{{.*}}, %c4_i32,
    // CHECK-NEXT: arith.maximumf
    // CHECK-NEXT: nvvm.shfl.sync bfly %c-1_i32, %{{.*}}, %c8_i32,
    // CHECK-NEXT: arith.maximumf
    // CHECK-COUNT-4: nvvm.shfl.sync
    // CHECK-NOT: nvvm.shfl.sync
    gpu.func @rows(%a: memref<4x64xf32>, %o: memref<4xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %a : memref<4x64xf32> -> tensor<4x64xf32, #x>
      %m = tile.reduce <maximumf> %t dims [1] : tensor<4x64xf32, #x> -> tensor<4xf32, #m>
      tile.store %m, %o : tensor<4xf32, #m>, memref<4xf32>
      gpu.return
    }
    // f16 adds in f32 and rounds at the end; lanes past 20 count as -0.0.
    // CHECK-LABEL: llvm.func @half
    // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
    // CHECK: arith.constant -0.000000e+00 : f32
    // CHECK: arith.select %{{.*}}, %[[WIDE]], %
    // CHECK-COUNT-5: nvvm.shfl.sync
    // CHECK: arith.truncf %{{.*}} : f32 to f16
    gpu.func @half(%a: memref<20xf16>, %o: memref<1xf16>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %t = tile.load %a : memref<20xf16> -> tensor<20xf16, #p>
      %s = tile.reduce <add> %t dims [0] : tensor<20xf16, #p> -> tensor<f16, #s>
      %v = tensor.extract %s[] : tensor<f16, #s>
      tile.once {
        memref.store %v, %o[%c0] : memref<1xf16>
      }
      gpu.return
    }
    // Four products of a thread may fuse with their sum: two chains.
    // CHECK-LABEL: llvm.func @products
    // CHECK-COUNT-4: %[[P:.*]] = arith.mulf %{{.*}} fastmath<contract> : f32
    // CHECK-NOT: arith.mulf
    // CHECK: %[[EVEN:.*]] = arith.addf %[[P0:.*]], %{{.*}} fastmath<contract> : f32
    // CHECK-NEXT: %[[ODD:.*]] = arith.addf %[[P1:.*]], %{{.*}} fastmath<contract> : f32
    // CHECK-NEXT: arith.addf %[[EVEN]], %[[ODD]] fastmath<contract> : f32
    gpu.func @products(%a: memref<128xf32>, %o: memref<1xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %a : memref<128xf32> -> tensor<128xf32, #q>
      %p = arith.mulf %t, %t fastmath<contract> : tensor<128xf32, #q>
      %s = tile.reduce <add> %p dims [0] fastmath<contract> : tensor<128xf32, #q> -> tensor<f32, #s>
      %c0 = arith.constant 0 : index
      %v = tensor.extract %s[] : tensor<f32, #s>
      tile.once {
        memref.store %v, %o[%c0] : memref<1xf32>
      }
      gpu.return
    }
    // Lanes past 20 count as -inf, of which no flag may say that there is none.
    // CHECK-LABEL: llvm.func @padded_flags
    // CHECK: arith.maximumf %{{.*}}, %{{.*}} fastmath<nsz> : f32
    gpu.func @padded_flags(%a: memref<20xf32>, %o: memref<1xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %a : memref<20xf32> -> tensor<20xf32, #p>
      %s = tile.reduce <maximumf> %t dims [0] fastmath<nnan,ninf,nsz> : tensor<20xf32, #p> -> tensor<f32, #s>
      %c0 = arith.constant 0 : index
      %v = tensor.extract %s[] : tensor<f32, #s>
      tile.once {
        memref.store %v, %o[%c0] : memref<1xf32>
      }
      gpu.return
    }
    // A combiner has no neutral element: whether a lane holds one travels along.
    // CHECK-LABEL: llvm.func @combiner
    // CHECK: nvvm.shfl.sync bfly %{{.*}} : f32 -> f32
    // CHECK: arith.extui %{{.*}} : i1 to i32
    // CHECK: nvvm.shfl.sync bfly %{{.*}} : i32 -> i32
    // CHECK: arith.ori %{{.*}} : i1
    gpu.func @combiner(%a: memref<20xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %a : memref<20xf32> -> tensor<20xf32, #p>
      %s = tile.reduce (%t) dims [0] : (tensor<20xf32, #p>) -> (tensor<f32, #s>) {
      ^bb0(%x: f32, %y: f32):
        %z = arith.mulf %x, %y : f32
        tile.yield %z : f32
      }
      gpu.return
    }
  }
}
