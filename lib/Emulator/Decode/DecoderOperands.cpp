//===- DecoderOperands.cpp - Names and operands of instructions -----------===//
//
// See Decoder.h. Finds what a name means where it stands, and binds operands:
// registers, constants (each value once, in the pool of constants), addresses
// and labels.
//
//===----------------------------------------------------------------------===//

#include "../Instructions/Handlers.h"
#include "../Memory/AddressOperand.h"
#include "../Memory/AddressWindows.h"
#include "Decoder.h"

#include <algorithm>
#include <bit>

namespace tilec::emu {

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

bool Decoder::bind(Type result, std::initializer_list<Type> sources) {
  if (!expectOperands(sources.size() + 1, sources.size() + 1))
    return false;
  size_t i = 1;
  for (Type type : sources) {
    out.ref[i] = source(i, type);
    ++i;
  }
  out.ref[0] = destination(0, result);
  return true;
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
  uses.addPlace(ref, bytes == 1 ? 0 : bytes);
  return ref;
}

Ref Decoder::carry() {
  if (carryRef == noRef)
    carryRef = scratch(1);
  bool isWritten = false;
  for (std::string_view part : current->parts)
    isWritten |= part == "cc";
  if (current->parts[0].ends_with("c")) // addc, subc, madc.
    uses.note(carryRef, UseRole::Read);
  if (isWritten)
    uses.note(carryRef, UseRole::Write);
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
  case Operand::Kind::Float64: {
    Ref ref = constant(bytes, literalBits(operand, type));
    uses.note(ref, UseRole::Read, {}, bytes);
    return ref;
  }
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
  uses.note(registerRefs[index], UseRole::Read, operand.name);
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
  Ref ref = source(operand, type);
  uses.makeLastWritten();
  return ref;
}

Ref Decoder::sourcePredicate(const Operand &operand) {
  if (operand.kind == Operand::Kind::Integer) {
    Ref ref = constant(1, operand.bits);
    uses.note(ref, UseRole::Read);
    return ref;
  }
  uint32_t index = 0;
  const SymbolSyntax *symbol = operand.kind == Operand::Kind::Name
                                   ? lookup(operand.name, &index)
                                   : nullptr;
  if (!isRegisterSymbol(symbol) || symbol->type.kind != 'p') {
    fail("expected a predicate register" +
         (operand.name.empty() ? "" : ", but found " + spell(operand)));
    return noRef;
  }
  Ref ref = registerRefs[index] | (operand.negated ? negatedBit : 0);
  uses.note(ref, UseRole::Read, operand.name);
  return ref;
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
  Ref ref = sourcePredicate(operand);
  uses.makeLastWritten();
  return ref;
}

bool Decoder::constantOperand(const Operand &operand, uint64_t &value) {
  if (operand.kind != Operand::Kind::Integer)
    return fail("expected an integer constant");
  value = operand.bits;
  return true;
}

/// What a generic address adds to an address of a variable's space.
static uint64_t windowOf(StateSpace space, bool isKernelParameter) {
  if (isKernelParameter)
    return paramWindow;
  switch (space) {
  case StateSpace::Shared:
    return sharedWindow;
  case StateSpace::Const:
    return constWindow;
  case StateSpace::Local:
  case StateSpace::Param:
    return localWindow;
  default:
    return 0;
  }
}

Ref Decoder::variableAddress(const Operand &operand, const SymbolSyntax &symbol,
                             uint32_t index, StateSpace space) {
  const VariableSyntax &variable = symbol.inModule
                                       ? module.syntax.variables[index]
                                       : function.variables[index];
  bool ofKernel = isKernelParameter(operand.name);
  uint64_t window =
      space == StateSpace::Generic ? windowOf(variable.space, ofKernel) : 0;
  if (symbol.inModule) {
    uint64_t where = module.variableAddresses[index];
    if (variable.space == StateSpace::Const)
      where -= constWindow;
    return constant(8, where + window);
  }
  uint64_t where = variableOffsets[index] + window;
  bool inFrame = (variable.space == StateSpace::Local ||
                  variable.space == StateSpace::Param) &&
                 !ofKernel;
  if (!inFrame)
    return constant(8, where);
  Ref base = scratch(8);
  helper(frameAddressHandler, base, noRef, noRef, static_cast<int64_t>(where));
  return base;
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
    uses.note(base, UseRole::Address, operand.name);
    wide = symbol->type.bytes == 8;
    return true;
  }
  if (symbol->kind == SymbolSyntax::Kind::Function) {
    base = constant(8, uint64_t(index) + 1);
    return true;
  }
  if (symbol->kind != SymbolSyntax::Kind::Variable)
    return fail(spell(operand) + " has no address");
  base = variableAddress(operand, *symbol, index, space);
  uses.note(base, UseRole::Address, operand.name, 8);
  return true;
}

bool Decoder::address(const Operand &operand, StateSpace space,
                      AddressOperand &result) {
  return address(operand, space, result.base, result.wide, result.offset);
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

} // namespace tilec::emu
