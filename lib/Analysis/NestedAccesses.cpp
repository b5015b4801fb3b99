//===- NestedAccesses.cpp - What is done to memory in an operation --------===//

#include "tile/Analysis/NestedAccesses.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

using namespace mlir;
using namespace mlir::tile;

bool tile::isWrittenIn(Operation *root, Value memref) {
  WalkResult walk = root->walk([&](Operation *op) {
    if (op->getNumRegions() > 0)
      return WalkResult::advance();
    bool writes =
        llvm::any_of(getBlockAccesses(op), [&](const BlockAccess &access) {
          return access.writes && !access.isGlobalOnly &&
                 (!access.memref || mayOverlap(access.memref, memref));
        });
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

bool tile::isFilledByBulkIn(Operation *root, AllocOp buffer) {
  WalkResult walk = root->walk([&](Operation *op) {
    bool fills =
        llvm::any_of(getBlockAccesses(op), [&](const BlockAccess &access) {
          return access.writes && access.isShared() &&
                 access.completion == tilec::Completion::Mbarrier &&
                 getSharedRoot(access.memref) == buffer.getResult();
        });
    return fills ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}
