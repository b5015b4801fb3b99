//===- ConflictScope.cpp - Whose accesses conflict ------------------------===//

#include "tile/Analysis/ConflictScope.h"

#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether every thread touches in `later` only elements that it alone touched
/// in `earlier`: the same box of the same memref in the same layout, in which
/// no element is held twice. Then the threads' own order is enough.
static bool isThreadPrivate(const BlockAccess &earlier,
                            const BlockAccess &later) {
  if (!earlier.threads || earlier.threads != later.threads)
    return false;
  const Side &first = *earlier.side, &second = *later.side;
  if (first.memref != second.memref || first.box != second.box ||
      !llvm::equal(first.indices, second.indices))
    return false;
  // Elements of less than a byte share it with their neighbours.
  if (getMemoryBits(first.getType().getElementType()) < 8)
    return false;
  return earlier.threads.getLayout().getReplication() == 1;
}

ConflictScope tile::getConflictScope(const BlockAccess &earlier,
                                     const BlockAccess &later,
                                     PlaceFacts facts) {
  if (facts.hasSameValues && isThreadPrivate(earlier, later))
    return ConflictScope::Thread;
  return ConflictScope::Block;
}
