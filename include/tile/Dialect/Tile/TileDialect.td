//===- TileDialect.td - The tile dialect -------------------*- tablegen -*-===//

#ifndef TILE_DIALECT_TILE_TILEDIALECT
#define TILE_DIALECT_TILE_TILEDIALECT

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::mlir::tile";
  let summary = "Sequential programs over tiles for the thread blocks of a GPU";
  let description = [{
    The body of a `tile.launch` is a sequential program for one thread block.
    Every operation acts on the whole block as one step. Data lives in global
    memory (`memref`), in shared memory (`memref` in the workgroup address space,
    made by `tile.alloc`), in fragments (`tensor`, held by the block's threads in
    registers) and in scalars, which are uniform over the block.

    Threads, barriers, asynchrony, register layouts and shared-memory addresses
    are not in the source; passes introduce them. The stage that a launch has
    reached is its attribute `stage`; a launch without one is *source*, the stage
    at which the meaning of a program is defined.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"
  ];
  let discardableAttrs = (ins
    "::mlir::IntegerAttr":$stages,
    "::mlir::IntegerAttr":$pipeline_stage,
    "::mlir::IntegerAttr":$pipeline_order,
    "::mlir::IntegerAttr":$align,
    "::mlir::DenseI64ArrayAttr":$divisible,
    "::mlir::ArrayAttr":$dims,
    "::mlir::UnitAttr":$may_alias,
    "::mlir::tile::MemRefFactsAttr":$memref_facts,
    "::mlir::tile::ScalarFactsAttr":$scalar_facts,
    "::mlir::ArrayAttr":$operand_facts,
    "::mlir::UnitAttr":$programmatic_dependent_launch,
    "::mlir::tile::StageAttr":$stage,
    "::mlir::tile::TargetAttr":$target
  );
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Attributes, types and operations are registered by the files that
    /// implement them.
    void registerAttributes();
    void registerTypes();
    void registerOperations();
  }];
}

#endif // TILE_DIALECT_TILE_TILEDIALECT
