//===- Decoder.cpp - Syntax to bound instructions -------------------------===//
//
// See Decoder.h. Lays out a function's frame (registers of 32 lanes, local
// variables and parameters), decodes its instructions in order and patches the
// targets of branches at the end.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "../Instructions/Handlers.h"

#include <algorithm>
#include <bit>

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type parseInstructionType(std::string_view name) {
  static const std::unordered_map<std::string_view, Type> types = {
      {"pred", Type::Pred},     {"b8", Type::B8},
      {"b16", Type::B16},       {"b32", Type::B32},
      {"b64", Type::B64},       {"b128", Type::B128},
      {"u8", Type::U8},         {"u16", Type::U16},
      {"u32", Type::U32},       {"u64", Type::U64},
      {"s8", Type::S8},         {"s16", Type::S16},
      {"s32", Type::S32},       {"s64", Type::S64},
      {"f16", Type::F16},       {"f16x2", Type::F16x2},
      {"bf16", Type::BF16},     {"bf16x2", Type::BF16x2},
      {"tf32", Type::TF32},     {"f32", Type::F32},
      {"f32x2", Type::F32x2},   {"f64", Type::F64},
      {"e4m3x2", Type::E4M3x2}, {"e5m2x2", Type::E5M2x2},
      {"e2m1x2", Type::E2M1x2}, {"e2m3x2", Type::E2M3x2},
      {"e3m2x2", Type::E3M2x2}, {"ue8m0x2", Type::UE8M0x2},
      {"e4m3x4", Type::E4M3x4}, {"e5m2x4", Type::E5M2x4},
      {"e2m1x4", Type::E2M1x4}, {"e2m3x4", Type::E2M3x4},
      {"e3m2x4", Type::E3M2x4}, {"e4m3", Type::E4M3},
      {"e5m2", Type::E5M2},     {"e2m1", Type::E2M1},
      {"e2m3", Type::E2M3},     {"e3m2", Type::E3M2},
      {"ue8m0", Type::UE8M0},   {"s4", Type::S4},
      {"u4", Type::U4},         {"b1", Type::B1},
      {"u16x2", Type::U16x2},   {"s16x2", Type::S16x2},
  };
  auto found = types.find(name);
  return found == types.end() ? Type::None : found->second;
}

unsigned registerBytes(Type type) {
  switch (type) {
  case Type::B64:
  case Type::U64:
  case Type::S64:
  case Type::F64:
  case Type::F32x2:
    return 8;
  case Type::B128:
    return 16;
  case Type::B8:
  case Type::U8:
  case Type::S8:
  case Type::B16:
  case Type::U16:
  case Type::S16:
  case Type::F16:
  case Type::BF16:
  case Type::E4M3x2:
  case Type::E5M2x2:
  case Type::E2M1x2:
  case Type::E2M3x2:
  case Type::E3M2x2:
  case Type::UE8M0x2:
  case Type::E2M1x4:
    return 2;
  default:
    return 4;
  }
}

bool isSigned(Type t) {
  return t == Type::S8 || t == Type::S16 || t == Type::S32 || t == Type::S64;
}
bool isUnsigned(Type t) {
  return t == Type::U8 || t == Type::U16 || t == Type::U32 || t == Type::U64;
}
bool isBits(Type t) {
  return t == Type::B8 || t == Type::B16 || t == Type::B32 || t == Type::B64 ||
         t == Type::B128;
}
bool isFloatType(Type t) {
  return t == Type::F16 || t == Type::BF16 || t == Type::F32 || t == Type::F64;
}

//===----------------------------------------------------------------------===//
// Construction and the frame
//===----------------------------------------------------------------------===//

Decoder::Decoder(ModuleImpl &module, uint32_t functionIndex,
                 std::vector<Diagnostic> &diagnostics)
    : module(module), functionIndex(functionIndex),
      function(module.syntax.functions[functionIndex]),
      diagnostics(diagnostics) {}

