//===- Passes.td - The passes on launches ------------------*- tablegen -*-===//
//
// In the order in which the pipeline runs them. What each requires of a launch
// and what it establishes is the table in StageContract.h; docs/Pipeline.md shows
// it. A pass leaves functions without launches alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PASSES
#define TILE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def InlineCalls : Pass<"tile-inline-calls", "::mlir::ModuleOp"> {
  let summary = "inlines the calls in launches";
  let description = [{
    Requires and keeps *source*. Replaces every `func.call` in a launch body by the
    body of the function, and those inside it in turn. Calls between host functions
    stay, because inlining them would duplicate named launches; a host call of a
    function that launches call too is inlined as well. Private functions that
    nothing uses afterwards are erased.

    That the calls of a launch can be inlined is checked by its verifier.
  }];
}

def SetTarget : Pass<"tile-set-target", "::mlir::ModuleOp"> {
  let summary = "records the chip and checks every launch against it";
  let description = [{
    Requires and keeps *source*. Sets `tile.target` on the module, the only place
    where a chip is named; every other pass reads it there. Names launches
    (`<function>_<n>`) that have no name.

    Checks what the chip decides: whole warps, threads a block, registers and
    resident blocks that it can have together, clusters; and that launch names are
    unique in the module.

    Without `chip` the module's own `tile.target` is used.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "The chip to compile for, such as sm_80 or sm_90a">
  ];
}

def ExpandGrid : Pass<"tile-expand-grid", "::mlir::func::FuncOp"> {
  let summary = "makes the order in which blocks visit the grid explicit";
  let description = [{
    Requires *source*, establishes *logical*. Replaces `rasterize` by arithmetic on
    the block indices: the grid is cut into panels of rows or columns, and blocks
    of consecutive numbers walk across a panel, so that those that run at the same
    time share operands in the L2 cache.

    ```
    #tile.rasterize<row, 2> on a grid of 4 x 3     block (x, y) -> visited as
                                                   0  2  4  6
                                                   1  3  5  7
                                                   8  9 10 11
    ```

    A grid with one dimension has one order, and the attribute is dropped.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SimplifyLoops : Pass<"tile-simplify-loops", "::mlir::func::FuncOp"> {
  let summary = "removes loops that never run, run once or do nothing";
  let description = [{
    Keeps every stage. Replaces an `scf.for` with constant bounds by its initial
    values where it makes no iteration, by its body where it makes one, and by what
    it yields where nothing else happens in it.

    Iterations are counted over the integers, in the signedness of the loop, as
    the language does; upstream's canonicalisation counts in the loop's type, so
    the pipeline leaves that to this pass:

    ```mlir
    // Two iterations, 0 and 200; a step of 200 is no negative one.
    scf.for unsigned %i = %c0 to %c250 step %c200 : i8 { .. }
    ```
  }];
}

def PlanRoles : Pass<"tile-plan-roles", "::mlir::func::FuncOp"> {
  let summary = "decides which warps compute and which only move data";
  let description = [{
    Requires and keeps *logical*. In its present form every warp of the launch
    computes and none is added; a launch that asks for specialised warps runs
    without them, with a remark.
  }];
}

def WidenProducts : Pass<"tile-widen-products", "::mlir::func::FuncOp"> {
  let summary = "widens the operands of products that the chip lacks";
  let description = [{
    Requires and keeps *logical*. A product of f8 operands for which the chip has
    no matrix instruction becomes one of f16, which holds every value of f8:
    fragments are widened by `arith.extf`, buffers by a `tile.load` that converts.
    A remark says so.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tile::TileDialect"];
}

def InferLayouts : Pass<"tile-infer-layouts", "::mlir::func::FuncOp"> {
  let summary = "chooses the layout of every fragment, buffer and loop";
  let description = [{
    Requires *logical*, establishes *laid_out*. Every fragment type gets a
    `#tile.fragment`, every `tile.alloc` a `#tile.shared`, every `tile.parallel` and
    `tile.copy` its thread layout and vector width, every gemm and copy its
    instruction. Where operands disagree a `tile.convert_layout` is inserted.
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
}

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
  }];
  let dependentDialects = ["::mlir::tile::TileDialect",
                           "::mlir::memref::MemRefDialect"];
}

def PipelineLoops : Pass<"tile-pipeline-loops", "::mlir::func::FuncOp"> {
  let summary = "overlaps copies of later iterations with computation";
  let description = [{
    Requires *materialized*, establishes *scheduled*. A loop with `tile.stages = N`
    gets the two-stage schedule: the copies by `cp.async` that fill shared buffers
    from global memory run N - 1 iterations ahead of what reads them, each buffer
    becoming a ring of N slots.

    ```
    for s in 0 .. N-2:  copy iteration s -> slot s, if the loop has it;  commit
    for i:  wait until N-2 groups are in flight;  barrier
            copy iteration i+N-1 -> slot (i+N-1) mod N, if it exists;  commit
            compute from slot i mod N
    wait for all;  barrier
    ```

    A copy whose place needs more than the induction variable, whose buffer is used
    elsewhere, or whose source the loop may write, stays where it is, with a remark.
    If N slots do not fit the chip, the largest number that does is taken, with a
    remark. No hint is left afterwards.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def PlanSharedMemory : Pass<"tile-plan-shared-memory", "::mlir::func::FuncOp"> {
  let summary = "gives every shared buffer its place in one arena";
  let description = [{
    Requires *scheduled*, establishes *placed*. Finds by dataflow over the
    structured control flow which buffers are live at the same time, packs them so
    that those do not overlap, and replaces each `tile.alloc` by a `tile.view` of
    the launch's one `tile.arena`. A launch that needs more than the chip has is
    an error that lists the buffers live at the peak.

    Sharing bytes costs barriers, so buffers share only where that saves something:
    if all of them side by side leave as many blocks on a multiprocessor as its
    threads allow, each keeps its own bytes.
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
}

def InsertBarriers : Pass<"tile-insert-barriers", "::mlir::func::FuncOp"> {
  let summary = "orders conflicting accesses to shared and global memory";
  let description = [{
    Requires *placed*, establishes *synchronized*. Two accesses of one block
    conflict when they may touch a common byte and one of them writes. Between every
    such pair, loop iterations included, it puts a `tile.barrier` before the later
    one; asynchronous copies are waited for with `tile.copy_wait` before the barrier
    that publishes them. Buffers at overlapping bytes of the arena conflict as one
    buffer would.
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
}

def OutlineKernels : Pass<"tile-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "moves every launch into a kernel of its own";
  let description = [{
    Requires *synchronized*, establishes *outlined*. Each launch becomes a
    `gpu.func` of the one `gpu.module @kernels` and a `gpu.launch_func` in its
    place. Kernel arguments are the captured function arguments in their order, then
    other captured values in order of definition, never constants: those, and pure
    scalar code of them, are repeated inside.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect"];
}

#endif // TILE_TRANSFORMS_PASSES
