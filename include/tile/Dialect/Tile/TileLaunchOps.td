//===- TileLaunchOps.td - Launches, buffers, terminator ----*- tablegen -*-===//

#ifndef TILE_DIALECT_TILE_TILELAUNCHOPS
#define TILE_DIALECT_TILE_TILELAUNCHOPS

include "tile/Dialect/Tile/TileOpBase.td"

// A launch is never dead, whatever its body does: its kernel has a name that
// somebody may ask for.
def Tile_LaunchOp : Tile_Op<"launch", [
    MemoryEffects<[MemWrite]>, RecursiveMemoryEffects, AutomaticAllocationScope,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>],
    [StandsIn<"Host">, RegionsAre<"Block">]> {
  let summary = "runs a sequential program over tiles on every block of a grid";
  let description = [{
    The region is executed once per block of the grid; its arguments are the
    block's coordinates, fastest first. `threads` is the number of threads that
    compute: whole warps, at most 1024. Values from outside may be used inside and
    become kernel parameters. Launches of one function run one after another;
    blocks of one launch in any order.

    - (C1) 1 to 3 extents, as many block arguments, all of type `index`.
    - (C2) `threads` is a positive multiple of the warp size that a block can
      have; of every layout, lanes times warps is `threads`.
    - (C3) `cluster` has positive extents, at most as many as the grid;
      `min_blocks_per_sm` and `max_registers` are positive.
    - (C4) the body, and every function that it calls, holds only the operations
      and types that docs/Language.md lists; calls are not recursive.
    - (C5) every shared memref traces through views to one `tile.alloc`.
    - (C6) reshapes and slices of values with layouts carry the derived layout.
    - (C7) captured values are scalars, memrefs in global memory and constants.
    - (C8) what `stage` promises holds.
    - (C9) the function around it is host code and holds only what the language
      page lists for that; in it no element of a memref is touched.
    - (C10) the consumers among `roles` are the threads that compute; a pending
      value is consumed exactly once on every path.

    Attributes: `min_blocks_per_sm`, `max_registers`, `rasterize`, `persistent`,
    `programmatic_dependent_launch`, `warp_specialize`, `consumers`, and `roles` and
    `stage`, set by passes. From stage `logical` on `consumers = pingpong` says that the
    iterations of the outermost loop, the tiles of a `persistent` launch, are blocks of
    the grid: none waits for or relies on another.

    Example:

    ```mlir
    func.func @f(%n: index) {
      tile.launch @kernel blocks(%bx, %by) in (%n, %n) threads(128)
          attributes {min_blocks_per_sm = 2 : i64} {
        %s = tile.alloc : memref<32xf32, #gpu.address_space<workgroup>>
      }
      return
    }
    ```
  }];
  let arguments = (ins
    Variadic<Index>:$grid,
    I64Attr:$threads,
    OptionalAttr<StrAttr>:$kernel,
    OptionalAttr<DenseI64ArrayAttr>:$cluster,
    OptionalAttr<I64Attr>:$min_blocks_per_sm,
    OptionalAttr<I64Attr>:$max_registers,
    OptionalAttr<Tile_RasterizeAttr>:$rasterize,
    UnitAttr:$persistent,
    UnitAttr:$programmatic_dependent_launch,
    OptionalAttr<Tile_WarpSpecializeAttr>:$warp_specialize,
    OptionalAttr<Tile_ConsumersAttr>:$consumers,
    OptionalAttr<Tile_RolesAttr>:$roles,
    OptionalAttr<Tile_StageAttr>:$stage);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  // With an empty body whose arguments are the block's coordinates.
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$grid, "int64_t":$threads,
                             CArg<"::llvm::StringRef", "{}">:$name)>];
  let extraClassDeclaration = [{
    /// The stage reached; `Source` without the attribute.
    Stage getReachedStage() {
      return getStage() ? getStageAttr().getValue() : Stage::Source;
    }
    int64_t getWarpCount(int64_t warpSize) { return getThreads() / warpSize; }
    /// The teams that compute tiles of their own, each with all `threads`, which
    /// `tile-specialize-warps` makes of one program: 2 with `consumers = pingpong`.
    int64_t getTeamCount() {
      return getConsumers() == Consumers::PingPong ? 2 : 1;
    }
    ::llvm::ArrayRef<::mlir::BlockArgument> getBlockIds() {
      return getBody().front().getArguments();
    }
  }];
}

def Tile_YieldOp : Tile_Op<"yield", [
    Pure, Terminator, ReturnLike,
    ParentOneOf<["LaunchOp", "ParallelOp", "ReduceOp", "ScanOp", "OnceOp"]>],
    [StandsIn<"Block">, StandsIn<"Iteration">, StandsIn<"Once">,
     StandsIn<"Combiner">]> {
  let summary = "ends the region of a tile operation";
  let description = [{
    Ends a `tile.launch` or `tile.once` (without values, not printed), an
    iteration of a `tile.parallel` or a combiner of `tile.reduce` and `tile.scan`.

    Example:

    ```mlir
    %c = arith.constant 1.0 : f32
    %p = tile.parallel (%i) in (128) -> (tensor<128xf32>) {
      tile.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ /* no values */ }]>];
}

def Tile_AllocOp : Tile_Op<"alloc"> {
  let summary = "makes a fresh buffer in the block's shared memory";
  let description = [{
    Each execution makes a buffer with undefined contents. Its lifetime is found
    by the compiler. `layout` fixes where elements lie; inference chooses one
    where it is absent. `alignment` is in bytes.

    - (C1) static shape, identity layout map in the type.
    - (C2) the layout has the buffer's shape and fits its element type.
    - (C3) the alignment is a power of two and at least the element's.

    Example:

    ```mlir
    %s = tile.alloc layout(#tile.shared<[128, 32], swizzle = 64>) alignment(1024)
         : memref<128x32xf16, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins
    OptionalAttr<Tile_SharedAttr>:$layout,
    OptionalAttr<I64Attr>:$alignment);
  let results = (outs
    Res<Tile_SharedMemRef, "the buffer", [MemAlloc]>:$result);
  let assemblyFormat = [{
    (`layout` `(` custom<BufferLayout>($layout)^ `)`)? (`alignment` `(` $alignment^ `)`)? attr-dict
    `:` type($result)
  }];
  let hasVerifier = 1;
}

#endif // TILE_DIALECT_TILE_TILELAUNCHOPS
