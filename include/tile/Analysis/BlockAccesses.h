//===- BlockAccesses.h - What block-level operations touch ------*- C++ -*-===//
//
// The block-level operations of a launch in program order, the accesses of each
// (BlockAccess.h), and which of those may touch a common byte. Liveness,
// barriers and pipelining are read from this one table.
//
// What is inside a `tile.parallel` or `tile.once` belongs to it; operations that
// control flow are block level themselves, and so is what is in their regions.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_BLOCKACCESSES_H
#define TILE_ANALYSIS_BLOCKACCESSES_H

#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::tile {

/// The accesses of a block-level operation, those in its regions included, one
/// for each memref. Empty for operations whose regions are block level
/// themselves (scf.for, ...). An operation that says nothing of itself is taken
/// to touch everything.
SmallVector<BlockAccess> getBlockAccesses(Operation *op);

/// The indices of the one element that `op` loads or stores; empty for others.
ValueRange getElementIndices(Operation *op);

/// Whether two accesses may touch a common byte.
bool mayOverlap(const BlockAccess &lhs, const BlockAccess &rhs);

/// Whether two memrefs may share a byte. Buffers of one arena are compared by
/// their bytes in it.
bool mayOverlap(Value lhs, Value rhs);

/// The block-level operations of a launch; a position is a program point.
class ProgramPoints {
public:
  explicit ProgramPoints(LaunchOp launch);

  ArrayRef<Operation *> getOperations() const { return operations; }
  int64_t getPosition(Operation *op) const { return positions.lookup(op); }

  /// All accesses, by the position of their operation.
  ArrayRef<BlockAccess> getAccesses() const { return accesses; }
  /// The numbers [first, last) of an operation's accesses among them.
  std::pair<int64_t, int64_t> getAccessRange(Operation *op) const;

private:
  SmallVector<Operation *> operations;
  llvm::DenseMap<Operation *, int64_t> positions;
  SmallVector<BlockAccess> accesses;
  /// By position: the number of the first access; one more entry at the end.
  SmallVector<int64_t> firstAccesses;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_BLOCKACCESSES_H
