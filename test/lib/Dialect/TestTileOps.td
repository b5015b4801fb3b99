//===- TestTileOps.td - Operations of another dialect ------*- tablegen -*-===//
//
// A dialect that the compiler has never heard of. Its operations stand in the
// body of a launch and answer by the interfaces of the tile dialect, which is
// all that an operation needs to go through the pipeline up to kernels.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_LIB_DIALECT_TESTTILEOPS
#define TILE_TEST_LIB_DIALECT_TESTTILEOPS

include "tile/Dialect/Tile/TileOpBase.td"

def TestTile_Dialect : Dialect {
  let name = "test_tile";
  let cppNamespace = "::mlir::tile::test";
}

class TestTile_Op<string opMnemonic, list<Trait> traits = []>
    : Op<TestTile_Dialect, opMnemonic, !listconcat(traits,
                                                   [StandsIn<"Block">])>;

/// Answers about layouts and about memory.
def TestTile_ScaleRowsOp : TestTile_Op<"scale_rows", [
    AllShapesMatch<["source", "result"]>,
    AllElementTypesMatch<["source", "factors", "result"]>,
    Tile_StatesLayouts, Tile_StatesAccesses]> {
  let summary = "multiplies each row by its factor in shared memory";
  let arguments = (ins
    Tile_Fragment:$source,
    Arg<Tile_SharedMemRef, "one factor a row", [MemRead]>:$factors);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = [{
    $source `by` $factors attr-dict
    `:` type($source) `,` type($factors) `->` type($result)
  }];
  let hasVerifier = 1;
}

/// Answers about memory; has no fragment.
def TestTile_FillOp : TestTile_Op<"fill", [
    TypesMatchWith<"the value is an element of the buffer", "dest", "value",
        "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">,
    Tile_StatesAccesses]> {
  let summary = "writes one value to all of a shared buffer";
  let arguments = (ins
    Arg<Tile_SharedMemRef, "all of it is written", [MemWrite]>:$dest,
    AnyType:$value);
  let assemblyFormat = "$dest `with` $value attr-dict `:` type($dest)";
}

/// Answers about layouts: those of its sides differ.
def TestTile_NegateTransposedOp : TestTile_Op<"negate_transposed", [
    Pure, AllElementTypesMatch<["source", "result"]>, Tile_StatesLayouts]> {
  let summary = "negates a matrix and exchanges its dimensions";
  let arguments = (ins Tile_Fragment:$source);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

/// Demands something of a buffer: as an instruction behind a descriptor would.
def TestTile_ScaleTilesOp : TestTile_Op<"scale_tiles", [
    AllElementTypesMatch<["source", "factors", "result"]>,
    AllTypesMatch<["source", "result"]>,
    Tile_StatesLayouts, Tile_StatesAccesses]> {
  let summary = "multiplies a matrix by one that a descriptor names";
  let description = [{
    The factors lie in tiles of 8 rows under an XOR mode of `swizzle` bytes.
  }];
  let arguments = (ins
    Tile_Fragment:$source,
    Arg<Tile_SharedMemRef, "a factor for each element", [MemRead]>:$factors,
    I64Attr:$swizzle);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = [{
    $source `by` $factors `swizzle` $swizzle attr-dict
    `:` type($source) `,` type($factors) `->` type($result)
  }];
  let hasVerifier = 1;
}

/// Has an iteration space that threads share.
def TestTile_IotaOp : TestTile_Op<"iota", [
    Pure, Tile_StatesLayouts, Tile_IterationSpaceOpInterface]> {
  let summary = "the number of each element";
  let arguments = (ins
    DenseI64ArrayAttr:$shape,
    OptionalAttr<I64Attr>:$coalesced_width,
    OptionalAttr<Tile_FragmentAttr>:$layout,
    OptionalAttr<I64Attr>:$vector_width);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$shape attr-dict `:` type($result)";
}

/// States a layout of an operand that is no fragment.
def TestTile_MisstatedOp : TestTile_Op<"misstated", [Tile_StatesLayouts]> {
  let summary = "states what makes no sense";
  let arguments = (ins Tile_SharedMemRef:$source);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

#endif // TILE_TEST_LIB_DIALECT_TESTTILEOPS
