//===- TileOpBase.td - What all tile operations share ------*- tablegen -*-===//

#ifndef TILE_DIALECT_TILE_TILEOPBASE
#define TILE_DIALECT_TILE_TILEOPBASE

include "tile/Dialect/Tile/TileAttributes.td"
include "tile/Dialect/Tile/TileInterfaces.td"
include "tile/Dialect/Tile/TileTypeDefs.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Dialect/Arith/IR/ArithOpsInterfaces.td"
include "mlir/Dialect/Vector/IR/VectorAttributes.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Where an operation may stand, and what kind of place its regions are; see
/// Places.h.
class StandsIn<string place> : NativeOpTrait<"StandsIn" # place> {
  let cppNamespace = "::mlir::tile";
}
class RegionsAre<string place> : NativeOpTrait<"RegionsAre" # place> {
  let cppNamespace = "::mlir::tile";
}

/// What is not said otherwise acts on the whole block.
class Tile_Op<string opMnemonic, list<Trait> traits = [],
              list<Trait> places = [StandsIn<"Block">]>
    : Op<Tile_Dialect, opMnemonic, !listconcat(traits, places)>;

/// Wherever a scalar program runs: as the block, in iterations, by one thread.
defvar inScalarCode = [StandsIn<"Block">, StandsIn<"Iteration">,
                       StandsIn<"Once">];

// Effects that are not accesses of memory; see BlockAccess.h.
def Tile_ConsoleResource : Resource<"::mlir::tile::ConsoleResource">;
def Tile_TrapResource : Resource<"::mlir::tile::TrapResource">;
def Tile_OrderResource : Resource<"::mlir::tile::OrderResource">;

/// Says something to people; stops the program.
def Tile_ConsoleEffects : MemoryEffects<[MemWrite<Tile_ConsoleResource>]>;
def Tile_TrapEffects : MemoryEffects<[MemWrite<Tile_TrapResource>]>;

/// Orders accesses. Upstream's passes are told that any memory may change, as
/// other threads' accesses become visible; to this project's it is no access.
def Tile_OrderEffects : MemoryEffects<[
    MemRead, MemWrite, MemRead<Tile_OrderResource>,
    MemWrite<Tile_OrderResource>]>;

defvar Tile_StatesLayouts =
    DeclareOpInterfaceMethods<Tile_LayoutConstraintsOpInterface>;
defvar Tile_StatesAccesses =
    DeclareOpInterfaceMethods<Tile_BlockAccessOpInterface>;

/// An operation that combines floats as `arith` does, and takes its flags.
defvar Tile_TakesFastMath = DeclareOpInterfaceMethods<ArithFastMathInterface>;
defvar Tile_FastMathFlags = DefaultValuedAttr<
    Arith_FastMathAttr, "::mlir::arith::FastMathFlags::none">;

/// A tile held by the block's threads: a tensor of static shape.
def Tile_Fragment : Type<
    And<[AnyStaticShapeTensor.predicate,
         CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">]>,
    "ranked tensor of static shape", "::mlir::RankedTensorType">;

def Tile_IndexFragment1D : Type<
    And<[Tile_Fragment.predicate,
         CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() == 1">,
         CPred<"::llvm::cast<::mlir::RankedTensorType>($_self)"
               ".getElementType().isSignlessIntOrIndex()">]>,
    "1-D tensor of integers or indices", "::mlir::RankedTensorType">;

/// A buffer in shared memory.
def Tile_SharedMemRef : Type<
    And<[AnyMemRef.predicate,
         CPred<"::mlir::tile::isSharedMemory("
               "::llvm::cast<::mlir::MemRefType>($_self))">]>,
    "memref in workgroup memory", "::mlir::MemRefType">;

/// What the host tells bulk copies of a tensor.
def Tile_TensorMap
    : Type<CPred<"::llvm::isa<TensorMapType>($_self)">, "tensor map">,
      BuildableType<"::mlir::tile::TensorMapType::get($_builder.getContext())">;

/// An operand of a gemm.
def Tile_FragmentOrShared : Type<
    Or<[Tile_Fragment.predicate, Tile_SharedMemRef.predicate]>,
    "fragment or memref in workgroup memory">;

#endif // TILE_DIALECT_TILE_TILEOPBASE
