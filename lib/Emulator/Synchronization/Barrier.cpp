//===- Barrier.cpp - Barriers of a block and of a warp, fences ------------===//
//
// bar and barrier (sync, arrive, red), bar.warp.sync, membar and fence. A
// barrier counts threads; whoever waits remembers the generation it waits for
// and goes on when that has passed. Also decides when waiting splits are ready.
//
// A barrier without a thread count waits for the threads that have not exited
// (CUDA programming guide, sm_70 and later); with a count it waits for arrivals
// and exited threads never arrive.
//
//===----------------------------------------------------------------------===//

#include "../Async/WgmmaGroup.h"
#include "../Checkers/Ordering.h"
#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Decode/Families.h"
#include "../Instructions/Handlers.h"
#include "../Machine/Interpreter.h"
#include "Mbarrier.h"

#include <algorithm>

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Readiness
//===----------------------------------------------------------------------===//

/// Lets everyone go who waits in bar.warp.sync for the same lanes, once all of
/// them are there.
static bool releaseWarpSync(Warp &warp, uint32_t required) {
  uint32_t present = 0;
  for (const Split &s : warp.frame().splits)
    if (s.wait == Wait::WarpSync && s.required == required)
      present |= s.mask;
  if ((present & required) != (required & warp.live))
    return false;
  for (Split &s : warp.frame().splits)
    if (s.wait == Wait::WarpSync && s.required == required) {
      s.wait = Wait::None;
      ++s.pc;
    }
  synchronizeLanes(warp, required & warp.live);
  ++warp.cluster->progress;
  return true;
}

bool isReady(Warp &warp, Split &split) {
  switch (split.wait) {
  case Wait::None:
    return true;
  case Wait::Converge:
  case Wait::Members:
    return (split.mask & split.required) == (split.required & warp.live);
  case Wait::WarpSync:
    return releaseWarpSync(warp, split.required);
  case Wait::Barrier:
    return warp.block->barriers[split.object].generation != split.value;
  case Wait::ClusterBarrier:
    return warp.cluster->barrier.generation != split.value;
  case Wait::Warpgroup:
    return hasWarpgroupCommitted(warp, split.value);
  case Wait::Registers:
    return warp.block->registers.available() >= split.value;
  case Wait::Mbarrier: {
    Block &block = *warp.cluster->blocks[split.object >> 32];
    MbarrierState *state =
        findMbarrier(block, static_cast<uint32_t>(split.object));
    return split.woken || !state || (state->phase & 1) != split.value;
  }
  }
  return true;
}

bool wakePolling(Cluster &cluster) {
  bool any = false;
  for (Warp *warp : cluster.warps) {
    if (warp->done)
      continue;
    for (Split &split : warp->frame().splits)
      if (split.wait == Wait::Mbarrier && split.polls < 2 && !split.woken) {
        split.woken = true;
        ++split.polls;
        any = true;
      }
  }
  return any;
}

//===----------------------------------------------------------------------===//
// Barriers of a block
//===----------------------------------------------------------------------===//

