//===- MbarrierInstructions.cpp - The instructions on mbarriers -----------===//
//
// mbarrier.init, inval, arrive, expect_tx, complete_tx, test_wait, try_wait and
// pending_count: decoding and handlers. The objects are Mbarrier.cpp's.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Ordering.h"
#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Decode/Families.h"
#include "../Instructions/Handlers.h"
#include "../Machine/Interpreter.h"
#include "../Memory/Access.h"
#include "Mbarrier.h"

namespace tilec::emu {

namespace {

enum MbarrierFlags : uint8_t {
  wideAddress = 1,
  relaxedOrder = 2,
  expectsBytes = 4,
  drops = 8,
  byParity = 16,
  noComplete = 32,
  mayBlock = 64,
};

/// Calls `body(lane, block, offset, address)` for the lanes of a mask.
template <typename F>
void forObjects(Warp &warp, const Instruction &i, uint32_t mask, F &&body) {
  uint64_t addresses[32];
  gatherAddresses(warp, i, i.ref[1], i.flags & wideAddress, addresses);
  forLanes(mask, [&](uint32_t lane) {
    uint64_t address = addresses[lane];
    if (i.space == StateSpace::Generic &&
        (address & ~0xffffffffull) != sharedWindow) {
      reportAt(warp, i, lane, ReportKind::OutOfBounds,
               "the address of an mbarrier is not in shared memory");
      return;
    }
    uint32_t offset = 0;
    Block *block = blockOfShared(warp, address, offset);
    body(lane, block, offset, address);
  });
}

Step init(Warp &warp, const Instruction &i, uint32_t mask) {
  const uint32_t *counts = warp.ptr<uint32_t>(i.ref[2]);
  forObjects(
      warp, i, mask,
      [&](uint32_t lane, Block *block, uint32_t offset, uint64_t address) {
        AccessRequest request;
        request.space = StateSpace::Shared;
        request.mode = AccessMode::Write;
        request.count = false;
        request.ofMbarrier = true;
        if (offset % 8) {
          reportAt(warp, i, lane, ReportKind::Misaligned,
                   nameMbarrier(offset) + " is not aligned to 8 bytes");
          return;
        }
        uint8_t *bytes = accessShared(warp, i, lane, address, 8, request);
        if (!bytes)
          return;
        uint32_t count = counts[lane];
        if (count == 0 || count >= 1u << 20) {
          reportAt(warp, i, lane, ReportKind::Invalid,
                   "an mbarrier cannot expect " + std::to_string(count) +
                       " arrivals (1 to 1048575)");
          return;
        }
        if (MbarrierState *old = findMbarrier(*block, offset))
          reportAt(warp, i, lane, ReportKind::Barrier,
                   nameMbarrier(offset) +
                       " is initialised twice (first at PTX line " +
                       std::to_string(old->initializer->line) + ")",
                   "mbarrier.inval must come between");
        MbarrierState state;
        state.id = warp.cluster->nextMbarrierId++;
        state.expected = count;
        state.pending = count;
        state.initializer = &i;
        state.initializerLane = lane;
        if (checksRaces(warp))
          state.initialization = shadowAccessOf(warp, i, lane, request);
        block->mbarriers.low = std::min(block->mbarriers.low, offset);
        block->mbarriers.high = std::max(block->mbarriers.high, offset + 8);
        block->mbarriers.states[offset] = std::move(state);
        uint64_t opaque = count;
        std::memcpy(bytes, &opaque, 8);
        ++warp.cluster->progress;
      });
  return Step::Next;
}

Step inval(Warp &warp, const Instruction &i, uint32_t mask) {
  forObjects(
      warp, i, mask,
      [&](uint32_t lane, Block *block, uint32_t offset, uint64_t address) {
        if (requireMbarrier(warp, i, lane, block, offset, address))
          block->mbarriers.states.erase(offset);
      });
  return Step::Next;
}

/// ref[0]: the state token or noRef; ref[2]: count or bytes, or noRef.
Step arrive(Warp &warp, const Instruction &i, uint32_t mask) {
  // Lanes that arrive at one object release together.
  struct Group {
    Block *block;
    uint32_t offset, lanes;
  };
  Group groups[32];
  uint32_t groupCount = 0;
  forObjects(
      warp, i, mask,
      [&](uint32_t lane, Block *block, uint32_t offset, uint64_t address) {
        if (!requireMbarrier(warp, i, lane, block, offset, address))
          return;
        for (uint32_t g = 0; g < groupCount; ++g)
          if (groups[g].block == block && groups[g].offset == offset) {
            groups[g].lanes |= 1u << lane;
            return;
          }
        groups[groupCount++] = {block, offset, 1u << lane};
      });
  for (uint32_t g = 0; g < groupCount; ++g) {
    MbarrierState &state = *findMbarrier(*groups[g].block, groups[g].offset);
    if (!(i.flags & relaxedOrder))
      releaseInto(warp, groups[g].lanes, state.gathered);
    forLanes(groups[g].lanes, [&](uint32_t lane) {
      uint32_t operand =
          i.ref[2] == noRef ? 1 : warp.ptr<uint32_t>(i.ref[2])[lane];
      if (i.ref[0] != noRef)
        warp.ptr<uint64_t>(i.ref[0])[lane] =
            uint64_t(state.phase) << 32 | static_cast<uint32_t>(state.pending);
      uint32_t count = operand;
      if (i.flags & expectsBytes) {
        state.transactions += operand;
        checkTransactions(warp, i, lane, state, groups[g].offset);
        count = 1;
      }
      if (i.flags & drops)
        state.expected -= count;
      countArrivals(warp, i, lane, state, groups[g].offset, count);
      if ((i.flags & noComplete) && state.pending == 0 &&
          state.transactions == 0)
        reportAt(warp, i, lane, ReportKind::Barrier,
                 "an arrival with .noComplete completes the phase of " +
                     nameMbarrier(groups[g].offset));
      completePhaseIfDone(*warp.cluster, state);
    });
  }
  return Step::Next;
}

/// expect_tx and complete_tx: no arrival.
Step transaction(Warp &warp, const Instruction &i, uint32_t mask) {
  forObjects(
      warp, i, mask,
      [&](uint32_t lane, Block *block, uint32_t offset, uint64_t address) {
        MbarrierState *state =
            requireMbarrier(warp, i, lane, block, offset, address);
        if (!state)
          return;
        uint32_t bytes = warp.ptr<uint32_t>(i.ref[2])[lane];
        if (i.flags & expectsBytes)
          state->transactions += bytes;
        else
          state->transactions -= bytes;
        checkTransactions(warp, i, lane, *state, offset);
        ++warp.cluster->progress;
        if (!(i.flags & expectsBytes))
          completePhaseIfDone(*warp.cluster, *state);
      });
  return Step::Next;
}

/// What the lanes of a wait find.
struct WaitOutcome {
  uint32_t done = 0, waiting = 0;
  /// What the waiting ones wait for; `uniform`: all of them for the same.
  uint64_t object = 0, parity = 0;
  bool uniform = true;
};

/// The parity that a lane waits for: ref[2] holds it, or a state token.
uint64_t wantedParity(Warp &warp, const Instruction &i, uint32_t lane) {
  uint64_t wanted = i.flags & byParity
                        ? warp.ptr<uint32_t>(i.ref[2])[lane]
                        : warp.ptr<uint64_t>(i.ref[2])[lane] >> 32 & 1;
  if (wanted > 1)
    reportAt(warp, i, lane, ReportKind::Invalid,
             "a phase parity is 0 or 1, not " + std::to_string(wanted));
  return wanted & 1;
}

WaitOutcome testPhases(Warp &warp, const Instruction &i, uint32_t mask) {
  WaitOutcome outcome;
  auto test = [&](uint32_t lane, Block *block, uint32_t offset,
                  uint64_t address) {
    if (block != warp.block) {
      reportAt(warp, i, lane, ReportKind::Invalid,
               "a thread can wait only on an mbarrier of its own block");
      outcome.done |= 1u << lane;
      return;
    }
    MbarrierState *state =
        requireMbarrier(warp, i, lane, block, offset, address);
    if (!state) {
      outcome.done |= 1u << lane;
      return;
    }
    uint64_t wanted = wantedParity(warp, i, lane);
    if ((state->phase & 1) != wanted) {
      state->observed = state->phase;
      outcome.done |= 1u << lane;
      return;
    }
    uint64_t here = uint64_t(block->rank) << 32 | offset;
    outcome.uniform &= !outcome.waiting ||
                       (here == outcome.object && wanted == outcome.parity);
    outcome.object = here;
    outcome.parity = wanted;
    outcome.waiting |= 1u << lane;
  };
  forObjects(warp, i, mask, test);
  return outcome;
}

/// The lanes learn what the completed phases of their objects released.
void acquirePhases(Warp &warp, const Instruction &i, uint32_t lanes) {
  uint64_t addresses[32];
  gatherAddresses(warp, i, i.ref[1], i.flags & wideAddress, addresses);
  while (lanes) {
    uint64_t address = addresses[__builtin_ctz(lanes)];
    uint32_t same = 0;
    forLanes(lanes, [&](uint32_t lane) {
      if (addresses[lane] == address)
        same |= 1u << lane;
    });
    uint32_t offset = 0;
    Block *block = blockOfShared(warp, address, offset);
    if (MbarrierState *state = block ? findMbarrier(*block, offset) : nullptr)
      acquireFrom(warp, same, state->released);
    lanes &= ~same;
  }
}

/// ref[0]: predicate; ref[2]: parity or state token.
Step wait(Warp &warp, const Instruction &i, uint32_t mask) {
  WaitOutcome outcome = testPhases(warp, i, mask);
  Split &split = warp.split();
  // The hardware may answer "not yet" whenever it likes.
  bool impatient = warp.launch->options.seed && outcome.waiting &&
                   warp.cluster->nextRandom() % 4 == 0;
  if (impatient)
    split.woken = true;
  // Lanes that wait for different objects are told "not yet" as soon as one
  // lane of the warp can go on.
  if (outcome.waiting && !split.woken && (outcome.uniform || !outcome.done))
    return warp.waitFor(Wait::Mbarrier, outcome.object, outcome.parity, 0);
  split.woken = false;
  if (outcome.waiting)
    ++warp.cluster->polls;
  warp.setPredicate(i.ref[0], mask, outcome.done);
  if (outcome.done && !(i.flags & relaxedOrder))
    acquirePhases(warp, i, outcome.done);
  return Step::Next;
}

Step pendingCount(Warp &warp, const Instruction &i, uint32_t mask) {
  const uint64_t *state = warp.ptr<uint64_t>(i.ref[1]);
  uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    d[lane] = static_cast<uint32_t>(state[lane]);
  });
  return Step::Next;
}

