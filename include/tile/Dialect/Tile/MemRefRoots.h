//===- MemRefRoots.h - Where memrefs come from ------------------*- C++ -*-===//
//
// A *root* is where a memref comes from when views, assumptions, selections and
// values carried by control flow are looked through: an argument, an
// allocation, a `tile.view`. What may alias, what must be ordered and what
// lives how long are all questions about roots.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_MEMREFROOTS_H
#define TILE_DIALECT_TILE_MEMREFROOTS_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"

#include <optional>

namespace mlir::tile {

/// Where `memref` may come from, in a fixed order.
SmallVector<Value> getMemRefRoots(Value memref);

/// The `tile.alloc`, `tile.view` or `tile.arena` result that a shared memref is
/// a view of; null if it does not trace to one (a block argument, a select, a
/// region's result).
Value getSharedRoot(Value memref);

/// The dimension of the shared root of `memref` that its dimension `dim` runs
/// along, one element a step: where every view in between is a cast, a subview
/// at an offset that `accepts` (null: at any), or a reshape that neither joins nor
/// splits the dimension.
std::optional<int64_t>
getRootDim(Value memref, int64_t dim,
           llvm::function_ref<bool(OpFoldResult)> accepts = nullptr);

/// Whether a global root may overlap other roots than itself: an argument with
/// `tile.may_alias`, or a value whose origin is not known.
bool mayAliasOthers(Value root);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_MEMREFROOTS_H