namespace {

enum class BarrierKind : uint8_t { Sync, Arrive, RedPopc, RedAnd, RedOr };

void complete(Block &block, BarrierState &barrier) {
  std::swap(barrier.released, barrier.gathered);
  barrier.gathered.clear();
  for (const BarrierState::Participant &p : barrier.waiting) {
    Warp &warp = *p.warp;
    acquireFrom(warp, p.mask, barrier.released);
    if ((p.mask & warp.live) == warp.live)
      synchronizeLanes(warp, p.mask);
    auto kind = static_cast<BarrierKind>(p.instruction->flags);
    if (kind == BarrierKind::RedPopc) {
      auto *d =
          reinterpret_cast<uint32_t *>(p.registers + p.instruction->ref[0]);
      forLanes(p.mask, [&](uint32_t lane) { d[lane] = barrier.trueCount; });
    } else if (kind != BarrierKind::Sync) {
      bool value = kind == BarrierKind::RedAnd ? barrier.falseCount == 0
                                               : barrier.trueCount != 0;
      auto *d =
          reinterpret_cast<uint32_t *>(p.registers + p.instruction->ref[0]);
      *d = (*d & ~p.mask) | (value ? p.mask : 0);
    }
  }
  barrier.waiting.clear();
  barrier.arrived = barrier.expected = barrier.users = 0;
  barrier.trueCount = barrier.falseCount = 0;
  barrier.first = nullptr;
  std::fill(barrier.arrivedLanes.begin(), barrier.arrivedLanes.end(), 0);
  ++barrier.generation;
  ++block.cluster->progress;
}

bool isComplete(const Block &block, const BarrierState &barrier) {
  if (barrier.arrived == 0)
    return false;
  return barrier.expected ? barrier.arrived >= barrier.expected
                          : barrier.arrived >= block.liveThreads;
}

void noteFirst(BarrierState &barrier, Warp &warp, const Instruction &i,
               uint32_t lane) {
  barrier.first = &i;
  barrier.firstWarp = &warp;
  barrier.firstLane = lane;
}

Step arriveAt(Warp &warp, const Instruction &i, uint32_t mask, uint32_t id,
              uint32_t expected) {
  auto kind = static_cast<BarrierKind>(i.flags);
  BarrierState &barrier = warp.block->barriers[id];
  bool checked = warp.launch->options.checks.barriers;
  uint32_t lane = static_cast<uint32_t>(__builtin_ctz(mask));
  if (barrier.users && barrier.expected != expected && checked)
    reportAt(warp, i, lane, ReportKind::Barrier,
             "barrier " + std::to_string(id) + " is used with " +
                 (expected ? std::to_string(expected) : "all") +
                 " threads here and with " +
                 (barrier.expected ? std::to_string(barrier.expected) : "all") +
                 " at PTX line " +
                 std::to_string(barrier.first ? barrier.first->line : 0),
             "all participants of one barrier must give the same count");
  if (!barrier.users)
    noteFirst(barrier, warp, i, lane);
  ++barrier.users;
  barrier.expected = expected;
  barrier.arrivedLanes.resize(warp.block->warps.size());
  uint32_t &arrived = barrier.arrivedLanes[warp.indexInBlock];
  if ((arrived & mask) && checked)
    reportAt(warp, i, lane, ReportKind::Barrier,
             "a thread arrives at barrier " + std::to_string(id) +
                 " twice before it completes");
  // A warp counts as 32 threads where threads are counted; threads that the
  // block does not have arrive with the first of the warp.
  if (expected && arrived == 0)
    barrier.arrived +=
        32 - static_cast<uint32_t>(__builtin_popcount(warp.existing));
  arrived |= mask;
  barrier.arrived += static_cast<uint32_t>(__builtin_popcount(mask));
  releaseInto(warp, mask, barrier.gathered);
  ++warp.cluster->progress;
  if (kind >= BarrierKind::RedPopc) {
    uint32_t p = warp.predicate(i.ref[3]) & mask;
    barrier.trueCount += static_cast<uint32_t>(__builtin_popcount(p));
    barrier.falseCount += static_cast<uint32_t>(__builtin_popcount(mask & ~p));
  }
  if (kind != BarrierKind::Arrive) {
    barrier.waiting.push_back({&warp, &i, mask, warp.bank[0]});
    ++warp.pc;
    warp.waitFor(Wait::Barrier, id, barrier.generation, 0);
    --warp.pc;
    // Lanes of the split that the guard left out go on.
    Split &split = warp.split();
    if (uint32_t others = warp.active & ~mask) {
      split.mask = mask;
      Split rest;
      rest.pc = warp.pc + 1;
      rest.mask = others;
      warp.frame().splits.push_back(rest);
    }
  }
  if (isComplete(*warp.block, barrier))
    complete(*warp.block, barrier);
  return kind == BarrierKind::Arrive ? Step::Next : Step::Reschedule;
}

/// ref[1]: the barrier's number; ref[2]: the thread count or noRef; ref[3]: the
/// predicate of a reduction. small[0]: aligned.
Step barrierHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  if (!mask)
    return Step::Next;
  if (i.small[0] && !areConverged(warp, warp.live))
    return warp.waitFor(Wait::Converge, 0, 0, warp.live);
  uint32_t lane = static_cast<uint32_t>(__builtin_ctz(mask));
  if (i.small[0] && mask != warp.active && warp.launch->options.checks.barriers)
    reportAt(
        warp, i, lane, ReportKind::Barrier,
        "only some lanes of the warp execute an aligned barrier (its guard "
        "is true for lanes " +
            std::to_string(mask) + " of " + std::to_string(warp.active) + ")",
        "all lanes must execute it, or use barrier without .aligned");
  const uint32_t *ids = warp.ptr<uint32_t>(i.ref[1]);
  uint32_t id = ids[lane];
  uint32_t expected =
      i.ref[2] == noRef ? 0 : warp.ptr<uint32_t>(i.ref[2])[lane];
  bool uniform = true;
  forLanes(mask, [&](uint32_t l) {
    uniform &= ids[l] == id;
    if (i.ref[2] != noRef)
      uniform &= warp.ptr<uint32_t>(i.ref[2])[l] == expected;
  });
  std::string problem;
  if (!uniform)
    problem = "lanes of one warp name different barriers or thread counts";
  else if (id > 15)
    problem = "there is no barrier " + std::to_string(id) + ", only 0 to 15";
  else if (i.ref[2] != noRef && (expected == 0 || expected % 32))
    problem = "the thread count " + std::to_string(expected) +
              " is not a multiple of the warp size";
  else if (expected > warp.launch->warpsPerBlock * 32)
    problem = "the barrier wants " + std::to_string(expected) +
              " threads, but the block has " +
              std::to_string(warp.launch->config->block.count());
  if (!problem.empty()) {
    reportAt(warp, i, lane, ReportKind::Barrier, problem);
    warp.launch->stop = true;
    return Step::Stop;
  }
  return arriveAt(warp, i, mask, id, expected);
}

