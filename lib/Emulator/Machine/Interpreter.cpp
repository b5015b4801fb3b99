//===- Interpreter.cpp - Running warps and blocks -------------------------===//
//
// The inner loop, divergence, frames, and the round-robin over the warps of a
// cluster. A warp runs until it waits or its quantum is over. When no warp can
// run, a pending asynchronous operation is delivered; when there is none
// either, it is a deadlock, exactly.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "../Checkers/BlockEnd.h"
#include "../Checkers/Ordering.h"
#include "../Checkers/Report.h"
#include "../Instructions/Handlers.h"
#include "../Memory/Access.h"
#include "../Synchronization/Waiting.h"
#include "../Synchronization/Warpgroup.h"

#include <algorithm>

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

/// Register files of finished warps, kept for the next ones of this thread:
/// they are large, and fresh memory is slow.
static thread_local std::vector<AlignedBytes> spareRegisters;

Warp::~Warp() {
  for (auto &frame : frames)
    if (spareRegisters.size() < 64 && !frame->registers.storage.empty())
      spareRegisters.push_back(std::move(frame->registers));
}

static Frame &pushFrame(Warp &warp, const ProgramFunction &function,
                        uint32_t localBase, uint32_t mask) {
  if (warp.frameCount == warp.frames.size())
    warp.frames.push_back(std::make_unique<Frame>());
  Frame &frame = *warp.frames[warp.frameCount++];
  frame.function = &function;
  if (frame.registers.storage.empty() && !spareRegisters.empty()) {
    frame.registers = std::move(spareRegisters.back());
    spareRegisters.pop_back();
  }
  frame.registers.resize(function.registerBytes + 64);
  frame.localBase = localBase;
  frame.liveMask = mask;
  frame.splits.clear();
  Split split;
  split.pc = function.entry;
  split.mask = mask;
  frame.splits.push_back(split);
  warp.bank[0] = frame.registers.data();
  return frame;
}

/// Copies bytes of each lane's stack, and whether they are initialised.
static void copyLocal(Warp &warp, uint32_t mask, uint32_t to, uint32_t from,
                      uint32_t bytes) {
  forLanes(mask, [&](uint32_t lane) {
    uint64_t stack = uint64_t(lane) * warp.localStride;
    std::memcpy(warp.local.data() + stack + to,
                warp.local.data() + stack + from, bytes);
    if (!warp.localInitialized.empty())
      std::memcpy(warp.localInitialized.data() + stack + to,
                  warp.localInitialized.data() + stack + from, bytes);
  });
}

void enterFunction(Warp &warp, const CallInfo &info, const Instruction &call,
                   uint32_t mask) {
  const ProgramFunction &callee =
      warp.launch->program->functions[info.function];
  Frame &caller = warp.frame();
  uint32_t callerBase = caller.localBase;
  uint32_t base = callerBase + caller.function->localBytes;
  if (base + callee.localBytes > warp.localStride || warp.frameCount > 500) {
    reportAt(warp, call, static_cast<uint32_t>(__builtin_ctz(mask)),
             ReportKind::OutOfBounds,
             "the stack of " + std::to_string(warp.localStride) +
                 " bytes a thread is exhausted by recursive calls");
    warp.launch->stop = true;
    return;
  }
  // The frame's bytes are left over from earlier calls.
  if (!warp.localInitialized.empty())
    forLanes(mask, [&](uint32_t lane) {
      std::memset(warp.localInitialized.data() +
                      uint64_t(lane) * warp.localStride + base,
                  0, callee.localBytes);
    });
  for (const CallCopy &copy : info.arguments)
    copyLocal(warp, mask, base + copy.calleeOffset,
              callerBase + copy.callerOffset, copy.bytes);
  // The caller's split stays at the call until the lanes are back. Lanes that
  // do not call are a split of their own behind the call.
  Split &split = caller.splits[warp.current];
  split.pc = warp.pc + 1;
  uint32_t others = split.mask & ~mask;
  split.mask = mask;
  uint32_t callerSplit = warp.current;
  if (others) {
    Split rest;
    rest.pc = warp.pc + 1;
    rest.mask = others;
    caller.splits.push_back(rest);
  }
  Frame &frame = pushFrame(warp, callee, base, mask);
  frame.call = &call;
  frame.callerSplit = callerSplit;
}

