//===- RegisterDemand.cpp - Registers that an iteration needs -------------===//

#include "EstimateCosts.h"

#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

/// The most registers that fragments take at once in an iteration.
static int64_t countLiveRegisters(scf::ForOp loop) {
  llvm::DenseMap<Operation *, int64_t> change;
  int64_t live = 0;
  for (Value carried : loop.getRegionIterArgs())
    live += countRegisters(carried.getType());
  Block &body = *loop.getBody();
  for (Operation &op : body)
    for (Value result : op.getResults()) {
      if (!isa<RankedTensorType>(result.getType()) || result.use_empty())
        continue;
      Operation *last = &op;
      for (Operation *user : result.getUsers())
        if (Operation *inBody = body.findAncestorOpInBlock(*user))
          last = last->isBeforeInBlock(inBody) ? inBody : last;
      change[&op] += countRegisters(result.getType());
      change[last] -= countRegisters(result.getType());
    }
  int64_t most = live;
  for (Operation &op : body) {
    // What dies at an operation is still there while it runs.
    live += std::max<int64_t>(change.lookup(&op), 0);
    most = std::max(most, live);
    live += std::min<int64_t>(change.lookup(&op), 0);
  }
  return most;
}

/// Registers for addresses, counters and masks that no fragment shows.
static constexpr int64_t scalarRegisters = 40;

int64_t tile::countNeededRegisters(scf::ForOp loop) {
  return countLiveRegisters(loop) + scalarRegisters;
}

int64_t tile::countFreeRegisters(scf::ForOp loop,
                                 const tilec::GpuTarget &target) {
  auto launch = loop->getParentOfType<LaunchOp>();
  int64_t most =
      std::min<int64_t>(target.maxRegistersPerThread,
                        target.maxRegistersPerBlock / launch.getThreads());
  return most - countNeededRegisters(loop);
}
