//===- Decoder.h - Syntax to bound instructions -----------------*- C++ -*-===//
//
// The decoder turns each instruction once into a handler with bound operands.
// Families (Integer.cpp, LoadStore.cpp, ...) register a decode function per
// opcode in a table; it takes the modifiers it knows, binds operands and
// chooses a handler. A modifier that nobody took is an error, so that nothing
// is ignored by accident.
//
// What one handler cannot do in one go is done by several instructions in a
// row, of which one is counted: reading a wide register as a narrow value, say.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_DECODE_DECODER_H
#define TILE_LIB_EMULATOR_DECODE_DECODER_H

#include "../Checkers/Shadow.h"
#include "../Definedness/RegisterUses.h"
#include "ModuleImpl.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace tilec::emu {

/// A type as instructions name it.
enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F16x2,
  BF16,
  BF16x2,
  TF32,
  F32,
  F32x2,
  F64,
  E4M3x2,
  E5M2x2,
  E2M1x2,
  E2M3x2,
  E3M2x2,
  UE8M0x2,
  E4M3x4,
  E5M2x4,
  E2M1x4,
  E2M3x4,
  E3M2x4,
  E4M3,
  E5M2,
  E2M1,
  E2M3,
  E3M2,
  UE8M0,
  S4,
  U4,
  B1,
  U16x2,
  S16x2,
};
Type parseInstructionType(std::string_view name);
/// Bytes of a register that holds one.
unsigned registerBytes(Type type);
bool isSigned(Type type);
bool isUnsigned(Type type);
bool isBits(Type type);
bool isFloatType(Type type);
inline bool isInteger(Type type) {
  return isSigned(type) || isUnsigned(type) || isBits(type);
}

struct AddressOperand;

class Decoder {
public:
  Decoder(ModuleImpl &module, uint32_t function,
          std::vector<Diagnostic> &diagnostics);

  /// Decodes the whole function; false and diagnostics on errors.
  bool run();

  const InstructionSyntax &syntax() const { return *current; }
  /// The instruction being built.
  Instruction out;

  //===--------------------------------------------------------------------===//
  // Modifiers
  //===--------------------------------------------------------------------===//

  /// Takes a modifier if it is there.
  bool take(std::string_view modifier);
  /// Takes the first of `choices` that is there; its index or -1.
  int takeOne(std::initializer_list<std::string_view> choices);
  /// Takes the next modifier that is a type; None and an error if there is
  /// none.
  Type takeType();
  Type takeTypeIfAny();
  /// Takes the next modifier with this prefix, and returns it, else empty.
  std::string_view takePrefix(std::string_view prefix);
  /// The next modifier nobody took; empty if all are taken.
  std::string_view peekModifier() const;
  bool takeNext(std::string_view &modifier);
  /// Skips cache hints of loads, stores and copies: .L1::*, .L2::*, .ca ...
  void takeCacheHints();
  Scope takeScope(Scope otherwise, bool *given = nullptr);

  //===--------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------===//

  size_t operandCount() const { return current->operands.size(); }
  const Operand &operand(size_t index) const {
    return current->operands[index];
  }
  bool expectOperands(size_t least, size_t most);
  /// Binds the destination, and sources of these types, in order.
  bool bind(Type result, std::initializer_list<Type> sources);
  /// A source of `bytes` per lane: a register of that width, or a constant
  /// (a float constant is rounded to `type`).
  Ref source(const Operand &operand, Type type);
  Ref source(size_t index, Type type) { return source(operand(index), type); }
  /// A source register that may be wider than `type`, narrowed.
  Ref narrowSource(const Operand &operand, Type type);
  /// A destination register of the width of `type`; a scratch one for `_`.
  Ref destination(const Operand &operand, Type type);
  Ref destination(size_t index, Type type) {
    return destination(operand(index), type);
  }
  Ref sourcePredicate(const Operand &operand);
  Ref destinationPredicate(const Operand &operand);
  /// Binds an address: `base` a register (32 or 64 bits) or constant, the rest
  /// an offset. Sets `wide` to whether the base has 64 bits. Names of variables
  /// become constants; those of the frame are computed by a helper.
  bool address(const Operand &operand, StateSpace space, Ref &base, bool &wide,
               int64_t &offset);
  bool address(const Operand &operand, StateSpace space,
               AddressOperand &address);
  /// The width of the register an operand names; 0 if it names none.
  unsigned widthOf(const Operand &operand) const;
  bool isRegister(const Operand &operand) const;
  const SymbolSyntax *lookup(std::string_view name, uint32_t *index) const;
  const VariableSyntax *variable(std::string_view name,
                                 bool *inModule = nullptr) const;
  bool isKernelParameter(std::string_view name) const;

