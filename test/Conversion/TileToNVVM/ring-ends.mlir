// The first uses of slots, which nobody had before, and the last, which nobody wants
// again (RingEnds.h): no wait for the one and no arrival for the other.
// RUN: tile-opt %s --convert-tile-to-nvvm --canonicalize --cse | FileCheck %s
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
  gpu.module @kernels {
    // Two slots: two uses in front of the loop find them as they were set. In the loop
    // a slot is acquired again, and behind it none: the last release is nothing.
    // CHECK-LABEL: llvm.func @around(
    // CHECK: nvvm.fence.mbarrier.init
    // CHECK-NOT: nvvm.mbarrier.try_wait
    // CHECK-COUNT-2: nvvm.mbarrier.arrive
    // CHECK-NOT: nvvm.mbarrier.try_wait
    // CHECK: scf.for
    // CHECK: nvvm.mbarrier.try_wait
    // CHECK: mbarrier.arrive.shared::cta
    // CHECK: nvvm.mbarrier.try_wait
    // CHECK: nvvm.mbarrier.arrive
    // CHECK: nvvm.mbarrier.try_wait
    // CHECK-NOT: mbarrier.arrive
    // CHECK: llvm.return
    gpu.func @around(%n: index, %steps: index)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 2]>) : memref<4096xi8, #shared> to memref<2x2xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[2, 32]>) : memref<4096xi8, #shared> to memref<2x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x2xi64, #shared>) {modulo} : memref<2x32xf32, #shared> -> !tile.ring<2>
      %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<2>
      tile.ring_commit %ring[%c0] : !tile.ring<2>
      %s1 = tile.ring_acquire %ring[%c1] : !tile.ring<2>
      tile.ring_commit %ring[%c1] : !tile.ring<2>
      scf.for %i = %c0 to %steps step %c1 {
        %w = tile.ring_wait %ring[%n] : !tile.ring<2>
        tile.ring_release %ring[%n] : !tile.ring<2>
        %s = tile.ring_acquire %ring[%n] : !tile.ring<2>
        tile.ring_commit %ring[%n] : !tile.ring<2>
      }
      %w = tile.ring_wait %ring[%n] : !tile.ring<2>
      tile.ring_release %ring[%n] : !tile.ring<2>
      gpu.return
    }

    // One slot: the second use waits for the first. A release is of the last uses only
    // if no wait comes behind it.
    // CHECK-LABEL: llvm.func @again(
    // CHECK: nvvm.fence.mbarrier.init
    // CHECK: nvvm.mbarrier.arrive
    // CHECK: nvvm.mbarrier.try_wait
    // CHECK: mbarrier.arrive.shared::cta
    // CHECK: nvvm.mbarrier.try_wait
    // CHECK: nvvm.mbarrier.arrive
    // CHECK: nvvm.mbarrier.try_wait
    // CHECK-NOT: mbarrier.arrive
    // CHECK: llvm.return
    gpu.func @again()
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 1]>) : memref<4096xi8, #shared> to memref<2x1xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[1, 32]>) : memref<4096xi8, #shared> to memref<1x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x1xi64, #shared>) {modulo} : memref<1x32xf32, #shared> -> !tile.ring<1>
      %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<1>
      tile.ring_commit %ring[%c0] : !tile.ring<1>
      %w0 = tile.ring_wait %ring[%c0] : !tile.ring<1>
      tile.ring_release %ring[%c0] : !tile.ring<1>
      %s1 = tile.ring_acquire %ring[%c1] : !tile.ring<1>
      tile.ring_commit %ring[%c1] : !tile.ring<1>
      %w1 = tile.ring_wait %ring[%c1] : !tile.ring<1>
      tile.ring_release %ring[%c1] : !tile.ring<1>
      gpu.return
    }

    // Behind a loop it is not known how many uses there were.
    // CHECK-LABEL: llvm.func @behind(
    // CHECK: scf.for
    // CHECK-COUNT-2: nvvm.mbarrier.try_wait
    // CHECK: mbarrier.arrive.shared::cta
    // CHECK-COUNT-2: nvvm.mbarrier.try_wait
    // CHECK-NOT: mbarrier.arrive.shared::cta
    // CHECK: llvm.return
    gpu.func @behind(%n: index, %steps: index)
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
      %s = tile.ring_acquire %ring[%n] : !tile.ring<3>
      tile.ring_commit %ring[%n] : !tile.ring<3>
      %w = tile.ring_wait %ring[%n] : !tile.ring<3>
      tile.ring_release %ring[%n] : !tile.ring<3>
      gpu.return
    }

    // Either branch has the first use; a loop around both would have it again.
    // CHECK-LABEL: llvm.func @either(
    // CHECK-COUNT-2: nvvm.mbarrier.try_wait
    // CHECK-NOT: {{mbarrier.(try_wait|arrive.shared::cta)}}
    // CHECK-LABEL: llvm.func @either_again(
    // CHECK-COUNT-2: nvvm.mbarrier.try_wait
    // CHECK: mbarrier.arrive.shared::cta
    // CHECK-COUNT-2: nvvm.mbarrier.try_wait
    // CHECK: mbarrier.arrive.shared::cta
    gpu.func @either(%first: i1)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 1]>) : memref<4096xi8, #shared> to memref<2x1xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[1, 32]>) : memref<4096xi8, #shared> to memref<1x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x1xi64, #shared>) {modulo} : memref<1x32xf32, #shared> -> !tile.ring<1>
      scf.if %first {
        %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<1>
        tile.ring_commit %ring[%c0] : !tile.ring<1>
        %w0 = tile.ring_wait %ring[%c0] : !tile.ring<1>
        tile.ring_release %ring[%c0] : !tile.ring<1>
      } else {
        %s1 = tile.ring_acquire %ring[%c0] : !tile.ring<1>
        tile.ring_commit %ring[%c0] : !tile.ring<1>
        %w1 = tile.ring_wait %ring[%c0] : !tile.ring<1>
        tile.ring_release %ring[%c0] : !tile.ring<1>
      }
      gpu.return
    }
    gpu.func @either_again(%first: i1, %n: index, %steps: index)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 1]>) : memref<4096xi8, #shared> to memref<2x1xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[1, 32]>) : memref<4096xi8, #shared> to memref<1x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x1xi64, #shared>) {modulo} : memref<1x32xf32, #shared> -> !tile.ring<1>
      scf.for %i = %c0 to %steps step %c1 {
        scf.if %first {
          %s0 = tile.ring_acquire %ring[%n] : !tile.ring<1>
          tile.ring_commit %ring[%n] : !tile.ring<1>
          %w0 = tile.ring_wait %ring[%n] : !tile.ring<1>
          tile.ring_release %ring[%n] : !tile.ring<1>
        } else {
          %s1 = tile.ring_acquire %ring[%n] : !tile.ring<1>
          tile.ring_commit %ring[%n] : !tile.ring<1>
          %w1 = tile.ring_wait %ring[%n] : !tile.ring<1>
          tile.ring_release %ring[%n] : !tile.ring<1>
        }
      }
      gpu.return
    }

    // Rings that stand together are shown by one fence, behind the last.
    // CHECK-LABEL: llvm.func @together(
    // CHECK-COUNT-2: nvvm.mbarrier.init
    // CHECK-NOT: fence
    // CHECK-COUNT-2: nvvm.mbarrier.init
    // CHECK: nvvm.fence.mbarrier.init
    // CHECK-NOT: fence
    // CHECK-LABEL: llvm.func @apart(
    // CHECK-COUNT-2: nvvm.mbarrier.init
    // CHECK: nvvm.fence.mbarrier.init
    // CHECK: nvvm.barrier
    // CHECK-COUNT-2: nvvm.mbarrier.init
    // CHECK: nvvm.fence.mbarrier.init
    gpu.func @together()
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 1]>) : memref<4096xi8, #shared> to memref<2x1xi64, #shared>
      %others = tile.view %arena[16] layout(#tile.shared<[2, 1]>) : memref<4096xi8, #shared> to memref<2x1xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[1, 32]>) : memref<4096xi8, #shared> to memref<1x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x1xi64, #shared>) : memref<1x32xf32, #shared> -> !tile.ring<1>
      %b = tile.view %arena[256] layout(#tile.shared<[1, 32]>) : memref<4096xi8, #shared> to memref<1x32xf32, #shared>
      %other = tile.ring %b barriers(%others : memref<2x1xi64, #shared>) : memref<1x32xf32, #shared> -> !tile.ring<1>
      gpu.return
    }
    gpu.func @apart()
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 1]>) : memref<4096xi8, #shared> to memref<2x1xi64, #shared>
      %others = tile.view %arena[16] layout(#tile.shared<[2, 1]>) : memref<4096xi8, #shared> to memref<2x1xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[1, 32]>) : memref<4096xi8, #shared> to memref<1x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x1xi64, #shared>) : memref<1x32xf32, #shared> -> !tile.ring<1>
      tile.barrier
      %b = tile.view %arena[256] layout(#tile.shared<[1, 32]>) : memref<4096xi8, #shared> to memref<1x32xf32, #shared>
      %other = tile.ring %b barriers(%others : memref<2x1xi64, #shared>) : memref<1x32xf32, #shared> -> !tile.ring<1>
      gpu.return
    }
  }
}
