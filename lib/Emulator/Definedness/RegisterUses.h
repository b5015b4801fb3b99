//===- RegisterUses.h - Registers that instructions read and write -*- C++ -*-===//
//
// Handlers know their operands by families; what looks at all instructions
// alike (definedness, Definedness.h) needs them in one form. The decoder notes
// each register as it binds it, in the order of the operands, and each decoded
// instruction gets the list of its own. Nothing at run time reads these lists
// while all values are defined.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_DEFINEDNESS_REGISTERUSES_H
#define TILE_LIB_EMULATOR_DEFINEDNESS_REGISTERUSES_H

#include "../Decode/Instruction.h"
#include "Rules.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tilec::emu {

enum class UseRole : uint8_t { Read, Write, Address };

/// One operand. Constants are listed too (`constantBit`), so that a source is
/// known by its position.
struct RegisterUse {
  Ref ref = noRef;
  uint8_t bytes = 0; ///< Of a lane; 0: a predicate.
  UseRole role = UseRole::Read;
  bool isNegated = false; ///< Of a predicate.
  std::string_view name;  ///< In the text; empty for registers of the decoder.

  bool isConstant() const { return ref & constantBit; }
};

/// The operands of one instruction, in RegisterUses::uses.
struct InstructionUses {
  uint32_t first = 0, count = 0;
  bool isHelper = false; ///< Inserted by the decoder.
  Rule rule;             ///< Known when definedness is checked.
};

/// Of a program: the uses of the instruction at each index of its code.
struct RegisterUses {
  std::vector<RegisterUse> uses;
  std::vector<InstructionUses> instructions;
};

/// Notes the uses of the instruction that is being decoded.
class RegisterUseRecorder {
public:
  /// A register of the frame, or one of the decoder's own.
  void addPlace(Ref ref, unsigned bytes) {
    size_t place = ref >> 2;
    if (widths.size() <= place)
      widths.resize(std::max(place + 1, 2 * widths.size()));
    widths[place] = static_cast<uint8_t>(bytes + 1);
  }
  /// Begins an instruction. What its guard reads is not among its uses.
  void begin() {
    pending.clear();
    ofHelpers.clear();
  }
  /// A register or a constant; `bytes` are those of a constant.
  void note(Ref ref, UseRole role, std::string_view name = {},
            unsigned bytes = 0);
  /// What was noted last is written, not read.
  void makeLastWritten() {
    if (!pending.empty())
      pending.back().role = UseRole::Write;
  }
  /// Lists the uses of `instruction`, the next one of the code; `refs` are its
  /// further operands.
  void emit(RegisterUses &uses, const Instruction &instruction,
            const Ref *refs);
  /// The same for one that the decoder inserts: ref[0] from ref[1] and ref[2].
  void emitHelper(RegisterUses &uses, const Instruction &instruction);

private:
  void noteOwnRegister(Ref ref);
  std::vector<RegisterUse> pending;
  std::vector<uint8_t> widths; ///< By ref / 4: bytes + 1; 0: no register.
  /// Registers that helpers of the instruction under way write.
  std::vector<Ref> ofHelpers;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DEFINEDNESS_REGISTERUSES_H
