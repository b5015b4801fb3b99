//===- Passes.td - The passes on launches ------------------*- tablegen -*-===//
//
// In the order in which the pipeline runs them: up to the layouts here, from
// there to the kernels in LaidOutPasses.td and ScheduledPasses.td. What each requires of a launch
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

def SplitScaledProducts
    : Pass<"tile-split-scaled-products", "::mlir::func::FuncOp"> {
  let summary = "scales the products of blocks where the chip has no instruction";
  let description = [{
    Requires and keeps *logical*. Where the chip has a matrix instruction for a
    `tile.gemm_scaled`, its scales are brought to registers. Elsewhere it becomes a
    product for each block along K, multiplied by the scales of its rows and of its
    columns and added to the sum, and a remark says so. A scale of f8E8M0FNU is two
    factors, since the product of two may be outside of f32 where the result is not.

    Before:

    ```mlir
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%n: index, %a: memref<32x32xf8E4M3FN>, %s: memref<32x1xf8E4M3FN>, %o: memref<32x32xf32>) {
        tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
          %t = tile.load %a : memref<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
          %u = tile.load %s : memref<32x1xf8E4M3FN> -> tensor<32x1xf8E4M3FN>
          %p = tile.gemm_scaled %t, %u, %t, %u : tensor<32x32xf8E4M3FN>, tensor<32x1xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<32x1xf8E4M3FN> -> tensor<32x32xf32>
          tile.store %p, %o : tensor<32x32xf32>, memref<32x32xf32>
        }
        return
      }
    }
    ```

    After `--tile-split-scaled-products`:

    ```mlir
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%n: index, %a: memref<32x32xf8E4M3FN>, %s: memref<32x1xf8E4M3FN>, %o: memref<32x32xf32>) {
        tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
          %t = tile.load %a : memref<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
          %u = tile.load %s : memref<32x1xf8E4M3FN> -> tensor<32x1xf8E4M3FN>
          %block = tile.gemm %t, %t : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
          %0 = tensor.extract_slice %u[0, 0] [32, 1] [1, 1] : tensor<32x1xf8E4M3FN> to tensor<32xf8E4M3FN>
          %1 = arith.extf %0 : tensor<32xf8E4M3FN> to tensor<32xf32>
          %rows = tile.broadcast %1 dims [1] : tensor<32xf32> -> tensor<32x32xf32>
          %2 = tensor.extract_slice %u[0, 0] [32, 1] [1, 1] : tensor<32x1xf8E4M3FN> to tensor<32xf8E4M3FN>
          %3 = arith.extf %2 : tensor<32xf8E4M3FN> to tensor<32xf32>
          %columns = tile.broadcast %3 dims [0] : tensor<32xf32> -> tensor<32x32xf32>
          %factors = arith.mulf %rows, %columns : tensor<32x32xf32>
          %p = arith.mulf %block, %factors : tensor<32x32xf32>
          tile.store %p, %o : tensor<32x32xf32>, memref<32x32xf32>
        }
        return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::tile::TileDialect"];
}

def PlanRoles : Pass<"tile-plan-roles", "::mlir::func::FuncOp"> {
  let summary = "decides which warps compute and which only move data";
  let description = [{
    Requires and keeps *logical*. On chips with bulk copies, a launch with a loop that
    copies tiles to shared memory in several stages for a matrix product gets a
    producer beside the warps that compute, unless it says `warp_specialize = off`;
    with `on` it need not multiply. The producer is one warp; where registers limit
    the block, a group of four that leaves its registers to the consumers.

    Whether all those copies are bulk copies is known behind layouts:
    `tile-pipeline-loops` gives the producer warps and registers to copy by its
    threads where not, and takes roles back where it could not do its work.
    What asks for roles and cannot have them is an error, on a chip that has none a
    remark.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%n: index, %a: memref<64x512xf16>) {
        tile.launch @k blocks(%b) in (%n) threads(256) attributes {stage = #tile.stage<logical>} {
          %c0 = arith.constant 0 : index
          %c64 = arith.constant 64 : index
          %c512 = arith.constant 512 : index
          %s = tile.alloc : memref<64x64xf16, #shared>
          scf.for %k = %c0 to %c512 step %c64 {
            tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
            %d = tile.gemm %s, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
          } {tile.stages = 2 : i32}
        }
        return
      }
    }
    ```

    After `--tile-plan-roles`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%arg0: index, %arg1: memref<64x512xf16>) {
        tile.launch @k blocks(%bx) in (%arg0) threads(256) attributes {roles = #tile.roles<<consumer, warps = 8, registers = 232>, <producer, warps = 4, registers = 40>>, stage = #tile.stage<logical>} {
          %c0 = arith.constant 0 : index
          %c64 = arith.constant 64 : index
          %c512 = arith.constant 512 : index
          %0 = tile.alloc : memref<64x64xf16, #shared>
          scf.for %arg2 = %c0 to %c512 step %c64 {
            tile.copy %arg1[%c0, %arg2] to %0 : memref<64x512xf16> to memref<64x64xf16, #shared>
            %1 = tile.gemm %0, %0 : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
          } {tile.stages = 2 : i32}
        }
        return
      }
    }

    ```
  }];
}

def WidenProducts : Pass<"tile-widen-products", "::mlir::func::FuncOp"> {
  let summary = "gives products that the chip lacks another form";
  let description = [{
    Requires and keeps *logical*. A product of f8 operands for which the chip has
    no matrix instruction becomes one of f16, which holds every value of f8:
    fragments are widened by `arith.extf`, buffers by a `tile.load` that converts.
    A sparse product of tf32, which no chip has as the language does, becomes one of
    the matrix with its zeros, that a `tile.parallel` makes. A remark says so.

    Before:

    ```mlir
    func.func @f(%n: index, %a: memref<32x32xf8E4M3FN>, %o: memref<32x32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
        %t = tile.load %a : memref<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
        %p = tile.gemm %t, %t : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
        tile.store %p, %o : tensor<32x32xf32>, memref<32x32xf32>
      }
      return
    }
    ```

    After `--tile-widen-products`:

    ```mlir
    func.func @f(%n: index, %a: memref<32x32xf8E4M3FN>, %o: memref<32x32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
        %t = tile.load %a : memref<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
        %wide = arith.extf %t : tensor<32x32xf8E4M3FN> to tensor<32x32xf16>
        %p = tile.gemm %wide, %wide : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
        tile.store %p, %o : tensor<32x32xf32>, memref<32x32xf32>
      }
      return
    }
    ```
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

    With `bulk-copies`, on chips that have them, a copy between global and shared
    memory is one by bulk tensor copies (`cp.async.bulk.tensor`), which has no
    threads, where all of this is known:

    - the elements keep their type of 1, 2, 4 or 8 bytes, padding is zero, no `rows`
      but, in a loop with a producer, those that follow each other in runs (then the
      copy becomes one a run, from the row that is computed for its first);
    - the memref is known on the host, or a view that the launch makes of one that is,
      of which the box is proved to be the same box of that (then the copy names it);
      its innermost stride is 1, its address and
      its other strides are multiples of 16 bytes, its rank is at most 5;
    - nothing in the launch writes it but other bulk copies back to it; an atomic of the
      block writes its own memref, and what is stored by bulk copies has none beside it;
    - the tile lies inside of its buffer, whose layout is boxes of a swizzle mode or
      dense, and each box has 512 bytes or more.

    What lies together in memory and in its buffer, and inside of the memref, is copied as
    bytes (`cp.async.bulk`), from any memref, where that takes no more instructions than
    boxes do and the launch has no clusters.

    The remark `CopyByThreads` names what is missing.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    func.func @f(%n: index, %a: memref<64x32xf32>, %o: memref<64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
        %s = tile.alloc : memref<64x32xf32, #shared>
        tile.copy %a to %s : memref<64x32xf32> to memref<64x32xf32, #shared>
        %t = tile.load %s : memref<64x32xf32, #shared> -> tensor<64x32xf32>
        %r = tile.reduce <add> %t dims [1] : tensor<64x32xf32> -> tensor<64xf32>
        tile.store %r, %o : tensor<64xf32>, memref<64xf32>
      }
      return
    }
    ```

    After `--tile-infer-layouts`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[64, 32], register = [4 : (0, 1), 16 : (4, 0)], lane = [8 : (0, 4), 4 : (1, 0)], warp = []>
    #g = #tile.fragment<[64], register = [16 : (4)], lane = [8 : (0), 4 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<64x32xf32>, %o: memref<64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<laid_out>} {
        %s = tile.alloc layout(#tile.shared<[64, 32], offset = [32 : (0, 1), 64 : (1, 0)], xor = [3, 4, 3]>) : memref<64x32xf32, #shared>
        tile.copy %a to %s {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 4 : i64} : memref<64x32xf32> to memref<64x32xf32, #shared>
        %t = tile.load %s {vector_width = 4 : i64} : memref<64x32xf32, #shared> -> tensor<64x32xf32, #f>
        %r = tile.reduce <add> %t dims [1] : tensor<64x32xf32, #f> -> tensor<64xf32, #g>
        tile.store %r, %o : tensor<64xf32, #g>, memref<64xf32>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
  let options = [
    Option<"bulkCopies", "bulk-copies", "bool", /*default=*/"false",
           "Whether copies are made by bulk tensor copies where possible">
  ];
}

include "tile/Transforms/LaidOutPasses.td"
include "tile/Transforms/ScheduledPasses.td"

#endif // TILE_TRANSFORMS_PASSES