Step warpSync(Warp &warp, const Instruction &i, uint32_t mask) {
  if (!mask)
    return Step::Next;
  uint32_t lane = static_cast<uint32_t>(__builtin_ctz(mask));
  const uint32_t *masks = warp.ptr<uint32_t>(i.ref[1]);
  uint32_t required = masks[lane], same = 0;
  forLanes(mask, [&](uint32_t l) {
    if (masks[l] == required)
      same |= 1u << l;
    if (!(masks[l] >> l & 1) && warp.launch->options.checks.barriers)
      reportAt(warp, i, l, ReportKind::Barrier,
               "lane " + std::to_string(l) +
                   " executes bar.warp.sync with a mask that does not name it");
  });
  uint32_t others = warp.active & ~same;
  if (same == mask && areConverged(warp, required)) {
    synchronizeLanes(warp, required & warp.live);
    ++warp.cluster->progress;
    return Step::Next;
  }
  // Lanes with another mask, or none, are a split of their own: the former
  // execute the instruction themselves.
  if (others) {
    Split rest;
    rest.mask = others & ~mask;
    rest.pc = warp.pc + 1;
    Split again;
    again.mask = others & mask;
    again.pc = warp.pc;
    warp.split().mask = same;
    warp.waitFor(Wait::WarpSync, 0, 0, required);
    if (rest.mask)
      warp.frame().splits.push_back(rest);
    if (again.mask)
      warp.frame().splits.push_back(again);
    return Step::Reschedule;
  }
  return warp.waitFor(Wait::WarpSync, 0, 0, required);
}

