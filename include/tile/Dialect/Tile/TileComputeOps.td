//===- TileComputeOps.td - Gemm, reduce, scan, parallel ----*- tablegen -*-===//

#ifndef TILE_DIALECT_TILE_TILECOMPUTEOPS
#define TILE_DIALECT_TILE_TILECOMPUTEOPS

include "tile/Dialect/Tile/TileProductOp.td"

def Tile_GemmOp : Tile_ProductOp<"gemm",
    (ins Arg<Tile_FragmentOrShared, "M x K">:$a,
         Arg<Tile_FragmentOrShared, "K x N">:$b,
         Optional<Tile_Fragment>:$c),
    productKinds, [AccumulatesInPlace]> {
  let summary = "multiplies two tiles and adds a third";
  let description = [{
    `a * b + c`, without `c` `a * b`. `a` is M x K (K x M with `transpose_a`), `b`
    K x N (N x K with `transpose_b`); each is a fragment or a shared memref. The
    result's element type is the one that accumulates.

    - (C1) operands of rank 2 whose M, N and K agree.
    - (C2) a pair of types that the language knows: f16, bf16 to f32, f16 to f16,
      f32 to f32, f8 mixes to f32 or f16, i8 to i32, f64 to f64.
    - (C3) M and N multiples of 8; K of 16 (f16, bf16), 8 (tf32), 32 (i8, f8), 4
      (f64), 1 (f32 ieee).
    - (C4) `precision` only with f32, `unsigned_a` and `unsigned_b` only with i8.

    `instruction`, `warp_grid`, `load_a` and `load_b` are written by layout
    inference; the layouts of result and operands follow from them.

    Example:

    ```mlir
    func.func @example(%a: tensor<64x32xf16>, %c: tensor<64x128xf32>) {
      %b = tile.alloc
           : memref<128x32xf16, #gpu.address_space<workgroup>>
      %d = tile.gemm %a, %b, %c {transpose_b}
           : tensor<64x32xf16>, memref<128x32xf16, #gpu.address_space<workgroup>>
           -> tensor<64x128xf32>
      return
    }
    ```
  }];
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = [{
    $a `,` $b (`,` $c^)? attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let extraClassDeclaration = [{
    bool isUnsignedA() { return getUnsignedA(); }
    bool isUnsignedB() { return getUnsignedB(); }
    bool isTF32() { return getPrecision() == Precision::TF32; }
    ::mlir::OpOperand *getMetadata() { return nullptr; }
    ::mlir::RankedTensorType getProductType() { return getType(); }
  }];
}

def Tile_GemmSparseOp : Tile_ProductOp<"gemm_sparse",
    (ins Arg<Tile_FragmentOrShared, "M x K/2">:$a,
         Arg<Tile_FragmentOrShared, "M x K/16 of i16">:$meta,
         Arg<Tile_FragmentOrShared, "K x N">:$b,
         Optional<Tile_Fragment>:$c),
    productKinds, [AccumulatesInPlace]> {
  let summary = "multiplies a 2:4 sparse tile with a dense one";
  let description = [{
    `a` holds the kept half of an M x K tile as M x K/2; `meta` (M x K/16 of i16)
    holds for every four columns of K two 2-bit positions, increasing, lowest k in
    the lowest bits. Otherwise as `tile.gemm`.

    - (C1) shapes agree; K is a multiple of 32.

    Example:

    ```mlir
    func.func @example(%a: tensor<64x32xf16>, %e: tensor<64x4xi16>,
                  %b: tensor<64x64xf16>) {
      %d = tile.gemm_sparse %a, %e, %b : tensor<64x32xf16>, tensor<64x4xi16>,
                                         tensor<64x64xf16> -> tensor<64x64xf32>
      return
    }
    ```
  }];
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = [{
    $a `,` $meta `,` $b (`,` $c^)? attr-dict
    `:` type($a) `,` type($meta) `,` type($b) `->` type($result)
  }];
  let extraClassDeclaration = [{
    bool isUnsignedA() { return getUnsignedA(); }
    bool isUnsignedB() { return getUnsignedB(); }
    bool isTF32() { return getPrecision() == Precision::TF32; }
    ::mlir::OpOperand *getMetadata() { return &getMetaMutable(); }
    ::mlir::RankedTensorType getProductType() { return getType(); }
  }];
}

def Tile_GemmScaledOp : Tile_ProductOp<"gemm_scaled",
    (ins Arg<Tile_FragmentOrShared, "M x K">:$a,
         Arg<Tile_FragmentOrShared, "M x K/block">:$scale_a,
         Arg<Tile_FragmentOrShared, "K x N">:$b,
         Arg<Tile_FragmentOrShared, "N x K/block">:$scale_b,
         Optional<Tile_Fragment>:$c),
    (ins DefaultValuedAttr<I64Attr, "32">:$block), [AccumulatesInPlace]> {
  let summary = "multiplies two tiles with block scales along K";
  let description = [{
    `sa` is M x K/block, `sb` N x K/block; element (m, k) of `a` counts as
    `a * sa(m, k / block)`, likewise `b`. Otherwise as `tile.gemm`.

    - (C1) shapes agree; `block` (32 by default) is positive and divides K.
    - (C2) operands are floats of 8 bits and fewer, scales f8E8M0FNU or f8E4M3FN,
      the result f32.

    Example:

    ```mlir
    func.func @example(%a: tensor<64x64xf8E4M3FN>, %sa: tensor<64x2xf8E8M0FNU>,
                  %b: tensor<64x64xf8E4M3FN>, %sb: tensor<64x2xf8E8M0FNU>) {
      %d = tile.gemm_scaled %a, %sa, %b, %sb {block = 32 : i64, transpose_b}
           : tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU>,
             tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU> -> tensor<64x64xf32>
      return
    }
    ```
  }];
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = [{
    $a `,` $scale_a `,` $b `,` $scale_b (`,` $c^)? attr-dict
    `:` type($a) `,` type($scale_a) `,` type($b) `,` type($scale_b)
    `->` type($result)
  }];
  let extraClassDeclaration = [{
    bool isUnsignedA() { return false; }
    bool isUnsignedB() { return false; }
    bool isTF32() { return false; }
    ::mlir::OpOperand *getMetadata() { return nullptr; }
    ::llvm::SmallVector<::mlir::OpOperand *, 2> getScales() {
      return {&getScaleAMutable(), &getScaleBMutable()};
    }
    int64_t getScaleBlock() { return getBlock(); }
    /// `a * b` without scales, of slices of the operands along K.
    ::mlir::Value multiplyUnscaled(::mlir::OpBuilder &builder, ::mlir::Value a,
                                   ::mlir::Value b);
    ::mlir::RankedTensorType getProductType() { return getType(); }
  }];
}

def Tile_ReduceOp : Tile_Op<"reduce", [
    RecursivelySpeculatable, RecursiveMemoryEffects, AttrSizedOperandSegments,
    Tile_StatesLayouts, Tile_TakesFastMath, RegionsAre<"Combiner">]> {
  let summary = "combines the elements of fragments along dimensions";
  let description = [{
    With a kind: one fragment, combined as `vector.CombiningKind` says. Without: one
    or more fragments and a combiner region whose arguments are the accumulated
    values, then the new ones; associative and commutative, without memory access.
    `init` is combined exactly once. `dims` are increasing and may name all
    dimensions. Sums of f16 and bf16 accumulate in f32 and round once, after `init`.
    `fastmath` is that of `arith`, for the combining operation: `contract` lets a
    product that is summed fuse with the addition, where the product has it too.

    - (C1) `dims` are in range and increasing, and the results' shapes are the
      operands' without them.
    - (C2) a kind has one operand, the kind fits its element type, and no region.
    - (C3) a combiner takes and yields the element types.
    - (C4) `fastmath` only with a kind of floats; a combiner's operations have their
      own.

    Example:

    ```mlir
    func.func @example(%x: tensor<128x64xf32>, %idx: tensor<128x64xi32>) {
      %m = tile.reduce <maximumf> %x dims [1] : tensor<128x64xf32> -> tensor<128xf32>
      %sq = arith.mulf %x, %x fastmath<contract> : tensor<128x64xf32>
      %s = tile.reduce <add> %sq dims [1] fastmath<contract>
           : tensor<128x64xf32> -> tensor<128xf32>
      %v, %i = tile.reduce (%x, %idx) dims [1]
          : (tensor<128x64xf32>, tensor<128x64xi32>)
          -> (tensor<128xf32>, tensor<128xi32>) {
      ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
        %p = arith.cmpf ogt, %b, %a : f32
        %r = arith.select %p, %b, %a : f32
        %ri = arith.select %p, %bi, %ai : i32
        tile.yield %r, %ri : f32, i32
      }
      return
    }
    ```
  }];
  let arguments = (ins
    Variadic<Tile_Fragment>:$operands_,
    Variadic<Tile_Fragment>:$inits,
    OptionalAttr<Vector_CombiningKindAttr>:$kind,
    DenseI64ArrayAttr:$dims,
    Tile_FastMathFlags:$fastmath);
  let results = (outs Variadic<Tile_Fragment>:$results_);
  let regions = (region MaxSizedRegion<1>:$combiner);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getSources() { return getOperands_(); }
  }];
}

