//===- Rules.h - What instructions do with undefined values -----*- C++ -*-===//
//
// Each opcode has a rule that says which bits of its results are undefined
// where some bits of its operands are (Definedness.h has the idea).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_DEFINEDNESS_RULES_H
#define TILE_LIB_EMULATOR_DEFINEDNESS_RULES_H

#include <cstdint>

namespace tilec::emu {

struct InstructionSyntax;

enum class RuleKind : uint8_t {
  Result,   ///< A lane's results are undefined if any of its operands is.
  Combined, ///< Likewise, unless a predicate that it is combined with decides.
  Elements, ///< Likewise, for each half of the registers by itself.
  Pack,     ///< The first source becomes the upper half, the second the lower.
  Bits,     ///< Bits of sources move to bits of results, loads and stores too.
  Logic,    ///< A function of up to three bits at the same place.
  Sum,      ///< Bits hang on those of all operands at their place and below.
  Warp,     ///< The results of all lanes hang on the operands of all lanes.
  Atomic,   ///< Memory and the result hang on memory and the operands.
  Product,  ///< Elements of matrices.
  Decides,  ///< Operands must be defined.
  Nothing,  ///< Operands do not matter.
};

struct Rule {
  RuleKind kind = RuleKind::Result;
  /// Bits: sources from this one on say how bits move. If one is undefined, so
  /// is the whole result.
  uint8_t firstControl = 255;
  /// Logic: bit 4 a + 2 b + c is the result for the bits a, b, c of the
  /// sources; b and c are 0 where there are none.
  uint8_t table = 0;
};

Rule chooseRule(const InstructionSyntax &syntax);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DEFINEDNESS_RULES_H
