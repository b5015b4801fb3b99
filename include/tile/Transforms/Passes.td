//===- Passes.td - The passes on launches ------------------*- tablegen -*-===//
//
// In the order in which the pipeline runs them: those on the program as it is written
// here, up to the layouts in LogicalPasses.td, from there to the kernels in
// LaidOutPasses.td, ScheduledPasses.td and SynchronizedPasses.td. What each requires of a
// launch and what it establishes is the table in StageContract.h; docs/Pipeline.md shows
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

    Before:

    ```mlir
    func.func private @twice(%x: f32) -> f32 {
      %y = arith.addf %x, %x : f32
      return %y : f32
    }
    func.func @f(%n: index, %m: memref<1xf32>, %x: f32) {
      tile.launch blocks(%b) in (%n) threads(32) {
        %c0 = arith.constant 0 : index
        %y = func.call @twice(%x) : (f32) -> f32
        memref.store %y, %m[%c0] : memref<1xf32>
      }
      return
    }
    ```

    After `--tile-inline-calls`:

    ```mlir
    func.func @f(%n: index, %m: memref<1xf32>, %x: f32) {
      tile.launch blocks(%b) in (%n) threads(32) {
        %c0 = arith.constant 0 : index
        %y = arith.addf %x, %x : f32
        memref.store %y, %m[%c0] : memref<1xf32>
      }
      return
    }
    ```
  }];
}

def AwaitProducts : Pass<"tile-await-products", "::mlir::func::FuncOp"> {
  let summary = "waits for products where they start";
  let description = [{
    Requires and keeps *source*. A product whose wait the program writes becomes one
    that is waited for where it starts, on any chip; what loops and conditions carry
    of it is the fragment. Which products stay in flight `tile-overlap-products`
    decides, when layouts, rings and instructions are known. A `tile.clone` is the
    fragment itself.

    Before:

    ```mlir
    func.func @f(%n: index, %o: memref<32x32xf32>) {
      tile.launch blocks(%b) in (%n) threads(32) {
        %t = arith.constant dense<1.0> : tensor<32x32xf16>
        %p = tile.gemm_async %t, %t : tensor<32x32xf16>, tensor<32x32xf16> -> !tile.pending<tensor<32x32xf32>>
        %d = tile.wait %p : !tile.pending<tensor<32x32xf32>>
        tile.store %d, %o : tensor<32x32xf32>, memref<32x32xf32>
      }
      return
    }
    ```

    After `--tile-await-products`:

    ```mlir
    func.func @f(%n: index, %o: memref<32x32xf32>) {
      tile.launch blocks(%b) in (%n) threads(32) {
        %t = arith.constant dense<1.0> : tensor<32x32xf16>
        %p = tile.gemm %t, %t : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
        tile.store %p, %o : tensor<32x32xf32>, memref<32x32xf32>
      }
      return
    }
    ```
  }];
}