static uint32_t roundUp(uint32_t value, uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

bool Decoder::layOutFrame() {
  registerRefs.resize(function.registers.size());
  uint32_t offset = 0;
  for (size_t i = 0; i < function.registers.size(); ++i)
    if (function.registers[i].kind == 'p') {
      registerRefs[i] = offset;
      uses.addPlace(offset, 0);
      offset += 4;
    }
  offset = roundUp(offset, 64);
  for (size_t i = 0; i < function.registers.size(); ++i) {
    if (function.registers[i].kind == 'p')
      continue;
    registerRefs[i] = offset;
    uses.addPlace(offset, function.registers[i].bytes);
    offset += function.registers[i].bytes * 32;
  }
  frameRegisterBytes = offset;

  uint32_t local = 0, shared = module.functionSharedBase[functionIndex];
  variableOffsets.resize(function.variables.size());
  for (size_t i = 0; i < function.variables.size(); ++i) {
    const VariableSyntax &variable = function.variables[i];
    uint32_t align = std::max(variable.alignBytes, 1u);
    if (variable.space == StateSpace::Shared && variable.isDynamic) {
      variableOffsets[i] = module.dynamicSharedBase;
      continue;
    }
    if (variable.space == StateSpace::Shared) {
      shared = roundUp(shared, align);
      variableOffsets[i] = shared;
      shared += static_cast<uint32_t>(variable.sizeBytes);
      continue;
    }
    if (variable.space == StateSpace::Global ||
        variable.space == StateSpace::Const)
      return fail("variables of the " + std::string(toString(variable.space)) +
                  " space inside a function are not supported");
    bool kernelParameter = function.isEntry && i < function.parameters.size();
    if (kernelParameter) {
      variableOffsets[i] = function.kernel.parameters[i].offsetBytes;
      continue;
    }
    local = roundUp(local, std::max(align, 8u));
    variableOffsets[i] = local;
    local += static_cast<uint32_t>(variable.sizeBytes);
    if (i < function.parameters.size())
      info.parameterOffsets.push_back(variableOffsets[i]);
    else if (i < function.parameters.size() + function.returns.size())
      info.returnOffsets.push_back(variableOffsets[i]);
  }
  frameLocalBytes = roundUp(local, 16);
  info.sharedBytes = shared;
  return true;
}

bool Decoder::run() {
  if (!layOutFrame())
    return false;
  Program &program = module.program;
  info.entry = static_cast<uint32_t>(program.code.size());
  for (const InstructionSyntax &instruction : function.instructions) {
    starts.push_back(static_cast<uint32_t>(program.code.size()));
    if (!decodeOne(instruction))
      return false;
  }
  starts.push_back(static_cast<uint32_t>(program.code.size()));
  // Falling off the end is a return.
  Instruction end;
  end.handler = returnHandler;
  end.counted = false;
  end.line = function.instructions.empty() ? function.line
                                           : function.instructions.back().line;
  program.code.push_back(end);
  program.registerUses.instructions.emplace_back();
  for (uint32_t index : labelPatches) {
    Instruction &branch = program.code[index];
    branch.target = starts[branch.target];
  }
  for (auto [first, count] : tablePatches)
    for (uint32_t i = first; i < first + count; ++i)
      program.refs[i] = starts[program.refs[i]];
  info.end = static_cast<uint32_t>(program.code.size());
  info.registerBytes = frameRegisterBytes;
  info.localBytes = frameLocalBytes;
  info.decoded = true;
  program.functions[functionIndex] = info;
  return true;
}

static const OpcodeTable &opcodeTable() {
  static const OpcodeTable table = [] {
    OpcodeTable t;
    registerInteger(t);
    registerIntegerMultiply(t);
    registerLogic(t);
    registerBits(t);
    registerFloat(t);
    registerFloatSign(t);
    registerHalf(t);
    registerApproximate(t);
    registerCompare(t);
    registerCvt(t);
    registerMove(t);
    registerGenericAddress(t);
    registerMemory(t);
    registerAtomic(t);
    registerControl(t);
    registerBarrier(t);
    registerWarp(t);
    registerAsyncCopy(t);
    registerTensor(t);
    registerMbarrier(t);
    registerBulkCopy(t);
    registerWgmma(t);
    registerCluster(t);
    registerVideo(t);
    return t;
  }();
  return table;
}

bool Decoder::decodeOne(const InstructionSyntax &instruction) {
  current = &instruction;
  takenMask = 1;
  failed = false;
  out = Instruction();
  out.list = static_cast<uint32_t>(module.program.refs.size());
  if (instruction.parts.size() > 63)
    return fail("too many modifiers");
  if (!instruction.predicate.empty()) {
    Operand predicate;
    predicate.kind = Operand::Kind::Name;
    predicate.name = instruction.predicate;
    predicate.negated = instruction.predicateNegated;
    out.predicate = sourcePredicate(predicate);
    if (failed)
      return false;
  }
  uses.begin();
  auto found = opcodeTable().find(instruction.parts[0]);
  if (found == opcodeTable().end())
    return fail("unknown instruction");
  if (!found->second(*this) && !failed)
    return unsupported();
  return !failed;
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool Decoder::take(std::string_view modifier) {
  for (size_t i = 1; i < current->parts.size(); ++i)
    if (!(takenMask >> i & 1) && current->parts[i] == modifier) {
      takenMask |= uint64_t(1) << i;
      return true;
    }
  return false;
}

int Decoder::takeOne(std::initializer_list<std::string_view> choices) {
  int index = 0;
  for (std::string_view choice : choices) {
    if (take(choice))
      return index;
    ++index;
  }
  return -1;
}

Type Decoder::takeTypeIfAny() {
  for (size_t i = 1; i < current->parts.size(); ++i) {
    if (takenMask >> i & 1)
      continue;
    Type type = parseInstructionType(current->parts[i]);
    if (type != Type::None) {
      takenMask |= uint64_t(1) << i;
      return type;
    }
  }
  return Type::None;
}

Type Decoder::takeType() {
  Type type = takeTypeIfAny();
  if (type == Type::None)
    fail("a type is missing");
  return type;
}

std::string_view Decoder::takePrefix(std::string_view prefix) {
  for (size_t i = 1; i < current->parts.size(); ++i)
    if (!(takenMask >> i & 1) && current->parts[i].starts_with(prefix)) {
      takenMask |= uint64_t(1) << i;
      return current->parts[i];
    }
  return {};
}

std::string_view Decoder::peekModifier() const {
  for (size_t i = 1; i < current->parts.size(); ++i)
    if (!(takenMask >> i & 1))
      return current->parts[i];
  return {};
}

bool Decoder::takeNext(std::string_view &modifier) {
  for (size_t i = 1; i < current->parts.size(); ++i)
    if (!(takenMask >> i & 1)) {
      takenMask |= uint64_t(1) << i;
      modifier = current->parts[i];
      return true;
    }
  return false;
}

void Decoder::takeCacheHints() {
  while (!takePrefix("L1::").empty() || !takePrefix("L2::").empty())
    ;
  takeOne({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
}

Scope Decoder::takeScope(Scope otherwise, bool *given) {
  int scope = takeOne({"cta", "cluster", "gpu", "sys"});
  if (given)
    *given = scope >= 0;
  return scope < 0 ? otherwise : static_cast<Scope>(scope);
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

bool Decoder::emit(Handler handler, InstructionClass instructionClass) {
  if (failed)
    return false;
  std::string_view left = peekModifier();
  if (!left.empty())
    return fail("unsupported modifier '." + std::string(left) + "'");
  if (!handler)
    return unsupported();
  out.handler = handler;
  out.instructionClass = instructionClass;
  out.line = current->line;
  out.location = current->location;
  out.syntax = current;
  module.program.code.push_back(out);
  uses.emit(module.program.registerUses, out,
            module.program.refs.data() + out.list);
  return true;
}

void Decoder::helper(Handler handler, Ref target, Ref source, Ref second,
                     int64_t immediate) {
  Instruction h;
  h.handler = handler;
  h.predicate = noRef;
  h.ref[0] = target;
  h.ref[1] = source;
  h.ref[2] = second;
  h.immediate = immediate;
  h.counted = false;
  h.line = current->line;
  h.location = current->location;
  h.syntax = current;
  module.program.code.push_back(h);
  uses.emitHelper(module.program.registerUses, h);
}

bool Decoder::fail(std::string message) {
  if (!failed)
    diagnostics.push_back(
        {current ? current->line : function.line, 0,
         (current ? "'" + std::string(current->opcode) + "': " : "") +
             std::move(message)});
  failed = true;
  return false;
}

bool Decoder::unsupported() {
  std::string_view left = peekModifier();
  return fail(
      "this form of the instruction is not supported" +
      (left.empty() ? std::string() : " (at '." + std::string(left) + "')"));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool decodeReachable(ModuleImpl &module, uint32_t index,
                            std::vector<uint32_t> &path,
                            std::vector<Diagnostic> &diagnostics) {
  Program &program = module.program;
  if (!program.functions[index].decoded) {
    Decoder decoder(module, index, diagnostics);
    if (!decoder.run())
      return false;
  }
  path.push_back(index);
  uint32_t deepest = 0, shared = program.functions[index].sharedBytes;
  bool recursive = false;
  for (uint32_t callee : program.functions[index].callees) {
    if (std::find(path.begin(), path.end(), callee) != path.end()) {
      recursive = true;
      continue;
    }
    if (!decodeReachable(module, callee, path, diagnostics))
      return false;
    const ProgramFunction &f = program.functions[callee];
    deepest = std::max(deepest, f.stackBytes);
    shared = std::max(shared, f.sharedBytes);
    recursive |= f.recursive;
  }
  path.pop_back();
  ProgramFunction &f = program.functions[index];
  f.recursive = recursive;
  f.sharedBytes = shared;
  f.stackBytes = recursive ? 32u << 10 : f.localBytes + deepest;
  return true;
}

bool decodeFunction(ModuleImpl &module, uint32_t function,
                    std::vector<Diagnostic> &diagnostics) {
  module.program.functions.resize(module.syntax.functions.size());
  std::vector<uint32_t> path;
  return decodeReachable(module, function, path, diagnostics);
}

} // namespace tilec::emu
