// Uses of a ring that mbarriers carry out, in a thread.
// RUN: tile-opt %s --convert-tile-to-nvvm --canonicalize --cse | FileCheck %s
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
  gpu.module @kernels {
    // Three slots: word s says that slot s is full, word 3 + s that it is empty,
    // after an arrival of each of the four warps. A number in [0, 6): from 3 on it is
    // the second phase.
    // CHECK-LABEL: llvm.func @uses(
    // CHECK-SAME: %[[N:[^:]*]]: i64
    // CHECK: %[[WORDS:.*]] = llvm.mlir.addressof
    // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
    // CHECK-DAG: %[[WARPS:.*]] = arith.constant 4 : i32
    // CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
    // CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx
    // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[WARP]], %c0_i32
    // CHECK: %[[LEADER:.*]] = nvvm.elect.sync
    // CHECK: %[[ELECTED:.*]] = arith.andi %[[FIRST]], %[[LEADER]]
    // CHECK: scf.if %[[ELECTED]]
    // CHECK-NEXT: nvvm.mbarrier.init %[[WORDS]], %[[ONE]]
    // CHECK-NEXT: %[[EMPTY:.*]] = llvm.getelementptr %[[WORDS]][24]
    // CHECK-NEXT: nvvm.mbarrier.init %[[EMPTY]], %[[WARPS]]
    // CHECK: llvm.getelementptr %[[WORDS]][8]
    // CHECK: llvm.getelementptr %[[WORDS]][40]
    // CHECK-NEXT: nvvm.mbarrier.init %{{.*}}, %[[WARPS]]
    // CHECK-NEXT: nvvm.fence.mbarrier.init
    // CHECK-NOT: nvvm.fence
    // CHECK: scf.for
    // CHECK: %[[USE:.*]] = arith.trunci %[[N]]
    // CHECK-NEXT: %[[SECOND:.*]] = arith.cmpi uge, %[[USE]], %[[THREE]]
    // CHECK-NEXT: %[[LESS:.*]] = arith.addi %[[USE]], %{{.*}}
    // CHECK-NEXT: %[[SLOT:.*]] = arith.minui %[[USE]], %[[LESS]]
    // CHECK: %[[PHASE:.*]] = arith.extui %[[SECOND]] : i1 to i32
    // The elected thread waits for the phase before.
    // CHECK: scf.if %[[ELECTED]]
    // CHECK-NEXT: %[[BEFORE:.*]] = arith.xori %[[PHASE]], %[[ONE]]
    // CHECK: %[[WORD:.*]] = llvm.getelementptr %{{.*}}[24]
    // CHECK-NEXT: scf.while
    // CHECK-NEXT: nvvm.mbarrier.try_wait %[[WORD]], %[[BEFORE]]
    // Nothing was copied: it only arrives.
    // CHECK: scf.if %[[ELECTED]]
    // CHECK: nvvm.mbarrier.arrive %
    // Every thread waits; each warp meets and its first lane arrives.
    // CHECK: scf.while
    // CHECK-NEXT: nvvm.mbarrier.try_wait %{{.*}}, %[[PHASE]]
    // CHECK: nvvm.bar.warp.sync
    // CHECK-NEXT: %[[FIRST:.*]] = arith.cmpi eq
    // CHECK-NEXT: %[[EMPTY:.*]] = llvm.getelementptr %{{.*}}[24]
    // CHECK-NEXT: llvm.inline_asm has_side_effects "@$0 mbarrier.arrive.shared::cta.b64 _, [$1];", "b,l,~{memory}" %[[FIRST]], %[[EMPTY]]
    gpu.func @uses(%n: index, %steps: index)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 3]>) : memref<4096xi8, #shared> to memref<2x3xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[3, 32]>) : memref<4096xi8, #shared> to memref<3x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x3xi64, #shared>) {modulo} : memref<3x32xf32, #shared> -> !tile.ring<3>
      scf.for %i = %c0 to %steps step %c1 {
        %s = tile.ring_acquire %ring[%n] : !tile.ring<3>
        tile.ring_commit %ring[%n] : !tile.ring<3>
        %w = tile.ring_wait %ring[%n] : !tile.ring<3>
        tile.ring_release %ring[%n] : !tile.ring<3>
      }
      gpu.return
    }

    // A known number leaves nothing to compute: use 4 is the second of slot 1.
    // CHECK-LABEL: llvm.func @known
    // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
    // CHECK: nvvm.fence.mbarrier.init
    // CHECK: %[[FULL:.*]] = llvm.getelementptr %{{.*}}[8]
    // CHECK: nvvm.mbarrier.try_wait %[[FULL]], %[[ONE]] : !llvm.ptr<3>, i32
    // CHECK-NOT: arith.minui
    gpu.func @known()
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c4 = arith.constant 4 : index
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 3]>) : memref<4096xi8, #shared> to memref<2x3xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[3, 32]>) : memref<4096xi8, #shared> to memref<3x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x3xi64, #shared>) {modulo} : memref<3x32xf32, #shared> -> !tile.ring<3>
      %w = tile.ring_wait %ring[%c4] : !tile.ring<3>
      gpu.return
    }

    // Two consumers: twice the arrivals. Numbers that go on are divided.
    // CHECK-LABEL: llvm.func @consumers
    // CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : i32
    // CHECK-DAG: %[[SLOTS:.*]] = arith.constant 3 : i64
    // CHECK: nvvm.mbarrier.init %{{.*}}, %[[EIGHT]]
    // CHECK: arith.remui %{{.*}}, %[[SLOTS]]
    // CHECK: arith.divui %{{.*}}, %[[SLOTS]]
    gpu.func @consumers(%n: index)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 3]>) : memref<4096xi8, #shared> to memref<2x3xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[3, 32]>) : memref<4096xi8, #shared> to memref<3x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x3xi64, #shared>) {consumers = 2 : i64} : memref<3x32xf32, #shared> -> !tile.ring<3>
      %w = tile.ring_wait %ring[%n] : !tile.ring<3>
      tile.ring_release %ring[%n] : !tile.ring<3>
      gpu.return
    }
  }
}