def CheckAssumptions : Pass<"tile-check-assumptions", "::mlir::func::FuncOp"> {
  let summary = "lets the code check what a launch assumes";
  let description = [{
    Requires and keeps *source*. In front of each `tile.assume_divisible` and
    `tile.assume` in a launch stands a check that traps, at its line, where the fact
    does not hold. Part of the pipeline where that is asked for (`--check-assumptions`).
    What is stated on the host, or of the arguments, is checked where the program is
    started.

    Before:

    ```mlir
    func.func @f(%n: index, %o: memref<?xindex>) {
      tile.launch blocks(%b) in (%n) threads(32) {
        %c0 = arith.constant 0 : index
        %k = tile.assume_divisible %n by 16 : index
        %p = tile.assume %o sizes [8] : memref<?xindex>
        memref.store %k, %p[%c0] : memref<?xindex>
      }
      return
    }
    ```

    After `--tile-check-assumptions`:

    ```mlir
    func.func @f(%n: index, %o: memref<?xindex>) {
      tile.launch blocks(%b) in (%n) threads(32) {
        %c0 = arith.constant 0 : index
        %c16 = arith.constant 16 : index
        %zero = arith.constant 0 : index
        %rest = arith.remsi %n, %c16 : index
        %holds = arith.cmpi eq, %rest, %zero : index
        tile.assert %holds, "divisible by 16"
        %k = tile.assume_divisible %n by 16 : index
        tile.assert_facts %o sizes [8] : memref<?xindex>
        %p = tile.assume %o sizes [8] : memref<?xindex>
        memref.store %k, %p[%c0] : memref<?xindex>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CheckTarget : Pass<"tile-check-target", "::mlir::ModuleOp"> {
  let summary = "refuses a chip that contradicts the module's";
  let description = [{
    Requires and keeps any stage. Where a module is resumed, `tile-set-target` has
    run long ago and a chip that is given again changes nothing: another one than
    `tile.target` is an error that names both.

    Refused by `--tile-check-target=chip=sm_90a`:

    ```mlir
    module attributes {tile.target = #tile.target<"sm_80">} {
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "The chip that is asked for; without it nothing is checked">,
  ];
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

    Before:

    ```mlir
    module {
      func.func @f(%n: index) {
        tile.launch blocks(%b) in (%n) threads(32) {
        }
        return
      }
    }
    ```

    After `--tile-set-target=chip=sm_80`:

    ```mlir
    module attributes {tile.target = #tile.target<"sm_80">} {
      func.func @f(%n: index) {
        tile.launch @f_0 blocks(%b) in (%n) threads(32) {
        }
        return
      }
    }
    ```
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

    A grid with one dimension has one order, and the attribute is dropped; so it is
    where `tile.print` names blocks, which the hardware then numbers as the program.

    A loop whose bounds are apart by a constant and not constant themselves, such as that
    over a block's part of K, counts from zero, where the bounds are known not to wrap
    and the loop has no schedule of its own.

    A `persistent` launch starts `min_blocks_per_sm` blocks, by default one, for each
    multiprocessor that the device has where the program runs (`tile.sm_count`), and
    every block walks over tiles in the order above, one loop around the body. Buffers
    stand in front of that loop: they are of no tile. Where one multiprocessor has all
    tiles resident at once, or something is printed, each keeps a block, and a remark
    `NotPersistent` says so.

    Blocks of a cluster stay together: panels have clusters for blocks, and it is
    clusters that are resident and walk, over clusters of tiles.

    Before:

    ```mlir
    func.func @f(%n: index, %m: index, %o: memref<?x?xindex>) {
      tile.launch @k blocks(%x, %y) in (%n, %m) threads(32) attributes {rasterize = #tile.rasterize<row, 2>} {
        memref.store %x, %o[%x, %y] : memref<?x?xindex>
      }
      return
    }
    ```

    After `--tile-expand-grid`:

    ```mlir
    func.func @f(%n: index, %m: index, %o: memref<?x?xindex>) {
      tile.launch @k blocks(%x, %y) in (%n, %m) threads(32) attributes {stage = #tile.stage<logical>} {
        %c2 = arith.constant 2 : index
        %rows = arith.muli %n, %y : index
        %number = arith.addi %x, %rows : index
        %perPanel = arith.muli %n, %c2 : index
        %panel = arith.divui %number, %perPanel : index
        %start = arith.muli %panel, %c2 : index
        %left = arith.subi %m, %start : index
        %extent = arith.minui %left, %c2 : index
        %inPanel = arith.remui %number, %perPanel : index
        %within = arith.remui %inPanel, %extent : index
        %along = arith.addi %start, %within : index
        %across = arith.divui %inPanel, %extent : index
        memref.store %across, %o[%across, %along] : memref<?x?xindex>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def SimplifyLoops : Pass<"tile-simplify-loops", "::mlir::func::FuncOp"> {
  let summary = "removes loops that never run, run once or do nothing";
  let description = [{
    Keeps every stage. Replaces an `scf.for` with constant bounds by its initial
    values where it makes no iteration, by its body where it makes one, and by what
    it yields where nothing else happens in it.

    Iterations are counted over the integers, in the signedness of the loop, as
    the language does; upstream's canonicalisation counts in the loop's type, so
    the pipeline leaves that to this pass. With a step of 200 in eight bits, a loop
    to 250 makes two iterations and one to 200 makes one; the step is not -56.

    Before:

    ```mlir
    func.func private @use(i8)
    func.func @f() {
      %c0 = arith.constant 0 : i8
      %c200 = arith.constant -56 : i8
      %c250 = arith.constant -6 : i8
      scf.for unsigned %i = %c0 to %c250 step %c200 : i8 {
        func.call @use(%i) : (i8) -> ()
      }
      scf.for unsigned %i = %c0 to %c200 step %c200 : i8 {
        func.call @use(%i) : (i8) -> ()
      }
      return
    }
    ```

    After `--tile-simplify-loops`:

    ```mlir
    func.func private @use(i8)
    func.func @f() {
      %c0 = arith.constant 0 : i8
      %c200 = arith.constant -56 : i8
      %c250 = arith.constant -6 : i8
      scf.for unsigned %i = %c0 to %c250 step %c200 : i8 {
        func.call @use(%i) : (i8) -> ()
      }
      func.call @use(%c0) : (i8) -> ()
      return
    }
    ```
  }];
}

def Canonicalize : Pass<"tile-canonicalize"> {
  let summary = "canonicalises without a change of any value";
  let description = [{
    Keeps every stage. Upstream's canonicalisation without the patterns that make one
    rounding of two, count iterations with wrapping or take one dimension of a view for
    another, and without folding casts to floats of 8 bits and fewer: these saturate, and
    upstream folds an infinity to an infinity, or to zero where the type has none.

    Before:

    ```mlir
    func.func @f() -> (f8E5M2, f32) {
      %inf = arith.constant 0x7F800000 : f32
      %one = arith.constant 1.0 : f32
      %sum = arith.addf %inf, %one : f32
      %most = arith.truncf %sum : f32 to f8E5M2
      return %most, %sum : f8E5M2, f32
    }
    ```

    After `--tile-canonicalize`:

    ```mlir
    func.func @f() -> (f8E5M2, f32) {
      %inf = arith.constant 0x7F800000 : f32
      %most = arith.truncf %inf : f32 to f8E5M2
      return %most, %inf : f8E5M2, f32
    }
    ```
  }];
}

include "tile/Transforms/LogicalPasses.td"
include "tile/Transforms/LaidOutPasses.td"
include "tile/Transforms/ScheduledPasses.td"
include "tile/Transforms/SynchronizedPasses.td"

#endif // TILE_TRANSFORMS_PASSES
