//===- Mbarrier.cpp - mbarrier objects ------------------------------------===//
//
// Arrivals, transactions and phases. A phase completes when no arrival and no
// byte is missing; what its arrivals released is then known to who waits for
// it.
//
//===----------------------------------------------------------------------===//

#include "Mbarrier.h"
#include "../Checkers/Report.h"
#include "../Memory/Access.h"

#include <cstdlib>

namespace tilec::emu {

MbarrierState *findMbarrier(Block &block, uint32_t address) {
  auto found = block.mbarriers.states.find(address);
  return found == block.mbarriers.states.end() ? nullptr : &found->second;
}

std::string nameMbarrier(uint32_t offset) {
  return "the mbarrier at shared byte " + std::to_string(offset);
}

/// The touch of the object's 8 bytes that arrivals and waits are: atomic, so it
/// conflicts only with what is no touch.
static AccessRequest getTouch() {
  AccessRequest request;
  request.space = StateSpace::Shared;
  request.mode = AccessMode::ReadWrite;
  request.flags = static_cast<uint8_t>(
      shadowStrong | static_cast<unsigned>(Scope::Cluster) << shadowScopeShift);
  request.count = false;
  request.checkInit = false;
  request.ofMbarrier = true;
  return request;
}

/// Each touch must know of the initialisation by itself: the bytes' last write
/// may be another's touch.
static void checkInitialized(Warp &warp, const Instruction &i, uint32_t lane,
                             const Block &block, uint32_t offset,
                             const MbarrierState &state) {
  if (!state.initialization.valid())
    return;
  ShadowAccess by = shadowAccessOf(warp, i, lane, getTouch());
  if (isUnordered(state.initialization, by, /*earlierIsWrite=*/true, warp))
    reportConflict(warp, {state.initialization, by, true, true, offset},
                   static_cast<int>(block.rank));
}

void checkShown(Warp &warp, const Instruction &i, uint32_t lane,
                const Block &block, uint32_t offset,
                const MbarrierState &state) {
  if (!state.initialization.valid() || state.isShown ||
      warp.launch->options.allowUnfencedMbarriers)
    return;
  ShadowAccess by = shadowAccessOf(warp, i, lane, getTouch());
  // What is in no order at all has been reported (checkInitialized).
  if (isUnordered(state.initialization, by, /*earlierIsWrite=*/true, warp))
    return;
  by.flags |= shadowProxyAsync;
  if (isUnordered(state.initialization, by, /*earlierIsWrite=*/true, warp))
    reportConflict(warp, {state.initialization, by, true, true, offset},
                   static_cast<int>(block.rank));
}

void showMbarriers(Warp &warp, uint32_t lanes) {
  for (auto &[offset, state] : warp.block->mbarriers.states)
    if (state.initialization.valid() &&
        state.initialization.warp == warp.indexInCluster &&
        (lanes >> state.initializerLane & 1))
      state.isShown = true;
}

MbarrierState *requireMbarrier(Warp &warp, const Instruction &i, uint32_t lane,
                               Block *block, uint32_t offset,
                               uint64_t address) {
  if (offset % 8) {
    reportAt(warp, i, lane, ReportKind::Misaligned,
             nameMbarrier(offset) + " is not aligned to 8 bytes");
    return nullptr;
  }
  AccessRequest request = getTouch();
  if (!block || !accessShared(warp, i, lane, address, 8, request))
    return nullptr;
  MbarrierState *state = findMbarrier(*block, offset);
  if (state)
    checkInitialized(warp, i, lane, *block, offset, *state);
  else
    reportAt(warp, i, lane, ReportKind::Barrier,
             nameMbarrier(offset) + " is used but was not initialised",
             "mbarrier.init by one thread, then a barrier, must come first");
  return state;
}

void completePhaseIfDone(Cluster &cluster, MbarrierState &state) {
  if (state.pending != 0 || state.transactions != 0)
    return;
  ++state.phase;
  state.pending = state.expected;
  state.released.join(state.gathered);
  state.released.all.raise(mbarrierKey(state.id), state.phase);
  state.gathered.clear();
  ++cluster.progress;
}

void countArrivals(Warp &warp, const Instruction &i, uint32_t lane,
                   MbarrierState &state, uint32_t offset, uint32_t count) {
  state.pending -= count;
  if (state.pending < 0) {
    if (warp.launch->options.checks.barriers)
      reportAt(warp, i, lane, ReportKind::Barrier,
               nameMbarrier(offset) + " gets more arrivals than the " +
                   std::to_string(state.expected) + " of its phase " +
                   std::to_string(state.phase),
               "a thread arrives twice in one phase: it must wait for the "
               "phase before it arrives again");
    state.pending = 0;
  }
  ++warp.cluster->progress;
}

void arriveAsynchronously(Warp &warp, const Instruction &instruction,
                          Block &block, uint32_t offset, uint32_t count) {
  MbarrierState *state = findMbarrier(block, offset);
  if (!state)
    return;
  countArrivals(warp, instruction, 0, *state, offset, count);
  completePhaseIfDone(*warp.cluster, *state);
}

void completeTransaction(Warp &warp, const Instruction &instruction,
                         Block &block, uint32_t offset, uint32_t bytes) {
  (void)instruction;
  MbarrierState *state = findMbarrier(block, offset);
  if (!state)
    return;
  state->transactions -= bytes;
  ++warp.cluster->progress;
  completePhaseIfDone(*warp.cluster, *state);
}

void checkTransactions(Warp &warp, const Instruction &i, uint32_t lane,
                       const MbarrierState &state, uint32_t offset) {
  constexpr int64_t most = (1 << 20) - 1;
  if (std::abs(state.transactions) <= most ||
      !warp.launch->options.checks.barriers)
    return;
  reportAt(warp, i, lane, ReportKind::Barrier,
           nameMbarrier(offset) + " expects " +
               std::to_string(state.transactions) +
               " bytes, outside of its range of -" + std::to_string(most) +
               " to " + std::to_string(most),
           "expect fewer bytes in one phase");
}

} // namespace tilec::emu