void leaveIfDone(Warp &warp) {
  Frame &frame = warp.frame();
  if (frame.liveMask)
    return;
  const auto &info = *static_cast<const CallInfo *>(frame.call->extra);
  Frame &caller = *warp.frames[warp.frameCount - 2];
  uint32_t mask = caller.splits[frame.callerSplit].mask;
  for (const CallCopy &copy : info.results)
    copyLocal(warp, mask, caller.localBase + copy.callerOffset,
              frame.localBase + copy.calleeOffset, copy.bytes);
  --warp.frameCount;
  warp.bank[0] = caller.registers.data();
}

void retireLanes(Warp &warp, uint32_t mask) {
  noteExit(warp, mask);
  warp.live &= ~mask;
  uint32_t count = static_cast<uint32_t>(__builtin_popcount(mask));
  warp.block->liveThreads -= count;
  warp.block->exitedThreads += count;
  ++warp.cluster->progress;
  for (uint32_t f = 0; f < warp.frameCount; ++f) {
    Frame &frame = *warp.frames[f];
    frame.liveMask &= ~mask;
    for (Split &split : frame.splits)
      split.mask &= ~mask;
  }
  if (warp.frame().splits.size() > warp.current)
    warp.split().pc = warp.pc + 1;
  while (warp.frameCount > 1 && warp.frame().liveMask == 0)
    leaveIfDone(warp);
  if (warp.live == 0) {
    warp.done = true;
    endInWarpgroup(warp);
  }
  if (warp.block->liveThreads == 0)
    endBlock(warp, warp.launch->program->code[warp.pc]);
  threadsExited(*warp.block);
}

//===----------------------------------------------------------------------===//
// Splits
//===----------------------------------------------------------------------===//

Step Warp::waitFor(Wait wait, uint64_t object, uint64_t value,
                   uint32_t required) {
  Split &s = split();
  s.pc = pc;
  s.wait = wait;
  s.object = object;
  s.value = value;
  s.required = required;
  return Step::Reschedule;
}

/// Joins splits at the same instruction, drops empty ones, picks the runnable
/// one with the lowest pc (or, with `rotate`, another than the current). False
/// if none can run.
static bool schedule(Warp &warp, bool rotate = false) {
  Frame &frame = warp.frame();
  auto &splits = frame.splits;
  auto canMeet = [](const Split &s) {
    return s.wait == Wait::None || s.wait == Wait::Converge;
  };
  for (size_t i = 0; i < splits.size(); ++i) {
    if (!splits[i].mask)
      continue;
    for (size_t j = i + 1; j < splits.size(); ++j)
      if (splits[j].mask && splits[j].pc == splits[i].pc &&
          canMeet(splits[i]) && canMeet(splits[j])) {
        splits[i].mask |= splits[j].mask;
        splits[i].wait = Wait::None;
        splits[j].mask = 0;
      }
  }
  std::erase_if(splits, [](const Split &s) { return s.mask == 0; });
  if (splits.empty()) {
    // All lanes of the frame have left; returns were handled already.
    warp.done = warp.live == 0;
    return false;
  }
  size_t best = splits.size();
  uint32_t lowest = ~0u;
  for (size_t i = 0; i < splits.size(); ++i) {
    if (!isReady(warp, splits[i]))
      continue;
    if (rotate && splits.size() > 1 && splits[i].pc == warp.pc)
      continue;
    if (splits[i].pc < lowest) {
      lowest = splits[i].pc;
      best = i;
    }
  }
  if (best == splits.size())
    return rotate ? schedule(warp) : false;
  warp.current = static_cast<uint32_t>(best);
  Split &chosen = splits[best];
  chosen.wait = Wait::None;
  warp.pc = chosen.pc;
  warp.active = chosen.mask;
  warp.nextPc = ~0u;
  for (size_t i = 0; i < splits.size(); ++i)
    if (i != best && canMeet(splits[i]) && splits[i].pc > chosen.pc)
      warp.nextPc = std::min(warp.nextPc, splits[i].pc);
  return true;
}

