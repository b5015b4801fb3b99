//===- WarpExchange.cpp - Exchanges between the lanes of a warp -----------===//
//
// shfl, vote, match, redux, activemask, elect. The .sync forms wait until all
// lanes of the mask are at the instruction, so that divergence in the program
// does not change results; lanes that never come are a deadlock report.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Machine/Interpreter.h"
#include "Handlers.h"
#include "tile/Emulator/Numerics.h"

#include <type_traits>

namespace tilec::emu {

namespace {

/// Checks the member mask (ref `maskRef`) and waits for its lanes. Returns
/// false if the handler must return `step`.
bool converge(Warp &warp, const Instruction &i, uint32_t mask, Ref maskRef,
              uint32_t &members, Step &step) {
  uint32_t lane = static_cast<uint32_t>(__builtin_ctz(mask));
  const uint32_t *masks = warp.ptr<uint32_t>(maskRef);
  members = masks[lane];
  bool checked = warp.launch->options.checks.barriers;
  forLanes(mask, [&](uint32_t l) {
    if (!(masks[l] >> l & 1) && checked)
      reportAt(warp, i, l, ReportKind::Barrier,
               "the member mask does not name the executing lane " +
                   std::to_string(l));
  });
  if ((members & warp.existing & ~warp.live) && checked)
    reportAt(warp, i, lane, ReportKind::Barrier,
             "the member mask names lanes that have exited");
  if (!areConverged(warp, members)) {
    step = warp.waitFor(Wait::Converge, 0, 0, members);
    return false;
  }
  // Lanes whose guard is false are at the instruction but do not take part.
  if ((members & warp.live & ~mask) && checked) {
    bool other = false;
    forLanes(mask, [&](uint32_t l) { other |= masks[l] != members; });
    if (!other)
      reportAt(warp, i, lane, ReportKind::Barrier,
               "the member mask names lanes whose guard predicate is false");
  }
  ++warp.cluster->progress;
  return true;
}

//===----------------------------------------------------------------------===//
// shfl
//===----------------------------------------------------------------------===//

enum class Shuffle : uint8_t { Up, Down, Butterfly, Index };

Step shfl(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t members = fullMask;
  Step step;
  bool synchronous = i.ref[5] != noRef;
  if (synchronous && !converge(warp, i, mask, i.ref[5], members, step))
    return step;
  const uint32_t *a = warp.ptr<uint32_t>(i.ref[1]);
  const uint32_t *b = warp.ptr<uint32_t>(i.ref[2]);
  const uint32_t *c = warp.ptr<uint32_t>(i.ref[3]);
  alignas(64) uint32_t values[32];
  uint32_t inRange = 0;
  auto mode = static_cast<Shuffle>(i.flags);
  forLanes(mask, [&](uint32_t lane) {
    uint32_t shift = b[lane] & 31, clamp = c[lane] & 31;
    uint32_t segment = c[lane] >> 8 & 31;
    uint32_t maxLane = (lane & segment) | (clamp & ~segment);
    uint32_t minLane = lane & segment;
    uint32_t from = lane;
    bool valid = false;
    switch (mode) {
    case Shuffle::Up:
      from = lane - shift;
      valid = static_cast<int32_t>(from) >= static_cast<int32_t>(maxLane);
      break;
    case Shuffle::Down:
      from = lane + shift;
      valid = from <= maxLane;
      break;
    case Shuffle::Butterfly:
      from = lane ^ shift;
      valid = from <= maxLane;
      break;
    case Shuffle::Index:
      from = minLane | (shift & ~segment);
      valid = from <= maxLane;
      break;
    }
    if (!valid)
      from = lane;
    else
      inRange |= 1u << lane;
    if (!(mask >> (from & 31) & 1) && warp.launch->options.checks.barriers)
      reportAt(warp, i, lane, ReportKind::Invalid,
               "shuffle reads from lane " + std::to_string(from) +
                   ", which does not take part");
    values[lane] = a[from & 31];
  });
  blend(warp.ptr<uint32_t>(i.ref[0]), values, mask);
  if (i.ref[4] != noRef)
    warp.setPredicate(i.ref[4], mask, inRange);
  return Step::Next;
}

bool decodeShfl(Decoder &d) {
  bool synchronous = d.take("sync");
  int mode = d.takeOne({"up", "down", "bfly", "idx"});
  Type type = d.takeType();
  size_t count = synchronous ? 5 : 4;
  if (mode < 0 || type != Type::B32 || !d.expectOperands(count, count))
    return false;
  d.out.flags = static_cast<uint8_t>(mode);
  d.out.ref[1] = d.source(1, type);
  d.out.ref[2] = d.source(2, Type::B32);
  d.out.ref[3] = d.source(3, Type::B32);
  if (synchronous)
    d.out.ref[5] = d.source(4, Type::B32);
  const Operand &result = d.operand(0);
  if (result.kind == Operand::Kind::Pair) {
    d.out.ref[0] = d.destination(result.elements[0], type);
    d.out.ref[4] = d.destinationPredicate(result.elements[1]);
  } else {
    d.out.ref[0] = d.destination(result, type);
  }
  return d.emit(shfl, InstructionClass::Shuffle);
}

//===----------------------------------------------------------------------===//
// vote
//===----------------------------------------------------------------------===//

enum class Vote : uint8_t { All, Any, Uniform, Ballot };

Step vote(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t members = fullMask;
  Step step;
  if (i.ref[2] != noRef && !converge(warp, i, mask, i.ref[2], members, step))
    return step;
  uint32_t p = warp.predicate(i.ref[1]);
  uint32_t voters = mask & members, yes = p & voters;
  bool result = false;
  switch (static_cast<Vote>(i.flags)) {
  case Vote::All:
    result = yes == voters;
    break;
  case Vote::Any:
    result = yes != 0;
    break;
  case Vote::Uniform:
    result = yes == 0 || yes == voters;
    break;
  case Vote::Ballot: {
    uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
    forLanes(mask, [&](uint32_t lane) { d[lane] = yes; });
    return Step::Next;
  }
  }
  warp.setPredicate(i.ref[0], mask, result ? fullMask : 0);
  return Step::Next;
}

bool decodeVote(Decoder &d) {
  bool synchronous = d.take("sync");
  int mode = d.takeOne({"all", "any", "uni", "ballot"});
  Type type = d.takeType();
  size_t count = synchronous ? 3 : 2;
  if (mode < 0 || !d.expectOperands(count, count))
    return false;
  d.out.flags = static_cast<uint8_t>(mode);
  bool ballot = mode == 3;
  if (type != (ballot ? Type::B32 : Type::Pred))
    return false;
  d.out.ref[1] = d.sourcePredicate(d.operand(1));
  if (synchronous)
    d.out.ref[2] = d.source(2, Type::B32);
  d.out.ref[0] =
      ballot ? d.destination(0, type) : d.destinationPredicate(d.operand(0));
  return d.emit(vote, InstructionClass::Shuffle);
}

//===----------------------------------------------------------------------===//
// match
//===----------------------------------------------------------------------===//

template <typename T, bool all>
Step match(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t members;
  Step step;
  if (!converge(warp, i, mask, i.ref[2], members, step))
    return step;
  const T *a = warp.ptr<T>(i.ref[1]);
  uint32_t values[32];
  uint32_t predicate = 0;
  forLanes(mask, [&](uint32_t lane) {
    uint32_t equal = 0;
    forLanes(mask & members, [&](uint32_t other) {
      equal |= (a[other] == a[lane] ? 1u : 0u) << other;
    });
    if (all) {
      bool same = equal == (mask & members);
      values[lane] = same ? members & mask : 0;
      predicate |= (same ? 1u : 0u) << lane;
    } else {
      values[lane] = equal;
    }
  });
  blend(warp.ptr<uint32_t>(i.ref[0]), values, mask);
  if (all && i.ref[3] != noRef)
    warp.setPredicate(i.ref[3], mask, predicate);
  return Step::Next;
}

bool decodeMatch(Decoder &d) {
  int mode = d.takeOne({"any", "all"});
  if (mode < 0 || !d.take("sync"))
    return false;
  Type type = d.takeType();
  if ((type != Type::B32 && type != Type::B64) || !d.expectOperands(3, 3))
    return false;
  d.out.ref[1] = d.source(1, type);
  d.out.ref[2] = d.source(2, Type::B32);
  const Operand &result = d.operand(0);
  if (result.kind == Operand::Kind::Pair) {
    d.out.ref[0] = d.destination(result.elements[0], Type::B32);
    d.out.ref[3] = d.destinationPredicate(result.elements[1]);
  } else {
    d.out.ref[0] = d.destination(result, Type::B32);
  }
  Handler handler = type == Type::B32
                        ? mode ? match<uint32_t, true> : match<uint32_t, false>
                    : mode ? match<uint64_t, true>
                           : match<uint64_t, false>;
  return d.emit(handler, InstructionClass::Shuffle);
}

//===----------------------------------------------------------------------===//
// redux
//===----------------------------------------------------------------------===//

enum class Redux : uint8_t { Add, Min, Max, And, Or, Xor };

template <typename T>
Step redux(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t members;
  Step step;
  if (!converge(warp, i, mask, i.ref[2], members, step))
    return step;
  const T *a = warp.ptr<T>(i.ref[1]);
  bool first = true;
  T total = 0;
  forLanes(mask & members, [&](uint32_t lane) {
    T x = a[lane];
    if (first) {
      total = x;
      first = false;
      return;
    }
    using U = std::make_unsigned_t<T>;
    switch (static_cast<Redux>(i.flags)) {
    case Redux::Add:
      total = static_cast<T>(static_cast<U>(total) + static_cast<U>(x));
      break;
    case Redux::Min:
      total = x < total ? x : total;
      break;
    case Redux::Max:
      total = x > total ? x : total;
      break;
    case Redux::And:
      total &= x;
      break;
    case Redux::Or:
      total |= x;
      break;
    case Redux::Xor:
      total ^= x;
      break;
    }
  });
  T *d = warp.ptr<T>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) { d[lane] = total; });
  return Step::Next;
}

