//===- LaidOutPasses.td - From laid-out launches to kernels -*- tablegen -*-===//
//
// The passes after layouts are chosen, in the order in which the pipeline runs
// them: they decide what goes through shared memory, where it lies and what
// orders it, and put the result into a kernel. Part of Passes.td.
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

    - `tile.convert_layout` that moves data between warps or lanes;
    - `tile.reduce` and `tile.scan` across warps;
    - reads of a fragment by `tensor.extract` at an index that another thread holds;
    - block-level stores and atomics, which become `tile.once`.

    Each use has its own buffer, allocated where it is used.

    Before:

    ```mlir
    #near = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
    #far = #tile.fragment<[64], register = [2 : (32)], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<laid_out>} {
        %x = tile.load %a : memref<64xf32> -> tensor<64xf32, #near>
        %y = tile.convert_layout %x : tensor<64xf32, #near> to tensor<64xf32, #far>
        tile.store %y, %a : tensor<64xf32, #far>, memref<64xf32>
      }
      return
    }
    ```

    After `--tile-materialize-scratch`:

    ```mlir
    #near = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
    #far = #tile.fragment<[64], register = [2 : (32)], lane = [32 : (1)], warp = []>
    #shared = #gpu.address_space<workgroup>
    func.func @f(%n: index, %a: memref<64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<materialized>} {
        %x = tile.load %a : memref<64xf32> -> tensor<64xf32, #near>
        %s = tile.alloc layout(#tile.shared<[64], offset = [64 : (1)]>) : memref<64xf32, #shared>
        tile.store %x, %s {vector_width = 2 : i64} : tensor<64xf32, #near>, memref<64xf32, #shared>
        %y = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32, #far>
        tile.store %y, %a : tensor<64xf32, #far>, memref<64xf32>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::tile::TileDialect",
                           "::mlir::memref::MemRefDialect"];
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
      with constant trip counts, in parts, through views. Indices that they load
      are loaded one iteration earlier still.
    - Copies through registers are loaded at the head of a step and stored behind
      its computation, one iteration ahead, in two slots.
    - Loads of fragments from global memory run one iteration ahead where registers
      are free for them.
    - A buffer needs every read to follow a fill of the same iteration. What is in
      it behind the loop may be read there.
    - `tile.pipeline_stage` and `tile.pipeline_order` say the schedule themselves;
      one that breaks a dependence is an error at the operation.

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

    A ring that no asynchronous copy fills needs neither groups nor waits. No ring
    is left afterwards.

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

def PlanSharedMemory : Pass<"tile-plan-shared-memory", "::mlir::func::FuncOp"> {
  let summary = "gives every shared buffer its place in one arena";
  let description = [{
    Requires *scheduled*, establishes *placed*. Finds by dataflow over the
    structured control flow which buffers are live at the same time, packs them so
    that those do not overlap, and replaces each `tile.alloc` by a `tile.view` of
    the launch's one `tile.arena`. A launch that needs more than the chip has is
    an error that lists the buffers live at the peak and says what would fit: which
    loop with how many stages, which buffer how much smaller, and which chips take
    the launch as it is.

    Sharing bytes costs barriers, so with `reuse=cold` buffers share only where that
    saves something. As many blocks stay on a multiprocessor as with the fewest
    bytes; if all buffers side by side leave as many, each keeps its own bytes, else
    buffers of one loop are kept apart as far as that goes, those of the innermost
    loops first. The remark `Arena` says how many pairs are kept apart that could
    share, and how many bytes that costs. `reuse=always` takes the smallest
    packing, `reuse=never` shares nothing.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
        %s = tile.alloc layout(#tile.shared<[32]>) : memref<32xf32, #shared>
        %t = tile.alloc layout(#tile.shared<[32]>) : memref<32xf32, #shared>
        %x = tile.load %a : memref<32xf32> -> tensor<32xf32, #f>
        tile.store %x, %s : tensor<32xf32, #f>, memref<32xf32, #shared>
        tile.store %x, %t : tensor<32xf32, #f>, memref<32xf32, #shared>
      }
      return
    }
    ```

    After `--tile-plan-shared-memory`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<placed>} {
        %arena = tile.arena 256 {lower_bound = 256 : i64} : memref<256xi8, #shared>
        %s = tile.view %arena[0] layout(#tile.shared<[32]>) : memref<256xi8, #shared> to memref<32xf32, #shared>
        %t = tile.view %arena[128] layout(#tile.shared<[32]>) : memref<256xi8, #shared> to memref<32xf32, #shared>
        %x = tile.load %a : memref<32xf32> -> tensor<32xf32, #f>
        tile.store %x, %s : tensor<32xf32, #f>, memref<32xf32, #shared>
        tile.store %x, %t : tensor<32xf32, #f>, memref<32xf32, #shared>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
  let options = [
    Option<"reuse", "reuse", "::mlir::tile::ReusePolicy",
           /*default=*/"::mlir::tile::ReusePolicy::Cold",
           "Where buffers that are never live together share bytes",
           [{::llvm::cl::values(
               clEnumValN(::mlir::tile::ReusePolicy::Always, "always",
                          "wherever that saves bytes"),
               clEnumValN(::mlir::tile::ReusePolicy::Cold, "cold",
                          "where it saves blocks on a multiprocessor"),
               clEnumValN(::mlir::tile::ReusePolicy::Never, "never",
                          "nowhere"))}]>
  ];
}

def InsertBarriers : Pass<"tile-insert-barriers", "::mlir::func::FuncOp"> {
  let summary = "orders conflicting accesses to shared and global memory";
  let description = [{
    Requires *placed*, establishes *synchronized*. Two accesses of one block
    conflict when they may touch a common byte and one of them writes. Between every
    such pair, loop iterations included, there is a `tile.barrier` on every path then;
    asynchronous copies are waited for with `tile.copy_wait` before the barrier that
    publishes them. Buffers at overlapping bytes of the arena conflict as one buffer
    would.

    Whose bytes they are decides who has to meet: nobody where each thread finds only
    what it left itself, the threads of each warp (`scope = #tile.scope<warp>`) where
    no byte goes from one warp to another, else the block. Which points to take is a
    minimum over all pairs, weighted by how often they run, so one barrier in an
    iteration of a multistage loop publishes a slot and frees the next. Barriers and
    waits that are there already count. The remarks name for each the two accesses
    that need it.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
    #g = #tile.fragment<[64], register = [2 : (32)], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<64xf32>, %o: memref<64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<placed>} {
        %arena = tile.arena 256 : memref<256xi8, #shared>
        %s = tile.view %arena[0] layout(#tile.shared<[64]>) : memref<256xi8, #shared> to memref<64xf32, #shared>
        tile.copy %a to %s {layout = #f, vector_width = 2 : i64, instruction = #tile.instruction<"cp.async">} : memref<64xf32> to memref<64xf32, #shared>
        %x = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32, #g>
        tile.store %x, %o : tensor<64xf32, #g>, memref<64xf32>
      }
      return
    }
    ```

    After `--tile-insert-barriers`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
    #g = #tile.fragment<[64], register = [2 : (32)], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<64xf32>, %o: memref<64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<synchronized>} {
        %arena = tile.arena 256 : memref<256xi8, #shared>
        %s = tile.view %arena[0] layout(#tile.shared<[64]>) : memref<256xi8, #shared> to memref<64xf32, #shared>
        tile.copy %a to %s {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 2 : i64} : memref<64xf32> to memref<64xf32, #shared>
        tile.copy_wait
        tile.barrier {scope = #tile.scope<warp>}
        %x = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32, #g>
        tile.store %x, %o : tensor<64xf32, #g>, memref<64xf32>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
}

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

#endif // TILE_TRANSFORMS_LAIDOUTPASSES
