//===- Lexer.cpp - Tokens of PTX text -------------------------------------===//
//
// See Lexer.h. Comments and lines of the C preprocessor (`# 1 "file"`) are
// skipped as white space.
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include <bit>
#include <cstdlib>
#include <string>

namespace tilec::emu {

static bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$' || c == '%';
}
static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isNamePart(char c) { return isNameStart(c) || isDigit(c); }
static int hexDigit(char c) {
  if (isDigit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

Lexer::Lexer(std::string_view text) : text(text) { advance(); }

Token Lexer::take() {
  Token token = current;
  advance();
  return token;
}

void Lexer::skipSpace() {
  while (position < text.size()) {
    char c = text[position];
    if (c == '\n') {
      ++line;
      lineStart = ++position;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++position;
    } else if (text.compare(position, 2, "//") == 0 ||
               (c == '#' && position == lineStart)) {
      while (position < text.size() && text[position] != '\n')
        ++position;
    } else if (text.compare(position, 2, "/*") == 0) {
      size_t end = text.find("*/", position + 2);
      end = end == std::string_view::npos ? text.size() : end + 2;
      for (; position < end; ++position)
        if (text[position] == '\n') {
          ++line;
          lineStart = position + 1;
        }
    } else {
      return;
    }
  }
}

void Lexer::advance() {
  skipSpace();
  current = Token();
  current.line = line;
  current.column = static_cast<uint32_t>(position - lineStart) + 1;
  if (position >= text.size())
    return;
  size_t begin = position;
  char c = text[position];
  if (isNameStart(c)) {
    current.kind = Token::Kind::Name;
    while (position < text.size() && isNamePart(text[position]))
      ++position;
    // Special registers have components: %tid.x.
    if (c == '%' && position + 1 < text.size() && text[position] == '.' &&
        isNameStart(text[position + 1])) {
      ++position;
      while (position < text.size() && isNamePart(text[position]))
        ++position;
    }
    current.text = text.substr(begin, position - begin);
  } else if (c == '.' && position + 1 < text.size() &&
             isNamePart(text[position + 1])) {
    current.kind = Token::Kind::Directive;
    ++position;
    while (position < text.size() &&
           (isNamePart(text[position]) ||
            text.compare(position, 2, "::") == 0 ||
            (text[position] == ':' && text[position - 1] == ':')))
      ++position;
    current.text = text.substr(begin, position - begin);
  } else if (isDigit(c)) {
    lexNumber();
  } else if (c == '"') {
    size_t end = text.find('"', position + 1);
    if (end == std::string_view::npos) {
      current.kind = Token::Kind::Bad;
      current.text = text.substr(begin, 1);
      position = text.size();
      return;
    }
    current.kind = Token::Kind::String;
    current.text = text.substr(begin + 1, end - begin - 1);
    position = end + 1;
  } else {
    current.kind = Token::Kind::Punctuation;
    current.character = c;
    current.text = text.substr(begin, 1);
    ++position;
  }
}

void Lexer::lexDigits(size_t from, unsigned bitsPerDigit, size_t maxDigits) {
  uint64_t value = 0;
  position = from;
  while (position < text.size() && position - from < maxDigits) {
    int digit = hexDigit(text[position]);
    if (digit < 0 || digit >> bitsPerDigit)
      break;
    value = value << bitsPerDigit | static_cast<uint64_t>(digit);
    ++position;
  }
  current.bits = value;
}

/// A decimal or octal integer, or a decimal float.
void Lexer::lexDecimal() {
  size_t begin = position;
  bool isFloat = false;
  while (position < text.size()) {
    char c = text[position];
    bool exponentSign =
        (c == '+' || c == '-') && isFloat &&
        (text[position - 1] == 'e' || text[position - 1] == 'E');
    if (c == '.' || c == 'e' || c == 'E')
      isFloat = true;
    else if (!isDigit(c) && !exponentSign)
      break;
    ++position;
  }
  std::string spelling(text.substr(begin, position - begin));
  if (isFloat) {
    current.kind = Token::Kind::Float64;
    current.bits =
        std::bit_cast<uint64_t>(std::strtod(spelling.c_str(), nullptr));
  } else {
    current.bits =
        std::strtoull(spelling.c_str(), nullptr, spelling[0] == '0' ? 8 : 10);
  }
}

void Lexer::lexNumber() {
  size_t begin = position;
  current.kind = Token::Kind::Integer;
  char second = begin + 1 < text.size() ? text[begin + 1] : 0;
  bool zero = text[begin] == '0';
  if (zero && (second == 'f' || second == 'F')) {
    current.kind = Token::Kind::Float32;
    lexDigits(begin + 2, 4, 8);
  } else if (zero && (second == 'd' || second == 'D')) {
    current.kind = Token::Kind::Float64;
    lexDigits(begin + 2, 4, 16);
  } else if (zero && (second == 'x' || second == 'X')) {
    lexDigits(begin + 2, 4, 16);
  } else if (zero && (second == 'b' || second == 'B')) {
    lexDigits(begin + 2, 1, text.size());
  } else {
    lexDecimal();
  }
  if (current.kind == Token::Kind::Integer && position < text.size() &&
      text[position] == 'U')
    ++position;
  current.text = text.substr(begin, position - begin);
  if (position < text.size() && isNamePart(text[position]))
    current.kind = Token::Kind::Bad;
}

Token Lexer::takeOpcode() {
  size_t begin = position - current.text.size();
  while (position < text.size()) {
    char c = text[position];
    bool part = isNamePart(c) || c == '.';
    if (c == ':' && text.compare(position, 2, "::") == 0) {
      position += 2;
      continue;
    }
    if (!part)
      break;
    ++position;
  }
  Token token = current;
  token.text = text.substr(begin, position - begin);
  advance();
  return token;
}

bool Lexer::followedByColon() {
  size_t at = position;
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
    ++at;
  return at < text.size() && text[at] == ':' &&
         (at + 1 >= text.size() || text[at + 1] != ':');
}

void Lexer::skipBlock() {
  int depth = 0;
  while (current.kind != Token::Kind::End) {
    if (current.is('{'))
      ++depth;
    if (current.is('}') && --depth == 0) {
      advance();
      return;
    }
    advance();
  }
}

} // namespace tilec::emu