bool bindAddress(Decoder &d, const Operand &operand) {
  bool wide;
  if (!d.address(operand, d.out.space, d.out.ref[1], wide, d.out.immediate))
    return false;
  if (wide)
    d.out.flags |= wideAddress;
  return true;
}

bool decodeArrive(Decoder &d, bool drop) {
  if (d.take("noComplete"))
    d.out.flags |= noComplete;
  if (d.take("expect_tx"))
    d.out.flags |= expectsBytes;
  int order = d.takeOne({"release", "relaxed"});
  if (order == 1)
    d.out.flags |= relaxedOrder;
  if (drop)
    d.out.flags |= drops;
  d.takeScope(Scope::Cta);
  d.out.space = takeStateSpace(d);
  d.take("b64");
  // {state,} [addr] {, count}
  size_t at = 0;
  if (d.operandCount() && d.operand(0).kind != Operand::Kind::Address) {
    if (d.operand(0).kind != Operand::Kind::Sink)
      d.out.ref[0] = d.destination(0, Type::B64);
    at = 1;
  }
  if (!d.expectOperands(at + 1, at + 2) || !bindAddress(d, d.operand(at)))
    return false;
  if (d.operandCount() > at + 1)
    d.out.ref[2] = d.source(at + 1, Type::U32);
  else if (d.out.flags & expectsBytes)
    return d.fail("the number of bytes is missing");
  return d.emit(arrive, InstructionClass::Barrier);
}