def Tile_ScanOp : Tile_Op<"scan", [
    RecursivelySpeculatable, RecursiveMemoryEffects, AttrSizedOperandSegments,
    Tile_StatesLayouts, Tile_TakesFastMath, RegionsAre<"Combiner">]> {
  let summary = "running combination of the elements along a dimension";
  let description = [{
    Element i of the result combines elements 0 to i (i to the end with `reverse`;
    without its own with `exclusive`). With a kind or a combiner as `tile.reduce`;
    an exclusive scan with a combiner takes `init`, the empty prefix, of the
    results' types without the scanned dimension; other scans take none.

    - (C1) `dim` is in range; results have the operands' types up to encoding.
    - (C2), (C3) as `tile.reduce`.
    - (C4) `init` exactly for an exclusive combiner.
    - (C5) `fastmath` as `tile.reduce`.

    Example:

    ```mlir
    func.func @example(%x: tensor<128x64xf32>) {
      %s = tile.scan <add> %x dim 0 {reverse, exclusive} : tensor<128x64xf32>
      %p, %q = tile.scan (%x, %x) dim 0 {reverse}
          : (tensor<128x64xf32>, tensor<128x64xf32>) {
      ^bb0(%a: f32, %c: f32, %b: f32, %d: f32):
        %r = arith.mulf %a, %b : f32
        %t = arith.mulf %c, %b : f32
        %u = arith.addf %t, %d : f32
        tile.yield %r, %u : f32, f32
      }
      return
    }
    ```
  }];
  let arguments = (ins
    Variadic<Tile_Fragment>:$operands_,
    Variadic<Tile_Fragment>:$inits,
    OptionalAttr<Vector_CombiningKindAttr>:$kind,
    I64Attr:$dim,
    UnitAttr:$reverse,
    UnitAttr:$exclusive,
    Tile_FastMathFlags:$fastmath);
  let results = (outs Variadic<Tile_Fragment>:$results_);
  let regions = (region MaxSizedRegion<1>:$combiner);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether parts of the dimension can be scanned alone and combined with what
    /// those in front of them total, padding being neutral: not with a combiner, nor
    /// with a kind that passes over NaN, to which no element is neutral.
    bool hasTotals();
  }];
}

