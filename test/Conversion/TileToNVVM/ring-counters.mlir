// Numbers of uses that loops and conditions carry take one register, unless something
// else is computed from them or they from something else.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
  gpu.module @kernels {
    // CHECK-LABEL: llvm.func @counted(
    // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (i32)
    // CHECK: scf.if {{.*}} -> (i32)
    // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (i32)
    // CHECK: nvvm.mbarrier.try_wait
    // CHECK: scf.yield %{{.*}} : i32
    gpu.func @counted(%n: index, %p: i1)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 3]>) : memref<4096xi8, #shared> to memref<2x3xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[3, 32]>) : memref<4096xi8, #shared> to memref<3x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x3xi64, #shared>) {modulo} : memref<3x32xf32, #shared> -> !tile.ring<3>
      scf.for %t = %c0 to %n step %c1 iter_args(%first = %c0) -> (index) {
        %use = scf.if %p -> (index) {
          %inner = scf.for %i = %c0 to %n step %c1 iter_args(%u = %first) -> (index) {
            %w = tile.ring_wait %ring[%u] : !tile.ring<3>
            tile.ring_release %ring[%u] : !tile.ring<3>
            %isLast = arith.cmpi eq, %u, %c5 : index
            %v = arith.addi %u, %c1 : index
            %next = arith.select %isLast, %c0, %v : index
            scf.yield %next : index
          }
          scf.yield %inner : index
        } else {
          scf.yield %first : index
        }
        scf.yield %use : index
      }
      gpu.return
    }

    // CHECK-LABEL: llvm.func @looked_at(
    // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (i64)
    // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (i64)
    gpu.func @looked_at(%n: index, %o: memref<8xindex>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 3]>) : memref<4096xi8, #shared> to memref<2x3xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[3, 32]>) : memref<4096xi8, #shared> to memref<3x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x3xi64, #shared>) {modulo} : memref<3x32xf32, #shared> -> !tile.ring<3>
      scf.for %i = %c0 to %n step %c1 iter_args(%u = %c0) -> (index) {
        %w = tile.ring_wait %ring[%u] : !tile.ring<3>
        tile.ring_release %ring[%u] : !tile.ring<3>
        tile.once {
          memref.store %u, %o[%u] : memref<8xindex>
        }
        %next = arith.addi %u, %c1 : index
        scf.yield %next : index
      }
      scf.for %i = %c0 to %n step %c1 iter_args(%u = %n) -> (index) {
        %w = tile.ring_wait %ring[%u] : !tile.ring<3>
        tile.ring_release %ring[%u] : !tile.ring<3>
        %next = arith.addi %u, %c1 : index
        scf.yield %next : index
      }
      gpu.return
    }

    // A count goes on over tiles; what is left of it modulo twice the slots takes one
    // register; of what need not be small it takes two.
    // CHECK-LABEL: llvm.func @tiles(
    // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (i64, i32)
    // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (i64, i32)
    // CHECK: %[[LEFT:.*]] = arith.remui %{{.*}} : i64
    // CHECK: %[[NARROW:.*]] = arith.trunci %[[LEFT]] : i64 to i32
    // CHECK: scf.yield %{{.*}}, %[[NARROW]] : i64, i32
    // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (i64)
    gpu.func @tiles(%n: index)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %c6 = arith.constant 6 : index
      %arena = tile.arena 4096 : memref<4096xi8, #shared>
      %words = tile.view %arena[0] layout(#tile.shared<[2, 3]>) : memref<4096xi8, #shared> to memref<2x3xi64, #shared>
      %a = tile.view %arena[128] layout(#tile.shared<[3, 32]>) : memref<4096xi8, #shared> to memref<3x32xf32, #shared>
      %ring = tile.ring %a barriers(%words : memref<2x3xi64, #shared>) {modulo} : memref<3x32xf32, #shared> -> !tile.ring<3>
      scf.for %t = %c0 to %n step %c1 iter_args(%count = %c0, %first = %c0) -> (index, index) {
        %all, %last = scf.for %i = %c0 to %n step %c1 iter_args(%c = %count, %u = %first) -> (index, index) {
          %w = tile.ring_wait %ring[%u] : !tile.ring<3>
          tile.ring_release %ring[%u] : !tile.ring<3>
          %more = arith.addi %c, %c1 : index
          %isLast = arith.cmpi eq, %u, %c5 : index
          %v = arith.addi %u, %c1 : index
          %next = arith.select %isLast, %c0, %v : index
          scf.yield %more, %next : index, index
        }
        %left = arith.remui %all, %c6 : index
        scf.yield %all, %left : index, index
      }
      %rest = arith.remui %c5, %n : index
      scf.for %i = %c0 to %n step %c1 iter_args(%u = %rest) -> (index) {
        %w = tile.ring_wait %ring[%u] : !tile.ring<3>
        tile.ring_release %ring[%u] : !tile.ring<3>
        %next = arith.addi %u, %c1 : index
        scf.yield %next : index
      }
      gpu.return
    }
  }
}
