//===- TileInterfaces.h - What operations answer ----------------*- C++ -*-===//
//
// The dialect's interfaces and what they exchange. A pass asks an operation
// through them and never by its name; see TileInterfaces.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_TILEINTERFACES_H
#define TILE_DIALECT_TILE_TILEINTERFACES_H

#include "tile/Dialect/Tile/BlockAccess.h"
#include "tile/Dialect/Tile/LayoutConstraints.h"
#include "tile/Hardware/BulkBoxes.h"
#include "tile/Hardware/ElementKind.h"
#include "tile/Hardware/GemmPlan.h"

#include "mlir/IR/OpDefinition.h"

#include "tile/Dialect/Tile/TileInterfaces.h.inc"

namespace mlir::tile {

/// The element kinds of a product's operands and accumulator.
struct ProductKinds {
  tilec::ElementKind a, b, accumulator;
};

/// Nothing for types that no instruction of any chip multiplies.
std::optional<ProductKinds> getProductKinds(MatrixProductOpInterface product);

/// The scales of a product; nothing without, and for those that no instruction
/// takes.
std::optional<tilec::BlockScaling>
getBlockScaling(MatrixProductOpInterface product);

/// The layouts of a product whose instruction and grid of warps are chosen, as
/// they follow from those. Fails with the reason where the grid does not fit
/// the product, and where nothing is chosen or follows (products by single
/// threads).
tilec::Expected<tilec::GemmPlan>
getProductPlan(MatrixProductOpInterface product);

/// The operands of a product that lie across K in shared memory, of bytes, of which
/// registers take four along K: they come in pairs where the plan can have them so.
tilec::BytePairs getWantedPairs(MatrixProductOpInterface product);

/// The layouts that `plan` fixes: of the operands that are fragments and of the
/// result.
SmallVector<DemandedLayout> getDemandedLayouts(MatrixProductOpInterface product,
                                               const tilec::GemmPlan &plan);

/// Attaches the interfaces to upstream's operations; called by the dialect.
void attachEffectsToScf(MLIRContext *context);
void attachInterfacesToScf(MLIRContext *context);
void attachInterfacesToTensor(MLIRContext *context);
void attachInterfacesToMemRef(MLIRContext *context);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_TILEINTERFACES_H
