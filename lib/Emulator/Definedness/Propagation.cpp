//===- Propagation.cpp - Instructions with undefined operands -------------===//
//
// Before an instruction: what must be defined is. After it: its results get
// their undefined bits by the instruction's rule.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Instructions/Handlers.h"
#include "Definedness.h"

#include <algorithm>

namespace tilec::emu {

namespace {

bool isAnyUndefined(const Warp &warp) {
  for (size_t depth = 0;
       depth < warp.frameCount && depth < warp.definedness->frames.size();
       ++depth)
    if (!warp.definedness->frames[depth].empty())
      return true;
  return false;
}

/// Undefined lanes of a source; none of a constant.
uint32_t undefinedLanes(Warp &warp, const RegisterUse &use) {
  if (use.isConstant())
    return 0;
  const UndefinedRegister *found = undefinedRegistersOf(warp).find(use.ref);
  return found ? found->lanes : 0;
}

/// The values of a source before the instruction.
const uint8_t *valuesOf(Warp &warp, const RegisterUse &use) {
  if (use.isConstant())
    return warp.ptr<uint8_t>(use.ref);
  return warp.definedness->findSaved(use.ref)->values.data();
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// Reports an operand that is undefined in a lane of `mask`, and takes it as
/// defined.
void requireDefined(Warp &warp, const Instruction &i, Ref ref, uint32_t mask,
                    const std::string &decision) {
  UndefinedRegisters &registers = undefinedRegistersOf(warp);
  const UndefinedRegister *found = registers.find(ref);
  if (!found || !(found->lanes & mask))
    return;
  auto lane = static_cast<uint32_t>(__builtin_ctz(found->lanes & mask));
  reportDecision(warp, i, lane, found->origins[lane], decision);
  registers.define(ref, mask);
}

/// The lanes whose addresses a matrix move takes: eight for each 8x8 matrix.
uint32_t lanesWithAddress(const Instruction &i) {
  uint32_t lanes = fullMask;
  const auto &parts = i.syntax->parts;
  auto has = [&](std::string_view part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  };
  bool isMove = parts[0] == "ldmatrix" || parts[0] == "stmatrix";
  if (isMove && has("m8n8"))
    lanes = has("x1") ? 0xff : has("x2") ? 0xffff : fullMask;
  return lanes;
}

/// Whether a source must be defined though it is no address: operands of what
/// synchronises and copies, descriptors and scale-d of wgmma.
bool mustBeDefined(const Instruction &i, const InstructionUses &uses,
                   const RegisterUse &use) {
  if (uses.rule.kind == RuleKind::Decides)
    return true;
  return uses.rule.kind == RuleKind::Product && i.syntax->parts[0] == "wgmma" &&
         use.bytes != 4;
}

void requireDefinedOperands(Warp &warp, const Instruction &i,
                            const InstructionUses &uses, uint32_t mask) {
  if (uses.rule.kind == RuleKind::Nothing)
    return;
  const RegisterUse *use = beginUses(warp, uses);
  for (uint32_t k = 0; k < uses.count; ++k) {
    if (use[k].isConstant() || use[k].role == UseRole::Write)
      continue;
    if (!undefinedLanes(warp, use[k]))
      continue;
    if (use[k].role == UseRole::Address)
      requireDefined(warp, i, use[k].ref, mask & lanesWithAddress(i),
                     "is the address of " + spellInstruction(i));
    else if (mustBeDefined(i, uses, use[k]))
      requireDefined(warp, i, use[k].ref, mask,
                     i.syntax->parts[0] == "brx"
                         ? "decides a branch"
                         : "is an operand of " + spellInstruction(i));
  }
}

bool readsUndefined(Warp &warp, const InstructionUses &uses) {
  const RegisterUse *use = beginUses(warp, uses);
  for (uint32_t k = 0; k < uses.count; ++k) {
    // The sum of a wgmma is its result's register.
    bool isRead =
        use[k].role == UseRole::Read || uses.rule.kind == RuleKind::Product;
    if (isRead && undefinedLanes(warp, use[k]))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// All results of `undefined` lanes are undefined, those of the rest of `mask`
/// defined.
void setResults(Warp &warp, const Instruction &i, uint32_t mask,
                uint32_t undefined) {
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  UndefinedRegisters &registers = undefinedRegistersOf(warp);
  std::array<uint32_t, 32> origins;
  forLanes(undefined & mask,
           [&](uint32_t lane) { origins[lane] = findOrigin(warp, i, lane); });
  for (uint32_t k = 0; k < uses.count; ++k) {
    if (use[k].role != UseRole::Write)
      continue;
    registers.define(use[k].ref, mask);
    forLanes(undefined & mask, [&](uint32_t lane) {
      registers.set(use[k].ref, use[k].bytes, lane, nullptr, origins[lane]);
    });
  }
}

/// Lanes of which any source is undefined.
uint32_t lanesWithUndefinedSource(Warp &warp, const InstructionUses &uses) {
  const RegisterUse *use = beginUses(warp, uses);
  uint32_t lanes = 0;
  for (uint32_t k = 0; k < uses.count; ++k)
    if (use[k].role == UseRole::Read)
      lanes |= undefinedLanes(warp, use[k]);
  return lanes;
}

/// The undefined bits of `bytes` bytes of one lane of a source.
struct LaneBits {
  uint8_t bits[16] = {};
  bool any(uint32_t begin, uint32_t end) const {
    return std::any_of(bits + begin, bits + end, [](uint8_t b) { return b; });
  }
};
LaneBits undefinedBits(Warp &warp, const RegisterUse &use, uint32_t lane) {
  LaneBits result;
  if (use.isConstant())
    return result;
  const UndefinedRegister *found = undefinedRegistersOf(warp).find(use.ref);
  if (!found || !(found->lanes >> lane & 1))
    return result;
  if (found->bytes)
    std::memcpy(result.bits, found->bitsOf(lane), found->bytes);
  else
    result.bits[0] = 0xff;
  return result;
}

/// A result of one lane gets these bits.
struct LaneResult {
  const RegisterUse *use = nullptr;
  uint32_t lane = 0;
  LaneBits bits;
};

void setLaneResults(Warp &warp, const Instruction &i, uint32_t mask,
                    const std::vector<LaneResult> &results) {
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  UndefinedRegisters &registers = undefinedRegistersOf(warp);
  std::vector<uint32_t> origins;
  for (const LaneResult &result : results)
    origins.push_back(findOrigin(warp, i, result.lane));
  for (uint32_t k = 0; k < uses.count; ++k)
    if (use[k].role == UseRole::Write)
      registers.define(use[k].ref, mask);
  for (size_t k = 0; k < results.size(); ++k)
    if (results[k].bits.any(0, std::max<uint8_t>(results[k].use->bytes, 1)))
      registers.set(results[k].use->ref, results[k].use->bytes, results[k].lane,
                    results[k].bits.bits, origins[k]);
}

/// Sources and results by halves: a half of the result is undefined if that
/// half of a source is (Elements), or the source it is made of (Pack).
void propagateHalves(Warp &warp, const Instruction &i, uint32_t mask) {
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  bool packs = uses.rule.kind == RuleKind::Pack;
  std::vector<LaneResult> results;
  forLanes(mask, [&](uint32_t lane) {
    bool halves[2] = {false, false};
    uint32_t position = 0;
    for (uint32_t k = 0; k < uses.count; ++k) {
      if (use[k].role != UseRole::Read)
        continue;
      LaneBits bits = undefinedBits(warp, use[k], lane);
      uint32_t width = std::max<uint8_t>(use[k].bytes, 2);
      if (packs && position < 2)
        halves[1 - position] |= bits.any(0, width);
      for (uint32_t half = 0; half < 2 && !packs; ++half)
        halves[half] |= bits.any(half * width / 2, (half + 1) * width / 2);
      ++position;
    }
    for (uint32_t k = 0; k < uses.count; ++k) {
      if (use[k].role != UseRole::Write)
        continue;
      LaneResult result{&use[k], lane, {}};
      for (uint32_t byte = 0; byte < use[k].bytes; ++byte)
        result.bits.bits[byte] = halves[byte * 2 / use[k].bytes] ? 0xff : 0;
      results.push_back(result);
    }
  });
  setLaneResults(warp, i, mask, results);
}

/// One byte of one lane of a source, with its undefined bits.
struct LogicByte {
  uint8_t value = 0, undefined = 0;
};

/// Bits that the sources' undefined bits can make 0 and can make 1.
uint8_t findUndefinedLogic(uint8_t table, const LogicByte *sources) {
  uint8_t canBe[2] = {0, 0};
  for (unsigned entry = 0; entry < 8; ++entry) {
    uint8_t possible = 0xff;
    for (unsigned source = 0; source < 3; ++source) {
      bool wanted = entry >> (2 - source) & 1;
      auto equal = static_cast<uint8_t>(wanted ? sources[source].value
                                               : ~sources[source].value);
      possible &= static_cast<uint8_t>(equal | sources[source].undefined);
    }
    canBe[table >> entry & 1] |= possible;
  }
  return canBe[0] & canBe[1];
}

void propagateLogic(Warp &warp, const Instruction &i, uint32_t mask) {
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  const RegisterUse *sources[3] = {};
  const RegisterUse *target = nullptr;
  uint32_t count = 0;
  for (uint32_t k = 0; k < uses.count; ++k) {
    if (use[k].role == UseRole::Write)
      target = &use[k];
    else if (count < 3)
      sources[count++] = &use[k];
  }
  bool isPredicate = target->bytes == 0;
  std::vector<LaneResult> results;
  forLanes(mask, [&](uint32_t lane) {
    LaneResult result{target, lane, {}};
    for (uint32_t byte = 0; byte < std::max<uint8_t>(target->bytes, 1);
         ++byte) {
      LogicByte bytes[3];
      for (uint32_t s = 0; s < count; ++s) {
        const uint8_t *values = valuesOf(warp, *sources[s]);
        bytes[s].undefined = undefinedBits(warp, *sources[s], lane).bits[byte];
        if (isPredicate) {
          uint32_t word;
          std::memcpy(&word, values, 4);
          bool set = word >> lane & 1;
          bytes[s].value = set != sources[s]->isNegated ? 0xff : 0;
        } else {
          bytes[s].value = values[lane * target->bytes + byte];
        }
      }
      result.bits.bits[byte] = findUndefinedLogic(uses.rule.table, bytes);
    }
    results.push_back(result);
  });
  setLaneResults(warp, i, mask, results);
}

/// Memory that an atomic reads or gets an undefined value in.
void propagateAtomic(Warp &warp, const Instruction &i, uint32_t mask) {
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  uint32_t operands = lanesWithUndefinedSource(warp, uses) & mask;
  uint32_t memory = warp.definedness->readLanes & mask;
  const auto &parts = i.syntax->parts;
  bool exchanges = std::find(parts.begin(), parts.end(), "exch") != parts.end();
  uint32_t bytes = 0;
  uint64_t addresses[32] = {};
  for (uint32_t k = 0; k < uses.count; ++k)
    if (use[k].role == UseRole::Address)
      forLanes(mask, [&](uint32_t lane) {
        std::memcpy(&addresses[lane],
                    valuesOf(warp, use[k]) + lane * use[k].bytes, use[k].bytes);
        addresses[lane] += static_cast<uint64_t>(i.immediate);
        if (use[k].bytes == 4)
          addresses[lane] &= 0xffffffff;
      });
    else if (use[k].role == UseRole::Read && !bytes)
      bytes = use[k].bytes * i.vector;
  forLanes(operands | (exchanges ? 0 : memory), [&](uint32_t lane) {
    MemoryPlace place = findPlace(warp, lane, i.space, addresses[lane], bytes);
    if (place.bytes)
      for (uint32_t byte = 0; byte < bytes; ++byte) {
        storeUndefined(warp, i, lane, place, byte, findOrigin(warp, i, lane));
        if (place.space == StateSpace::Global)
          break; // One report an operation.
      }
  });
  // Lanes at one address take turns: what one leaves, the next one finds.
  uint32_t results = memory | operands;
  forLanes(results, [&](uint32_t lane) {
    forLanes(mask, [&](uint32_t other) {
      if (addresses[other] == addresses[lane])
        results |= 1u << other;
    });
  });
  setResults(warp, i, mask, exchanges && !memory && !operands ? 0 : results);
}

void propagate(Warp &warp, const Instruction &i, uint32_t mask) {
  const InstructionUses &uses = usesOf(warp, i);
  switch (uses.rule.kind) {
  case RuleKind::Bits:
    return propagateBits(warp, i, mask);
  case RuleKind::Logic:
    return propagateLogic(warp, i, mask);
  case RuleKind::Elements:
  case RuleKind::Pack:
    return propagateHalves(warp, i, mask);
  case RuleKind::Product:
    return propagateProduct(warp, i);
  case RuleKind::Atomic:
    return propagateAtomic(warp, i, mask);
  case RuleKind::Warp:
    return setResults(warp, i, mask,
                      lanesWithUndefinedSource(warp, uses) & mask ? mask : 0);
  case RuleKind::Result:
    return setResults(warp, i, mask, lanesWithUndefinedSource(warp, uses));
  case RuleKind::Decides:
  case RuleKind::Nothing:
    return setResults(warp, i, mask, 0);
  }
}

} // namespace

uint32_t findOrigin(Warp &warp, const Instruction &i, uint32_t lane) {
  const WarpDefinedness &state = *warp.definedness;
  if (state.underWay == &i && (state.readLanes >> lane & 1))
    return state.readOrigins[lane];
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  uint32_t other = 0;
  for (uint32_t k = 0; k < uses.count; ++k) {
    bool isSource =
        use[k].role != UseRole::Write || uses.rule.kind == RuleKind::Product;
    if (use[k].isConstant() || !isSource)
      continue;
    const UndefinedRegister *found =
        undefinedRegistersOf(warp).find(use[k].ref);
    if (!found)
      continue;
    if (found->lanes >> lane & 1)
      return found->origins[lane];
    other = found->origins[static_cast<size_t>(__builtin_ctz(found->lanes))];
  }
  if (other || state.underWay != &i || !state.readLanes)
    return other;
  return state.readOrigins[static_cast<size_t>(__builtin_ctz(state.readLanes))];
}

void requireDefinedGuard(Warp &warp, const Instruction &i) {
  bool isBranch = i.syntax && i.syntax->parts[0] == "bra";
  requireDefined(warp, i, i.predicate & ~negatedBit, warp.active,
                 isBranch ? "decides a branch"
                          : "decides whether " + spellInstruction(i) +
                                " is executed");
}

void settle(Warp &warp, const Instruction &i, uint32_t mask) {
  WarpDefinedness &state = *warp.definedness;
  if (state.underWay == &i)
    propagate(warp, i, mask);
  else
    setResults(warp, i, mask, 0);
  state.underWay = nullptr;
  state.readLanes = 0;
  warp.tracksDefinedness = isAnyUndefined(warp);
}

Step executeTracked(Warp &warp, const Instruction &i, uint32_t mask) {
  if (!mask)
    return i.handler(warp, i, mask);
  const InstructionUses &uses = usesOf(warp, i);
  requireDefinedOperands(warp, i, uses, mask);
  if (readsUndefined(warp, uses))
    saveOperands(warp, i);
  uint32_t depth = warp.frameCount;
  Step step = i.handler(warp, i, mask);
  if (step == Step::Next && warp.frameCount == depth)
    settle(warp, i, mask);
  else
    warp.definedness->underWay = nullptr;
  return step;
}

} // namespace tilec::emu
