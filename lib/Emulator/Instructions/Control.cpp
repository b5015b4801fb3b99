//===- Control.cpp - Branches, calls and the end of threads ---------------===//
//
// bra, brx.idx, call, ret, exit, trap, brkpt, nanosleep, pmevent. A branch that
// not all lanes take divides the split; a call that not all lanes make leaves
// the others behind until the callee's frame is done.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Machine/Interpreter.h"
#include "Handlers.h"

#include <algorithm>

namespace tilec::emu {

namespace {

/// `mask` holds the lanes whose guard is true: the takers.
Step branch(Warp &warp, const Instruction &i, uint32_t mask) {
  if (mask == 0)
    return Step::Next;
  if (mask == warp.active) {
    warp.pc = i.target;
    return Step::Jump;
  }
  Split taken;
  taken.pc = i.target;
  taken.mask = mask;
  Frame &frame = warp.frame();
  Split &stay = frame.splits[warp.current];
  stay.mask &= ~mask;
  stay.pc = warp.pc + 1;
  frame.splits.push_back(taken);
  return Step::Reschedule;
}

Step branchTable(Warp &warp, const Instruction &i, uint32_t mask) {
  const uint32_t *index = warp.ptr<uint32_t>(i.ref[1]);
  const Ref *targets = &warp.launch->program->refs[i.list];
  Frame &frame = warp.frame();
  uint32_t rest = mask;
  forLanes(mask, [&](uint32_t lane) {
    if (index[lane] >= i.listCount) {
      reportAt(warp, i, lane, ReportKind::Invalid,
               "branch index " + std::to_string(index[lane]) +
                   " is beyond the " + std::to_string(i.listCount) +
                   " targets of the table");
      warp.launch->stop = true;
    }
  });
  if (warp.launch->stop)
    return Step::Stop;
  // The lanes that do not branch go on.
  frame.splits[warp.current].mask &= ~mask;
  frame.splits[warp.current].pc = warp.pc + 1;
  while (rest) {
    uint32_t choice = index[__builtin_ctz(rest)], same = 0;
    forLanes(rest, [&](uint32_t lane) {
      if (index[lane] == choice)
        same |= 1u << lane;
    });
    Split split;
    split.pc = targets[choice];
    split.mask = same;
    frame.splits.push_back(split);
    rest &= ~same;
  }
  return Step::Reschedule;
}

Step exitLanes(Warp &warp, const Instruction &, uint32_t mask) {
  retireLanes(warp, mask);
  return Step::Reschedule;
}

Step trap(Warp &warp, const Instruction &i, uint32_t mask) {
  if (!mask)
    return Step::Next;
  reportAt(warp, i, static_cast<uint32_t>(__builtin_ctz(mask)),
           ReportKind::Trap, "the kernel executed a trap");
  warp.launch->stop = true;
  return Step::Stop;
}

Step pass(Warp &, const Instruction &, uint32_t) { return Step::Next; }

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Step call(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = i.data<CallInfo>();
  enterFunction(warp, info, i, mask);
  return warp.launch->stop ? Step::Stop : Step::Reschedule;
}

/// vprintf, malloc and the like, by name.
Step callPrint(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = i.data<CallInfo>();
  forLanes(mask, [&](uint32_t lane) { printFormatted(warp, info, lane); });
  return Step::Next;
}
Step callAssert(Warp &warp, const Instruction &i, uint32_t mask) {
  if (!mask)
    return Step::Next;
  reportAt(warp, i, static_cast<uint32_t>(__builtin_ctz(mask)),
           ReportKind::Trap, "an assertion of the kernel failed");
  warp.launch->stop = true;
  return Step::Stop;
}

bool decodeBra(Decoder &d) {
  d.take("uni");
  if (!d.expectOperands(1, 1) || !d.branchTarget(d.operand(0)))
    return false;
  return d.emit(branch, InstructionClass::Branch);
}

bool decodeReturn(Decoder &d) {
  d.take("uni");
  return d.expectOperands(0, 0) &&
         d.emit(returnHandler, InstructionClass::Branch);
}
bool decodeExit(Decoder &d) {
  return d.expectOperands(0, 0) && d.emit(exitLanes, InstructionClass::Branch);
}
bool decodeTrap(Decoder &d) { return d.emit(trap, InstructionClass::Other); }
bool decodeBreakpoint(Decoder &d) {
  return d.emit(pass, InstructionClass::Other);
}
bool decodeNanosleep(Decoder &d) {
  return d.takeType() == Type::U32 && d.expectOperands(1, 1) &&
         d.emit(pass, InstructionClass::Other);
}
bool decodePmevent(Decoder &d) {
  d.take("mask");
  return d.emit(pass, InstructionClass::Other);
}

} // namespace

Step returnHandler(Warp &warp, const Instruction &, uint32_t mask) {
  if (warp.frameCount == 1) {
    retireLanes(warp, mask);
    return Step::Reschedule;
  }
  Frame &frame = warp.frame();
  frame.liveMask &= ~mask;
  frame.splits[warp.current].mask &= ~mask;
  frame.splits[warp.current].pc = warp.pc + 1;
  leaveIfDone(warp);
  return Step::Reschedule;
}

bool decodeBranchTable(Decoder &d) {
  if (!d.take("idx"))
    return false;
  d.take("uni");
  if (!d.expectOperands(2, 2))
    return false;
  d.out.ref[1] = d.source(0, Type::U32);
  uint32_t index = 0;
  const SymbolSyntax *symbol = d.lookup(d.operand(1).name, &index);
  if (!symbol || symbol->kind != SymbolSyntax::Kind::BranchTargets)
    return d.fail("unknown branch table");
  for (std::string_view label : d.function.branchTables[index]) {
    uint32_t target = 0;
    const SymbolSyntax *found = d.lookup(label, &target);
    if (!found || found->kind != SymbolSyntax::Kind::Label)
      return d.fail("unknown label '" + std::string(label) + "'");
    d.listOperand(target);
  }
  d.tablePatches.push_back({d.out.list, d.out.listCount});
  return d.emit(branchTable, InstructionClass::Branch);
}

/// The frame offset and size of a .param variable named in a call.
static bool callVariable(Decoder &d, const Operand &operand, uint32_t &offset,
                         uint32_t &bytes, const std::vector<uint32_t> &where) {
  uint32_t index = 0;
  const SymbolSyntax *symbol = d.lookup(operand.name, &index);
  if (!symbol || symbol->kind != SymbolSyntax::Kind::Variable ||
      symbol->inModule)
    return d.fail("a call's arguments must be .param variables");
  offset = where[index];
  bytes = static_cast<uint32_t>(d.functionSyntax().variables[index].sizeBytes);
  return true;
}

/// Lays arguments and results of a call of `target` out as its frame has them:
/// parameters, then returns.
static bool bindCall(Decoder &d, const FunctionSyntax &target,
                     const Operand *returns, const Operand *arguments,
                     const std::vector<uint32_t> &where, CallInfo &info) {
  uint32_t offset = 0;
  auto place = [&](const VariableSyntax &variable) {
    uint32_t align = std::max(variable.alignBytes, 8u);
    offset = (offset + align - 1) / align * align;
    uint32_t here = offset;
    offset += static_cast<uint32_t>(variable.sizeBytes);
    return here;
  };
  for (size_t i = 0; i < target.parameters.size(); ++i) {
    CallCopy copy{0, place(target.parameters[i]), 0};
    if (!callVariable(d, arguments->elements[i], copy.callerOffset, copy.bytes,
                      where))
      return false;
    copy.bytes = std::min(
        copy.bytes, static_cast<uint32_t>(target.parameters[i].sizeBytes));
    info.arguments.push_back(copy);
  }
  size_t returnCount = returns ? returns->elements.size() : 0;
  for (size_t i = 0; i < returnCount; ++i) {
    CallCopy copy{0, place(target.returns[i]), 0};
    if (!callVariable(d, returns->elements[i], copy.callerOffset, copy.bytes,
                      where))
      return false;
    info.results.push_back(copy);
  }
  return true;
}

/// What an indirect call may reach, as the addresses of functions.
struct CallTargets {
  std::vector<uint64_t> addresses;
};

/// Lanes whose target is none of the candidates are reported.
static Step checkTargets(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &targets = i.data<CallTargets>();
  const uint64_t *addresses = warp.ptr<uint64_t>(i.ref[1]);
  uint32_t bad = 0;
  forLanes(mask, [&](uint32_t lane) {
    if (std::find(targets.addresses.begin(), targets.addresses.end(),
                  addresses[lane]) == targets.addresses.end())
      bad |= 1u << lane;
  });
  if (!bad)
    return Step::Next;
  uint32_t lane = static_cast<uint32_t>(__builtin_ctz(bad));
  reportAt(warp, i, lane, ReportKind::Invalid,
           "the value " + std::to_string(addresses[lane]) +
               " is not the address of a function with this signature");
  warp.launch->stop = true;
  return Step::Stop;
}

/// ref[0] = whether ref[1] is the function `immediate`, and ref[2] if given.
static Step compareTarget(Warp &warp, const Instruction &i, uint32_t mask) {
  const uint64_t *addresses = warp.ptr<uint64_t>(i.ref[1]);
  uint32_t bits = 0;
  forLanes(mask, [&](uint32_t lane) {
    bits |= (addresses[lane] == static_cast<uint64_t>(i.immediate) ? 1u : 0u)
            << lane;
  });
  if (i.ref[2] != noRef)
    bits &= warp.predicate(i.ref[2]);
  warp.setPredicate(i.ref[0], mask, bits);
  return Step::Next;
}

/// Whether the call's operands fit a function.
static bool fitsCall(Decoder &d, const FunctionSyntax &target,
                     const Operand *returns, const Operand *arguments,
                     const std::vector<uint32_t> &where) {
  size_t argumentCount = arguments ? arguments->elements.size() : 0;
  size_t returnCount = returns ? returns->elements.size() : 0;
  if (target.isEntry || target.isExtern ||
      target.parameters.size() != argumentCount ||
      target.returns.size() != returnCount)
    return false;
  auto sameSizes = [&](const Operand *operands,
                       const std::vector<VariableSyntax> &variables) {
    for (size_t i = 0; i < variables.size(); ++i) {
      uint32_t offset = 0, bytes = 0;
      if (!callVariable(d, operands->elements[i], offset, bytes, where) ||
          bytes != variables[i].sizeBytes)
        return false;
    }
    return true;
  };
  return sameSizes(arguments, target.parameters) &&
         sameSizes(returns, target.returns);
}

// An indirect call becomes a chain of guarded direct ones, one for each
// function of the module that its operands fit.
static bool decodeIndirectCall(Decoder &d, const Operand &name,
                               const Operand *returns, const Operand *arguments,
                               const std::vector<uint32_t> &where) {
  Ref target = d.source(name, Type::B64);
  auto *targets = d.makeData<CallTargets>();
  std::vector<FunctionSyntax> &functions = d.module.syntax.functions;
  std::vector<uint32_t> candidates;
  for (uint32_t index = 0; index < functions.size(); ++index)
    if (fitsCall(d, functions[index], returns, arguments, where)) {
      candidates.push_back(index);
      targets->addresses.push_back(uint64_t(index) + 1);
    }
  if (candidates.empty())
    return d.fail("no function of this module fits the indirect call");
  d.out.ref[1] = target;
  if (!d.emit(checkTargets, InstructionClass::Branch))
    return false;
  Ref guard = d.out.predicate, chosen = d.scratch(1);
  d.out.ref[1] = noRef;
  for (uint32_t index : candidates) {
    d.helper(compareTarget, chosen, target, guard, int64_t(index) + 1);
    auto *info = d.makeData<CallInfo>();
    info->function = index;
    if (!bindCall(d, functions[index], returns, arguments, where, *info))
      return false;
    d.info.callees.push_back(index);
    d.out.predicate = chosen;
    d.out.counted = false;
    if (!d.emit(call, InstructionClass::Branch))
      return false;
  }
  return true;
}

bool decodeCall(Decoder &d) {
  d.take("uni");
  // call (ret), f, (args); call f, (args); call f; and with a prototype.
  size_t at = 0;
  const Operand *returns = nullptr, *arguments = nullptr;
  if (at < d.operandCount() && d.operand(at).kind == Operand::Kind::List)
    returns = &d.operand(at++);
  if (at >= d.operandCount() || d.operand(at).kind != Operand::Kind::Name)
    return d.fail("expected the name of a function");
  const Operand &name = d.operand(at++);
  if (at < d.operandCount() && d.operand(at).kind == Operand::Kind::List)
    arguments = &d.operand(at++);
  if (d.isRegister(name))
    return decodeIndirectCall(d, name, returns, arguments, d.variableOffsets);
  uint32_t callee = 0;
  const SymbolSyntax *symbol = d.lookup(name.name, &callee);
  if (!symbol || symbol->kind != SymbolSyntax::Kind::Function)
    return d.fail("unknown function '" + std::string(name.name) + "'");
  const FunctionSyntax &target = d.module.syntax.functions[callee];
  size_t argumentCount = arguments ? arguments->elements.size() : 0;
  if (argumentCount != target.parameters.size() ||
      (returns ? returns->elements.size() : 0) > target.returns.size())
    return d.fail("the call does not match the declaration of '" +
                  std::string(name.name) + "'");
  auto *info = d.makeData<CallInfo>();
  info->function = callee;
  if (!bindCall(d, target, returns, arguments, d.variableOffsets, *info))
    return false;
  if (target.isExtern) {
    if (name.name == "vprintf" && argumentCount == 2) {
      info->formatOffset = info->arguments[0].callerOffset;
      info->valuesOffset = info->arguments[1].callerOffset;
      return d.emit(callPrint, InstructionClass::Branch);
    }
    if (name.name == "__assertfail" || name.name == "__assert_fail")
      return d.emit(callAssert, InstructionClass::Branch);
    return d.fail("function '" + std::string(name.name) +
                  "' is declared but not defined in this module");
  }
  d.info.callees.push_back(callee);
  return d.emit(call, InstructionClass::Branch);
}

void registerControl(OpcodeTable &table) {
  table["bra"] = decodeBra;
  table["brx"] = decodeBranchTable;
  table["call"] = decodeCall;
  table["ret"] = decodeReturn;
  table["exit"] = decodeExit;
  table["trap"] = decodeTrap;
  table["brkpt"] = decodeBreakpoint;
  table["nanosleep"] = decodeNanosleep;
  table["pmevent"] = decodePmevent;
}

} // namespace tilec::emu
