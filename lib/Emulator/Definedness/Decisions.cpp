//===- Decisions.cpp - Undefined values that decide -----------------------===//
//
// The reports of Definedness.h, and what reading undefined memory means: it
// travels with the value, or the instruction decides by it at once.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "Definedness.h"

namespace tilec::emu {

std::string describeRead(Warp &warp, const UndefinedRead &read) {
  std::string text = "read of " + std::to_string(read.bytes) + " bytes";
  if (read.space == StateSpace::Shared)
    text += " at shared address " + hex(read.address);
  if (read.space == StateSpace::Local)
    text += " at local address " + hex(read.address) +
            " that the thread wrote nothing to";
  else
    text += " that nothing was written to";
  if (read.undefinedBytes < read.bytes)
    text += " (" + std::to_string(read.undefinedBytes) + " of them)";
  if (read.space == StateSpace::Global)
    text += ": " + describeGlobal(warp, read.address);
  return text;
}

static const char *hintOf(const UndefinedRead &read) {
  if (read.space == StateSpace::Shared)
    return "an asynchronous copy counts as written once it was waited for; a "
           "store of an undefined value writes nothing";
  return read.space == StateSpace::Local
             ? "a store of an undefined value writes nothing"
             : "";
}

void reportDecision(Warp &warp, const Instruction &i, uint32_t lane,
                    uint32_t originIndex, const std::string &decision) {
  const UndefinedOrigin &origin = definednessOf(warp).origins[originIndex];
  if (!origin.instruction) {
    std::string name = origin.registerName.empty()
                           ? "a register"
                           : "register " + std::string(origin.registerName);
    reportAt(warp, i, lane, ReportKind::Uninitialized,
             name + ", which nothing has written, " + decision);
    return;
  }
  reportPair(warp, warp,
             {ReportKind::Uninitialized, &i, origin.instruction, lane,
              origin.lane, origin.read.address},
             describeRead(warp, origin.read) + "; the value " + decision,
             "decides: " + spellInstruction(i),
             "read:    " + spellInstruction(*origin.instruction),
             hintOf(origin.read));
}

/// Whether what a copy reads there goes into shared memory, where undefined
/// bytes stay so.
static bool bringsIntoShared(const Instruction &i, StateSpace from) {
  const auto &parts = i.syntax->parts;
  if (parts[0] != "cp" || parts.size() < 5 || parts[1] != "async")
    return false;
  if (from == StateSpace::Global)
    return true;
  return parts[2] == "bulk" && parts[3] == "shared::cluster" &&
         parts[4] == "shared::cta";
}

bool readUndefined(Warp &warp, const Instruction &i, uint32_t lane,
                   const UndefinedRead &read, bool isAsynchronous) {
  const InstructionUses &uses = usesOf(warp, i);
  RuleKind kind = uses.rule.kind;
  if (kind == RuleKind::Decides && bringsIntoShared(i, read.space))
    return true;
  bool travels = kind == RuleKind::Product || kind == RuleKind::Atomic ||
                 (kind == RuleKind::Bits && !isAsynchronous);
  if (!travels) {
    reportAt(warp, i, lane, ReportKind::Uninitialized, describeRead(warp, read),
             isAsynchronous ? "" : hintOf(read), /*isNote=*/false,
             read.address);
    return false;
  }
  WarpDefinedness &state = definednessOf(warp);
  saveOperands(warp, i);
  state.readLanes |= 1u << lane;
  if (kind == RuleKind::Atomic)
    noteUndefinedBytes(warp, lane, read);
  auto index = static_cast<uint64_t>(&i - warp.launch->program->code.data());
  state.readOrigins[lane] = state.addOrigin(index, {&i, lane, read, {}});
  warp.tracksDefinedness = true;
  warp.nextPc = 0; // So that the interpreter looks.
  return true;
}

void storeUndefined(Warp &warp, const Instruction &i, uint32_t lane,
                    const MemoryPlace &place, uint32_t byte, uint32_t origin) {
  if (place.space == StateSpace::Global)
    reportDecision(warp, i, lane, origin,
                   "is stored to global memory: " +
                       describeGlobal(warp, place.address + byte));
  else
    place.undefine(byte);
}

} // namespace tilec::emu
