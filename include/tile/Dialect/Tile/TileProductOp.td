//===- TileProductOp.td - What matrix products share -------*- tablegen -*-===//

#ifndef TILE_DIALECT_TILE_TILEPRODUCTOP
#define TILE_DIALECT_TILE_TILEPRODUCTOP

include "tile/Dialect/Tile/TileOpBase.td"

/// A matrix product: operands, what the user says about them, and what layout
/// inference writes. `warp_grid` counts the warps (or warpgroups) along M and N
/// that share the result; `load_a` and `load_b` bring operands in shared memory
/// to registers.
class Tile_ProductOp<string opMnemonic, dag operands, dag options,
                     list<Trait> traits = []>
    : Tile_Op<opMnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        Tile_StatesLayouts, Tile_MatrixProductOpInterface])> {
  let arguments = !con(operands,
    (ins UnitAttr:$transpose_a, UnitAttr:$transpose_b), options,
    (ins OptionalAttr<Tile_WarpsAttr>:$warps,
         OptionalAttr<Tile_InstructionAttr>:$instruction,
         OptionalAttr<DenseI64ArrayAttr>:$warp_grid,
         OptionalAttr<Tile_OperandLoadAttr>:$load_a,
         OptionalAttr<Tile_OperandLoadAttr>:$load_b));
  let hasVerifier = 1;
}

/// Of products of integers and of f32.
defvar productKinds = (ins UnitAttr:$unsigned_a, UnitAttr:$unsigned_b,
                           OptionalAttr<Tile_PrecisionAttr>:$precision);

/// What is added has the type of the result.
defvar AccumulatesInPlace =
    OptionalTypesMatchWith<"the accumulator has the result's type", "result",
                           "c", "$_self">;

#endif // TILE_DIALECT_TILE_TILEPRODUCTOP
