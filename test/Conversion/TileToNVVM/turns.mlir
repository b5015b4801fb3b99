// Warpgroups that take turns wait at barriers of their own, below those of the roles.
// RUN: tile-opt %s --convert-tile-to-nvvm --split-input-file | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {
  gpu.module @kernels {
    // Of three warpgroups the last gives the first turn, and the first takes the last one.
    // CHECK-LABEL: llvm.func @three
    // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
    // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i32
    // CHECK-DAG: %[[FIRST:.*]] = arith.constant 11 : i32
    // CHECK-DAG: %[[THREADS:.*]] = arith.constant 256 : i32
    // CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx
    // CHECK: %[[GROUP:.*]] = arith.shrui %[[WARP]], %[[C2]]
    // CHECK: %[[OWN:.*]] = arith.addi %[[GROUP]], %[[FIRST]]
    // CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[GROUP]], %[[C2]]
    // CHECK: %[[ONE_UP:.*]] = arith.addi %[[OWN]], %
    // CHECK: %[[NEXT:.*]] = arith.select %[[LAST]], %[[FIRST]], %[[ONE_UP]]
    // CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[GROUP]], %[[C0]]
    // CHECK: scf.if %[[LAST]]
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"(%[[NEXT]], %[[THREADS]])
    // CHECK: nvvm.barrier id = %[[OWN]] number_of_threads = %[[THREADS]]
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"(%[[NEXT]], %[[THREADS]])
    // CHECK: scf.if %[[IS_FIRST]]
    // CHECK: nvvm.barrier id = %[[OWN]] number_of_threads = %[[THREADS]]
    gpu.func @three()
        kernel attributes {known_block_size = array<i32: 512, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      tile.specialize
        consumer warps(12) {
          tile.take_turn
          tile.pass_turn
        }
        producer warps(4) {
        }
      gpu.return
    }

    // Roles that take turns are one circle, in the order of their warps; those of one
    // warpgroup know their number.
    // CHECK-LABEL: llvm.func @roles
    // CHECK-DAG: %[[THREADS:.*]] = arith.constant 256 : i32
    // CHECK-DAG: %[[FIRST:.*]] = arith.constant 11 : i32
    // CHECK: %[[OWN:.*]] = arith.constant 11 : i32
    // CHECK: %[[NEXT:.*]] = arith.constant 12 : i32
    // CHECK: scf.if %false
    // CHECK: nvvm.barrier id = %[[OWN]] number_of_threads = %[[THREADS]]
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"(%[[NEXT]], %[[THREADS]])
    // CHECK: scf.if %true
    // CHECK-NEXT: nvvm.barrier id = %[[OWN]] number_of_threads = %[[THREADS]]
    // CHECK: %[[SECOND:.*]] = arith.constant 12 : i32
    // CHECK: scf.if %true
    // CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"(%[[FIRST]], %[[THREADS]])
    // CHECK: nvvm.barrier id = %[[SECOND]] number_of_threads = %[[THREADS]]
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"(%[[FIRST]], %[[THREADS]])
    gpu.func @roles()
        kernel attributes {known_block_size = array<i32: 384, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      tile.specialize
        consumer warps(4) {
          tile.take_turn
          tile.pass_turn
        }
        consumer warps(4) {
          tile.take_turn
          tile.pass_turn
        }
        producer warps(4) {
        }
      gpu.return
    }
  }
}
