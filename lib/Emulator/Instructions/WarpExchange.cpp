//===- WarpExchange.cpp - Exchanges between the lanes of a warp -----------===//
//
// shfl, vote, match, redux, activemask, elect. The .sync forms exchange within
// groups of lanes that give one member mask, once all of a group are at the
// instruction (MemberMask.h), so that divergence in the program does not change
// results; lanes that never come are a deadlock report.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "Handlers.h"
#include "MemberMask.h"
#include "tile/Emulator/Numerics.h"

#include <type_traits>

namespace tilec::emu {

namespace {

//===----------------------------------------------------------------------===//
// shfl
//===----------------------------------------------------------------------===//

enum class Shuffle : uint8_t { Up, Down, Butterfly, Index };

/// The lane that `lane` reads from; itself where that is out of range.
uint32_t sourceLane(Shuffle mode, uint32_t lane, uint32_t b, uint32_t c,
                    bool &inRange) {
  uint32_t shift = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  uint32_t minLane = lane & segment;
  uint32_t maxLane = minLane | (clamp & ~segment);
  uint32_t from = lane;
  switch (mode) {
  case Shuffle::Up:
    from = lane - shift;
    inRange = static_cast<int32_t>(from) >= static_cast<int32_t>(maxLane);
    return inRange ? from : lane;
  case Shuffle::Down:
    from = lane + shift;
    break;
  case Shuffle::Butterfly:
    from = lane ^ shift;
    break;
  case Shuffle::Index:
    from = minLane | (shift & ~segment);
    break;
  }
  inRange = from <= maxLane;
  return inRange ? from : lane;
}

/// Shuffles among `lanes`, of which each reads from one of them.
void shuffle(Warp &warp, const Instruction &i, uint32_t lanes) {
  const uint32_t *a = warp.ptr<uint32_t>(i.ref[1]);
  const uint32_t *b = warp.ptr<uint32_t>(i.ref[2]);
  const uint32_t *c = warp.ptr<uint32_t>(i.ref[3]);
  alignas(64) uint32_t values[32];
  uint32_t inRange = 0;
  auto mode = static_cast<Shuffle>(i.flags);
  forLanes(lanes, [&](uint32_t lane) {
    bool isInRange = false;
    uint32_t from = sourceLane(mode, lane, b[lane], c[lane], isInRange);
    inRange |= (isInRange ? 1u : 0u) << lane;
    if (!(lanes >> (from & 31) & 1) && warp.launch->options.checks.barriers)
      reportAt(warp, i, lane, ReportKind::Invalid,
               "shuffle reads from lane " + std::to_string(from) +
                   ", which does not take part");
    values[lane] = a[from & 31];
  });
  blend(warp.ptr<uint32_t>(i.ref[0]), values, lanes);
  if (i.ref[4] != noRef)
    warp.setPredicate(i.ref[4], lanes, inRange);
}

Step shfl(Warp &warp, const Instruction &i, uint32_t mask) {
  if (i.ref[5] == noRef) {
    shuffle(warp, i, mask);
    return Step::Next;
  }
  return exchangeByMembers(
      warp, i, mask, i.ref[5],
      [&](uint32_t lanes, uint32_t) { shuffle(warp, i, lanes); });
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

/// A vote of `voters`, of which `lanes` learn the result.
void countVotes(Warp &warp, const Instruction &i, uint32_t lanes,
                uint32_t voters) {
  uint32_t yes = warp.predicate(i.ref[1]) & voters;
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
    forLanes(lanes, [&](uint32_t lane) { d[lane] = yes; });
    return;
  }
  }
  warp.setPredicate(i.ref[0], lanes, result ? fullMask : 0);
}

Step vote(Warp &warp, const Instruction &i, uint32_t mask) {
  if (i.ref[2] == noRef) {
    countVotes(warp, i, mask, mask);
    return Step::Next;
  }
  return exchangeByMembers(warp, i, mask, i.ref[2],
                           [&](uint32_t lanes, uint32_t members) {
                             countVotes(warp, i, lanes, lanes & members);
                           });
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

/// Compares the values of `voters`; `lanes` learn which are equal.
template <typename T, bool all>
void compareValues(Warp &warp, const Instruction &i, uint32_t lanes,
                   uint32_t voters) {
  const T *a = warp.ptr<T>(i.ref[1]);
  alignas(64) uint32_t values[32];
  uint32_t predicate = 0;
  forLanes(lanes, [&](uint32_t lane) {
    uint32_t equal = 0;
    forLanes(voters, [&](uint32_t other) {
      equal |= (a[other] == a[lane] ? 1u : 0u) << other;
    });
    bool same = equal == voters;
    values[lane] = !all || same ? equal : 0;
    predicate |= (same ? 1u : 0u) << lane;
  });
  blend(warp.ptr<uint32_t>(i.ref[0]), values, lanes);
  if (all && i.ref[3] != noRef)
    warp.setPredicate(i.ref[3], lanes, predicate);
}

template <typename T, bool all>
Step match(Warp &warp, const Instruction &i, uint32_t mask) {
  return exchangeByMembers(
      warp, i, mask, i.ref[2], [&](uint32_t lanes, uint32_t members) {
        compareValues<T, all>(warp, i, lanes, lanes & members);
      });
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
T combine(Redux operation, T total, T x) {
  using U = std::make_unsigned_t<T>;
  switch (operation) {
  case Redux::Add:
    return static_cast<T>(static_cast<U>(total) + static_cast<U>(x));
  case Redux::Min:
    return x < total ? x : total;
  case Redux::Max:
    return x > total ? x : total;
  case Redux::And:
    return total & x;
  case Redux::Or:
    return total | x;
  case Redux::Xor:
    return total ^ x;
  }
  return total;
}

template <typename T>
Step redux(Warp &warp, const Instruction &i, uint32_t mask) {
  auto operation = static_cast<Redux>(i.flags);
  return exchangeByMembers(
      warp, i, mask, i.ref[2], [&](uint32_t lanes, uint32_t members) {
        const T *a = warp.ptr<T>(i.ref[1]);
        bool first = true;
        T total = 0;
        forLanes(lanes & members, [&](uint32_t lane) {
          total = first ? a[lane] : combine(operation, total, a[lane]);
          first = false;
        });
        T *d = warp.ptr<T>(i.ref[0]);
        forLanes(lanes, [&](uint32_t lane) { d[lane] = total; });
      });
}

/// redux.sync.{min,max}{.abs}{.NaN}.f32 among the values of `voters`.
uint32_t reduceF32(Warp &warp, const Instruction &i, uint32_t voters) {
  const uint32_t *a = warp.ptr<uint32_t>(i.ref[1]);
  bool isMax = static_cast<Redux>(i.flags) == Redux::Max;
  MinMaxMode mode;
  mode.propagateNan = i.small[1];
  uint64_t total = 0;
  bool first = true;
  forLanes(voters, [&](uint32_t lane) {
    uint64_t x = i.small[0] ? a[lane] & 0x7fffffffu : a[lane];
    total = first   ? x
            : isMax ? maxFloat(ElementType::F32, total, x, mode)
                    : minFloat(ElementType::F32, total, x, mode);
    first = false;
  });
  return static_cast<uint32_t>(total);
}

Step reduxF32(Warp &warp, const Instruction &i, uint32_t mask) {
  return exchangeByMembers(
      warp, i, mask, i.ref[2], [&](uint32_t lanes, uint32_t members) {
        uint32_t total = reduceF32(warp, i, lanes & members);
        uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
        forLanes(lanes, [&](uint32_t lane) { d[lane] = total; });
      });
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
  return exchangeByMembers(
      warp, i, mask, i.ref[2], [&](uint32_t lanes, uint32_t members) {
        uint32_t takers = lanes & members;
        uint32_t leader =
            takers ? static_cast<uint32_t>(__builtin_ctz(takers)) : 0;
        uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
        forLanes(lanes, [&](uint32_t lane) { d[lane] = leader; });
        warp.setPredicate(i.ref[3], lanes, 1u << leader);
      });
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
