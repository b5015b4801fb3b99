// Barriers of the block, of their number and of each warp.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // CHECK-LABEL: llvm.func @barriers
    // CHECK: %[[ALL:.*]] = arith.constant -1 : i32
    // CHECK: %[[ID:.*]] = arith.constant 3 : i32
    // CHECK: %[[THREADS:.*]] = arith.constant 128 : i32
    // CHECK: nvvm.barrier0
    // CHECK: nvvm.bar.warp.sync %[[ALL]] : i32
    // CHECK: nvvm.barrier id = %[[ID]] number_of_threads = %[[THREADS]]
    gpu.func @barriers()
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      tile.barrier
      tile.barrier {scope = #tile.scope<warp>}
      tile.barrier {id = 3 : i64, warps = 4 : i64}
      gpu.return
    }
  }
}
