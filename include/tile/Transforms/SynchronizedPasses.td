//===- SynchronizedPasses.td - From barriers to kernels ----*- tablegen -*-===//
//
// The passes behind barriers: which warps run what, what is held over loops, and
// kernels. Part of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_SYNCHRONIZEDPASSES
#define TILE_TRANSFORMS_SYNCHRONIZEDPASSES

include "mlir/Pass/PassBase.td"

def CheckBarriers : Pass<"tile-check-barriers", "::mlir::func::FuncOp"> {
  let summary = "proves that barriers and waits order all conflicting accesses";
  let description = [{
    Requires and keeps *synchronized*. A judge of `tile-insert-barriers`, and of
    barriers written by hand, that shares no reasoning about paths with it: from every
    access it walks all paths, with the slots of rings as numbers, until a barrier
    ends the walk. A conflicting access that is reached is an error that names both
    and what to put between them.

    Refused by `--tile-check-barriers`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[64], register = [], lane = [32 : (1)], warp = [2 : (32)]>
    #g = #tile.fragment<[64], register = [], lane = [32 : (2)], warp = [2 : (1)]>
    func.func @f(%n: index, %a: memref<64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(64) attributes {stage = #tile.stage<synchronized>} {
        %x = tile.load %a : memref<64xf32> -> tensor<64xf32, #g>
        %y = arith.negf %x : tensor<64xf32, #g>
        %z = arith.constant dense<0.0> : tensor<64xf32, #f>
        tile.store %z, %a : tensor<64xf32, #f>, memref<64xf32>
      }
      return
    }
    ```
  }];
}

def AlternateConsumers : Pass<"tile-alternate-consumers", "::mlir::func::FuncOp"> {
  let summary = "lets warpgroups start their products in turns";
  let description = [{
    Requires and keeps *synchronized*. In a launch with roles whose consumers are two
    warpgroups or more, a loop whose last product runs under the computation of the
    next iteration (`tile-overlap-products`) starts its products in turns: those of
    one warpgroup run while another computes. The first iteration's product, in front
    of the loop, has a turn, too.

    `consumers = alternating` on the launch asks for turns, and is an error where they
    cannot be; `cooperative` is obeyed. Otherwise a loop gets turns where they are
    known to help: operands of 16 bits, and at most 128 columns of the late product.
    Warpgroups that meet at a barrier in the loop get none. What is declined is a
    remark.

    `consumers = pingpong` gives two teams of one warpgroup every second tile of a
    persistent launch, when roles are split. A turn then is from the first wait for the
    producer in a tile to the last one: what a team does behind it, storing the tile
    above all, runs under the products of the other.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #acc = #tile.fragment<[128, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [8 : (16, 0)]>
    #a = #tile.shared<[128, 16], swizzle = 32>
    #b = #tile.shared<[8, 16], swizzle = 32>
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%n: index) {
        tile.launch @k blocks(%bx) in (%n) threads(256) attributes {roles = #tile.roles<<consumer, warps = 8>, <producer, warps = 4>>, stage = #tile.stage<synchronized>} {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %arena = tile.arena 4608 : memref<4608xi8, #shared>
          %x = tile.view %arena[0] layout(#a) : memref<4608xi8, #shared> to memref<128x16xf16, #shared>
          %y = tile.view %arena[4096] layout(#b) : memref<4608xi8, #shared> to memref<8x16xf16, #shared>
          %zero = arith.constant dense<0.0> : tensor<128x8xf32, #acc>
          %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %most = %zero) -> (tensor<128x8xf32, #acc>, tensor<128x8xf32, #acc>) {
            %p = tile.gemm_async %x, %y {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16.ss">, transpose_b, warp_grid = array<i64: 2, 1>} : memref<128x16xf16, #shared>, memref<8x16xf16, #shared> -> !tile.pending<tensor<128x8xf32, #acc>>
            %q = tile.gemm_async %x, %y, %sum {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16.ss">, transpose_b, warp_grid = array<i64: 2, 1>} : memref<128x16xf16, #shared>, memref<8x16xf16, #shared>, tensor<128x8xf32, #acc> -> !tile.pending<tensor<128x8xf32, #acc>>
            tile.product_wait {pending = 1 : i64}
            %s = tile.wait %p : !tile.pending<tensor<128x8xf32, #acc>>
            %m = arith.maximumf %most, %s : tensor<128x8xf32, #acc>
            tile.product_wait {pending = 0 : i64}
            %t = tile.wait %q : !tile.pending<tensor<128x8xf32, #acc>>
            scf.yield %t, %m : tensor<128x8xf32, #acc>, tensor<128x8xf32, #acc>
          }
        }
        return
      }
    }
    ```

    After `--tile-alternate-consumers`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #acc = #tile.fragment<[128, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [8 : (16, 0)]>
    #a = #tile.shared<[128, 16], swizzle = 32>
    #b = #tile.shared<[8, 16], swizzle = 32>
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%n: index) {
        tile.launch @k blocks(%bx) in (%n) threads(256) attributes {roles = #tile.roles<<consumer, warps = 8>, <producer, warps = 4>>, stage = #tile.stage<synchronized>} {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %arena = tile.arena 4608 : memref<4608xi8, #shared>
          %x = tile.view %arena[0] layout(#a) : memref<4608xi8, #shared> to memref<128x16xf16, #shared>
          %y = tile.view %arena[4096] layout(#b) : memref<4608xi8, #shared> to memref<8x16xf16, #shared>
          %zero = arith.constant dense<0.0> : tensor<128x8xf32, #acc>
          %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %most = %zero) -> (tensor<128x8xf32, #acc>, tensor<128x8xf32, #acc>) {
            tile.take_turn
            %p = tile.gemm_async %x, %y {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16.ss">, transpose_b, warp_grid = array<i64: 2, 1>} : memref<128x16xf16, #shared>, memref<8x16xf16, #shared> -> !tile.pending<tensor<128x8xf32, #acc>>
            %q = tile.gemm_async %x, %y, %sum {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16.ss">, transpose_b, warp_grid = array<i64: 2, 1>} : memref<128x16xf16, #shared>, memref<8x16xf16, #shared>, tensor<128x8xf32, #acc> -> !tile.pending<tensor<128x8xf32, #acc>>
            tile.pass_turn
            tile.product_wait {pending = 1 : i64}
            %s = tile.wait %p : !tile.pending<tensor<128x8xf32, #acc>>
            %m = arith.maximumf %most, %s : tensor<128x8xf32, #acc>
            tile.product_wait {pending = 0 : i64}
            %t = tile.wait %q : !tile.pending<tensor<128x8xf32, #acc>>
            scf.yield %t, %m : tensor<128x8xf32, #acc>, tensor<128x8xf32, #acc>
          }
        }
        return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
}

def MulticastCopies : Pass<"tile-multicast-copies", "::mlir::func::FuncOp"> {
  let summary = "lets blocks of a cluster bring what they share together";
  let description = [{
    Requires and keeps *synchronized*. In a launch with a producer whose blocks stand
    in clusters, a bulk copy into shared memory names the same box in several blocks
    of a cluster where its place does not depend on which of them runs it. Where these
    run all uses of its ring in step, the copy gets `multicast`: each of n blocks
    brings 1/n of the box to all of them. What keeps a box that is the same from being
    shared is a remark, `NotMulticast`. A `multicast` that is there already stays where
    the same is known of it, and is an error where not.

    Other launches are left alone.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
    #f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%n: index, %m: memref<64xf32>, %o: memref<64xf32>) {
        tile.launch @k blocks(%b) in (%n) threads(32) cluster(2) attributes {roles = #tile.roles<<consumer, warps = 1>, <producer, warps = 1>>, stage = #tile.stage<synchronized>} {
          %c0 = arith.constant 0 : index
          %arena = tile.arena 272 : memref<272xi8, #shared>
          %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
          %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
          %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
          tile.barrier
          %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
          %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
          tile.copy %m to %to {instruction = #bulk} : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
          tile.ring_commit %ring[%c0] : !tile.ring<1>
          %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
          %from = memref.subview %s[%full, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
          %t = tile.load %from {vector_width = 2 : i64} : memref<64xf32, strided<[1], offset: ?>, #shared> -> tensor<64xf32, #f>
          tile.ring_release %ring[%c0] : !tile.ring<1>
          tile.store %t, %o {vector_width = 2 : i64} : tensor<64xf32, #f>, memref<64xf32>
        }
        return
      }
    }
    ```

    After `--tile-multicast-copies`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
    #f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%n: index, %m: memref<64xf32>, %o: memref<64xf32>) {
        tile.launch @k blocks(%b) in (%n) threads(32) cluster(2) attributes {roles = #tile.roles<<consumer, warps = 1>, <producer, warps = 1>>, stage = #tile.stage<synchronized>} {
          %c0 = arith.constant 0 : index
          %arena = tile.arena 272 : memref<272xi8, #shared>
          %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
          %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
          %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
          tile.barrier
          %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
          %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
          tile.copy %m to %to {instruction = #bulk, multicast = array<i64: 3, 3>} : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
          tile.ring_commit %ring[%c0] : !tile.ring<1>
          %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
          %from = memref.subview %s[%full, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
          %t = tile.load %from {vector_width = 2 : i64} : memref<64xf32, strided<[1], offset: ?>, #shared> -> tensor<64xf32, #f>
          tile.ring_release %ring[%c0] : !tile.ring<1>
          tile.store %t, %o {vector_width = 2 : i64} : tensor<64xf32, #f>, memref<64xf32>
        }
        return
      }
    }
    ```
  }];
  let options = [
    Option<"enable", "enable", "bool", "true",
           "whether blocks share at all">,
  ];
}

def SpecializeWarps : Pass<"tile-specialize-warps", "::mlir::func::FuncOp"> {
  let summary = "gives producer and consumers a program each";
  let description = [{
    Requires and keeps *synchronized*. A launch with `roles` is taken apart along its
    rings: copies into shared memory whose end mbarriers count, the acquires and
    commits around them and what they need of loops, conditions, scalars and places
    become the producer's program, everything else the consumers'. Nothing runs
    ahead by itself: the producer does, as far as the rings have slots. Layouts of
    what its threads copy are folded onto its warps.

    A consumer's loop whose step is one product that stays in flight becomes a loop over
    rounds of slots: each of its steps has a slot that is constant, and the phase changes
    once a round. A loop that is run for tile after tile starts with one slot where its
    number of steps is known to be a multiple of the slots (NumberResidues.h).
    Where the loop starts with a slot that is not known, has fewer steps than
    slots or does more in a step, it counts slots; a remark says which it is, and why.

    With `consumers = pingpong` the consumers are two teams, a role each, with the same
    program: each has every second tile of the walk, numbers of ring uses that skip the
    other's, and its own copy of what consumers keep in shared memory. `threads` counts
    both from then on.

    Launches without roles are left alone.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
    #f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%n: index, %m: memref<64xf32>, %o: memref<64xf32>) {
        tile.launch @k blocks(%b) in (%n) threads(32) attributes {roles = #tile.roles<<consumer, warps = 1>, <producer, warps = 1>>, stage = #tile.stage<synchronized>} {
          %c0 = arith.constant 0 : index
          %arena = tile.arena 272 : memref<272xi8, #shared>
          %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
          %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
          %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
          tile.barrier
          %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
          %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
          tile.copy %m to %to {instruction = #bulk} : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
          tile.ring_commit %ring[%c0] : !tile.ring<1>
          %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
          %from = memref.subview %s[%full, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
          %t = tile.load %from {vector_width = 2 : i64} : memref<64xf32, strided<[1], offset: ?>, #shared> -> tensor<64xf32, #f>
          tile.ring_release %ring[%c0] : !tile.ring<1>
          tile.store %t, %o {vector_width = 2 : i64} : tensor<64xf32, #f>, memref<64xf32>
        }
        return
      }
    }
    ```

    After `--tile-specialize-warps`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
    #f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%arg0: index, %arg1: memref<64xf32>, %arg2: memref<64xf32>) {
        tile.launch @k blocks(%bx) in (%arg0) threads(32) attributes {roles = #tile.roles<<consumer, warps = 1>, <producer, warps = 1>>, stage = #tile.stage<synchronized>} {
          %c0 = arith.constant 0 : index
          %0 = tile.arena 272 : memref<272xi8, #shared>
          %1 = tile.view %0[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
          %2 = tile.view %0[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
          %3 = tile.ring %1 barriers(%2 : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
          tile.barrier
          tile.specialize
            consumer warps(1) {
              %4 = tile.ring_wait %3[%c0] : !tile.ring<1>
              %subview = memref.subview %1[%4, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
              %5 = tile.load %subview {vector_width = 2 : i64} : memref<64xf32, strided<[1], offset: ?>, #shared> -> tensor<64xf32, #f>
              tile.ring_release %3[%c0] : !tile.ring<1>
              tile.store %5, %arg2 {vector_width = 2 : i64} : tensor<64xf32, #f>, memref<64xf32>
            }
            producer warps(1) {
              %4 = tile.ring_acquire %3[%c0] : !tile.ring<1>
              %subview = memref.subview %1[%4, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
              tile.copy %arg1 to %subview {instruction = #bulk} : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
              tile.ring_commit %3[%c0] : !tile.ring<1>
            }
        }
        return
      }
    }

    ```
  }];
}

def HoistOperands : Pass<"tile-hoist-operands", "::mlir::func::FuncOp"> {
  let summary = "holds operands that a loop does not change in registers";
  let description = [{
    Requires and keeps *synchronized*. Operand A of a product of warps that lies in shared
    memory behind the waits and the barrier with which an iteration begins, comes by
    `ldmatrix` and is not written in the loop is loaded once, in front of the loop, if a
    thread has the registers and a multiprocessor holds as many blocks as before. What the
    first iteration waits for is waited for in front of that. Remarks say where this is so
    (`OperandInRegisters`) and where the registers are missing (`OperandInLoop`).

    Launches with roles are left alone.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #c = #tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = []>
    #q = #tile.fragment<[16, 16], register = [8 : (0, 1)], lane = [2 : (0, 8), 16 : (1, 0)], warp = []>
    #k = #tile.fragment<[8, 16], register = [8 : (0, 1)], lane = [2 : (0, 8), 8 : (1, 0), 2 : (0, 0)], warp = []>
    #cp = #tile.instruction<"cp.async">
    #mma = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">
    #x4 = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.shared.b16">, width = 8>
    #x2 = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x2.shared.b16">, width = 8>
    module attributes {tile.target = #tile.target<"sm_80">} {
      func.func @f(%n: index, %q: memref<16x16xf16>, %k: memref<8x16xf16>, %o: memref<16x8xf32>) {
        tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<synchronized>} {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %zero = arith.constant dense<0.0> : tensor<16x8xf32, #c>
          %arena = tile.arena 768 : memref<768xi8, #shared>
          %qs = tile.view %arena[0] layout(#tile.shared<[16, 16]>) : memref<768xi8, #shared> to memref<16x16xf16, #shared>
          %ks = tile.view %arena[512] layout(#tile.shared<[8, 16]>) : memref<768xi8, #shared> to memref<8x16xf16, #shared>
          tile.copy %q to %qs {instruction = #cp, layout = #q, vector_width = 8 : i64} : memref<16x16xf16> to memref<16x16xf16, #shared>
          tile.copy %k to %ks {instruction = #cp, layout = #k, vector_width = 8 : i64} : memref<8x16xf16> to memref<8x16xf16, #shared>
          tile.copy_commit
          %sum = scf.for %i = %c0 to %n step %c1 iter_args(%m = %zero) -> (tensor<16x8xf32, #c>) {
            tile.copy_wait {pending = 0 : i64}
            tile.barrier
            %s = tile.gemm %qs, %ks, %m {instruction = #mma, load_a = #x4, load_b = #x2, transpose_b, warp_grid = array<i64: 1, 1>} : memref<16x16xf16, #shared>, memref<8x16xf16, #shared> -> tensor<16x8xf32, #c>
            scf.yield %s : tensor<16x8xf32, #c>
          }
          tile.store %sum, %o {vector_width = 2 : i64} : tensor<16x8xf32, #c>, memref<16x8xf32>
        }
        return
      }
    }
    ```

    After `--tile-hoist-operands`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #a = #tile.fragment<[16, 16], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = []>
    #c = #tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = []>
    #q = #tile.fragment<[16, 16], register = [8 : (0, 1)], lane = [2 : (0, 8), 16 : (1, 0)], warp = []>
    #k = #tile.fragment<[8, 16], register = [8 : (0, 1)], lane = [2 : (0, 8), 8 : (1, 0), 2 : (0, 0)], warp = []>
    #cp = #tile.instruction<"cp.async">
    #mma = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">
    #x2 = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x2.shared.b16">, width = 8>
    module attributes {tile.target = #tile.target<"sm_80">} {
      func.func @f(%n: index, %q: memref<16x16xf16>, %k: memref<8x16xf16>, %o: memref<16x8xf32>) {
        tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<synchronized>} {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %zero = arith.constant dense<0.0> : tensor<16x8xf32, #c>
          %arena = tile.arena 768 : memref<768xi8, #shared>
          %qs = tile.view %arena[0] layout(#tile.shared<[16, 16]>) : memref<768xi8, #shared> to memref<16x16xf16, #shared>
          %ks = tile.view %arena[512] layout(#tile.shared<[8, 16]>) : memref<768xi8, #shared> to memref<8x16xf16, #shared>
          tile.copy %q to %qs {instruction = #cp, layout = #q, vector_width = 8 : i64} : memref<16x16xf16> to memref<16x16xf16, #shared>
          tile.copy %k to %ks {instruction = #cp, layout = #k, vector_width = 8 : i64} : memref<8x16xf16> to memref<8x16xf16, #shared>
          tile.copy_commit
          tile.copy_wait {pending = 0 : i64}
          tile.barrier
          %a = tile.load %qs {vector_width = 2 : i64} : memref<16x16xf16, #shared> -> tensor<16x16xf16, #a>
          %sum = scf.for %i = %c0 to %n step %c1 iter_args(%m = %zero) -> (tensor<16x8xf32, #c>) {
            tile.copy_wait {pending = 0 : i64}
            tile.barrier
            %s = tile.gemm %a, %ks, %m {instruction = #mma, load_b = #x2, transpose_b, warp_grid = array<i64: 1, 1>} : tensor<16x16xf16, #a>, memref<8x16xf16, #shared> -> tensor<16x8xf32, #c>
            scf.yield %s : tensor<16x8xf32, #c>
          }
          tile.store %sum, %o {vector_width = 2 : i64} : tensor<16x8xf32, #c>, memref<16x8xf32>
        }
        return
      }
    }
    ```
  }];
}

def OutlineKernels : Pass<"tile-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "moves every launch into a kernel of its own";
  let description = [{
    Requires *synchronized*, establishes *outlined*. Each launch becomes a
    `gpu.func` of the one `gpu.module @kernels` and a `gpu.launch_func` in its
    place. Kernel arguments are the captured function arguments in their order, then
    other captured values in order of definition, never constants: those, and pure
    scalar code of them, are repeated inside.

    Before:

    ```mlir
    #f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<?x32xf32> {tile.align = 64 : i64}, %o: memref<?x32xf32>) {
      %c0 = arith.constant 0 : index
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<synchronized>} {
        %x = tile.load %a[%b, %c0] [1, 32] : memref<?x32xf32> -> tensor<32xf32, #f>
        tile.store %x, %o[%b, %c0] [1, 32] : tensor<32xf32, #f>, memref<?x32xf32>
      }
      return
    }
    ```

    After `--tile-outline-kernels`:

    ```mlir
    #f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
    module attributes {gpu.container_module, tile.target = #tile.target<"sm_80">} {
      func.func @f(%n: index, %a: memref<?x32xf32> {tile.align = 64 : i64}, %o: memref<?x32xf32>) {
        %c1 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        gpu.launch_func  @kernels::@k blocks in (%n, %c1, %c1) threads in (%c32, %c1, %c1)  args(%a : memref<?x32xf32>, %o : memref<?x32xf32>) {tile.operand_facts = [#tile.memref_facts<base_alignment = 64, alignment = 64, sizes = [1, 32], strides = [32, 1], contiguous = true>, unit]}
        return
      }
      gpu.module @kernels {
        gpu.func @k(%a: memref<?x32xf32> {tile.memref_facts = #tile.memref_facts<base_alignment = 64, alignment = 64, sizes = [1, 32], strides = [32, 1], contiguous = true>}, %o: memref<?x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.stage = #tile.stage<outlined>} {
          %c0 = arith.constant 0 : index
          %b = gpu.block_id  x
          %x = tile.load %a[%b, %c0] [1, 32] : memref<?x32xf32> -> tensor<32xf32, #f>
          tile.store %x, %o[%b, %c0] [1, 32] : tensor<32xf32, #f>, memref<?x32xf32>
          gpu.return
        }
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect"];
}

#endif // TILE_TRANSFORMS_SYNCHRONIZEDPASSES
