//===- RegisterUses.cpp - Registers that instructions read and write ------===//
//
// See RegisterUses.h.
//
//===----------------------------------------------------------------------===//

#include "RegisterUses.h"

#include <algorithm>

namespace tilec::emu {

void RegisterUseRecorder::note(Ref ref, UseRole role, std::string_view name,
                               unsigned bytes) {
  RegisterUse use;
  use.ref = ref & ~negatedBit;
  use.bytes = static_cast<uint8_t>(bytes);
  use.isNegated = ref & negatedBit;
  use.role = role;
  use.name = name;
  if (!use.isConstant()) {
    size_t place = use.ref >> 2;
    if (place >= widths.size() || !widths[place])
      return;
    use.bytes = static_cast<uint8_t>(widths[place] - 1);
  }
  pending.push_back(use);
}

/// What a helper wrote (a narrowed source) reaches the operands without being
/// noted.
void RegisterUseRecorder::noteOwnRegister(Ref ref) {
  ref &= ~negatedBit;
  if (std::find(ofHelpers.begin(), ofHelpers.end(), ref) == ofHelpers.end())
    return;
  bool known = std::any_of(pending.begin(), pending.end(),
                           [&](const RegisterUse &u) { return u.ref == ref; });
  if (!known)
    note(ref, UseRole::Read);
}

static void append(RegisterUses &uses, const std::vector<RegisterUse> &list,
                   bool isHelper) {
  auto first = static_cast<uint32_t>(uses.uses.size());
  uses.uses.insert(uses.uses.end(), list.begin(), list.end());
  uses.instructions.push_back(
      {first, static_cast<uint32_t>(list.size()), isHelper, {}});
}

void RegisterUseRecorder::emit(RegisterUses &uses,
                               const Instruction &instruction,
                               const Ref *refs) {
  if (!ofHelpers.empty()) {
    for (Ref ref : instruction.ref)
      noteOwnRegister(ref);
    // The list of a branch table holds targets.
    bool isTable = instruction.syntax->parts[0] == "brx";
    for (uint32_t k = 0; k < instruction.listCount && !isTable; ++k)
      noteOwnRegister(refs[k]);
  }
  append(uses, pending, false);
  pending.clear();
}

void RegisterUseRecorder::emitHelper(RegisterUses &uses,
                                     const Instruction &instruction) {
  std::vector<RegisterUse> ofInstruction;
  std::swap(pending, ofInstruction);
  std::string_view name;
  for (const RegisterUse &use : ofInstruction)
    if (use.ref == instruction.ref[1])
      name = use.name;
  note(instruction.ref[1], UseRole::Read, name);
  if (instruction.ref[2] != noRef)
    note(instruction.ref[2], UseRole::Read);
  note(instruction.ref[0], UseRole::Write);
  ofHelpers.push_back(instruction.ref[0]);
  append(uses, pending, true);
  std::swap(pending, ofInstruction);
}

} // namespace tilec::emu
