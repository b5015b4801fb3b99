//===- Decoder.cpp - Syntax to bound instructions -------------------------===//
//
// See Decoder.h. Lays out a function's frame (registers of 32 lanes, local
// variables and parameters), decodes its instructions in order and patches the
// targets of branches at the end.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Handlers.h"

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
      offset += 4;
    }
  offset = roundUp(offset, 64);
  for (size_t i = 0; i < function.registers.size(); ++i) {
    if (function.registers[i].kind == 'p')
      continue;
    registerRefs[i] = offset;
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
    registerBits(t);
    registerFloat(t);
    registerHalf(t);
    registerApproximate(t);
    registerCompare(t);
    registerConvert(t);
    registerMove(t);
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
// Names
//===----------------------------------------------------------------------===//

const SymbolSyntax *Decoder::lookup(std::string_view name,
                                    uint32_t *index) const {
  for (int32_t scope = static_cast<int32_t>(current->scope); scope >= 0;
       scope = function.scopes[scope].parent) {
    const auto &symbols = function.scopes[scope].symbols;
    auto exact = symbols.find(name);
    if (exact != symbols.end()) {
      if (index)
        *index = exact->second.index;
      return &exact->second;
    }
    size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
      --digits;
    // The stem of %r12 is %r; of %p_1<4> with name %p_13 it is %p_1.
    for (size_t cut = digits; cut < name.size(); ++cut) {
      auto family = symbols.find(name.substr(0, cut));
      if (family == symbols.end() ||
          family->second.kind != SymbolSyntax::Kind::RegisterFamily)
        continue;
      uint32_t number = 0;
      for (size_t i = cut; i < name.size(); ++i)
        number = number * 10 + static_cast<uint32_t>(name[i] - '0');
      if (number >= family->second.count)
        continue;
      if (index)
        *index = family->second.index + number;
      return &family->second;
    }
  }
  auto found = module.syntax.symbols.find(name);
  if (found == module.syntax.symbols.end())
    return nullptr;
  if (index)
    *index = found->second.index;
  return &found->second;
}

const VariableSyntax *Decoder::variable(std::string_view name,
                                        bool *inModule) const {
  uint32_t index = 0;
  const SymbolSyntax *symbol = lookup(name, &index);
  if (!symbol || symbol->kind != SymbolSyntax::Kind::Variable)
    return nullptr;
  if (inModule)
    *inModule = symbol->inModule;
  return symbol->inModule ? &module.syntax.variables[index]
                          : &function.variables[index];
}

bool Decoder::isKernelParameter(std::string_view name) const {
  uint32_t index = 0;
  const SymbolSyntax *symbol = lookup(name, &index);
  return symbol && symbol->kind == SymbolSyntax::Kind::Variable &&
         !symbol->inModule && function.isEntry &&
         index < function.parameters.size();
}

static bool isRegisterSymbol(const SymbolSyntax *symbol) {
  return symbol && (symbol->kind == SymbolSyntax::Kind::Register ||
                    symbol->kind == SymbolSyntax::Kind::RegisterFamily);
}

unsigned Decoder::widthOf(const Operand &operand) const {
  if (operand.kind != Operand::Kind::Name)
    return 0;
  const SymbolSyntax *symbol = lookup(operand.name, nullptr);
  return isRegisterSymbol(symbol) ? symbol->type.bytes : 0;
}

bool Decoder::isRegister(const Operand &operand) const {
  return operand.kind == Operand::Kind::Name &&
         isRegisterSymbol(lookup(operand.name, nullptr));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool Decoder::expectOperands(size_t least, size_t most) {
  size_t count = operandCount();
  if (count >= least && count <= most)
    return true;
  std::string wanted = std::to_string(least);
  if (most != least)
    wanted += " to " + std::to_string(most);
  return fail("expected " + wanted + " operands, but there are " +
              std::to_string(count));
}

Ref Decoder::constant(unsigned bytes, uint64_t bits) {
  unsigned slot = bytes == 2 ? 0 : bytes == 4 ? 1 : bytes == 1 ? 3 : 2;
  if (bytes == 2)
    bits &= 0xffff;
  else if (bytes == 4)
    bits &= 0xffffffffu;
  else if (bytes == 1)
    bits = bits ? fullMask : 0;
  Program &program = module.program;
  bool shared = bytes <= 8;
  if (shared) {
    auto found = program.constantRefs[slot].find(bits);
    if (found != program.constantRefs[slot].end())
      return found->second;
  }
  uint32_t offset = static_cast<uint32_t>(program.constants.size());
  Ref ref = offset | constantBit;
  program.constants.resize(offset + (bytes == 1 ? 64 : bytes * 32));
  uint8_t *data = &program.constants[offset];
  if (bytes == 1) {
    std::memcpy(data, &bits, 4);
  } else {
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::memset(data + lane * bytes, 0, bytes);
      std::memcpy(data + lane * bytes, &bits, std::min(bytes, 8u));
    }
  }
  if (shared)
    program.constantRefs[slot][bits] = ref;
  return ref;
}

Ref Decoder::scratch(unsigned bytes) {
  Ref ref = frameRegisterBytes;
  frameRegisterBytes += bytes == 1 ? 64 : bytes * 32;
  return ref;
}

Ref Decoder::carry() {
  if (carryRef == noRef)
    carryRef = scratch(1);
  return carryRef;
}

void Decoder::listOperand(Ref ref) {
  module.program.refs.push_back(ref);
  ++out.listCount;
}

static std::string spell(const Operand &operand) {
  return "'" + std::string(operand.name) + "'";
}

static uint64_t literalBits(const Operand &operand, Type type) {
  if (operand.kind == Operand::Kind::Float64) {
    double value = std::bit_cast<double>(operand.bits);
    if (type == Type::F32 || type == Type::B32)
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    return operand.bits;
  }
  if (operand.kind == Operand::Kind::Float32 && type == Type::F64)
    return std::bit_cast<uint64_t>(static_cast<double>(
        std::bit_cast<float>(static_cast<uint32_t>(operand.bits))));
  if (operand.kind == Operand::Kind::Integer && type == Type::F32)
    return operand.bits;
  return operand.bits;
}

Ref Decoder::source(const Operand &operand, Type type) {
  unsigned bytes = registerBytes(type);
  switch (operand.kind) {
  case Operand::Kind::Integer:
  case Operand::Kind::Float32:
  case Operand::Kind::Float64:
    return constant(bytes, literalBits(operand, type));
  case Operand::Kind::Name:
    break;
  default:
    fail("expected a register or a constant");
    return noRef;
  }
  uint32_t index = 0;
  const SymbolSyntax *symbol = lookup(operand.name, &index);
  if (!symbol) {
    fail(operand.name.starts_with("%") ? "unknown register " + spell(operand)
                                       : "unknown name " + spell(operand));
    return noRef;
  }
  if (!isRegisterSymbol(symbol)) {
    fail(spell(operand) + " is not a register");
    return noRef;
  }
  if (operand.negated) {
    fail("only predicates can be negated");
    return noRef;
  }
  if (symbol->type.kind == 'p' || symbol->type.bytes != bytes) {
    fail("register " + spell(operand) + " is " +
         (symbol->type.kind == 'p'
              ? std::string("a predicate")
              : std::to_string(symbol->type.bytes * 8) + " bits wide") +
         ", but the instruction needs " + std::to_string(bytes * 8) + " bits");
    return noRef;
  }
  return registerRefs[index];
}

Ref Decoder::narrowSource(const Operand &operand, Type type) {
  unsigned wanted = registerBytes(type), width = widthOf(operand);
  if (width == 0 || width == wanted)
    return source(operand, type);
  if (width < wanted) {
    fail("register " + spell(operand) + " is too narrow");
    return noRef;
  }
  Type wide = width == 4 ? Type::B32 : width == 8 ? Type::B64 : Type::B128;
  Ref from = source(operand, wide);
  Ref narrow = scratch(wanted);
  helper(narrowHandler(width, wanted), narrow, from);
  return narrow;
}

Ref Decoder::destination(const Operand &operand, Type type) {
  unsigned bytes = registerBytes(type);
  if (operand.kind == Operand::Kind::Sink)
    return scratch(bytes);
  if (operand.kind != Operand::Kind::Name || operand.negated) {
    fail("expected a destination register");
    return noRef;
  }
  if (!isRegister(operand)) {
    fail("unknown register " + spell(operand));
    return noRef;
  }
  return source(operand, type);
}

Ref Decoder::sourcePredicate(const Operand &operand) {
  if (operand.kind == Operand::Kind::Integer)
    return constant(1, operand.bits);
  uint32_t index = 0;
  const SymbolSyntax *symbol = operand.kind == Operand::Kind::Name
                                   ? lookup(operand.name, &index)
                                   : nullptr;
  if (!isRegisterSymbol(symbol) || symbol->type.kind != 'p') {
    fail("expected a predicate register" +
         (operand.name.empty() ? "" : ", but found " + spell(operand)));
    return noRef;
  }
  return registerRefs[index] | (operand.negated ? negatedBit : 0);
}

Ref Decoder::destinationPredicate(const Operand &operand) {
  if (operand.kind == Operand::Kind::Sink)
    return scratch(1);
  if (operand.negated) {
    fail("a destination predicate cannot be negated");
    return noRef;
  }
  if (operand.kind == Operand::Kind::Integer) {
    fail("expected a predicate register");
    return noRef;
  }
  return sourcePredicate(operand);
}

bool Decoder::constantOperand(const Operand &operand, uint64_t &value) {
  if (operand.kind != Operand::Kind::Integer)
    return fail("expected an integer constant");
  value = operand.bits;
  return true;
}

bool Decoder::address(const Operand &operand, StateSpace space, Ref &base,
                      bool &wide, int64_t &offset) {
  if (operand.kind != Operand::Kind::Address &&
      operand.kind != Operand::Kind::Name)
    return fail("expected an address in brackets");
  offset = operand.offset;
  wide = true;
  if (operand.name.empty()) {
    base = constant(8, 0);
    return true;
  }
  uint32_t index = 0;
  const SymbolSyntax *symbol = lookup(operand.name, &index);
  if (!symbol)
    return fail("unknown name " + spell(operand) + " in an address");
  if (isRegisterSymbol(symbol)) {
    if (symbol->type.kind == 'p' || symbol->type.bytes < 4 ||
        symbol->type.bytes > 8)
      return fail("an address needs a 32-bit or 64-bit register");
    base = registerRefs[index];
    wide = symbol->type.bytes == 8;
    return true;
  }
  if (symbol->kind == SymbolSyntax::Kind::Function) {
    base = constant(8, uint64_t(index) + 1);
    return true;
  }
  if (symbol->kind != SymbolSyntax::Kind::Variable)
    return fail(spell(operand) + " has no address");
  const VariableSyntax &variable = symbol->inModule
                                       ? module.syntax.variables[index]
                                       : function.variables[index];
  uint64_t window = 0;
  if (space == StateSpace::Generic) {
    if (variable.space == StateSpace::Shared)
      window = sharedWindow;
    else if (variable.space == StateSpace::Const)
      window = constWindow;
    else if (isKernelParameter(operand.name))
      window = paramWindow;
    else if (variable.space == StateSpace::Local ||
             variable.space == StateSpace::Param)
      window = localWindow;
  }
  if (symbol->inModule) {
    uint64_t where = module.variableAddresses[index];
    if (variable.space == StateSpace::Const)
      where -= constWindow;
    base = constant(8, where + window);
    return true;
  }
  uint64_t where = variableOffsets[index] + window;
  bool inFrame = (variable.space == StateSpace::Local ||
                  variable.space == StateSpace::Param) &&
                 !isKernelParameter(operand.name);
  if (!inFrame) {
    base = constant(8, where);
    return true;
  }
  base = scratch(8);
  helper(frameAddressHandler, base, noRef, noRef, static_cast<int64_t>(where));
  return true;
}

bool Decoder::branchTarget(const Operand &operand) {
  uint32_t index = 0;
  const SymbolSyntax *symbol = operand.kind == Operand::Kind::Name
                                   ? lookup(operand.name, &index)
                                   : nullptr;
  if (!symbol || symbol->kind != SymbolSyntax::Kind::Label)
    return fail("unknown label " + spell(operand));
  out.target = index;
  labelPatches.push_back(static_cast<uint32_t>(module.program.code.size()));
  return true;
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
