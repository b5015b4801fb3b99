//===- LegalOperations.h - The closed list of legal operations --*- C++ -*-===//
//
// Which operations may stand where in a tile program, and what their types may
// be. The dialect's own say so themselves (Places.h); of others this is the one
// place that has the list for the compiler. docs/Language.md has it for people.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_DIALECT_TILE_VERIFY_LEGALOPERATIONS_H
#define TILE_LIB_DIALECT_TILE_VERIFY_LEGALOPERATIONS_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Whether `op` may stand at `place`; if not, an error at the operation that
/// names the remedy. Looks at the operation itself, not at its types.
LogicalResult verifyLegalOperation(Operation *op, Place place);

/// Whether no attribute of `op` is misspelt: an operation of ours has its own and those
/// of dialects, another no hint without its `tile.`.
LogicalResult verifyAttributeNames(Operation *op);

/// `verifyLegalOperation` of every operation in a region, nested ones included.
LogicalResult verifyLegalOperations(Region &region, Place place);

/// Whether the element types of `op` are ones that it may have: on floats of 8
/// bits and fewer only a few operations exist.
LogicalResult verifyElementTypes(Operation *op);

/// Whether a value of this type may exist at `place`; if not, an error made by
/// `emitError`.
LogicalResult verifyValueType(Type type, Place place,
                              function_ref<InFlightDiagnostic()> emitError);

/// Whether the language has this element type.
bool isLegalElementType(Type type);

/// Elements of the largest fragment or box of iterations: several times what
/// the registers of a multiprocessor hold, and few enough to plan for.
inline constexpr int64_t maxTileElements = 1 << 20;

/// Elements of the largest shared buffer or box of a copy between memrefs: far
/// more than a block should hold or move, and few enough to plan for.
inline constexpr int64_t maxMemoryElements = 1 << 28;

/// Whether a static shape has more than `most` elements.
bool isTooLarge(llvm::ArrayRef<int64_t> shape, int64_t most = maxTileElements);

/// Floats of 8 bits and fewer: values to store, convert and multiply by `gemm`.
bool isNarrowFloat(Type type);

} // namespace mlir::tile

#endif // TILE_LIB_DIALECT_TILE_VERIFY_LEGALOPERATIONS_H
