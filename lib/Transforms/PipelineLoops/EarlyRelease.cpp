//===- EarlyRelease.cpp - Slots that are filled in the step of their use --===//

#include "EarlyRelease.h"
#include "EstimateCosts.h"
#include "SplitFills.h"

#include "tile/Analysis/LiveRegisters.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Hardware/Occupancy.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tile;

/// Cycles of products for each cycle in which copies are issued. With fewer a warp has
/// issued the products whose operands it holds before it comes to the next barrier
/// (docs/decisions/0022).
static constexpr int64_t cyclesOfACopy = 8;
/// A copy whose place or bounds a thread computes takes as long as so many of which they
/// are known.
static constexpr int64_t timesUnknown = 2;

/// Whether an iteration multiplies once: of several products the operands that ptxas
/// loads early are not estimated well enough.
static bool multipliesOnce(scf::ForOp loop) {
  int64_t sums = 0;
  loop.walk([&](MatrixProductOpInterface product) {
    sums += !isOnlyAddedTo(product);
  });
  return sums == 1;
}

/// What a block takes of shared memory with these slots less `fewer` each; nothing if a
/// ring is beyond any chip's memory.
static std::optional<int64_t> countSharedBytes(scf::ForOp loop,
                                               const tilec::GpuTarget &target,
                                               const ArenaProblem &arena,
                                               ArrayRef<RingBuffer> rings,
                                               int64_t fewer) {
  SmallVector<SlotCandidate> candidates;
  for (const RingBuffer &ring : rings)
    candidates.push_back({ring.buffer, ring.slots - fewer, loop});
  return packCandidates(arena, candidates, target.maxSharedBytesPerBlock);
}

/// Whether a multiprocessor holds twice the blocks of `bytes` of shared memory if they
/// take `fewerBytes`, where it holds any.
static bool holdsTwice(const tilec::GpuTarget &target,
                       tilec::BlockResources block, int64_t bytes,
                       int64_t fewerBytes) {
  auto count = [&](int64_t sharedBytes) {
    block.sharedBytes = sharedBytes;
    return tilec::computeOccupancy(target, block).blocksPerMultiprocessor;
  };
  int64_t blocks = count(bytes);
  return blocks > 0 && count(fewerBytes) >= 2 * blocks;
}

/// Whether nothing but products reads the rings in an iteration: all slots are then
/// released behind one of them, by one barrier.
static bool areReadByProducts(scf::ForOp loop, ArrayRef<RingBuffer> rings) {
  auto reads = [&](Operation *op) {
    return llvm::any_of(getNestedAccesses(op), [&](const BlockAccess &access) {
      return access.reads && llvm::any_of(rings, [&](const RingBuffer &ring) {
               return isIn(access, ring.buffer);
             });
    });
  };
  int64_t products = 0;
  loop.walk([&](MatrixProductOpInterface product) {
    products += product->getBlock() == loop.getBody() && reads(product);
  });
  return llvm::count_if(*loop.getBody(),
                        [&](Operation &op) { return reads(&op); }) == products;
}

/// Whether `writer` copies from a place in an array of known sizes. Else it computes the
/// bounds of each access, or where in an image that lies.
static bool isOfKnownSizes(Operation *writer) {
  return llvm::all_of(getNestedAccesses(writer), [](const BlockAccess &access) {
    return !readsGlobal(access) ||
           (access.side && access.side->getType().hasStaticShape());
  });
}

/// Whether `blocks` of a multiprocessor hide what a slot less costs a step of each: the
/// copies between its two barriers lie under products whose operands are loaded, and
/// arrive while the blocks are busy one after the other.
static bool isHiddenBy(int64_t blocks, scf::ForOp loop,
                       const tilec::GpuTarget &target,
                       ArrayRef<RingBuffer> rings) {
  CostEstimator costs(loop->getParentOfType<LaunchOp>(), target);
  int64_t busy = 0, copies = 0, latency = 0, lead = rings.front().lead;
  for (Operation &op : *loop.getBody())
    busy += costs.estimate(&op).issueCycles;
  int64_t products = busy;
  llvm::SmallSetVector<Operation *, 4> writers;
  for (const RingBuffer &ring : rings) {
    writers.insert_range(ring.writers);
    lead = std::min(lead, ring.lead);
  }
  for (Operation *writer : writers) {
    OperationCost cost = costs.estimate(writer);
    products -= cost.issueCycles;
    copies += cost.issueCycles * (isOfKnownSizes(writer) ? 1 : timesUnknown);
    latency = std::max(latency, cost.latencyCycles);
  }
  return products >= cyclesOfACopy * copies &&
         blocks * busy * (lead - 1) >= latency;
}

EarlyRelease tile::releaseEarly(scf::ForOp loop, const tilec::GpuTarget &target,
                                const ArenaProblem &arena,
                                MutableArrayRef<RingBuffer> rings) {
  auto canRelease = [](const RingBuffer &ring) {
    return ring.lead > 1 && ring.slots == ring.lead + 1 && !ring.isHeld &&
           !ring.continued && llvm::all_of(ring.writers, isFillByGroups);
  };
  EarlyRelease release;
  if (rings.empty() || !llvm::all_of(rings, canRelease) ||
      !multipliesOnce(loop))
    return release;
  auto bytes = countSharedBytes(loop, target, arena, rings, 0);
  auto fewer = countSharedBytes(loop, target, arena, rings, 1);
  if (!bytes || !fewer)
    return release;
  auto launch = loop->getParentOfType<LaunchOp>();
  tilec::BlockResources block;
  block.threads = static_cast<int64_t>(launch.getThreads());
  block.registersPerThread = estimateRegistersOf(loop);
  block.sharedBytes = *fewer;
  int64_t blocks =
      tilec::computeOccupancy(target, block).blocksPerMultiprocessor;
  release.isHidden = blocks > 1 && areReadByProducts(loop, rings) &&
                     isHiddenBy(blocks, loop, target, rings);
  if (!release.isHidden) {
    // Registers take no block away from the smaller number alone, and their estimate
    // is a walk through the launch.
    block.registersPerThread = 0;
    if (!holdsTwice(target, block, *bytes, *fewer))
      return release;
    block.registersPerThread = estimateRegisters(launch);
    release.asksRegisters = true;
    if (!holdsTwice(target, block, *bytes, *fewer))
      return release;
  }
  for (RingBuffer &ring : rings)
    --ring.slots;
  return release;
}