  /// A constant of 1 (predicate), 2, 4, 8 or 16 bytes in every lane.
  Ref constant(unsigned bytes, uint64_t bits);
  /// A fresh register of the frame.
  Ref scratch(unsigned bytes);
  /// The condition-code register's carry flag, as a predicate.
  Ref carry();
  /// Appends to the list of further operands.
  void listOperand(Ref ref);
  /// Integer constant operand, or an error.
  bool constantOperand(const Operand &operand, uint64_t &value);
  /// The instruction index of a label (patched when it lies ahead).
  bool branchTarget(const Operand &operand);

  //===--------------------------------------------------------------------===//
  // Output
  //===--------------------------------------------------------------------===//

  /// Emits `out` as the counted instruction.
  bool emit(Handler handler, InstructionClass instructionClass);
  /// Emits a helper before or after it.
  void helper(Handler handler, Ref target, Ref source, Ref second = noRef,
              int64_t immediate = 0);
  bool fail(std::string message);
  /// "unsupported combination" of what was decoded so far.
  bool unsupported();
  /// Makes what `out.data<T>()` gives the handler.
  template <typename T>
  T *makeData() {
    auto object = std::make_unique<InstructionDataOf<T>>();
    T *value = &object->value;
    out.familyData = object.get();
    module.program.familyData.push_back(std::move(object));
    return value;
  }
  const ProgramFunction &functionInfo(uint32_t index) const {
    return module.program.functions[index];
  }
  FunctionSyntax &functionSyntax() { return function; }

  ModuleImpl &module;
  uint32_t functionIndex;

private:
  friend bool decodeCall(Decoder &);
  friend bool decodeBranchTable(Decoder &);
  bool layOutFrame();
  /// The constant or computed address of a variable.
  Ref variableAddress(const Operand &operand, const SymbolSyntax &symbol,
                      uint32_t index, StateSpace space);
  bool decodeOne(const InstructionSyntax &instruction);

  FunctionSyntax &function;
  std::vector<Diagnostic> &diagnostics;
  const InstructionSyntax *current = nullptr;
  uint64_t takenMask = 1;
  bool failed = false;
  uint32_t frameRegisterBytes = 0;
  Ref carryRef = noRef;
  uint32_t frameLocalBytes = 0;
  std::vector<Ref> registerRefs;
  RegisterUseRecorder uses;
  std::vector<uint32_t> variableOffsets; ///< Local and shared ones.
  std::vector<uint32_t> labelPatches;    ///< Instructions whose target is one.
  /// Lists of branch targets: first and count in Program::refs.
  std::vector<std::pair<uint32_t, uint32_t>> tablePatches;
  std::vector<uint32_t> starts; ///< Index in code of each syntax instruction.

public:
  ProgramFunction info;
};

using DecodeFunction = bool (*)(Decoder &);
/// Adds the opcodes of each family to the table.
using OpcodeTable = std::unordered_map<std::string_view, DecodeFunction>;
void registerInteger(OpcodeTable &table);
void registerIntegerMultiply(OpcodeTable &table);
void registerLogic(OpcodeTable &table);
void registerBits(OpcodeTable &table);
void registerFloat(OpcodeTable &table);
void registerFloatSign(OpcodeTable &table);
void registerHalf(OpcodeTable &table);
void registerApproximate(OpcodeTable &table);
void registerCompare(OpcodeTable &table);
void registerCvt(OpcodeTable &table);
void registerMove(OpcodeTable &table);
void registerGenericAddress(OpcodeTable &table);
void registerMemory(OpcodeTable &table);
void registerAtomic(OpcodeTable &table);
void registerControl(OpcodeTable &table);
void registerBarrier(OpcodeTable &table);
void registerWarp(OpcodeTable &table);
void registerAsyncCopy(OpcodeTable &table);
void registerTensor(OpcodeTable &table);
void registerMbarrier(OpcodeTable &table);
void registerBulkCopy(OpcodeTable &table);
void registerWgmma(OpcodeTable &table);
void registerCluster(OpcodeTable &table);
void registerVideo(OpcodeTable &table);

/// Decodes a function and everything it calls.
bool decodeFunction(ModuleImpl &module, uint32_t function,
                    std::vector<Diagnostic> &diagnostics);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DECODE_DECODER_H
