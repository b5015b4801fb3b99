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

bool has(const Instruction &i, std::string_view part) {
  const auto &parts = i.syntax->parts;
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

/// The lanes whose addresses a matrix move takes: eight for each 8x8 matrix.
uint32_t lanesWithAddress(const Instruction &i) {
  std::string_view opcode = i.syntax->parts[0];
  bool isMove = opcode == "ldmatrix" || opcode == "stmatrix";
  if (!isMove || !has(i, "m8n8"))
    return fullMask;
  return has(i, "x1") ? 0xff : has(i, "x2") ? 0xffff : fullMask;
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

void propagate(Warp &warp, const Instruction &i, uint32_t mask) {
  const InstructionUses &uses = usesOf(warp, i);
  switch (uses.rule.kind) {
  case RuleKind::Bits:
    return propagateBits(warp, i, mask);
  case RuleKind::Logic:
    return propagateLogic(warp, i, mask);
  case RuleKind::Sum:
    return propagateSum(warp, i, mask);
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
  case RuleKind::Combined:
    return propagateCombined(warp, i, mask);
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
