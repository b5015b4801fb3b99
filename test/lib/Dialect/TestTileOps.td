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

#endif // TILE_TEST_LIB_DIALECT_TESTTILEOPS
