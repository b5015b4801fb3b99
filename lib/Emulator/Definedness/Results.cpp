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

namespace {

/// The operands of an atomic.
struct AtomicOperands {
  const RegisterUse *value = nullptr; ///< The first one; null for none.
  uint32_t bytes = 0;                 ///< Of memory, in a lane.
  std::array<uint64_t, 32> addresses{};
};

AtomicOperands readAtomic(Warp &warp, const Instruction &i, uint32_t mask) {
  AtomicOperands operands;
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  for (uint32_t k = 0; k < uses.count; ++k)
    if (use[k].role == UseRole::Address)
      forLanes(mask, [&](uint32_t lane) {
        uint64_t &address = operands.addresses[lane];
        std::memcpy(&address, valuesOf(warp, use[k]) + lane * use[k].bytes,
                    use[k].bytes);
        address += static_cast<uint64_t>(i.immediate);
        if (use[k].bytes == 4)
          address &= 0xffffffff;
      });
    else if (use[k].role == UseRole::Read && !operands.value) {
      operands.value = &use[k];
      operands.bytes = use[k].bytes * i.vector;
    }
  return operands;
}

} // namespace

/// Of lanes that found undefined bytes, `and` and `or` define bits of these, and
/// `exch` all; what the rest leaves is undefined as a whole.
void propagateAtomic(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t undefinedOperands =
      lanesWithUndefinedSource(warp, usesOf(warp, i)) & mask;
  uint32_t undefinedMemory = warp.definedness->readLanes & mask;
  const auto &parts = i.syntax->parts;
  auto has = [&](std::string_view part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  };
  AtomicOperands operands = readAtomic(warp, i, mask);
  uint32_t leaving = undefinedOperands;
  if (operands.value && (has("and") || has("or")))
    defineBitsAtomically(warp, i, mask & ~undefinedOperands, *operands.value,
                         operands.addresses.data());
  else if (!has("exch"))
    leaving |= undefinedMemory;
  auto placeOf = [&](uint32_t lane) {
    return findPlace(warp, lane, i.space, operands.addresses[lane],
                     operands.bytes);
  };
  if (has("exch"))
    forLanes(undefinedMemory, [&](uint32_t lane) {
      MemoryPlace place = placeOf(lane);
      for (uint32_t byte = 0; place.bytes && byte < operands.bytes; ++byte)
        place.defineBits(byte, 0xff);
    });
  forLanes(leaving, [&](uint32_t lane) {
    MemoryPlace place = placeOf(lane);
    for (uint32_t byte = 0; place.bytes && byte < operands.bytes; ++byte) {
      bool isGlobal = place.space == StateSpace::Global;
      // One report an operation.
      if (!isGlobal || byte == 0)
        storeUndefined(warp, i, lane, place, byte, findOrigin(warp, i, lane));
      if (isGlobal)
        place.defineBits(byte, 0xff);
    }
  });
  // Lanes at one address take turns: what one leaves, the next one finds.
  uint32_t results = undefinedMemory | undefinedOperands;
  forLanes(results, [&](uint32_t lane) {
    forLanes(mask, [&](uint32_t other) {
      if (operands.addresses[other] == operands.addresses[lane])
        results |= 1u << other;
    });
  });
  setResults(warp, i, mask, results);
}

} // namespace tilec::emu