/// redux.sync.{min,max}{.abs}{.NaN}.f32
Step reduxF32(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t members;
  Step step;
  if (!converge(warp, i, mask, i.ref[2], members, step))
    return step;
  const uint32_t *a = warp.ptr<uint32_t>(i.ref[1]);
  bool isMax = static_cast<Redux>(i.flags) == Redux::Max;
  MinMaxMode mode;
  mode.propagateNan = i.small[1];
  uint64_t total = 0;
  bool first = true;
  forLanes(mask & members, [&](uint32_t lane) {
    uint64_t x = i.small[0] ? a[lane] & 0x7fffffffu : a[lane];
    total = first   ? x
            : isMax ? maxFloat(ElementType::F32, total, x, mode)
                    : minFloat(ElementType::F32, total, x, mode);
    first = false;
  });
  uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t l) { d[l] = static_cast<uint32_t>(total); });
  return Step::Next;
}

bool decodeRedux(Decoder &d) {
  if (!d.take("sync"))
    return false;
  int operation = d.takeOne({"add", "min", "max", "and", "or", "xor"});
  bool absolute = d.take("abs"), nan = d.take("NaN");
  Type type = d.takeType();
  if (operation < 0 || !d.expectOperands(3, 3))
    return false;
  d.out.flags = static_cast<uint8_t>(operation);
  d.out.small[0] = absolute;
  d.out.small[1] = nan;
  bool isFloat = type == Type::F32;
  if ((absolute || nan) && !isFloat)
    return false;
  if (isFloat && operation != 1 && operation != 2)
    return false;
  d.out.ref[1] = d.source(1, type);
  d.out.ref[2] = d.source(2, Type::B32);
  d.out.ref[0] = d.destination(0, type);
  return d.emit(isFloat             ? reduxF32
                : type == Type::S32 ? redux<int32_t>
                                    : redux<uint32_t>,
                InstructionClass::Shuffle);
}

