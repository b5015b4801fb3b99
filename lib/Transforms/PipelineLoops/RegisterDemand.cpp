//===- RegisterDemand.cpp - Registers that an iteration needs -------------===//

#include "EstimateCosts.h"
#include "LateStores.h"

#include "tile/Analysis/LiveRegisters.h"
#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/Support/FormatVariadic.h"

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
  int64_t free = most - countNeededRegisters(loop);
  // What comes in small accesses is held as it comes, beside operands of products.
  int64_t narrow = 0;
  for (LoadOp load : loop.getOps<LoadOp>())
    if (int64_t held = countHeldRegisters(load.getResult());
        held > countRegisters(load.getType()))
      narrow += held;
  if (narrow == 0)
    return free;
  int64_t spare = getRegisterLimit(launch, target) - estimateRegisters(launch);
  return narrow > spare ? 0 : std::min(free, spare);
}

//===----------------------------------------------------------------------===//
// Fills through registers
//===----------------------------------------------------------------------===//

/// The registers that hold what `writers` store, until they do, and that comes in
/// accesses of less than a register; of what else they store less is known.
static int64_t countStored(ArrayRef<Operation *> writers) {
  int64_t registers = 0;
  for (Operation *writer : writers) {
    std::optional<LateStore> late = matchLateStore(writer);
    if (!late)
      continue;
    for (Operation *load : late->loads)
      for (Value result : load->getResults())
        if (int64_t held = countHeldRegisters(result);
            held > countRegisters(result.getType()))
          registers += held;
  }
  return registers;
}

std::string tile::findLackOfRegisters(scf::ForOp loop,
                                      ArrayRef<Operation *> writers,
                                      ArrayRef<Operation *> all,
                                      const tilec::GpuTarget &target) {
  auto launch = loop->getParentOfType<LaunchOp>();
  bool multiplies = false;
  loop.walk([&](MatrixProductOpInterface product) {
    multiplies |= isOfWarps(product);
  });
  if (!multiplies || countStored(writers) == 0)
    return {};
  int64_t stored = countStored(all), others = estimateRegisters(launch);
  int64_t limit = getRegisterLimit(launch, target);
  if (others + stored <= limit)
    return {};
  return llvm::formatv("what the loop stores so, in accesses of less than 4 "
                       "bytes, would take {0} registers and places over the "
                       "products, beside some {1} others of {2}",
                       stored, others, limit)
      .str();
}
