//===- Results.cpp - Results of whole lanes and of atomics ----------------===//
//
// Instructions whose results hang on their operands as wholes, and atomics,
// which hang on memory as well and leave it so.
//
//===----------------------------------------------------------------------===//

#include "../Instructions/Handlers.h"
#include "Definedness.h"

#include <algorithm>

namespace tilec::emu {

uint32_t undefinedLanes(Warp &warp, const RegisterUse &use) {
  if (use.isConstant())
    return 0;
  const UndefinedRegister *found = undefinedRegistersOf(warp).find(use.ref);
  return found ? found->lanes : 0;
}

const uint8_t *valuesOf(Warp &warp, const RegisterUse &use) {
  if (use.isConstant())
    return warp.ptr<uint8_t>(use.ref);
  return warp.definedness->findSaved(use.ref)->values.data();
}

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

uint32_t lanesWithUndefinedSource(Warp &warp, const InstructionUses &uses) {
  const RegisterUse *use = beginUses(warp, uses);
  uint32_t lanes = 0;
  for (uint32_t k = 0; k < uses.count; ++k)
    if (use[k].role == UseRole::Read)
      lanes |= undefinedLanes(warp, use[k]);
  return lanes;
}

/// Lanes in which the predicate that a comparison is combined with decides
/// alone: false with .and, true with .or.
static uint32_t lanesDecidedByPredicate(Warp &warp, const Instruction &i,
                                        const InstructionUses &uses) {
  const RegisterUse *use = beginUses(warp, uses);
  const RegisterUse *combined = nullptr;
  for (uint32_t k = 0; k < uses.count; ++k)
    if (use[k].role == UseRole::Read && use[k].bytes == 0)
      combined = &use[k];
  if (!combined)
    return 0;
  uint32_t holds;
  std::memcpy(&holds, valuesOf(warp, *combined), sizeof(holds));
  if (combined->isNegated)
    holds = ~holds;
  const auto &parts = i.syntax->parts;
  bool isAnd = std::find(parts.begin(), parts.end(), "and") != parts.end();
  return (isAnd ? ~holds : holds) & ~undefinedLanes(warp, *combined);
}

void propagateCombined(Warp &warp, const Instruction &i, uint32_t mask) {
  const InstructionUses &uses = usesOf(warp, i);
  setResults(warp, i, mask,
             lanesWithUndefinedSource(warp, uses) &
                 ~lanesDecidedByPredicate(warp, i, uses));
}

void propagateAtomic(Warp &warp, const Instruction &i, uint32_t mask) {
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  uint32_t operands = lanesWithUndefinedSource(warp, uses) & mask;
  uint32_t memory = warp.definedness->readLanes & mask;
  const auto &parts = i.syntax->parts;
  bool exchanges = std::find(parts.begin(), parts.end(), "exch") != parts.end();
  uint32_t bytes = 0;
  const RegisterUse *operand = nullptr;
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
    else if (use[k].role == UseRole::Read && !bytes) {
      operand = &use[k];
      bytes = use[k].bytes * i.vector;
    }
  if (!operands && operand &&
      defineBitsAtomically(warp, i, mask, *operand, addresses))
    return setResults(warp, i, mask, mask);
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

} // namespace tilec::emu
