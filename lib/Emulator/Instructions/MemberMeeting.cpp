//===- MemberMeeting.cpp - Exchanges between places of a program ----------===//
//
// A lane waits until the members of its mask "have executed [the instruction]
// with the same qualifiers and same membermask value" (PTX ISA, `redux.sync`
// and its like): the same instruction, not the same place. Two branches may
// hold one each:
//
//     @%p bra LOW;
//     redux.sync.add.u32 %r2, %r1, -1;     lanes 16 .. 31
//     bra END;
//     LOW:
//     redux.sync.add.u32 %r3, %r4, -1;     lanes 0 .. 15
//
// Operands lie elsewhere at each place. They are gathered in registers that
// last as long as the exchange, lane by lane from the lane's own place, one
// instruction is executed on those by all, and results go back the same way.
//
//===----------------------------------------------------------------------===//

#include "MemberMeeting.h"
#include "../Definedness/Definedness.h"
#include "Handlers.h"

#include <cstring>
#include <utility>

namespace tilec::emu {

namespace {

constexpr unsigned fieldCount = 6; ///< Of Instruction::ref.

/// Splits that wait with one operation for the members of one mask.
class Meeting {
public:
  Meeting(Warp &warp, const Split &first)
      : warp(warp), required(first.required), merged(instructionOf(first)) {}

  /// Whether all members are there, at places whose operands are known.
  bool assemble();
  void exchange();

private:
  /// An operand of the instruction at one place.
  struct Operand {
    Ref ref = noRef;
    uint8_t bytes = 0; ///< Of a lane; 0: a predicate.
    bool isWritten = false;
  };
  struct Place {
    Split *split = nullptr;
    Operand operands[fieldCount];
  };

  const Instruction &instructionOf(const Split &split) const {
    return warp.launch->program->code[split.pc];
  }
  bool takesPart(const Split &split) const;
  bool findOperands(Place &place) const;
  void gather(const Place &place);
  void scatter(const Place &place);
  void carryDefinedness();

  Warp &warp;
  uint32_t required, lanes = 0;
  Instruction merged;
  std::vector<Place> places;
  alignas(64) uint8_t registers[fieldCount][32 * 8] = {};
};

bool Meeting::takesPart(const Split &split) const {
  if (split.wait != Wait::Members || split.required != required)
    return false;
  const Instruction &instruction = instructionOf(split);
  // Lanes whose guard is false wait without executing it.
  bool allExecute = instruction.predicate == noRef ||
                    !(split.mask & ~warp.predicate(instruction.predicate));
  return allExecute && instruction.handler == merged.handler &&
         instruction.flags == merged.flags &&
         instruction.small[0] == merged.small[0] &&
         instruction.small[1] == merged.small[1];
}

/// The operands' widths, which the decoder noted. A register that is written
/// and read comes first where it is written.
bool Meeting::findOperands(Place &place) const {
  const Instruction &instruction = instructionOf(*place.split);
  const RegisterUses &all = warp.launch->program->registerUses;
  const InstructionUses &list = all.instructions[place.split->pc];
  auto begin = all.uses.begin() + list.first, end = begin + list.count;
  std::vector<bool> isTaken(list.count);
  for (unsigned field = 0; field < fieldCount; ++field) {
    Ref ref = instruction.ref[field];
    if (ref == noRef)
      continue;
    auto found = end;
    for (auto use = begin; use != end; ++use)
      if (!isTaken[static_cast<size_t>(use - begin)] &&
          use->ref == (ref & ~negatedBit) &&
          (found == end || use->role == UseRole::Write))
        found = use;
    if (found == end)
      return false;
    isTaken[static_cast<size_t>(found - begin)] = true;
    place.operands[field] = {ref, found->bytes, found->role == UseRole::Write};
  }
  return true;
}

bool Meeting::assemble() {
  for (Split &split : warp.frame().splits) {
    if (!takesPart(split))
      continue;
    places.push_back({&split, {}});
    lanes |= split.mask;
  }
  if (places.size() < 2 || (required & warp.live & ~lanes))
    return false;
  for (Place &place : places)
    if (!findOperands(place))
      return false;
  return true;
}

void Meeting::gather(const Place &place) {
  for (unsigned field = 0; field < fieldCount; ++field) {
    const Operand &operand = place.operands[field];
    if (operand.ref == noRef)
      continue;
    merged.ref[field] = field * sizeof registers[0];
    uint8_t *to = registers[field];
    if (!operand.bytes) {
      uint32_t bits;
      std::memcpy(&bits, to, sizeof bits);
      bits |= warp.predicate(operand.ref) & place.split->mask;
      std::memcpy(to, &bits, sizeof bits);
      continue;
    }
    const uint8_t *from = warp.ptr<uint8_t>(operand.ref);
    forLanes(place.split->mask, [&](uint32_t lane) {
      size_t at = size_t(lane) * operand.bytes;
      std::memcpy(to + at, from + at, operand.bytes);
    });
  }
}

void Meeting::scatter(const Place &place) {
  for (unsigned field = 0; field < fieldCount; ++field) {
    const Operand &operand = place.operands[field];
    if (operand.ref == noRef || !operand.isWritten)
      continue;
    const uint8_t *from = registers[field];
    if (!operand.bytes) {
      uint32_t bits;
      std::memcpy(&bits, from, sizeof bits);
      warp.setPredicate(operand.ref, place.split->mask, bits);
      continue;
    }
    uint8_t *to = warp.ptr<uint8_t>(operand.ref);
    forLanes(place.split->mask, [&](uint32_t lane) {
      size_t at = size_t(lane) * operand.bytes;
      std::memcpy(to + at, from + at, operand.bytes);
    });
  }
}

/// Where anything that is exchanged is undefined all results are.
void Meeting::carryDefinedness() {
  uint32_t undefined = 0;
  for (const Place &place : places) {
    const Instruction &instruction = instructionOf(*place.split);
    undefined |= lanesWithUndefinedSource(warp, usesOf(warp, instruction)) &
                 place.split->mask;
  }
  for (const Place &place : places) {
    const Instruction &instruction = instructionOf(*place.split);
    setResults(warp, instruction, place.split->mask,
               undefined ? place.split->mask : 0);
  }
}

void Meeting::exchange() {
  merged.predicate = noRef;
  for (const Place &place : places)
    gather(place);
  if (warp.tracksDefinedness)
    carryDefinedness();
  uint8_t *ofFrame = std::exchange(warp.bank[0], registers[0]);
  uint32_t active = std::exchange(warp.active, lanes);
  merged.handler(warp, merged, lanes);
  warp.bank[0] = ofFrame;
  warp.active = active;
  for (const Place &place : places) {
    scatter(place);
    place.split->wait = Wait::None;
    ++place.split->pc;
  }
}

} // namespace

bool meetBetweenPlaces(Warp &warp) {
  bool haveMet = false;
  std::vector<Split> &splits = warp.frame().splits;
  for (size_t index = 0; index < splits.size(); ++index) {
    if (splits[index].wait != Wait::Members)
      continue;
    Meeting meeting(warp, splits[index]);
    if (!meeting.assemble())
      continue;
    meeting.exchange();
    haveMet = true;
  }
  return haveMet;
}

} // namespace tilec::emu
