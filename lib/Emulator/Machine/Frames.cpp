//===- Frames.cpp - Calls, returns and the end of lanes -------------------===//
//
// A call pushes a frame for the lanes that make it; the frame is popped when
// all of them have returned or exited. Arguments and results are copied between
// the callers' and the callee's part of each lane's stack.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/BlockEnd.h"
#include "../Checkers/Report.h"
#include "../Definedness/Definedness.h"
#include "../Instructions/Handlers.h"
#include "../Synchronization/Waiting.h"
#include "../Synchronization/Warpgroup.h"
#include "Interpreter.h"

namespace tilec::emu {

/// Register files of finished warps, kept for the next ones of this OS thread:
/// they are large, and fresh memory is slow. They carry no value from one warp
/// to the next.
static thread_local std::vector<AlignedBytes> spareRegisters;
/// Those of two blocks of 32 warps: one that ends, one that begins.
static constexpr size_t maximumSpares = 64;

/// Calls deeper than this are a recursion without end, even if each takes
/// little of the stack.
static constexpr uint32_t maximumFrames = 500;

Warp::~Warp() {
  for (auto &frame : frames)
    if (spareRegisters.size() < maximumSpares &&
        !frame->registers.storage.empty())
      spareRegisters.push_back(std::move(frame->registers));
}

Frame &pushFrame(Warp &warp, const ProgramFunction &function,
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
  enterFrame(warp, function);
  return frame;
}

/// Copies bytes of each lane's stack, and whether they are initialised.
static void copyLocal(Warp &warp, uint32_t mask, uint32_t to, uint32_t from,
                      uint32_t bytes) {
  forLanes(mask, [&](uint32_t lane) {
    uint64_t stack = uint64_t(lane) * warp.local.stride;
    std::memcpy(warp.local.bytes.data() + stack + to,
                warp.local.bytes.data() + stack + from, bytes);
    if (!warp.local.initialized.empty())
      std::memcpy(warp.local.initialized.data() + stack + to,
                  warp.local.initialized.data() + stack + from, bytes);
  });
}

void enterFunction(Warp &warp, const CallInfo &info, const Instruction &call,
                   uint32_t mask) {
  const ProgramFunction &callee =
      warp.launch->program->functions[info.function];
  Frame &caller = warp.frame();
  uint32_t callerBase = caller.localBase;
  uint32_t base = callerBase + caller.function->localBytes;
  if (base + callee.localBytes > warp.local.stride ||
      warp.frameCount > maximumFrames) {
    reportAt(warp, call, static_cast<uint32_t>(__builtin_ctz(mask)),
             ReportKind::OutOfBounds,
             "the stack of " + std::to_string(warp.local.stride) +
                 " bytes a thread is exhausted by recursive calls");
    warp.launch->stop = true;
    return;
  }
  // The frame's bytes are left over from earlier calls.
  if (!warp.local.initialized.empty())
    forLanes(mask, [&](uint32_t lane) {
      std::memset(warp.local.initialized.data() +
                      uint64_t(lane) * warp.local.stride + base,
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
  const auto &info = frame.call->data<CallInfo>();
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
  for (uint32_t depth = 0; depth < warp.frameCount; ++depth) {
    Frame &frame = *warp.frames[depth];
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

} // namespace tilec::emu