Step activemask(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) { d[lane] = mask; });
  return Step::Next;
}
bool decodeActivemask(Decoder &d) {
  if (d.takeType() != Type::B32 || !d.expectOperands(1, 1))
    return false;
  d.out.ref[0] = d.destination(0, Type::B32);
  return d.emit(activemask, InstructionClass::Shuffle);
}

Step elect(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t members;
  Step step;
  if (!converge(warp, i, mask, i.ref[2], members, step))
    return step;
  uint32_t takers = mask & members;
  uint32_t leader = takers ? static_cast<uint32_t>(__builtin_ctz(takers)) : 0;
  uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) { d[lane] = leader; });
  warp.setPredicate(i.ref[3], mask, 1u << leader);
  return Step::Next;
}
bool decodeElect(Decoder &d) {
  if (!d.take("sync") || !d.expectOperands(2, 2))
    return false;
  const Operand &result = d.operand(0);
  if (result.kind != Operand::Kind::Pair)
    return d.fail("expected d|p");
  d.out.ref[0] = d.destination(result.elements[0], Type::B32);
  d.out.ref[3] = d.destinationPredicate(result.elements[1]);
  d.out.ref[2] = d.source(1, Type::B32);
  return d.emit(elect, InstructionClass::Shuffle);
}

} // namespace

void registerWarp(OpcodeTable &table) {
  table["shfl"] = decodeShfl;
  table["vote"] = decodeVote;
  table["match"] = decodeMatch;
  table["redux"] = decodeRedux;
  table["activemask"] = decodeActivemask;
  table["elect"] = decodeElect;
}

} // namespace tilec::emu
