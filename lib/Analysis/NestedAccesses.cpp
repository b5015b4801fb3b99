//===- NestedAccesses.cpp - What is done to memory in an operation --------===//

#include "tile/Analysis/NestedAccesses.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

SmallVector<BlockAccess> tile::getNestedAccesses(Operation *op) {
  SmallVector<BlockAccess> accesses;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    llvm::append_range(accesses, getBlockAccesses(inner));
    bool isBlockLevelInside =
        inner->getNumRegions() == 0 || isa<RegionBranchOpInterface>(inner);
    return isBlockLevelInside ? WalkResult::advance() : WalkResult::skip();
  });
  return accesses;
}

bool tile::isIn(const BlockAccess &access, AllocOp buffer) {
  return access.isShared() &&
         getSharedRoot(access.memref) == buffer->getResult(0);
}

bool tile::readsGlobal(const BlockAccess &access) {
  return access.reads && access.isGlobal();
}

bool tile::mayWriteTo(const BlockAccess &access, Value memref) {
  return access.writes && !access.isGlobalOnly &&
         (!access.memref || mayOverlap(access.memref, memref));
}

bool tile::isWrittenIn(Operation *root, Value memref) {
  return llvm::any_of(getNestedAccesses(root), [&](const BlockAccess &access) {
    return mayWriteTo(access, memref);
  });
}

SmallVector<Value> tile::getWrittenBuffers(Operation *root) {
  SmallVector<Value> buffers;
  for (const BlockAccess &access : getNestedAccesses(root)) {
    if (!access.writes || !access.isShared())
      continue;
    Value buffer = getSharedRoot(access.memref);
    if (buffer && !llvm::is_contained(buffers, buffer))
      buffers.push_back(buffer);
  }
  return buffers;
}

bool tile::isBulkFill(const BlockAccess &access) {
  return access.writes && access.completion == tilec::Completion::Mbarrier;
}

bool tile::isFilledByBulkIn(Operation *root, AllocOp buffer) {
  return llvm::any_of(getNestedAccesses(root), [&](const BlockAccess &access) {
    return isBulkFill(access) && isIn(access, buffer);
  });
}

bool tile::arrivesLate(Operation *root) {
  return llvm::any_of(getNestedAccesses(root), [](const BlockAccess &access) {
    return access.completion != tilec::Completion::Immediate;
  });
}

bool tile::onlyReadsGlobal(Operation *root) {
  SmallVector<BlockAccess> accesses = getNestedAccesses(root);
  return !accesses.empty() &&
         llvm::all_of(accesses, [](const BlockAccess &access) {
           return readsGlobal(access) && !access.writes;
         });
}

bool tile::loadsGlobal(Operation *root) {
  return root->getNumResults() > 0 &&
         llvm::any_of(getNestedAccesses(root), readsGlobal);
}