bool decodeBarrier(Decoder &d) {
  bool isBarrier = d.syntax().parts[0] == "barrier";
  if (isBarrier && d.take("cluster"))
    return decodeClusterBarrier(d);
  if (!isBarrier && d.take("warp")) {
    if (!d.take("sync") || !d.expectOperands(1, 1))
      return false;
    d.out.ref[1] = d.source(0, Type::B32);
    return d.emit(warpSync, InstructionClass::Barrier);
  }
  d.take("cta");
  bool aligned = d.take("aligned") || !isBarrier;
  int operation = d.takeOne({"sync", "arrive", "red"});
  if (operation < 0)
    return false;
  d.out.small[0] = aligned;
  if (operation < 2) {
    d.out.flags = static_cast<uint8_t>(operation);
    size_t least = operation == 1 ? 2 : 1;
    if (!d.expectOperands(least, 2))
      return false;
    d.out.ref[1] = d.source(0, Type::U32);
    if (d.operandCount() == 2)
      d.out.ref[2] = d.source(1, Type::U32);
    return d.emit(barrierHandler, InstructionClass::Barrier);
  }
  int reduction = d.takeOne({"popc", "and", "or"});
  Type type = d.takeType();
  if (reduction < 0 || !d.expectOperands(3, 4))
    return false;
  d.out.flags = static_cast<uint8_t>(2 + reduction);
  if (reduction == 0)
    d.out.ref[0] = d.destination(0, type);
  else
    d.out.ref[0] = d.destinationPredicate(d.operand(0));
  d.out.ref[1] = d.source(1, Type::U32);
  if (d.operandCount() == 4)
    d.out.ref[2] = d.source(2, Type::U32);
  d.out.ref[3] = d.sourcePredicate(d.operand(d.operandCount() - 1));
  return d.emit(barrierHandler, InstructionClass::Barrier);
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

Step memoryFence(Warp &warp, const Instruction &i, uint32_t mask) {
  fenceMemory(warp, mask, static_cast<Scope>(i.small[0]));
  return Step::Next;
}
Step proxyFence(Warp &warp, const Instruction &, uint32_t mask) {
  fenceAsyncProxy(warp, mask);
  return Step::Next;
}
Step noFence(Warp &, const Instruction &, uint32_t) { return Step::Next; }
/// Also a fence of memory, which is more than it promises.
Step mbarrierFence(Warp &warp, const Instruction &, uint32_t mask) {
  showMbarriers(warp, mask);
  fenceMemory(warp, mask, Scope::Cluster);
  return Step::Next;
}

bool decodeMembar(Decoder &d) {
  if (d.take("proxy")) {
    d.takeOne({"alias", "async"});
    return d.emit(proxyFence, InstructionClass::Barrier);
  }
  int level = d.takeOne({"cta", "gl", "sys"});
  if (level < 0)
    return false;
  Scope scope = level == 0   ? Scope::Cta
                : level == 1 ? Scope::Gpu
                             : Scope::System;
  d.out.small[0] = static_cast<uint16_t>(scope);
  return d.emit(memoryFence, InstructionClass::Barrier);
}

bool decodeFence(Decoder &d) {
  if (d.take("proxy")) {
    // async, async.global, async.shared::{cta,cluster}: one fence here.
    if (d.take("async")) {
      d.takeOne({"global", "shared::cta", "shared::cluster"});
      return d.emit(proxyFence, InstructionClass::Barrier);
    }
    if (d.take("alias"))
      return d.emit(noFence, InstructionClass::Barrier);
    if (!d.takePrefix("async::generic").empty()) {
      d.takeOne({"acquire", "release"});
      d.takePrefix("sync_restrict");
      d.takeScope(Scope::Cluster);
      return d.emit(proxyFence, InstructionClass::Barrier);
    }
    if (!d.takePrefix("tensormap::generic").empty()) {
      d.takeOne({"acquire", "release"});
      d.takeScope(Scope::System);
      return d.emit(noFence, InstructionClass::Barrier);
    }
    return false;
  }
  if (d.take("mbarrier_init")) {
    return d.take("release") && d.take("cluster") &&
           d.emit(mbarrierFence, InstructionClass::Barrier);
  }
  d.takeOne({"sc", "acq_rel", "acquire", "release"});
  d.takePrefix("sync_restrict");
  d.out.small[0] = static_cast<uint16_t>(d.takeScope(Scope::System));
  return d.emit(memoryFence, InstructionClass::Barrier);
}

} // namespace

void threadsExited(Block &block) {
  for (BarrierState &barrier : block.barriers) {
    if (!barrier.expected && isComplete(block, barrier))
      complete(block, barrier);
  }
  completeClusterBarrier(*block.cluster);
}

void registerBarrier(OpcodeTable &table) {
  table["bar"] = table["barrier"] = decodeBarrier;
  table["membar"] = decodeMembar;
  table["fence"] = decodeFence;
}

} // namespace tilec::emu
