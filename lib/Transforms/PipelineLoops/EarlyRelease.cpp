//===- EarlyRelease.cpp - Slots that are filled in the step of their use --===//

#include "EarlyRelease.h"
#include "EstimateCosts.h"
#include "SplitFills.h"

#include "tile/Analysis/LiveRegisters.h"
#include "tile/Hardware/Occupancy.h"

using namespace mlir;
using namespace mlir::tile;

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

bool tile::releaseEarly(scf::ForOp loop, const tilec::GpuTarget &target,
                        const ArenaProblem &arena,
                        MutableArrayRef<RingBuffer> rings) {
  auto canRelease = [](const RingBuffer &ring) {
    return ring.lead > 1 && ring.slots == ring.lead + 1 && !ring.isHeld &&
           !ring.continued && llvm::all_of(ring.writers, isFillByGroups);
  };
  if (rings.empty() || !llvm::all_of(rings, canRelease) ||
      !multipliesOnce(loop))
    return false;
  auto bytes = countSharedBytes(loop, target, arena, rings, 0);
  auto fewer = countSharedBytes(loop, target, arena, rings, 1);
  if (!bytes || !fewer)
    return false;
  auto launch = loop->getParentOfType<LaunchOp>();
  tilec::BlockResources block;
  block.threads = static_cast<int64_t>(launch.getThreads());
  // Registers take no block away from the smaller number alone, and their estimate is
  // a walk through the launch.
  if (!holdsTwice(target, block, *bytes, *fewer))
    return false;
  block.registersPerThread = estimateRegisters(launch);
  if (holdsTwice(target, block, *bytes, *fewer))
    for (RingBuffer &ring : rings)
      --ring.slots;
  return true;
}
