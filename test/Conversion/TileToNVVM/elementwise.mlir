// Arithmetic a register at a time, and what needs care: division, shifts, casts,
// functions.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // CHECK-DAG: llvm.func @__nv_expf(f32) -> f32
    // CHECK-DAG: llvm.func @__nv_fmodf(f32, f32) -> f32

    // CHECK-LABEL: llvm.func @registers
    // CHECK-COUNT-2: arith.addf %{{.*}} : f32
    // CHECK-NOT: arith.addf
    // CHECK-COUNT-2: arith.mulf %{{.*}} fastmath<contract> : f32
    // CHECK: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
    gpu.func @registers(%m: memref<64xf32>, %o: memref<64xf16>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %m : memref<64xf32> -> tensor<64xf32, #f>
      %u = arith.addf %t, %t : tensor<64xf32, #f>
      %v = arith.mulf %u, %t fastmath<contract> : tensor<64xf32, #f>
      tile.store %v, %m : tensor<64xf32, #f>, memref<64xf32>
      %h = arith.truncf %v : tensor<64xf32, #f> to tensor<64xf16, #f>
      tile.store %h, %o : tensor<64xf16, #f>, memref<64xf16>
      gpu.return
    }
    // Nothing a division or a shift is given is undefined behaviour.
    // CHECK-LABEL: llvm.func @integers
    // CHECK: %[[D:.*]] = llvm.freeze %arg1 : i32
    // CHECK: %[[N:.*]] = llvm.freeze %arg0 : i32
    // CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[D]], %c0_i32
    // CHECK: %[[S1:.*]] = arith.select %[[ZERO]], %c1_i32, %[[D]]
    // CHECK: %[[MINUS:.*]] = arith.cmpi eq, %[[D]], %c-1_i32
    // CHECK: %[[S2:.*]] = arith.select %[[MINUS]], %c1_i32, %[[S1]]
    // CHECK: arith.divsi %[[N]], %[[S2]]
    // CHECK: arith.divui %arg0, %c7_i32
    // CHECK: %[[SHIFT:.*]] = arith.shli %arg0, %arg1
    // CHECK: llvm.freeze %[[SHIFT]]
    // CHECK: %[[SMALL:.*]] = arith.shli %arg0, %c7_i32
    // CHECK-NOT: llvm.freeze %[[SMALL]]
    gpu.func @integers(%n: i32, %d: i32, %m: memref<8xi32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c7 = arith.constant 7 : i32
      %a = arith.divsi %n, %d : i32
      %b = arith.divui %n, %c7 : i32
      %c = arith.shli %n, %d : i32
      %e = arith.shli %n, %c7 : i32
      %s = arith.addi %a, %b : i32
      %t = arith.addi %c, %e : i32
      %u = arith.addi %s, %t : i32
      tile.once {
        memref.store %u, %m[%c0] : memref<8xi32>
      }
      gpu.return
    }
    // afn: an instruction; without: libdevice; f16 through f32.
    // CHECK-LABEL: llvm.func @functions
    // CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%[[SCALED]])
    // CHECK: llvm.call @__nv_expf
    // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
    // CHECK: %[[NUMBER:.*]] = llvm.freeze %[[WIDE]] : f32
    // CHECK: %[[EXP:.*]] = llvm.call @__nv_expf(%[[NUMBER]])
    // CHECK: arith.truncf %[[EXP]] : f32 to f16
    // CHECK: llvm.intr.fma(%{{.*}}) : (f16, f16, f16) -> f16
    // CHECK: llvm.call @__nv_fmodf
    gpu.func @functions(%x: f32, %h: f16, %m: memref<8xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %a = math.exp %x fastmath<afn> : f32
      %b = math.exp %a : f32
      %c = math.exp %h : f16
      %d = math.fma %c, %h, %h : f16
      %e = arith.extf %d : f16 to f32
      %f = arith.remf %b, %e : f32
      tile.once {
        memref.store %f, %m[%c0] : memref<8xf32>
      }
      gpu.return
    }
  }
}
