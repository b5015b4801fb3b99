//===- LaidOutPasses.td - From layouts to schedules --------*- tablegen -*-===//
//
// The passes after layouts are chosen, in the order in which the pipeline runs
// them: they decide what goes through shared memory and what runs ahead. Part of
// Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_LAIDOUTPASSES
#define TILE_TRANSFORMS_LAIDOUTPASSES

include "mlir/Pass/PassBase.td"

def MaterializeScratch : Pass<"tile-materialize-scratch",
                              "::mlir::func::FuncOp"> {
  let summary = "makes exchanges between threads go through named buffers";
  let description = [{
    Requires *laid_out*, establishes *materialized*. Rewrites everything whose
    lowering would need shared memory of its own into `tile.alloc`, stores and
    loads, so that from here on no operation needs a barrier inside itself:

    - `tile.convert_layout` that moves data between warps, or between lanes where
      shuffles are dearer than memory; where only slices are taken from what it
      gives, they alone are moved;
    - reshapes and `tensor.insert_slice` that cut what lanes and warps hold, into the
      layout in which what they give is used;
    - `tile.reduce` and `tile.scan` across warps;
    - reads of a fragment by `tensor.extract` at an index that another thread holds;
    - stores and atomics of fragments whose threads have pieces of rows, as products leave
      them, where whole vectors or sectors cost less and a buffer is free for the exchange
      (docs/decisions/0014-results-are-staged.md);
    - block-level stores and atomics, which become `tile.once`.

    Each use has its own buffer, allocated where it is used.

    Before:

    ```mlir
    #near = #tile.fragment<[128], register = [2 : (1)], lane = [32 : (2)], warp = [2 : (64)]>
    #far = #tile.fragment<[128], register = [2 : (64)], lane = [32 : (1)], warp = [2 : (32)]>
    func.func @f(%n: index, %a: memref<128xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(64) attributes {stage = #tile.stage<laid_out>} {
        %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #near>
        %y = tile.convert_layout %x : tensor<128xf32, #near> to tensor<128xf32, #far>
        tile.store %y, %a : tensor<128xf32, #far>, memref<128xf32>
      }
      return
    }
    ```

    After `--tile-materialize-scratch`:

    ```mlir
    #near = #tile.fragment<[128], register = [2 : (1)], lane = [32 : (2)], warp = [2 : (64)]>
    #far = #tile.fragment<[128], register = [2 : (64)], lane = [32 : (1)], warp = [2 : (32)]>
    #shared = #gpu.address_space<workgroup>
    func.func @f(%n: index, %a: memref<128xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(64) attributes {stage = #tile.stage<materialized>} {
        %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #near>
        %s = tile.alloc layout(#tile.shared<[128], offset = [128 : (1)]>) : memref<128xf32, #shared>
        tile.store %x, %s {vector_width = 2 : i64} : tensor<128xf32, #near>, memref<128xf32, #shared>
        %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #far>
        tile.store %y, %a : tensor<128xf32, #far>, memref<128xf32>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::tile::TileDialect",
                           "::mlir::memref::MemRefDialect"];
}

def SplitFirstProduct : Pass<"tile-split-first-product", "::mlir::func::FuncOp"> {
  let summary = "takes the first step of K off the first product of a loop";
  let description = [{
    Requires and keeps *materialized*. In a loop with `tile.stages = 2` or more, into
    whose buffers `cp.async` copies, the first product of warps becomes one of the
    first step of K of its instruction and one of the others: copies that run ahead
    are issued between both. The sums are added in the same order on the GPU. Loops
    that say their schedule themselves and launches with roles are left as they are.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #c = #tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = []>
    #f = #tile.fragment<[16, 32], register = [8 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 8), 8 : (1, 0)], warp = []>
    module attributes {tile.target = #tile.target<"sm_80">} {
      func.func @f(%n: index, %a: memref<16x?xf16>) {
        tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
          %c0 = arith.constant 0 : index
          %c32 = arith.constant 32 : index
          %zero = arith.constant dense<0.0> : tensor<16x8xf32, #c>
          %as = tile.alloc layout(#tile.shared<[16, 32]>) : memref<16x32xf16, #shared>
          %bs = tile.alloc layout(#tile.shared<[32, 8]>) : memref<32x8xf16, #shared>
          %d = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %zero) -> (tensor<16x8xf32, #c>) {
            tile.copy %a[%c0, %i] to %as {layout = #f, vector_width = 8 : i64, instruction = #tile.instruction<"cp.async">} : memref<16x?xf16> to memref<16x32xf16, #shared>
            %next = tile.gemm %as, %bs, %sum {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">, load_a = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.shared.b16">, width = 8>, load_b = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16">, width = 8>, warp_grid = array<i64: 1, 1>} : memref<16x32xf16, #shared>, memref<32x8xf16, #shared> -> tensor<16x8xf32, #c>
            scf.yield %next : tensor<16x8xf32, #c>
          } {tile.stages = 2 : i32}
        }
        return
      }
    }
    ```

    After `--tile-split-first-product`:

    ```mlir
    module attributes {tile.target = #tile.target<"sm_80">} {
      func.func @f(%arg0: index, %arg1: memref<16x?xf16>) {
        tile.launch @k blocks(%bx) in (%arg0) threads(32) attributes {stage = #tile.stage<materialized>} {
          %c0 = arith.constant 0 : index
          %c32 = arith.constant 32 : index
          %cst = arith.constant dense<0.000000e+00> : tensor<16x8xf32, #tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = []>>
          %0 = tile.alloc layout(#tile.shared<[16, 32]>) : memref<16x32xf16, #gpu.address_space<workgroup>>
          %1 = tile.alloc layout(#tile.shared<[32, 8]>) : memref<32x8xf16, #gpu.address_space<workgroup>>
          %2 = scf.for %arg2 = %c0 to %arg0 step %c32 iter_args(%arg3 = %cst) -> (tensor<16x8xf32, #tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = []>>) {
            tile.copy %arg1[%c0, %arg2] to %0 {instruction = #tile.instruction<"cp.async">, layout = #tile.fragment<[16, 32], register = [8 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 8), 8 : (1, 0)], warp = []>, vector_width = 8 : i64} : memref<16x?xf16> to memref<16x32xf16, #gpu.address_space<workgroup>>
            %subview = memref.subview %0[0, 0] [16, 16] [1, 1] : memref<16x32xf16, #gpu.address_space<workgroup>> to memref<16x16xf16, strided<[32, 1]>, #gpu.address_space<workgroup>>
            %subview_0 = memref.subview %1[0, 0] [16, 8] [1, 1] : memref<32x8xf16, #gpu.address_space<workgroup>> to memref<16x8xf16, strided<[8, 1]>, #gpu.address_space<workgroup>>
            %3 = tile.gemm %subview, %subview_0, %arg3 {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">, load_a = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.shared.b16">, width = 8>, load_b = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16">, width = 8>, warp_grid = array<i64: 1, 1>} : memref<16x16xf16, strided<[32, 1]>, #gpu.address_space<workgroup>>, memref<16x8xf16, strided<[8, 1]>, #gpu.address_space<workgroup>> -> tensor<16x8xf32, #tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = []>>
            %subview_1 = memref.subview %0[0, 16] [16, 16] [1, 1] : memref<16x32xf16, #gpu.address_space<workgroup>> to memref<16x16xf16, strided<[32, 1], offset: 16>, #gpu.address_space<workgroup>>
            %subview_2 = memref.subview %1[16, 0] [16, 8] [1, 1] : memref<32x8xf16, #gpu.address_space<workgroup>> to memref<16x8xf16, strided<[8, 1], offset: 128>, #gpu.address_space<workgroup>>
            %4 = tile.gemm %subview_1, %subview_2, %3 {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">, load_a = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.shared.b16">, width = 8>, load_b = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16">, width = 8>, warp_grid = array<i64: 1, 1>} : memref<16x16xf16, strided<[32, 1], offset: 16>, #gpu.address_space<workgroup>>, memref<16x8xf16, strided<[8, 1], offset: 128>, #gpu.address_space<workgroup>> -> tensor<16x8xf32, #tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = []>>
            scf.yield %4 : tensor<16x8xf32, #tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = []>>
          } {tile.stages = 2 : i32}
        }
        return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PipelineLoops : Pass<"tile-pipeline-loops", "::mlir::func::FuncOp"> {
  let summary = "overlaps copies of later iterations with computation";
  let description = [{
    Requires *materialized*, establishes *scheduled*. In a loop with `tile.stages =
    N` the fills of shared buffers from global memory run N - 1 iterations ahead of
    what reads them, each buffer becoming a ring of N slots (`tile.ring`):

    ```
    for s in 0 .. N-2:  if iteration s exists:  acquire s;  fill;  commit s
    for i:  wait i
            if iteration i+N-1 exists:  acquire i+N-1;  fill;  commit i+N-1
            compute from the slot of i;  release i
    ```

    - Fills are copies and `tile.im2col`, also under conditions and in inner loops
      with constant trip counts, or to the value to which loops use what they
      fill, in parts, through views. Indices that they load are loaded one
      iteration earlier still.
    - Copies through registers are loaded at the head of a step and stored behind
      its computation, one iteration ahead, in two slots, as far as there are registers
      for what is loaded; others are made as a whole. So is what a
      `tile.parallel` reads and stores at its own elements.
    - Loads of fragments from global memory run one iteration ahead where registers
      are free for them.
    - A buffer needs every read to follow a fill of the same iteration. What is in
      it behind the loop may be read there.
    - `tile.pipeline_stage` and `tile.pipeline_order` say the schedule themselves;
      one that breaks a dependence is an error at the operation. What was written
      out from an operation runs when it would have; what passes put between them,
      such as an exchange, runs behind what it needs.

    Where a modulo schedule is predicted to take clearly fewer cycles, what brings
    data from global memory runs as far ahead as that says, at most N - 1
    iterations (docs/Scheduling.md); the remark `Schedule` has the cycles of both.
    `modulo=false` finds none.

    Dependences decide what may run ahead (`tile/Schedule/Schedule.h`); what stays
    has a remark with the operation and the reason. If N slots do not fit the chip,
    packed with all other buffers, the largest number that does is taken, with a
    remark. No hint is left afterwards.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<?x32xf32>, %o: memref<?x32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %s = tile.alloc layout(#tile.shared<[32]>) : memref<32xf32, #shared>
        scf.for %i = %c0 to %n step %c1 {
          tile.copy %a[%i, %c0] [1, 32] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?x32xf32> to memref<32xf32, #shared>
          %x = tile.load %s : memref<32xf32, #shared> -> tensor<32xf32, #f>
          tile.store %x, %o[%i, %c0] [1, 32] : tensor<32xf32, #f>, memref<?x32xf32>
        } {tile.stages = 2 : i32}
      }
      return
    }
    ```

    After `--tile-pipeline-loops`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<?x32xf32>, %o: memref<?x32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %s = tile.alloc layout(#tile.shared<[2, 32], offset = [32 : (0, 1), 2 : (1, 0)]>) : memref<2x32xf32, #shared>
        %ring = tile.ring %s : memref<2x32xf32, #shared> -> !tile.ring<2>
        %hasFirst = arith.cmpi sgt, %n, %c0 : index
        scf.if %hasFirst {
          %fill = tile.ring_acquire %ring[%c0] : !tile.ring<2>
          %first = memref.subview %s[%fill, 0] [1, 32] [1, 1] : memref<2x32xf32, #shared> to memref<32xf32, strided<[1], offset: ?>, #shared>
          tile.copy %a[%c0, %c0] [1, 32] in_bounds [false, true] to %first {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 1 : i64} : memref<?x32xf32> to memref<32xf32, strided<[1], offset: ?>, #shared>
          tile.ring_commit %ring[%c0] : !tile.ring<2>
        }
        %uses:2 = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0, %after = %c1) -> (index, index) {
          %read = tile.ring_wait %ring[%use] : !tile.ring<2>
          %next = arith.addi %i, %c1 : index
          %exists = arith.cmpi slt, %next, %n : index
          scf.if %exists {
            %fill = tile.ring_acquire %ring[%after] : !tile.ring<2>
            %ahead = memref.subview %s[%fill, 0] [1, 32] [1, 1] : memref<2x32xf32, #shared> to memref<32xf32, strided<[1], offset: ?>, #shared>
            tile.copy %a[%next, %c0] [1, 32] in_bounds [false, true] to %ahead {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 1 : i64} : memref<?x32xf32> to memref<32xf32, strided<[1], offset: ?>, #shared>
            tile.ring_commit %ring[%after] : !tile.ring<2>
          }
          %slot = memref.subview %s[%read, 0] [1, 32] [1, 1] : memref<2x32xf32, #shared> to memref<32xf32, strided<[1], offset: ?>, #shared>
          %x = tile.load %slot : memref<32xf32, strided<[1], offset: ?>, #shared> -> tensor<32xf32, #f>
          tile.ring_release %ring[%use] : !tile.ring<2>
          tile.store %x, %o[%i, %c0] [1, 32] : tensor<32xf32, #f>, memref<?x32xf32>
          %useNext = arith.addi %use, %c1 : index
          %afterNext = arith.addi %after, %c1 : index
          scf.yield %useNext, %afterNext : index, index
        }
      }
      return
    }
    ```
  }];
  let options = [
    Option<"modulo", "modulo", "bool", /*default=*/"true",
           "Take a modulo schedule where it is predicted to be faster">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def OverlapProducts : Pass<"tile-overlap-products", "::mlir::func::FuncOp"> {
  let summary = "keeps a product in flight from one iteration to the next";
  let description = [{
    Requires and keeps *scheduled*. A `tile.gemm` by an instruction that is waited
    for later, which accumulates over a loop, is started only, and waited for behind
    the loop; the next iteration's goes on from the pending sum. For that the first
    iteration is peeled, under a condition where the loop may not run.

    Where the product reads slots of rings, each is released behind the start of the
    next product instead, when the one that reads it is done, and what the same
    threads fill in the loop comes behind that release: under the product that is
    in flight.

    Only where the sum is touched by nothing else, both operands lie in shared
    memory, and that is in a ring or is not written in the loop. Otherwise a remark
    says what is in the way.

    In a loop of two products whose last adds to what the loop carries, as in
    attention, that one moves into the next iteration: it is started behind the
    first product there and runs under what is computed from its result. What
    follows from the sum, and the conversion that gives an operand in registers,
    stand behind its wait. The last iteration's product comes behind the loop. Only
    in a launch with a producer, where nothing else reads the slots of its operands
    and both products' registers fit; otherwise a remark says what is in the way.

    Where no product can stay in flight over the loop, those of an iteration run
    together, and so do those of any block outside of loops: each is waited for in front of the first operation that uses its
    result or writes to what it reads, and one that only adds to the one before
    goes on from the pending sum.

    Such a product adds to its accumulator in place: where that is used again behind
    it, or in the next iteration, it gets a `tile.clone`, with a remark.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #l = #tile.shared<[64, 64], swizzle = 128>
    #d = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
    module attributes {tile.target = #tile.target<"sm_90a">} {
    func.func @f(%n: index, %o: memref<64x64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %zero = arith.constant dense<0.0> : tensor<64x64xf32, #d>
        %a = tile.alloc layout(#l) : memref<64x64xf16, #shared>
        %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32, #d>) {
          %d = tile.gemm %a, %a, %c {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #d>
          scf.yield %d : tensor<64x64xf32, #d>
        }
        tile.store %sum, %o : tensor<64x64xf32, #d>, memref<64x64xf32>
      }
      return
    }
    }
    ```

    After `--tile-overlap-products`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #l = #tile.shared<[64, 64], swizzle = 128>
    #d = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
    module attributes {tile.target = #tile.target<"sm_90a">} {
    func.func @f(%n: index, %o: memref<64x64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %zero = arith.constant dense<0.0> : tensor<64x64xf32, #d>
        %a = tile.alloc layout(#l) : memref<64x64xf16, #shared>
        %first = tile.gemm_async %a, %a, %zero {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared>, tensor<64x64xf32, #d> -> !tile.pending<tensor<64x64xf32, #d>>
        %second = arith.constant 1 : index
        %last = scf.for %i = %second to %c4 step %c1 iter_args(%c = %first) -> (!tile.pending<tensor<64x64xf32, #d>>) {
          %d = tile.gemm_async %a, %a, %c {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared>, !tile.pending<tensor<64x64xf32, #d>> -> !tile.pending<tensor<64x64xf32, #d>>
          scf.yield %d : !tile.pending<tensor<64x64xf32, #d>>
        }
        %sum = tile.wait %last : !tile.pending<tensor<64x64xf32, #d>>
        tile.store %sum, %o : tensor<64x64xf32, #d>, memref<64x64xf32>
      }
      return
    }
    }
    ```
  }];
}

def LowerRings : Pass<"tile-lower-rings", "::mlir::func::FuncOp"> {
  let summary = "turns rings into groups of asynchronous copies";
  let description = [{
    Requires and keeps *scheduled*. Verifies the use of every `tile.ring` (see
    `tile/Analysis/RingProtocol.h` for what is proved) and replaces it by what
    chips with `cp.async` have:

    - the slot of an acquire or a wait becomes a number: a constant, or a counter
      that its loop carries and that wraps by a select instead of a division;
    - a commit becomes a `tile.copy_commit`, behind the conditions that guard
      nothing but the use, so that every path commits the same groups;
    - a wait becomes a `tile.copy_wait` with the largest number of groups in flight
      that is safe: the fewest committed after that of the use, over all paths;
    - acquire and release need nothing: what orders a slot's next fill behind its
      last read is for `tile-insert-barriers`, which owns all order.

    A ring that no asynchronous copy fills needs neither groups nor waits.

    An asynchronous copy into a buffer of no ring that is issued in front of such
    groups and read before they are waited for gets a group and a wait of its own,
    which leaves them in flight.

    A ring that bulk copies fill stays, and is all that is left of rings: it gets
    the words of its mbarriers, and its numbers become counters modulo twice the
    slots (`docs/decisions/0008`). Where threads change its slots in place, they
    fence that before each release.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<?x32xf32>, %o: memref<?x32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %s = tile.alloc layout(#tile.shared<[2, 32], offset = [32 : (0, 1), 2 : (1, 0)]>) : memref<2x32xf32, #shared>
        %ring = tile.ring %s : memref<2x32xf32, #shared> -> !tile.ring<2>
        %hasFirst = arith.cmpi sgt, %n, %c0 : index
        scf.if %hasFirst {
          %fill = tile.ring_acquire %ring[%c0] : !tile.ring<2>
          %first = memref.subview %s[%fill, 0] [1, 32] [1, 1] : memref<2x32xf32, #shared> to memref<32xf32, strided<[1], offset: ?>, #shared>
          tile.copy %a[%c0, %c0] [1, 32] to %first {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 1 : i64} : memref<?x32xf32> to memref<32xf32, strided<[1], offset: ?>, #shared>
          tile.ring_commit %ring[%c0] : !tile.ring<2>
        }
        %uses = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
          %read = tile.ring_wait %ring[%use] : !tile.ring<2>
          %next = arith.addi %i, %c1 : index
          %after = arith.addi %use, %c1 : index
          %exists = arith.cmpi slt, %next, %n : index
          scf.if %exists {
            %fill = tile.ring_acquire %ring[%after] : !tile.ring<2>
            %ahead = memref.subview %s[%fill, 0] [1, 32] [1, 1] : memref<2x32xf32, #shared> to memref<32xf32, strided<[1], offset: ?>, #shared>
            tile.copy %a[%next, %c0] [1, 32] to %ahead {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 1 : i64} : memref<?x32xf32> to memref<32xf32, strided<[1], offset: ?>, #shared>
            tile.ring_commit %ring[%after] : !tile.ring<2>
          }
          %slot = memref.subview %s[%read, 0] [1, 32] [1, 1] : memref<2x32xf32, #shared> to memref<32xf32, strided<[1], offset: ?>, #shared>
          %x = tile.load %slot : memref<32xf32, strided<[1], offset: ?>, #shared> -> tensor<32xf32, #f>
          tile.store %x, %o[%i, %c0] [1, 32] : tensor<32xf32, #f>, memref<?x32xf32>
          tile.ring_release %ring[%use] : !tile.ring<2>
          scf.yield %after : index
        }
      }
      return
    }
    ```

    After `--tile-lower-rings`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<?x32xf32>, %o: memref<?x32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %s = tile.alloc layout(#tile.shared<[2, 32], offset = [32 : (0, 1), 2 : (1, 0)]>) : memref<2x32xf32, #shared>
        %hasFirst = arith.cmpi sgt, %n, %c0 : index
        scf.if %hasFirst {
          %first = memref.subview %s[0, 0] [1, 32] [1, 1] : memref<2x32xf32, #shared> to memref<32xf32, strided<[1]>, #shared>
          %begin = memref.cast %first : memref<32xf32, strided<[1]>, #shared> to memref<32xf32, strided<[1], offset: ?>, #shared>
          tile.copy %a[%c0, %c0] [1, 32] to %begin {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 1 : i64} : memref<?x32xf32> to memref<32xf32, strided<[1], offset: ?>, #shared>
        }
        tile.copy_commit
        %slots:2 = scf.for %i = %c0 to %n step %c1 iter_args(%read = %c0, %fill = %c1) -> (index, index) {
          tile.copy_wait {pending = 0 : i64}
          %next = arith.addi %i, %c1 : index
          %exists = arith.cmpi slt, %next, %n : index
          scf.if %exists {
            %ahead = memref.subview %s[%fill, 0] [1, 32] [1, 1] : memref<2x32xf32, #shared> to memref<32xf32, strided<[1], offset: ?>, #shared>
            tile.copy %a[%next, %c0] [1, 32] to %ahead {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 1 : i64} : memref<?x32xf32> to memref<32xf32, strided<[1], offset: ?>, #shared>
          }
          tile.copy_commit
          %slot = memref.subview %s[%read, 0] [1, 32] [1, 1] : memref<2x32xf32, #shared> to memref<32xf32, strided<[1], offset: ?>, #shared>
          %x = tile.load %slot : memref<32xf32, strided<[1], offset: ?>, #shared> -> tensor<32xf32, #f>
          tile.store %x, %o[%i, %c0] [1, 32] : tensor<32xf32, #f>, memref<?x32xf32>
          %isReadLast = arith.cmpi eq, %read, %c1 : index
          %readAfter = arith.addi %read, %c1 : index
          %readNext = arith.select %isReadLast, %c0, %readAfter : index
          %isFillLast = arith.cmpi eq, %fill, %c1 : index
          %fillAfter = arith.addi %fill, %c1 : index
          %fillNext = arith.select %isFillLast, %c0, %fillAfter : index
          scf.yield %readNext, %fillNext : index, index
        }
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tile::TileDialect"];
}

#endif // TILE_TRANSFORMS_LAIDOUTPASSES
