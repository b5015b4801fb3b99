// Atomics: relaxed element by element, acquire-release for the block as one.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = [2 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // CHECK-LABEL: llvm.func @tiles
    // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, f32
    // No instruction adds bf16 on sm_80: compare and exchange, from an atomic read on.
    // CHECK: llvm.load %{{.*}} atomic syncscope("device") monotonic {{.*}} -> i16
    // CHECK: scf.while
    // CHECK: arith.addf %{{.*}} : bf16
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"atom.relaxed.gpu.global.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h,~{memory}"
    // CHECK: llvm.load %{{.*}} atomic syncscope("device") monotonic {{.*}} -> i32
    // CHECK: llvm.cmpxchg %{{.*}} syncscope("device") monotonic monotonic
    gpu.func @tiles(%a: memref<32xf32>, %b: memref<32xbf16>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %x = arith.constant dense<1.0> : tensor<32xf32, #f>
      %y = arith.constant dense<1.0> : tensor<32xbf16, #f>
      tile.atomic_rmw addf %x, %a : tensor<32xf32, #f>, memref<32xf32>
      tile.atomic_rmw addf %y, %b : tensor<32xbf16, #f>, memref<32xbf16>
      tile.atomic_rmw mulf %x, %a : tensor<32xf32, #f>, memref<32xf32>
      gpu.return
    }
    // CHECK-LABEL: llvm.func @block
    // CHECK: llvm.fence syncscope("device") acq_rel
    // CHECK-NEXT: llvm.atomicrmw add %{{.*}} monotonic : !llvm.ptr<1>, i32
    // CHECK-NEXT: llvm.fence syncscope("device") acq_rel
    gpu.func @block(%a: memref<4xi32>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      tile.once {
        %old = memref.atomic_rmw addi %one, %a[%c0] : (i32, memref<4xi32>) -> i32
      }
      gpu.return
    }
  }
}
