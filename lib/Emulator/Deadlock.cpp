//===- Deadlock.cpp - Explaining why nothing goes on ----------------------===//
//
// A cluster is deadlocked when no split can run and no asynchronous operation
// is pending; it hangs when it runs for long without any effect. Either report
// lists what each warp waits for.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "Report.h"
#include "Waiting.h"

#include <cstdio>

namespace tilec::emu {

static std::string hexMask(uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

static std::string describeWait(Warp &warp, const Split &split) {
  switch (split.wait) {
  case Wait::None:
    return "can run";
  case Wait::Converge:
    return "waits for lanes " +
           hexMask(split.required & warp.live & ~split.mask) +
           " to reach the same instruction";
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
      text += " (" + std::to_string(warp.block->exitedThreads) +
              " threads have exited)";
    return text;
  }
  case Wait::ClusterBarrier:
    return "waits at the cluster barrier, where " +
           std::to_string(warp.cluster->barrier.arrived) + " threads arrived";
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
      partial |= split.wait == Wait::Converge || split.wait == Wait::WarpSync;
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

} // namespace tilec::emu
