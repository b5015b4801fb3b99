//===- ParserBody.cpp - The bodies of PTX functions -----------------------===//
//
// Registers, locations, labels, instructions and their operands. What
// instructions mean is the decoder's; here an instruction is an opcode,
// modifiers and operands. Nested `{ }` blocks become scopes, so that registers
// and labels of inline assembly stay private to it.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

namespace tilec::emu {

bool Parser::parseBody() {
  expect('{');
  location = 0;
  int depth = 1;
  while (depth > 0) {
    const Token &token = lexer.peek();
    if (token.kind == Token::Kind::End)
      return fail(token, "the body of '" + std::string(function->name) +
                             "' is not closed");
    if (token.is('{')) {
      lexer.take();
      ++depth;
      ScopeSyntax inner;
      inner.parent = static_cast<int32_t>(scope);
      scope = static_cast<uint32_t>(function->scopes.size());
      function->scopes.push_back(std::move(inner));
    } else if (token.is('}')) {
      lexer.take();
      --depth;
      if (depth > 0)
        scope = static_cast<uint32_t>(function->scopes[scope].parent);
    } else if (!parseStatement()) {
      return false;
    }
  }
  return true;
}

bool Parser::parseRegisters() {
  Token typeToken = lexer.take();
  uint32_t components = typeToken.isDirective(".v2")   ? 2
                        : typeToken.isDirective(".v4") ? 4
                                                       : 1;
  if (components > 1)
    typeToken = lexer.take();
  RegisterType type = parseType(typeToken.text.substr(1));
  if (typeToken.kind != Token::Kind::Directive || type.bytes == 0)
    return fail(typeToken, "unsupported register type " + quote(typeToken));
  if (type.bytes == 1)
    type.bytes = 2;
  do {
    Token name = lexer.take();
    if (name.kind != Token::Kind::Name)
      return fail(name,
                  "expected the name of a register before " + quote(name));
    SymbolSyntax symbol;
    symbol.kind = SymbolSyntax::Kind::Register;
    symbol.type = type;
    symbol.index = static_cast<uint32_t>(function->registers.size());
    symbol.count = 1;
    if (accept('<')) {
      symbol.kind = SymbolSyntax::Kind::RegisterFamily;
      Token count = lexer.take();
      if (count.kind != Token::Kind::Integer || count.bits > 1'000'000)
        return fail(count,
                    "expected the number of registers before " + quote(count));
      symbol.count = static_cast<uint32_t>(count.bits);
      if (!expect('>'))
        return false;
    }
    if (components > 1 && symbol.count > 4096)
      return fail(name, "more than 4096 vector registers");
    symbol.count *= components;
    function->registers.resize(function->registers.size() + symbol.count, type);
    if (components > 1 ? !declareVectors(name, symbol, components)
                       : !declare(name, name.text, symbol))
      return false;
  } while (accept(','));
  return expect(';');
}

bool Parser::parseLocation() {
  LocationSyntax loc;
  loc.file = static_cast<uint32_t>(lexer.take().bits);
  loc.line = static_cast<uint32_t>(lexer.take().bits);
  loc.column = static_cast<uint32_t>(lexer.take().bits);
  // `.loc 2 107 3, function_name $L__info_string0, inlined_at 1 17 3`
  while (accept(',')) {
    Token token = lexer.take();
    if (token.text == "function_name") {
      lexer.take();
      if (accept('+'))
        lexer.take();
    } else if (token.text == "inlined_at") {
      LocationSyntax outer;
      outer.file = static_cast<uint32_t>(lexer.take().bits);
      outer.line = static_cast<uint32_t>(lexer.take().bits);
      outer.column = static_cast<uint32_t>(lexer.take().bits);
      // The call's own .loc came earlier and says where that was inlined.
      for (size_t i = module.locations.size(); i-- > 1;) {
        const LocationSyntax &known = module.locations[i];
        if (known.file == outer.file && known.line == outer.line &&
            known.column == outer.column) {
          loc.inlinedAt = static_cast<uint32_t>(i);
          break;
        }
      }
      if (loc.inlinedAt == 0) {
        loc.inlinedAt = static_cast<uint32_t>(module.locations.size());
        module.locations.push_back(outer);
      }
    } else {
      return fail(token, "unexpected " + quote(token) + " in .loc");
    }
  }
  location = static_cast<uint32_t>(module.locations.size());
  module.locations.push_back(loc);
  return true;
}

bool Parser::parseLabelledDirective(std::string_view label) {
  Token directive = lexer.take();
  SymbolSyntax symbol;
  if (directive.text == ".branchtargets") {
    std::vector<std::string_view> targets;
    do
      targets.push_back(lexer.take().text);
    while (accept(','));
    symbol.kind = SymbolSyntax::Kind::BranchTargets;
    symbol.index = static_cast<uint32_t>(function->branchTables.size());
    function->branchTables.push_back(std::move(targets));
    return declare(directive, label, symbol) && expect(';');
  }
  symbol.kind = SymbolSyntax::Kind::Prototype;
  while (!lexer.peek().is(';') && lexer.peek().kind != Token::Kind::End)
    lexer.take();
  return declare(directive, label, symbol) && expect(';');
}

bool Parser::parseStatement() {
  const Token &token = lexer.peek();
  if (token.is(';')) {
    lexer.take();
    return true;
  }
  if (token.kind == Token::Kind::Directive) {
    Token directive = lexer.take();
    StateSpace space;
    if (directive.text == ".reg")
      return parseRegisters();
    if (directive.text == ".loc")
      return parseLocation();
    if (directive.text == ".pragma") {
      while (!lexer.peek().is(';') && lexer.peek().kind != Token::Kind::End)
        lexer.take();
      return expect(';');
    }
    if (directive.text == ".file")
      return fail(directive, ".file inside a function");
    bool isExtern = false;
    if (directive.text == ".extern") {
      isExtern = true;
      directive = lexer.take();
    }
    if (isSpaceDirective(directive.text, space)) {
      std::vector<VariableSyntax> variables;
      if (!parseVariable(space, isExtern, variables))
        return false;
      for (VariableSyntax &variable : variables) {
        SymbolSyntax symbol;
        symbol.kind = SymbolSyntax::Kind::Variable;
        symbol.index = static_cast<uint32_t>(function->variables.size());
        if (!declare(directive, variable.name, symbol))
          return false;
        function->variables.push_back(std::move(variable));
      }
      return expect(';');
    }
    return fail(directive, "unknown directive " + quote(directive));
  }
  if (token.kind == Token::Kind::Name && lexer.followedByColon()) {
    Token label = lexer.take();
    expect(':');
    const Token &next = lexer.peek();
    if (next.isDirective(".branchtargets") ||
        next.isDirective(".callprototype") || next.isDirective(".calltargets"))
      return parseLabelledDirective(label.text);
    SymbolSyntax symbol;
    symbol.kind = SymbolSyntax::Kind::Label;
    symbol.index = static_cast<uint32_t>(function->instructions.size());
    return declare(label, label.text, symbol);
  }
  return parseInstruction();
}

bool Parser::parseInstruction() {
  InstructionSyntax instruction;
  instruction.line = lexer.peek().line;
  instruction.location = location;
  instruction.scope = scope;
  if (accept('@')) {
    instruction.predicateNegated = accept('!');
    Token predicate = lexer.take();
    if (predicate.kind != Token::Kind::Name)
      return fail(predicate, "expected a predicate before " + quote(predicate));
    instruction.predicate = predicate.text;
  }
  if (lexer.peek().kind != Token::Kind::Name)
    return fail(lexer.peek(),
                "expected an instruction before " + quote(lexer.peek()));
  instruction.opcode = lexer.takeOpcode().text;
  std::string_view rest = instruction.opcode;
  while (true) {
    size_t dot = rest.find('.');
    instruction.parts.push_back(rest.substr(0, dot));
    if (dot == std::string_view::npos)
      break;
    rest = rest.substr(dot + 1);
  }
  if (!lexer.peek().is(';')) {
    do {
      Operand operand;
      if (!parseOperand(operand))
        return false;
      instruction.operands.push_back(std::move(operand));
    } while (accept(','));
  }
  if (!expect(';'))
    return false;
  function->instructions.push_back(std::move(instruction));
  return true;
}

bool Parser::parseOperand(Operand &operand) {
  if (!parseOperandPrimary(operand))
    return false;
  if (lexer.peek().is('|')) {
    lexer.take();
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.line = operand.line;
    pair.elements.push_back(std::move(operand));
    pair.elements.emplace_back();
    if (!parseOperandPrimary(pair.elements.back()))
      return false;
    operand = std::move(pair);
  }
  return true;
}

bool Parser::parseOperandPrimary(Operand &operand) {
  const Token &token = lexer.peek();
  operand.line = token.line;
  if (token.is('[')) {
    lexer.take();
    return parseAddress(operand);
  }
  if (token.is('{') || token.is('(')) {
    char close = token.is('{') ? '}' : ')';
    operand.kind = token.is('{') ? Operand::Kind::Vector : Operand::Kind::List;
    if (++nesting > 64)
      return fail(token, "too many nested braces");
    lexer.take();
    if (accept(close)) {
      --nesting;
      return true;
    }
    do {
      operand.elements.emplace_back();
      if (!parseOperand(operand.elements.back()))
        return false;
    } while (accept(','));
    --nesting;
    return expect(close);
  }
  if (token.is('!')) {
    lexer.take();
    if (lexer.peek().kind == Token::Kind::Name) {
      operand.negated = true;
      operand.kind = Operand::Kind::Name;
      operand.name = lexer.take().text;
      return true;
    }
    if (!parseUnaryConstant(operand))
      return false;
    operand.bits = !operand.bits;
    return true;
  }
  if (token.kind == Token::Kind::Name && token.text != "WARP_SZ") {
    Token name = lexer.take();
    if (expandVector(name.text, operand))
      return true;
    operand.name = name.text;
    operand.kind = Operand::Kind::Name;
    if (name.text == "_")
      operand.kind = Operand::Kind::Sink;
    // `mov.u64 %rd1, table+16;`
    return parseOffset(name.text, operand.offset);
  }
  return parseConstant(operand);
}

bool Parser::parseAddress(Operand &operand) {
  operand.kind = Operand::Kind::Address;
  if (lexer.peek().kind == Token::Kind::Name &&
      lexer.peek().text != "WARP_SZ") {
    operand.name = lexer.take().text;
    if (!parseOffset(operand.name, operand.offset))
      return false;
  } else {
    Operand base;
    if (!parseConstant(base))
      return false;
    operand.offset = static_cast<int64_t>(base.bits);
  }
  // Coordinates of a tensor copy: [map, {x, y}] or [map, {x, y}, ..].
  if (++nesting > 64)
    return fail(lexer.peek(), "too many nested brackets");
  while (accept(',')) {
    operand.elements.emplace_back();
    if (!parseOperand(operand.elements.back()))
      return false;
  }
  --nesting;
  return expect(']');
}

} // namespace tilec::emu
