// Iterations: one per register, padding left out, one replica acts.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#l = #tile.fragment<[8, 3], register = [3 : (0, 1)], lane = [8 : (1, 0), 4 : (0, 0)], warp = []>
#r = #tile.fragment<[8], register = [], lane = [8 : (1), 4 : (0)], warp = []>
#p = #tile.fragment<[40], register = [2 : (32)], lane = [32 : (1)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // A fragment is read at the iteration's own element; each result register is an
    // iteration; only the first of the four replicas stores.
    // CHECK-LABEL: llvm.func @replicated
    // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
    // CHECK: %[[T:.*]] = llvm.load
    // CHECK-COUNT-3: scf.if %[[FIRST]]
    // CHECK-NOT: scf.if
    gpu.func @replicated(%a: memref<8xf32>, %o: memref<8x3xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %a : memref<8xf32> -> tensor<8xf32, #r>
      tile.parallel (%i, %j) in (8, 3) attributes {layout = #l, vector_width = 1 : i64} {
        %v = tensor.extract %t[%i] : tensor<8xf32, #r>
        memref.store %v, %o[%i, %j] : memref<8x3xf32>
      }
      gpu.return
    }
    // Iterations 40 and up do not run: register 0 always, register 1 in 8 lanes.
    // CHECK-LABEL: llvm.func @padded
    // CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c8_i32
    // CHECK: llvm.load
    // CHECK: scf.if %[[IN]] -> (f32)
    // CHECK: llvm.load
    gpu.func @padded(%a: memref<40xf32>, %o: memref<40xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.parallel (%i) in (40) -> (tensor<40xf32, #p>) attributes {layout = #p, vector_width = 1 : i64} {
        %v = memref.load %a[%i] : memref<40xf32>
        tile.yield %v : f32
      }
      tile.store %t, %o : tensor<40xf32, #p>, memref<40xf32>
      gpu.return
    }
  }
}
