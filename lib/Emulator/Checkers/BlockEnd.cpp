//===- BlockEnd.cpp - What must be over when a block ends -----------------===//
//
// With its last thread, a block's shared memory is gone. Bulk copies out of it
// must have been read, those into it must have arrived where somebody waited
// for them, and other blocks of the cluster must be ordered before the end with
// their accesses of it. All three are judged by order, not by what happened to
// be finished. An arrival that is left at a named barrier is only noted.
//
//===----------------------------------------------------------------------===//

#include "BlockEnd.h"
#include "Report.h"

namespace tilec::emu {

void noteRemoteAccess(Warp &warp, const Instruction &instruction, uint32_t lane,
                      Block &target) {
  if (target.liveThreads == 0)
    reportAt(warp, instruction, lane, ReportKind::Race,
             "the shared memory of block rank " + std::to_string(target.rank) +
                 " is accessed after that block has ended",
             "a cluster barrier (barrier.cluster.arrive and wait) must come "
             "before the end of the block");
  target.remote.resize(warp.cluster->warps.size());
  target.remote[warp.indexInCluster] = {&instruction, warp.order.clock, lane};
}

void noteExit(Warp &warp, uint32_t mask) {
  if (warp.cluster->blocks.size() == 1 || !warp.launch->options.checks.races)
    return;
  Knowledge &known = warp.block->atExit;
  known.join(warp.order.knowledge);
  for (uint32_t m = mask & warp.order.lanesWithKnowledge; m; m &= m - 1)
    known.join((*warp.order.laneKnowledge)[__builtin_ctz(m)]);
}

/// Accesses of other blocks that the end is not ordered behind.
static void checkRemote(Warp &last, const Instruction &end) {
  Block &block = *last.block;
  for (size_t w = 0; w < block.remote.size(); ++w) {
    const Block::RemoteAccess &access = block.remote[w];
    Warp &other = *last.cluster->warps[w];
    if (!access.instruction || other.block == &block)
      continue;
    const VectorClock &known = block.atExit.all;
    uint64_t key =
        laneKey(last.cluster->linear, static_cast<uint32_t>(w), access.lane);
    if (known.warp(w) >= access.clock || known.find(key) >= access.clock)
      continue;
    reportPair(last, other,
               {ReportKind::Race, &end, access.instruction, 0, access.lane},
               "block rank " + std::to_string(block.rank) +
                   " ends without being ordered behind an access of its shared "
                   "memory by block rank " +
                   std::to_string(other.block->rank),
               "later:   end of the block, " + spellInstruction(end),
               "earlier: access by " + spellInstruction(*access.instruction),
               "a cluster barrier (barrier.cluster.arrive and wait) must come "
               "between");
    return;
  }
}

static void reportPending(Warp &last, const Instruction &end,
                          const AsyncRow &row, std::string message,
                          std::string missing) {
  reportPair(last, *last.cluster->warps[row.warp],
             {ReportKind::Barrier, &end, row.instruction, 0,
              row.lane < 32 ? row.lane : 0},
             std::move(message), "end of the block, " + spellInstruction(end),
             "issued by " + spellInstruction(*row.instruction),
             std::move(missing));
}

/// Bulk copies out of shared memory whose groups nobody waited for.
static void checkGroups(Warp &last, const Instruction &end) {
  const std::vector<AsyncRow> &rows = last.cluster->rows;
  for (const auto &warp : last.block->warps)
    for (const AsyncGroups::OfLane &groups : warp->groups.bulk) {
      auto check = [&](uint32_t index) {
        if (index && !rows[index].readClock)
          reportPending(last, end, rows[index],
                        "the block ends while a bulk copy may still read its "
                        "shared memory",
                        "cp.async.bulk.commit_group and wait_group (or "
                        "wait_group.read) must come before the thread ends");
      };
      for (uint32_t index : groups.committed)
        check(index);
      check(groups.open);
    }
}

/// Bulk copies into shared memory whose phase nobody waited for.
static void checkArrivals(Warp &last, const Instruction &end) {
  for (const auto &[offset, state] : last.block->mbarriers.states)
    for (const AsyncRow &row : last.cluster->rows)
      if (row.isBulk && row.mbarrier == state.id && row.phase > state.observed)
        return reportPending(
            last, end, row,
            "the block ends while a bulk copy may still write its shared "
            "memory: nobody waited for phase " +
                std::to_string(row.phase) + " of the mbarrier at shared byte " +
                std::to_string(offset),
            "mbarrier.try_wait for the phase must come before the block ends");
}

/// Arrivals at named barriers that nobody will wait for.
static void noteArrivals(const Block &block) {
  for (size_t id = 0; id < block.barriers.size(); ++id) {
    const BarrierState &barrier = block.barriers[id];
    if (!barrier.arrived || !barrier.first)
      continue;
    reportAt(*barrier.firstWarp, *barrier.first, barrier.firstLane,
             ReportKind::Barrier,
             "the block ends with " + std::to_string(barrier.arrived) + " of " +
                 std::to_string(barrier.expected) +
                 " threads arrived at barrier " + std::to_string(id) +
                 ", for which nobody waits",
             "legal; a barrier that is used again in the block would begin "
             "with these arrivals",
             /*isNote=*/true);
  }
}

void endBlock(Warp &last, const Instruction &end) {
  const CheckOptions &checks = last.launch->options.checks;
  if (last.launch->stop)
    return;
  if (checks.races)
    checkRemote(last, end);
  if (!checks.barriers)
    return;
  noteArrivals(*last.block);
  if (last.cluster->rows.size() < 2)
    return;
  checkGroups(last, end);
  checkArrivals(last, end);
}

} // namespace tilec::emu
