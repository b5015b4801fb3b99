//===- Patterns.h - Many instructions from one line -------------*- C++ -*-===//
//
// A pattern is an instruction with choices; it stands for all combinations:
//
//   add<|.sat>.<T=s32|u64> $T0, $T1, 7;
//
// is add.s32 %r0, %r1, 7;  add.sat.s32 ..;  add.u64 %rd0, %rd1, 7;  and so on.
//
//   <a|b|>    one of the texts, of which one may be empty
//   <a^b|c>   a|b or c
//   <T=a|b>   the same, and `<T>` further on repeats what was chosen
//   $T3       register 3 of the width and kind that type T needs
//   $T{2+4}   a vector of 4 such registers from number 2 on
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_EMULATOR_SWEEP_PATTERNS_H
#define TILE_TEST_EMULATOR_SWEEP_PATTERNS_H

#include <string>
#include <string_view>
#include <vector>

namespace tilec::emu::sweep {

/// All instructions of a pattern, in the order of its choices. On a mistake
/// none, and `error` says which.
std::vector<std::string> expand(std::string_view pattern, std::string &error);

/// Whether `text` matches `glob`, where `*` stands for any text.
bool matches(std::string_view glob, std::string_view text);

/// Declarations of the registers that patterns use: of each kind, numbers 0 to
/// 79.
extern const char *const registerDeclarations;

} // namespace tilec::emu::sweep

#endif // TILE_TEST_EMULATOR_SWEEP_PATTERNS_H
