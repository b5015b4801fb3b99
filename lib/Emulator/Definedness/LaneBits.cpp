//===- LaneBits.cpp - Undefined bits within a lane ------------------------===//
//
// Instructions whose results hang on bits of their operands otherwise than by
// moving them: functions of bits at the same place, sums, and pairs of halves.
//
//===----------------------------------------------------------------------===//

#include "../Instructions/Handlers.h"
#include "Definedness.h"

#include <algorithm>

namespace tilec::emu {

namespace {

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

} // namespace

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

/// From the lowest undefined bit of any source on all bits are: it may carry.
void propagateSum(Warp &warp, const Instruction &i, uint32_t mask) {
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  std::vector<LaneResult> results;
  forLanes(mask, [&](uint32_t lane) {
    uint64_t undefined = 0;
    const RegisterUse *target = nullptr;
    for (uint32_t k = 0; k < uses.count; ++k) {
      uint64_t bits = 0;
      if (use[k].role == UseRole::Write)
        target = &use[k];
      else
        std::memcpy(&bits, undefinedBits(warp, use[k], lane).bits,
                    sizeof(bits));
      undefined |= bits;
    }
    LaneResult result{target, lane, {}};
    uint64_t upwards = undefined | (~undefined + 1);
    std::memcpy(result.bits.bits, &upwards, sizeof(upwards));
    results.push_back(result);
  });
  setLaneResults(warp, i, mask, results);
}

namespace {

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

} // namespace

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

} // namespace tilec::emu
