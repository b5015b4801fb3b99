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

/// The blocks that a multiprocessor holds with these slots less `fewer` each; 0 if
/// there is no place for them, or for the registers.
static int64_t countBlocks(scf::ForOp loop, const tilec::GpuTarget &target,
                           const ArenaProblem &arena,
                           ArrayRef<RingBuffer> rings, int64_t fewer) {
  SmallVector<SlotCandidate> candidates;
  for (const RingBuffer &ring : rings)
    candidates.push_back({ring.buffer, ring.slots - fewer, loop});
  auto packed =
      packCandidates(arena, candidates, target.maxSharedBytesPerBlock);
  if (!packed)
    return 0;
  auto launch = loop->getParentOfType<LaunchOp>();
  tilec::BlockResources block;
  block.threads = static_cast<int64_t>(launch.getThreads());
  block.registersPerThread = estimateRegisters(launch);
  block.sharedBytes = packed->totalBytes;
  return tilec::computeOccupancy(target, block).blocksPerMultiprocessor;
}

void tile::releaseEarly(scf::ForOp loop, const tilec::GpuTarget &target,
                        const ArenaProblem &arena,
                        MutableArrayRef<RingBuffer> rings) {
  auto canRelease = [](const RingBuffer &ring) {
    return ring.lead > 1 && ring.slots == ring.lead + 1 && !ring.isHeld &&
           !ring.continued && llvm::all_of(ring.writers, isFillByGroups);
  };
  if (rings.empty() || !llvm::all_of(rings, canRelease) ||
      !multipliesOnce(loop))
    return;
  int64_t blocks = countBlocks(loop, target, arena, rings, 0);
  if (blocks == 0 || countBlocks(loop, target, arena, rings, 1) < 2 * blocks)
    return;
  for (RingBuffer &ring : rings)
    --ring.slots;
}
