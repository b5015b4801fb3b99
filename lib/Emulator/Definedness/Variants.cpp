//===- Variants.cpp - Where instructions move bits ------------------------===//
//
// An instruction that only moves bits is executed two more times, its undefined
// bits once 0 and once 1: result bits that differ are undefined, and no others.
// Its own handler so says for every form of it where bits go.
//
// Memory takes part: a load is given bytes with the undefined ones 0 or 1, and
// of a store the bytes are kept that it would write. Neither touches memory,
// statistics, order or reports (`Warp::onVariant`).
//
//===----------------------------------------------------------------------===//

#include "../Instructions/Handlers.h"
#include "Definedness.h"

#include <algorithm>

namespace tilec::emu {

/// The most bytes that a lane moves by one access.
static constexpr uint32_t maximumBytes = 32;

static uint8_t fillBits(uint8_t value, uint8_t undefined, uint8_t fill) {
  return static_cast<uint8_t>((value & ~undefined) | (fill & undefined));
}

struct VariantAccess {
  AccessMode mode = AccessMode::Read;
  uint32_t lanes = 0, bytes = 0;
  std::array<MemoryPlace, 32> places;
  uint8_t data[32][maximumBytes] = {};
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

MemoryPlace findPlace(Warp &warp, uint32_t lane, StateSpace space,
                      uint64_t address, uint32_t bytes) {
  MemoryPlace place;
  if (space == StateSpace::Generic)
    space = spaceOfGeneric(address);
  place.space = space;
  place.address = address;
  if (space == StateSpace::Shared || space == StateSpace::SharedCluster) {
    place.space = StateSpace::Shared;
    Block *block = blockOfShared(warp, address, place.offset);
    if (!block || uint64_t(place.offset) + bytes > block->sharedBytes)
      return place;
    place.shadow = &block->shadow;
    place.owner = block->linear + 1;
    place.bytes = block->shared + place.offset;
    return place;
  }
  if (space == StateSpace::Local) {
    uint64_t offset = address & 0xffffffff;
    if (offset + bytes > warp.local.stride)
      return place;
    uint64_t at = uint64_t(lane) * warp.local.stride + offset;
    place.bytes = warp.local.bytes.data() + at;
    place.flags = warp.local.initialized.data() + at;
    return place;
  }
  Allocation *found =
      space == StateSpace::Global ? findAllocation(warp, address) : nullptr;
  uint64_t offset = found ? address - found->address : 0;
  if (!found || offset > found->sizeBytes || found->sizeBytes - offset < bytes)
    return place;
  place.bytes = found->data + offset;
  if (!found->initialized.empty())
    place.flags = &found->initialized[offset];
  return place;
}

void accessVariant(Warp &warp, const Instruction &, uint32_t mask,
                   AccessRequest &request, AccessResult &result) {
  WarpDefinedness &state = *warp.definedness;
  VariantAccess &variant = state.accesses->emplace_back();
  variant.mode = request.mode;
  variant.bytes = std::min(request.bytes, maximumBytes);
  result.ok = result.collision = result.shared = 0;
  forLanes(mask, [&](uint32_t lane) {
    MemoryPlace place = findPlace(warp, lane, request.space,
                                  request.addresses[lane], variant.bytes);
    if (!place.bytes)
      return;
    uint8_t *data = variant.data[lane];
    if (request.mode == AccessMode::Read)
      for (uint32_t byte = 0; byte < variant.bytes; ++byte)
        data[byte] =
            fillBits(place.bytes[byte], place.undefinedBits(byte), state.fill);
    variant.places[lane] = place;
    variant.lanes |= 1u << lane;
    result.pointers[lane] = data;
    result.ok |= 1u << lane;
    if (place.space == StateSpace::Shared)
      result.shared |= 1u << lane;
  });
}

/// Bytes that the two variants of a store write differently.
static void storeDifferences(Warp &warp, const Instruction &i,
                             const std::deque<VariantAccess> &first,
                             const std::deque<VariantAccess> &second) {
  for (size_t k = 0; k < first.size() && k < second.size(); ++k) {
    if (first[k].mode == AccessMode::Read)
      continue;
    forLanes(first[k].lanes & second[k].lanes, [&](uint32_t lane) {
      bool reported = false;
      for (uint32_t byte = 0; byte < first[k].bytes && !reported; ++byte) {
        if (first[k].data[lane][byte] == second[k].data[lane][byte])
          continue;
        const MemoryPlace &place = first[k].places[lane];
        storeUndefined(warp, i, lane, place, byte, findOrigin(warp, i, lane));
        reported = place.space == StateSpace::Global;
      }
    });
  }
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// The operands as they were, with `fill` in the undefined bits.
static void writeOperands(Warp &warp, const WarpDefinedness &state) {
  for (size_t k = 0; k < state.savedCount; ++k) {
    const SavedRegister &saved = state.saved[k];
    uint8_t *target = warp.ptr<uint8_t>(saved.ref);
    std::memcpy(target, saved.values.data(), saved.size());
    const UndefinedRegister *undefined =
        undefinedRegistersOf(warp).find(saved.ref);
    if (!undefined)
      continue;
    if (!saved.bytes) {
      warp.setPredicate(saved.ref, undefined->lanes, state.fill ? fullMask : 0);
      continue;
    }
    for (size_t byte = 0; byte < saved.size(); ++byte) {
      target[byte] = fillBits(target[byte], undefined->bits[byte], state.fill);
    }
  }
}

/// The values of all operands.
static std::vector<SavedRegister> readOperands(Warp &warp,
                                               const WarpDefinedness &state) {
  std::vector<SavedRegister> values(
      state.saved.begin(),
      state.saved.begin() + static_cast<ptrdiff_t>(state.savedCount));
  for (SavedRegister &value : values)
    std::memcpy(value.values.data(), warp.ptr<uint8_t>(value.ref),
                value.size());
  return values;
}

/// Lanes in which an operand that says how bits move is undefined.
static uint32_t lanesWithUndefinedControl(Warp &warp,
                                          const InstructionUses &uses) {
  const RegisterUse *use = beginUses(warp, uses);
  uint32_t lanes = 0, position = 0;
  for (uint32_t k = 0; k < uses.count; ++k) {
    if (use[k].role != UseRole::Read)
      continue;
    if (position++ < uses.rule.firstControl || use[k].isConstant())
      continue;
    if (const UndefinedRegister *found =
            undefinedRegistersOf(warp).find(use[k].ref))
      lanes |= found->lanes;
  }
  return lanes;
}

/// Where the results of the two variants differ.
static void markDifferences(Warp &warp, const Instruction &i, uint32_t mask,
                            const std::vector<SavedRegister> &first,
                            const std::vector<SavedRegister> &second) {
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  uint32_t uncontrolled = lanesWithUndefinedControl(warp, uses);
  std::array<uint32_t, 32> origins{};
  forLanes(mask,
           [&](uint32_t lane) { origins[lane] = findOrigin(warp, i, lane); });
  UndefinedRegisters &registers = undefinedRegistersOf(warp);
  for (uint32_t k = 0; k < uses.count; ++k) {
    if (use[k].role != UseRole::Write)
      continue;
    size_t index = 0;
    while (first[index].ref != use[k].ref)
      ++index;
    const uint8_t *a = first[index].values.data();
    const uint8_t *b = second[index].values.data();
    registers.define(use[k].ref, mask);
    forLanes(mask, [&](uint32_t lane) {
      uint8_t bits[16] = {}, any = 0;
      for (uint32_t byte = 0; byte < use[k].bytes; ++byte) {
        size_t at = size_t(lane) * use[k].bytes + byte;
        any |= bits[byte] = a[at] ^ b[at];
      }
      if (!use[k].bytes)
        any = (a[lane / 8] ^ b[lane / 8]) >> (lane % 8) & 1;
      bool all = uncontrolled >> lane & 1;
      if (any || all)
        registers.set(use[k].ref, use[k].bytes, lane, all ? nullptr : bits,
                      origins[lane]);
    });
  }
}

void propagateBits(Warp &warp, const Instruction &i, uint32_t mask) {
  WarpDefinedness &state = *warp.definedness;
  std::vector<SavedRegister> after = readOperands(warp, state);
  std::vector<SavedRegister> results[2];
  std::deque<VariantAccess> accesses[2];
  warp.onVariant = true;
  for (int variant = 0; variant < 2; ++variant) {
    state.fill = variant ? 0xff : 0;
    state.accesses = &accesses[variant];
    writeOperands(warp, state);
    i.handler(warp, i, mask);
    results[variant] = readOperands(warp, state);
  }
  warp.onVariant = false;
  state.accesses = nullptr;
  for (const SavedRegister &value : after)
    std::memcpy(warp.ptr<uint8_t>(value.ref), value.values.data(),
                value.size());
  storeDifferences(warp, i, accesses[0], accesses[1]);
  markDifferences(warp, i, mask, results[0], results[1]);
}

} // namespace tilec::emu