def Tile_ParallelOp : Tile_Op<"parallel", [
    RecursivelySpeculatable, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    Tile_StatesLayouts, Tile_IterationSpaceOpInterface,
    RegionsAre<"Iteration">]> {
  let summary = "independent iterations over a static box";
  let description = [{
    Each iteration runs exactly once, as a sequential scalar program that sees its
    own writes and touches no element that another iteration writes, two atomics
    excepted. Captured fragments are read by `tensor.extract`, memory by `memref`
    operations at any index in bounds. Element (i, j) of each result is what
    iteration (i, j) yields. All iterations are complete before the next operation.

    - (C1) a box of rank 1 or more with positive extents, an `index` argument each.
    - (C2) results have the box's shape and the yielded element types.
    - (C3) the body holds only scalar operations that docs/Language.md lists.

    The vector width chosen divides `coalesced_width`. `layout` and `vector_width`
    are written by layout inference.

    Example:

    ```mlir
    func.func @example(%rowmax: tensor<128xf32>) {
      %p = tile.parallel (%i, %j) in (128, 64) -> (tensor<128x64xf32>)
          attributes {coalesced_width = 4 : i64} {
        %m = tensor.extract %rowmax[%i] : tensor<128xf32>
        tile.yield %m : f32
      }
      return
    }
    ```
  }];
  let arguments = (ins
    DenseI64ArrayAttr:$shape,
    OptionalAttr<I64Attr>:$coalesced_width,
    OptionalAttr<Tile_FragmentAttr>:$layout,
    OptionalAttr<I64Attr>:$vector_width);
  let results = (outs Variadic<Tile_Fragment>:$results_);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::BlockArgument> getInductionVars() {
      return getBody().front().getArguments();
    }
    YieldOp getYield();
    IterationEffects getIterationEffects();
  }];
}

#endif // TILE_DIALECT_TILE_TILECOMPUTEOPS