//===----------------------------------------------------------------------===//
// The inner loop
//===----------------------------------------------------------------------===//

/// Runs a warp for at most `quantum` instructions. False if it cannot run.
static bool runWarp(Warp &warp, uint64_t quantum, bool rotate) {
  if (warp.done || !schedule(warp, rotate))
    return false;
  uint64_t limit = warp.launch->options.maxInstructions;
  if (limit)
    quantum = std::min(quantum, limit + 1 - std::min(warp.executed, limit));
  const Instruction *code = warp.launch->program->code.data();
  Statistics &statistics = warp.cluster->statistics;
  uint64_t executed = 0;
  while (executed < quantum) {
    const Instruction &instruction = code[warp.pc];
    uint32_t mask = warp.active;
    if (instruction.predicate != noRef)
      mask &= warp.predicate(instruction.predicate);
    ++executed;
    ++warp.executed;
    if (instruction.counted) {
      ++statistics.instructions;
      ++statistics.classes[static_cast<size_t>(instruction.instructionClass)];
    }
    if (mask || instruction.always) {
      Step step = instruction.handler(warp, instruction, mask);
      if (step == Step::Next) {
        ++warp.pc;
      } else if (step == Step::Jump) {
        if (warp.frame().splits.size() > 1) {
          warp.split().pc = warp.pc;
          if (!schedule(warp))
            break;
          continue;
        }
      } else if (step == Step::Stop) {
        return false;
      } else {
        if (warp.done || !schedule(warp))
          break;
        continue;
      }
    } else {
      ++warp.pc;
    }
    if (warp.pc >= warp.nextPc) {
      warp.split().pc = warp.pc;
      if (!schedule(warp))
        break;
    }
  }
  if (executed >= quantum && !warp.done && warp.frameCount) {
    Frame &frame = warp.frame();
    if (warp.current < frame.splits.size() &&
        frame.splits[warp.current].wait == Wait::None)
      frame.splits[warp.current].pc = warp.pc;
  }
  warp.cluster->sinceProgress += executed;
  if (limit && warp.executed > limit && !warp.done)
    reportLimit(warp);
  return true;
}