bool decodeWait(Decoder &d, bool tryWait) {
  if (tryWait)
    d.out.flags |= mayBlock;
  if (d.take("parity"))
    d.out.flags |= byParity;
  int order = d.takeOne({"acquire", "relaxed"});
  if (order == 1)
    d.out.flags |= relaxedOrder;
  d.takeScope(Scope::Cta);
  d.out.space = takeStateSpace(d);
  d.take("b64");
  if (!d.expectOperands(3, tryWait ? 4 : 3) || !bindAddress(d, d.operand(1)))
    return false;
  d.out.ref[2] = d.source(2, d.out.flags & byParity ? Type::U32 : Type::B64);
  d.out.ref[0] = d.destinationPredicate(d.operand(0));
  return d.emit(wait, InstructionClass::Barrier);
}

bool decodeMbarrier(Decoder &d) {
  if (d.take("init")) {
    d.out.space = takeStateSpace(d);
    d.take("b64");
    if (!d.expectOperands(2, 2) || !bindAddress(d, d.operand(0)))
      return false;
    d.out.ref[2] = d.source(1, Type::U32);
    return d.emit(init, InstructionClass::Barrier);
  }
  if (d.take("inval")) {
    d.out.space = takeStateSpace(d);
    d.take("b64");
    return d.expectOperands(1, 1) && bindAddress(d, d.operand(0)) &&
           d.emit(inval, InstructionClass::Barrier);
  }
  if (d.take("arrive"))
    return decodeArrive(d, false);
  if (d.take("arrive_drop"))
    return decodeArrive(d, true);
  if (d.take("test_wait"))
    return decodeWait(d, false);
  if (d.take("try_wait"))
    return decodeWait(d, true);
  if (d.take("pending_count")) {
    d.take("b64");
    if (!d.expectOperands(2, 2))
      return false;
    d.out.ref[1] = d.source(1, Type::B64);
    d.out.ref[0] = d.destination(0, Type::U32);
    return d.emit(pendingCount, InstructionClass::Barrier);
  }
  bool expect = d.take("expect_tx");
  if (expect || d.take("complete_tx")) {
    d.out.flags = expect ? expectsBytes : 0;
    d.take("relaxed");
    d.takeScope(Scope::Cta);
    d.out.space = takeStateSpace(d);
    d.take("b64");
    if (!d.expectOperands(2, 2) || !bindAddress(d, d.operand(0)))
      return false;
    d.out.ref[2] = d.source(1, Type::U32);
    return d.emit(transaction, InstructionClass::Barrier);
  }
  return false;
}

} // namespace

void registerMbarrier(OpcodeTable &table) {
  table["mbarrier"] = decodeMbarrier;
}

} // namespace tilec::emu
