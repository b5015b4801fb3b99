//===- Instruction.h - One decoded instruction ------------------*- C++ -*-===//
//
// An instruction is a handler with bound operands: where its registers lie, and
// what its family decoded beyond them, a structure of the family's own type.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_DECODE_INSTRUCTION_H
#define TILE_LIB_EMULATOR_DECODE_INSTRUCTION_H

#include "../Syntax/SyntaxTree.h"
#include "tile/Emulator/Statistics.h"

#include <cassert>
#include <cstdint>

namespace tilec::emu {

struct Warp;
struct Instruction;
struct InstructionSyntax;

/// Where an operand lies: bit 31 the constant pool instead of the registers,
/// bit 30 a negated predicate, below a byte offset.
using Ref = uint32_t;
inline constexpr Ref constantBit = 0x80000000u;
inline constexpr Ref negatedBit = 0x40000000u;
inline constexpr Ref noRef = 0x3fffffffu;

/// What a handler tells the interpreter.
enum class Step : uint8_t {
  Next,       ///< Go on with the next instruction.
  Jump,       ///< The handler set `warp.pc`.
  Reschedule, ///< The splits changed, or this one waits.
  Stop,       ///< The launch ends.
};

using Handler = Step (*)(Warp &, const Instruction &, uint32_t mask);

/// What a family decoded, of a type that only the family knows. It carries the
/// address of a tag of that type, so that debug builds notice a handler that
/// asks for another type than the decoder made.
class InstructionData {
public:
  virtual ~InstructionData() = default;
  template <typename T>
  bool is() const {
    return tag == &tagOf<T>;
  }

protected:
  template <typename T>
  static constexpr char tagOf = 0;
  explicit InstructionData(const char *tag) : tag(tag) {}

private:
  const char *tag;
};

template <typename T>
struct InstructionDataOf final : InstructionData {
  InstructionDataOf() : InstructionData(&tagOf<T>) {}
  T value{};
};

struct Instruction {
  Handler handler = nullptr;
  Ref predicate = noRef;
  Ref ref[6] = {noRef, noRef, noRef, noRef, noRef, noRef};
  uint32_t list = 0, listCount = 0; ///< Further operands in Program::refs.
  uint32_t target = 0;              ///< Of a branch or call.
  int64_t immediate = 0;            ///< Address offset and the like.
  const InstructionData *familyData = nullptr; ///< See `data`.
  InstructionClass instructionClass = InstructionClass::Other;
  bool counted = true;           ///< False for the helpers the decoder inserts.
  bool always = false;           ///< Called with an empty mask too.
  uint8_t bytes = 0, vector = 1; ///< Of memory accesses.
  StateSpace space = StateSpace::Generic;
  uint8_t scalarBytes = 0; ///< Of strong accesses, as the memory model has it.
  uint8_t flags = 0;       ///< Meaning is the family's.
  uint16_t small[2] = {};  ///< Likewise.
  uint32_t line = 0, location = 0;
  const InstructionSyntax *syntax = nullptr;

  /// What Decoder::makeData<T>() made for this instruction.
  template <typename T>
  const T &data() const {
    assert(familyData && familyData->is<T>() && "made for another family");
    return static_cast<const InstructionDataOf<T> *>(familyData)->value;
  }
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DECODE_INSTRUCTION_H