ClusterState runCluster(Cluster &cluster, uint64_t budget) {
  Launch &launch = *cluster.launch;
  std::vector<uint32_t> order(cluster.warps.size());
  for (uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  bool random = launch.options.seed != 0;
  uint64_t used = 0;
  while (!launch.stop.load(std::memory_order_relaxed)) {
    if (random)
      for (size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[cluster.nextRandom() % i]);
    bool ran = false, alive = false;
    for (uint32_t index : order) {
      Warp &warp = *cluster.warps[index];
      if (warp.done)
        continue;
      alive = true;
      uint64_t quantum = random ? 16 + cluster.nextRandom() % 2000 : 4000;
      uint64_t before = warp.executed;
      // A warp whose lanes wait for each other must let each of them run.
      ran |= runWarp(warp, quantum, (warp.executed >> 12) % 4 == 3);
      used += warp.executed - before;
      if (launch.stop.load(std::memory_order_relaxed))
        return ClusterState::Finished;
    }
    if (!alive) {
      while (deliverOne(cluster))
        ;
      return ClusterState::Finished;
    }
    if (cluster.progress != cluster.seenProgress) {
      cluster.seenProgress = cluster.progress;
      cluster.sinceProgress = 0;
      cluster.polls = 0;
      for (Warp *warp : cluster.warps)
        if (!warp->done)
          for (Split &split : warp->frame().splits)
            split.polls = 0;
    }
    if (!ran) {
      if (deliverOne(cluster) || wakePolling(cluster))
        continue;
      return ClusterState::Blocked;
    }
    bool deliverNow = random && launch.options.delivery == Delivery::Random &&
                      cluster.nextRandom() % 4 == 0;
    // Threads that spin on test_wait never block: serve them too.
    bool spinning = cluster.sinceProgress > 50'000;
    if ((deliverNow || spinning) && !cluster.pending.empty())
      deliverOne(cluster);
    // Reading flags without any effect: another cluster should run.
    bool polls = cluster.polls > 64 && cluster.sinceProgress > 10'000;
    if (used >= budget || (polls && used > 10'000))
      return ClusterState::Running;
  }
  return ClusterState::Finished;
}

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

std::unique_ptr<Cluster> makeCluster(Launch &launch, uint32_t linear) {
  auto cluster = std::make_unique<Cluster>();
  cluster->launch = &launch;
  cluster->linear = linear;
  const Dim3 &grid = launch.clusterGrid;
  cluster->id = {linear % grid.x, linear / grid.x % grid.y,
                 linear / (grid.x * grid.y)};
  cluster->random = seedRandom(launch.options.seed * 1'000'003 + linear);
  cluster->rows.emplace_back(); // Row 0 means none.
  cluster->locations = std::make_shared<SyncLocations>();
  const Dim3 &block = launch.config->block;
  const Dim3 &shape = launch.clusterDim;
  uint32_t threads = static_cast<uint32_t>(block.count());
  uint32_t warpCount = launch.warpsPerBlock;
  uint32_t blocks = static_cast<uint32_t>(shape.count());
  bool shadowed = launch.options.checks.races || launch.options.checks.init;
  for (uint32_t rank = 0; rank < blocks; ++rank) {
    auto b = std::make_unique<Block>();
    b->cluster = cluster.get();
    b->rank = rank;
    b->id = {cluster->id.x * shape.x + rank % shape.x,
             cluster->id.y * shape.y + rank / shape.x % shape.y,
             cluster->id.z * shape.z + rank / (shape.x * shape.y)};
    const Dim3 &g = launch.config->grid;
    b->linear = b->id.x + uint64_t(g.x) * (b->id.y + uint64_t(g.y) * b->id.z);
    b->sharedBytes = launch.sharedBytes;
    b->sharedStorage.resize(launch.sharedBytes + 1024);
    // 1024-byte aligned, so that swizzles agree with addresses.
    auto raw = reinterpret_cast<uintptr_t>(b->sharedStorage.data());
    b->shared = reinterpret_cast<uint8_t *>((raw + 1023) & ~uintptr_t(1023));
    std::memset(b->shared, 0xff, launch.sharedBytes);
    if (shadowed)
      b->shadow.reset(launch.sharedBytes, warpCount * blocks);
    b->liveThreads = threads;
    fillRegisterPool(*b, launch.registersPerThread, warpCount);
    for (uint32_t w = 0; w < warpCount; ++w) {
      auto warp = std::make_unique<Warp>();
      warp->block = b.get();
      warp->cluster = cluster.get();
      warp->launch = &launch;
      warp->indexInBlock = w;
      warp->indexInCluster = rank * warpCount + w;
      uint32_t lanes = std::min(threads - w * 32, 32u);
      warp->existing = lanes == 32 ? fullMask : (1u << lanes) - 1;
      warp->live = warp->existing;
      warp->knowledge = Knowledge(warpCount * blocks);
      warp->localStride = launch.kernel->stackBytes;
      warp->local.assign(uint64_t(32) * warp->localStride, 0xff);
      if (launch.options.checks.init)
        warp->localInitialized.assign(warp->local.size(), 0);
      warp->bank[1] = launch.program->constants.data();
      pushFrame(*warp, *launch.kernel, 0, warp->existing);
      cluster->warps.push_back(warp.get());
      b->warps.push_back(std::move(warp));
    }
    cluster->blocks.push_back(std::move(b));
  }
  cluster->statistics.warps = cluster->warps.size();
  return cluster;
}

} // namespace tilec::emu
