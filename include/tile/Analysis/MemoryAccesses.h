//===- MemoryAccesses.h - What block-level operations touch -----*- C++ -*-===//
//
// A block-level operation reads and writes whole memrefs as one step. This
// header answers which ones, through which roots they alias, and which bytes of
// the arena a shared one takes. Effects come from the operations' own
// interfaces; an operation that states none is taken to touch everything.
//
// A *root* is where a memref comes from when views, selections and loop-carried
// values are looked through: an argument, an allocation, a `tile.view`.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_MEMORYACCESSES_H
#define TILE_ANALYSIS_MEMORYACCESSES_H

#include "tile/Dialect/Tile/TileOps.h"

#include <optional>

namespace mlir::tile {

/// One memref that an operation touches.
struct MemoryAccess {
  Operation *op = nullptr; ///< the block-level operation
  /// What is touched; null means any memory, or any global memory.
  Value memref;
  bool isGlobalOnly = false;
  bool reads = false;
  bool writes = false;
  /// Done by asynchronous copies: complete only after `tile.copy_wait`.
  bool isAsync = false;
  /// Set where every element is combined by this kind atomically and the old
  /// value is not used.
  std::optional<arith::AtomicRMWKind> combines;
};

/// The accesses of a block-level operation, those inside a `tile.parallel` or
/// `tile.once` included. Empty for operations whose regions are block level
/// themselves (scf.for, ...) and for allocations, barriers and waits.
SmallVector<MemoryAccess> getMemoryAccesses(Operation *op);

/// Where `memref` may come from, in a fixed order.
SmallVector<Value> getMemRefRoots(Value memref);

/// Whether a global root may overlap other roots than itself: an argument with
/// `tile.may_alias`, or a value whose origin is not known.
bool mayAliasOthers(Value root);

/// Whether two accesses may touch a common byte.
bool mayOverlap(const MemoryAccess &lhs, const MemoryAccess &rhs);

/// Whether two memrefs may share a byte. Buffers of one arena are compared by
/// their bytes in it.
bool mayOverlap(Value lhs, Value rhs);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_MEMORYACCESSES_H
