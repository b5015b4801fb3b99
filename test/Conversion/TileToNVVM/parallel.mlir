// Iterations: one per register, many in loops, padding left out, one replica acts.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#l = #tile.fragment<[8, 3], register = [3 : (0, 1)], lane = [8 : (1, 0), 4 : (0, 0)], warp = []>
#r = #tile.fragment<[8], register = [], lane = [8 : (1), 4 : (0)], warp = []>
#p = #tile.fragment<[40], register = [2 : (32)], lane = [32 : (1)], warp = []>
#row = #tile.fragment<[2], register = [2 : (1)], lane = [32 : (0)], warp = []>
#many = #tile.fragment<[2, 2500], register = [2 : (1, 0), 79 : (0, 32)], lane = [32 : (0, 1)], warp = []>
#digits = #tile.fragment<[640, 12], register = [20 : (32, 0), 12 : (0, 1)], lane = [32 : (1, 0)], warp = []>
#all = #tile.fragment<[65], register = [65 : (1)], lane = [32 : (0)], warp = []>
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
    // 158 registers: the two that a fragment is read at are written out, the prime number of
    // others is counted, but for the last, in which only four lanes have an iteration.
    // CHECK-LABEL: llvm.func @counted
    // CHECK: %[[A:.*]] = llvm.load
    // CHECK: %[[B:.*]] = llvm.load
    // CHECK: scf.for %{{.*}} = %c0_i32 to %c78_i32
    // CHECK-NOT: scf.if
    // CHECK: llvm.store %[[A]]
    // CHECK: llvm.store %[[B]]
    // CHECK-NOT: llvm.store
    // CHECK: }
    // CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c4_i32
    // CHECK: scf.if %[[IN]]
    // CHECK: llvm.store %[[A]]
    // CHECK: scf.if
    // CHECK: llvm.store %[[B]]
    // CHECK-NOT: llvm.store
    gpu.func @counted(%a: memref<2xf32>, %o: memref<2x2500xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %a : memref<2xf32> -> tensor<2xf32, #row>
      tile.parallel (%i, %j) in (2, 2500) attributes {layout = #many, vector_width = 1 : i64} {
        %v = tensor.extract %t[%i] : tensor<2xf32, #row>
        memref.store %v, %o[%i, %j] : memref<2x2500xf32>
      }
      gpu.return
    }
    // 240 registers: ten of the inner digit, one of the outer; loops outermost first.
    // CHECK-LABEL: llvm.func @digits
    // CHECK: scf.for %[[J:.*]] = %c0_i32 to %c12_i32
    // CHECK: scf.for %[[I:.*]] = %c0_i32 to %c2_i32
    // CHECK-COUNT-10: llvm.store
    // CHECK-NOT: llvm.store
    gpu.func @digits(%o: memref<640x12xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %v = arith.constant 1.0 : f32
      tile.parallel (%i, %j) in (640, 12) attributes {layout = #digits, vector_width = 1 : i64} {
        memref.store %v, %o[%i, %j] : memref<640x12xf32>
      }
      gpu.return
    }
    // A body with an atomic runs in the first of 32 replicas, 13 times in a step.
    // CHECK-LABEL: llvm.func @once
    // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
    // CHECK: scf.for %{{.*}} = %c0_i32 to %c5_i32
    // CHECK-COUNT-13: scf.if %[[FIRST]]
    // CHECK-NOT: scf.if
    gpu.func @once(%o: memref<65xi32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %one = arith.constant 1 : i32
      tile.parallel (%i) in (65) attributes {layout = #all, vector_width = 1 : i64} {
        %old = memref.atomic_rmw addi %one, %o[%i] : (i32, memref<65xi32>) -> i32
      }
      gpu.return
    }
    // Results are registers, which have no number at run time: no loop.
    // CHECK-LABEL: llvm.func @results
    // CHECK-NOT: scf.for
    // CHECK-COUNT-65: llvm.load
    // CHECK-NOT: scf.for
    // CHECK: llvm.return
    gpu.func @results(%a: memref<65xf32>, %o: memref<65xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.parallel (%i) in (65) -> (tensor<65xf32, #all>) attributes {layout = #all, vector_width = 1 : i64} {
        %v = memref.load %a[%i] : memref<65xf32>
        tile.yield %v : f32
      }
      tile.store %t, %o : tensor<65xf32, #all>, memref<65xf32>
      gpu.return
    }
  }
}
