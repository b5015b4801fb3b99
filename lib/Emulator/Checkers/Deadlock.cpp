//===- Deadlock.cpp - Explaining why nothing goes on ----------------------===//
//
// A cluster is deadlocked when no split can run and no asynchronous operation
// is pending; it hangs when it runs for long without any effect. Either report
// lists what each warp waits for.
//
//===----------------------------------------------------------------------===//

#include "../Machine/Interpreter.h"
#include "../Synchronization/Waiting.h"
#include "Report.h"

#include <cstdio>

namespace tilec::emu {

static std::string hexMask(uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

/// "32-63, 96" of the threads of a block that have exited, by linear index.
static std::string listExited(const Block &block) {
  std::string text;
  uint32_t first = 0, count = 0, ranges = 0;
  auto flush = [&] {
    if (count && ++ranges <= 6)
      text += (text.empty() ? "" : ", ") + std::to_string(first) +
              (count > 1 ? "-" + std::to_string(first + count - 1) : "");
    else if (count && ranges == 7)
      text += ", ..";
    count = 0;
  };
  for (const auto &warp : block.warps)
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if (!((warp->existing & ~warp->live) >> lane & 1)) {
        flush();
        continue;
      }
      if (!count)
        first = warp->threadIndex(lane);
      ++count;
    }
  flush();
  return text;
}

/// A barrier whose number of threads cannot arrive any more because some have
/// exited.
static const BarrierState *findStarved(const Cluster &cluster, Block *&where,
                                       uint32_t &id) {
  for (const auto &block : cluster.blocks)
    for (uint32_t b = 0; b < block->barriers.size(); ++b) {
      const BarrierState &barrier = block->barriers[b];
      if (!barrier.expected || barrier.waiting.empty() || !block->exitedThreads)
        continue;
      uint32_t possible = barrier.arrived;
      for (const auto &warp : block->warps)
        possible += static_cast<uint32_t>(__builtin_popcount(
            warp->live & ~barrier.arrivedLanes[warp->indexInBlock]));
      if (possible < barrier.expected) {
        where = block.get();
        id = b;
        return &barrier;
      }
    }
  return nullptr;
}

static std::string describeWait(Warp &warp, const Split &split) {
  switch (split.wait) {
  case Wait::None:
    return "can run";
  case Wait::Converge:
    return "waits for lanes " +
           hexMask(split.required & warp.live & ~split.mask) +
           " to reach the same instruction";
  case Wait::Members:
    return "waits for lanes " +
           hexMask(split.required & warp.live & ~split.mask) +
           " to execute the instruction with member mask " +
           hexMask(split.required);
  case Wait::WarpSync:
    return "waits in bar.warp.sync for lanes " +
           hexMask(split.required & warp.live & ~split.mask);
  case Wait::Barrier: {
    const BarrierState &barrier = warp.block->barriers[split.object];
    std::string text =
        "waits at barrier " + std::to_string(split.object) + ", where " +
        std::to_string(barrier.arrived) + " of " +
        std::to_string(barrier.expected ? barrier.expected
                                        : warp.launch->config->block.count()) +
        " threads arrived";
    if (warp.block->exitedThreads)
      text += " (threads " + listExited(*warp.block) + " have exited)";
    return text;
  }
  case Wait::ClusterBarrier:
    return "waits at the cluster barrier, where " +
           std::to_string(warp.cluster->barrier.arrived) + " threads arrived";
  case Wait::Warpgroup:
    return "waits in wgmma.wait_group for the other warps of its warpgroup to "
           "commit group " +
           std::to_string(split.value);
  case Wait::Registers:
    return "waits in setmaxnreg.inc for " + std::to_string(split.value) +
           " registers a thread: " + describeRegisters(*warp.block);
  case Wait::Mbarrier: {
    Block &block = *warp.cluster->blocks[split.object >> 32];
    uint32_t address = static_cast<uint32_t>(split.object);
    MbarrierState *state = findMbarrier(block, address);
    char text[160];
    if (!state)
      return "waits for an mbarrier that does not exist";
    std::snprintf(text, sizeof text,
                  "waits for parity %llu of the mbarrier at shared 0x%x, which "
                  "lacks %lld arrivals and %lld bytes",
                  static_cast<unsigned long long>(split.value), address,
                  static_cast<long long>(state->pending),
                  static_cast<long long>(state->transactions));
    return text;
  }
  default:
    return "waits";
  }
}

static std::string describeWarps(Cluster &cluster, const Instruction **first,
                                 Warp **firstWarp) {
  std::string text;
  int lines = 0;
  for (Warp *warp : cluster.warps) {
    if (warp->done)
      continue;
    for (const Split &split : warp->frame().splits) {
      // A barrier's waiters stand behind it.
      uint32_t pc = split.pc;
      if ((split.wait == Wait::Barrier || split.wait == Wait::ClusterBarrier) &&
          pc > 0)
        --pc;
      const Instruction &i = cluster.launch->program->code[pc];
      if (!*first || split.wait != Wait::None) {
        if (!*first) {
          *first = &i;
          *firstWarp = warp;
        }
      }
      if (++lines > 12) {
        text += "\n  ...";
        return text;
      }
      text += "\n  block rank " + std::to_string(warp->block->rank) + " warp " +
              std::to_string(warp->indexInBlock) + " lanes " +
              hexMask(split.mask) + " at PTX line " + std::to_string(i.line);
      std::string source =
          describeLocation(*cluster.launch->module, i.location);
      if (!source.empty())
        text += " (" + source + ")";
      text += ": " + describeWait(*warp, split);
    }
  }
  return text;
}

static bool isDivergentBarrier(Cluster &cluster) {
  for (Warp *warp : cluster.warps) {
    if (warp->done)
      continue;
    bool partial = false;
    for (const Split &split : warp->frame().splits)
      partial |= split.wait == Wait::Converge || split.wait == Wait::Members ||
                 split.wait == Wait::WarpSync;
    if (partial)
      return true;
  }
  return false;
}

void reportDeadlock(Cluster &cluster) {
  Launch &launch = *cluster.launch;
  const Instruction *first = nullptr;
  Warp *warp = nullptr;
  std::string warps = describeWarps(cluster, &first, &warp);
  launch.stop = true;
  if (!first ||
      (!launch.options.checks.deadlock && !launch.options.checks.barriers))
    return;
  Block *block = nullptr;
  uint32_t id = 0;
  if (const BarrierState *starved = findStarved(cluster, block, id)) {
    const BarrierState::Participant &p = starved->waiting.front();
    reportAt(*p.warp, *p.instruction,
             static_cast<uint32_t>(__builtin_ctz(p.mask)), ReportKind::Deadlock,
             "barrier " + std::to_string(id) + " waits for " +
                 std::to_string(starved->expected) + " threads, of which " +
                 std::to_string(starved->arrived) + " arrived; threads " +
                 listExited(*block) +
                 " have exited, and exited threads do not arrive at a barrier "
                 "with a thread count",
             "let every participant reach the barrier before it exits, or give "
             "no thread count; what each warp does:" +
                 warps);
    return;
  }
  bool divergent = isDivergentBarrier(cluster);
  reportAt(*warp, *first, 0,
           divergent ? ReportKind::Barrier : ReportKind::Deadlock,
           divergent ? "lanes of a warp wait for lanes that never come"
                     : "no thread of the block can go on",
           "what each warp does:" + warps);
}

void reportHang(Cluster &cluster) {
  Launch &launch = *cluster.launch;
  const Instruction *first = nullptr;
  Warp *warp = nullptr;
  std::string warps = describeWarps(cluster, &first, &warp);
  launch.stop = true;
  if (!first)
    return;
  reportAt(*warp, *first, 0, ReportKind::Deadlock,
           "nothing happened during " + std::to_string(cluster.sinceProgress) +
               " warp instructions: the threads spin",
           "what each warp does:" + warps);
}

void reportLimit(Warp &warp) {
  Launch &launch = *warp.launch;
  if (launch.stop.exchange(true))
    return;
  const Instruction *at = nullptr;
  uint32_t lane = 0;
  for (const Split &split : warp.frame().splits)
    if (split.mask && !at) {
      at = &launch.program->code[split.pc];
      lane = static_cast<uint32_t>(__builtin_ctz(split.mask));
    }
  if (!at)
    return;
  reportAt(warp, *at, lane, ReportKind::Deadlock,
           "a warp executed " + std::to_string(warp.executed) +
               " instructions without coming to its end (the limit is " +
               std::to_string(launch.options.maxInstructions) +
               "); it stood at PTX line " + std::to_string(at->line),
           "an endless loop? If the kernel needs more, raise the limit with "
           "--max-instructions=N (LaunchOptions::maxInstructions); 0 lifts it");
}

} // namespace tilec::emu
