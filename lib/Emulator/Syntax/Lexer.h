//===- Lexer.h - Tokens of PTX text -----------------------------*- C++ -*-===//
//
// PTX is almost free of context for a lexer: names may hold `$`, `%` and `_`,
// directives and modifiers begin with a dot, numbers may be hexadecimal floats
// (0f3F800000). The parser asks for one token at a time and, where an
// instruction begins, for the whole dotted opcode as one token.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_SYNTAX_LEXER_H
#define TILE_LIB_EMULATOR_SYNTAX_LEXER_H

#include <cstdint>
#include <string_view>

namespace tilec::emu {

struct Token {
  enum class Kind : uint8_t {
    End,
    Name,      ///< foo, %r1, %tid.x, $L__BB0_1
    Directive, ///< .reg
    Integer,
    Float32,
    Float64,
    String, ///< Without the quotes.
    Punctuation,
    Bad,
  };
  Kind kind = Kind::End;
  char character = 0; ///< Of a Punctuation.
  uint32_t line = 0, column = 0;
  std::string_view text;
  uint64_t bits = 0; ///< Value of a number.

  bool is(char c) const { return kind == Kind::Punctuation && character == c; }
  bool isDirective(std::string_view name) const {
    return kind == Kind::Directive && text == name;
  }
};

class Lexer {
public:
  explicit Lexer(std::string_view text);
  const Token &peek() const { return current; }
  Token take();
  /// With a Name current: extends it to a dotted opcode such as
  /// `ld.global.L1::no_allocate.v4.f32` and takes it.
  Token takeOpcode();
  /// Skips a `{ .. }` block whose opening brace is current.
  void skipBlock();
  /// Whether the character after the current token is `:` but not `::`.
  bool followedByColon();

private:
  void advance();
  void skipSpace();
  void lexNumber();
  /// Digits of a base that is a power of two, into the current token's bits.
  void lexDigits(size_t from, unsigned bitsPerDigit, size_t maxDigits);
  void lexDecimal();

  std::string_view text;
  size_t position = 0;
  size_t lineStart = 0;
  uint32_t line = 1;
  Token current;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNTAX_LEXER_H
