//===- MemRefAccesses.cpp - What upstream's atomics do to memory ----------===//

#include "tile/Dialect/Tile/TileInterfaces.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
struct AtomicAccesses final
    : BlockAccessOpInterface::ExternalModel<AtomicAccesses,
                                            memref::AtomicRMWOp> {
  void getBlockAccesses(Operation *op,
                        SmallVectorImpl<BlockAccess> &accesses) const {
    auto atomic = cast<memref::AtomicRMWOp>(op);
    BlockAccess access;
    access.reads = access.writes = true;
    // At block level an atomic on global memory releases everything the block
    // did before and acquires everything it does after: it is ordered with all
    // of global memory.
    bool isBlockLevel = !op->getParentOfType<ParallelOp>();
    if (isBlockLevel && !isSharedMemory(atomic.getMemRefType())) {
      access.isGlobalOnly = true;
    } else {
      access.memref = atomic.getMemref();
      if (atomic.getResult().use_empty())
        access.combines = getCommutingKind(atomic.getKind());
    }
    accesses.push_back(access);
  }
};
} // namespace

void tile::attachInterfacesToMemRef(MLIRContext *context) {
  memref::AtomicRMWOp::attachInterface<AtomicAccesses>(*context);
}
