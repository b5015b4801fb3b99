//===- ThreadFills.cpp - Copies that a producer's threads make ------------===//

#include "ThreadFills.h"
#include "BufferWalk.h"
#include "CopiesByThreads.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/ThreadCopy.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether an operation that has a thread's layout fills shared memory: a copy
/// that threads make.
static bool isCopyByThreads(Operation *op) {
  if (!isFill(op) || isBulkLoad(op))
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<CopyOp, Im2ColOp>([](auto copy) { return bool(copy.getLayout()); })
      .Default(false);
}

/// The copies of threads in loops of several stages.
static SmallVector<Operation *> findCopies(LaunchOp launch) {
  llvm::SetVector<Operation *> copies;
  TileDialect::StagesAttrHelper stages(launch.getContext());
  launch.walk([&](scf::ForOp loop) {
    IntegerAttr asked = stages.getAttr(loop);
    if (asked && asked.getInt() > 1)
      loop.walk([&](Operation *op) {
        if (isCopyByThreads(op))
          copies.insert(op);
      });
  });
  return copies.takeVector();
}

static Value getBuffer(Operation *fill) {
  for (const BlockAccess &access : getBlockAccesses(fill))
    if (access.writes)
      return getSharedRoot(access.memref);
  return {};
}

bool tile::countThreadFills(LaunchOp launch) {
  SmallVector<Operation *> copies = findCopies(launch);
  llvm::DenseSet<Value> buffers;
  for (Operation *copy : copies)
    buffers.insert(getBuffer(copy));
  IndexFacts facts(launch);
  launch.walk([&](TensorCopyOpInterface copy) {
    if (!isBulkLoad(copy) || !buffers.contains(getBuffer(copy)))
      return;
    copyByThreads(copy, facts);
    copies.push_back(copy);
  });
  for (Operation *copy : copies)
    setCompletion(copy, tilec::Completion::Mbarrier);
  return !copies.empty();
}

void tile::uncountThreadFills(LaunchOp launch) {
  launch.walk([](Operation *op) {
    if (isThreadFill(op) && !getAcquire(op))
      setCompletion(op, passesRegisters(op) ? tilec::Completion::Immediate
                                            : tilec::Completion::Group);
  });
}
