//===- ParserVariable.cpp - Declarations of PTX variables -----------------===//
//
// Variables of every state space and parameters: type, alignment, array bounds
// and initialisers. An initialiser becomes bytes; where it names a symbol, a
// relocation says which address is added once addresses are known.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include <bit>
#include <cstring>

namespace tilec::emu {

bool Parser::parseVariable(StateSpace space, bool isExtern,
                           std::vector<VariableSyntax> &into, bool single) {
  VariableSyntax prototype;
  prototype.space = space;
  prototype.isExtern = isExtern;
  uint64_t vectorWidth = 1;
  uint32_t align = 0;
  while (lexer.peek().kind == Token::Kind::Directive) {
    Token token = lexer.take();
    if (token.text == ".align") {
      align = static_cast<uint32_t>(lexer.take().bits);
    } else if (token.text == ".v2" || token.text == ".v4") {
      vectorWidth = token.text == ".v2" ? 2 : 4;
    } else if (token.text == ".ptr") {
      // `.ptr .global .align 16`: a promise about what a parameter points to.
      while (lexer.peek().kind == Token::Kind::Directive) {
        if (lexer.take().text == ".align")
          lexer.take();
      }
    } else if (token.text == ".attribute") {
      while (!accept(')'))
        if (lexer.take().kind == Token::Kind::End)
          return fail(token, "unfinished .attribute");
    } else if (token.text == ".visible" || token.text == ".weak") {
      continue;
    } else {
      RegisterType type = parseType(token.text.substr(1));
      if (type.bytes == 0 || type.kind == 'p')
        return fail(token, "unsupported variable type " + quote(token));
      prototype.type = token.text.substr(1);
    }
  }
  if (prototype.type.empty())
    return fail(lexer.peek(), "expected the type of a variable");
  do {
    VariableSyntax variable = prototype;
    variable.line = lexer.peek().line;
    unsigned elementBytes = parseType(prototype.type).bytes;
    variable.alignBytes =
        align ? align : static_cast<uint32_t>(elementBytes * vectorWidth);
    if (!parseDeclarator(variable, vectorWidth))
      return false;
    into.push_back(std::move(variable));
  } while (!single && accept(','));
  return true;
}

bool Parser::parseDeclarator(VariableSyntax &variable, uint64_t vectorWidth) {
  Token name = lexer.take();
  if (name.kind != Token::Kind::Name)
    return fail(name, "expected a name before " + quote(name));
  variable.name = name.text;
  unsigned elementBytes = parseType(variable.type).bytes;
  uint64_t count = vectorWidth;
  bool open = false;
  while (accept('[')) {
    if (accept(']')) {
      open = true;
      continue;
    }
    Token size = lexer.take();
    if (size.kind != Token::Kind::Integer)
      return fail(size, "expected an array size before " + quote(size));
    count *= size.bits;
    if (!expect(']'))
      return false;
  }
  variable.sizeBytes = open ? 0 : count * elementBytes;
  variable.isDynamic = open;
  // .b32 x<4>: several variables; only registers use it in practice.
  if (lexer.peek().is('<'))
    return fail(lexer.peek(), "parameterised variable names are not supported");
  if (accept('=')) {
    if (!parseInitializer(variable, elementBytes))
      return false;
    if (open) {
      variable.sizeBytes = variable.initialBytes.size();
      variable.isDynamic = false;
    } else {
      variable.initialBytes.resize(variable.sizeBytes);
    }
  }
  return true;
}

bool Parser::parseInitializer(VariableSyntax &variable, unsigned elementBytes) {
  uint64_t offset = 0;
  if (!lexer.peek().is('{'))
    return parseInitialValue(variable, elementBytes, offset);
  int depth = 0;
  do {
    if (accept('{')) {
      ++depth;
      if (accept('}'))
        --depth;
    } else if (accept('}')) {
      --depth;
      accept(',');
    } else {
      if (!parseInitialValue(variable, elementBytes, offset))
        return false;
      if (!lexer.peek().is('}') && !expect(','))
        return false;
    }
  } while (depth > 0);
  return true;
}

bool Parser::parseInitialValue(VariableSyntax &variable, unsigned elementBytes,
                               uint64_t &offset) {
  uint64_t bits = 0;
  Token token = lexer.peek();
  auto relocate = [&](const Token &symbol, bool isGeneric) {
    int64_t addend = 0;
    if (!parseOffset(isGeneric ? "generic(..)" : symbol.text, addend))
      return false;
    variable.relocations.push_back({offset, symbol.text, addend, isGeneric});
    return true;
  };
  if (token.kind == Token::Kind::Name && token.text == "generic") {
    lexer.take();
    if (!expect('('))
      return false;
    Token symbol = lexer.take();
    if (!expect(')') || !relocate(symbol, true))
      return false;
  } else if (token.kind == Token::Kind::Name && token.text == "mask") {
    return fail(token, "mask() in an initialiser is not supported");
  } else if (token.kind == Token::Kind::Name && token.text != "WARP_SZ") {
    if (!relocate(lexer.take(), false))
      return false;
  } else {
    Operand value;
    if (!parseConstant(value))
      return false;
    bits = value.bits;
    RegisterType type = parseType(variable.type);
    if (value.kind == Operand::Kind::Float64 && elementBytes == 4)
      bits = std::bit_cast<uint32_t>(
          static_cast<float>(std::bit_cast<double>(bits)));
    else if (value.kind == Operand::Kind::Float32 && elementBytes == 8 &&
             type.kind == 'f')
      bits = std::bit_cast<uint64_t>(static_cast<double>(
          std::bit_cast<float>(static_cast<uint32_t>(bits))));
  }
  variable.initialBytes.resize(offset + elementBytes);
  std::memcpy(&variable.initialBytes[offset], &bits,
              elementBytes < 8 ? elementBytes : 8);
  offset += elementBytes;
  return true;
}

} // namespace tilec::emu
