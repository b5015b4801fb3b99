//===- Parser.cpp - PTX text to a syntax tree -----------------------------===//
//
// The module level: directives, functions with their parameters and performance
// directives.
//
// Errors end the parse: PTX is machine-made, and a second message would more
// often mislead than help.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

namespace tilec::emu {

const char *toString(StateSpace space) {
  switch (space) {
  case StateSpace::Generic:
    return "generic";
  case StateSpace::Register:
    return "register";
  case StateSpace::Special:
    return "special register";
  case StateSpace::Const:
    return "constant";
  case StateSpace::Global:
    return "global";
  case StateSpace::Local:
    return "local";
  case StateSpace::Param:
    return "parameter";
  case StateSpace::Shared:
    return "shared";
  case StateSpace::SharedCluster:
    return "shared::cluster";
  }
  return "?";
}

RegisterType parseType(std::string_view name) {
  if (name == "pred")
    return {'p', 4};
  if (name == "f16x2" || name == "bf16x2" || name == "tf32")
    return {'b', 4};
  if (name == "bf16")
    return {'b', 2};
  if (name.size() < 2 || name.size() > 4)
    return {'b', 0};
  char kind = name[0];
  std::string_view digits = name.substr(1);
  bool integer = kind == 'b' || kind == 'u' || kind == 's';
  if (digits == "8" && integer)
    return {kind, 1};
  if (digits == "16" && (integer || kind == 'f'))
    return {kind, 2};
  if (digits == "32" && (integer || kind == 'f'))
    return {kind, 4};
  if (digits == "64" && (integer || kind == 'f'))
    return {kind, 8};
  if (digits == "128" && kind == 'b')
    return {kind, 16};
  return {'b', 0};
}

bool Parser::fail(const Token &at, std::string message) {
  diagnostics.push_back({at.line, at.column, std::move(message)});
  return false;
}

std::string quote(const Token &token) {
  if (token.kind == Token::Kind::End)
    return "the end of the text";
  return "'" + std::string(token.text) + "'";
}

bool Parser::expect(char c) {
  if (accept(c))
    return true;
  return fail(lexer.peek(), std::string("expected '") + c + "' before " +
                                quote(lexer.peek()));
}

bool Parser::accept(char c) {
  if (!lexer.peek().is(c))
    return false;
  lexer.take();
  return true;
}

bool Parser::parse() {
  while (lexer.peek().kind != Token::Kind::End)
    if (!parseTopLevel())
      return false;
  if (module.version.empty()) {
    diagnostics.push_back(
        {1, 1, "this is not PTX: there is no .version directive"});
    return false;
  }
  return true;
}

bool isSpaceDirective(std::string_view text, StateSpace &space) {
  if (text == ".global")
    space = StateSpace::Global;
  else if (text == ".const")
    space = StateSpace::Const;
  else if (text == ".shared" || text == ".shared::cta")
    space = StateSpace::Shared;
  else if (text == ".local")
    space = StateSpace::Local;
  else if (text == ".param")
    space = StateSpace::Param;
  else
    return false;
  return true;
}

bool Parser::parseTopLevel() {
  Token token = lexer.take();
  if (token.is(';'))
    return true;
  if (token.kind != Token::Kind::Directive)
    return fail(token, "expected a directive before " + quote(token));
  if (token.text == ".version") {
    Token version = lexer.take();
    module.version = version.text;
    return true;
  }
  if (token.text == ".target") {
    module.target = lexer.take().text;
    while (accept(','))
      lexer.take();
    return true;
  }
  if (token.text == ".address_size") {
    Token size = lexer.take();
    if (size.bits != 64)
      return fail(size, "only 64-bit PTX is supported");
    return true;
  }
  if (token.text == ".file") {
    Token index = lexer.take(), name = lexer.take();
    module.files[static_cast<uint32_t>(index.bits)] = std::string(name.text);
    while (accept(','))
      lexer.take();
    return true;
  }
  if (token.text == ".section") {
    lexer.take(); // The name, .debug_info.
    if (!lexer.peek().is('{'))
      return fail(lexer.peek(), "expected '{' after .section");
    lexer.skipBlock();
    return true;
  }
  if (token.text == ".pragma") {
    while (!lexer.peek().is(';') && lexer.peek().kind != Token::Kind::End)
      lexer.take();
    return expect(';');
  }
  if (token.text == ".alias") {
    Token alias = lexer.take();
    if (!expect(','))
      return false;
    Token target = lexer.take();
    auto found = module.symbols.find(target.text);
    if (found == module.symbols.end())
      return fail(target, "unknown function " + quote(target));
    module.symbols[alias.text] = found->second;
    return expect(';');
  }
  bool isExtern = false;
  while (true) {
    StateSpace space;
    if (token.text == ".extern" || token.text == ".visible" ||
        token.text == ".weak" || token.text == ".common") {
      isExtern |= token.text == ".extern";
      token = lexer.take();
      if (token.kind != Token::Kind::Directive)
        return fail(token, "expected a directive before " + quote(token));
      continue;
    }
    if (token.text == ".entry")
      return parseFunction(true, isExtern);
    if (token.text == ".func")
      return parseFunction(false, isExtern);
    if (isSpaceDirective(token.text, space)) {
      std::vector<VariableSyntax> variables;
      if (!parseVariable(space, isExtern, variables))
        return false;
      for (VariableSyntax &variable : variables) {
        SymbolSyntax symbol;
        symbol.kind = SymbolSyntax::Kind::Variable;
        symbol.inModule = true;
        symbol.index = static_cast<uint32_t>(module.variables.size());
        // A later definition completes an earlier .extern declaration.
        auto known = module.symbols.find(variable.name);
        if (known != module.symbols.end()) {
          if (known->second.kind != SymbolSyntax::Kind::Variable)
            return fail(token, "'" + std::string(variable.name) +
                                   "' is a function already");
          VariableSyntax &old = module.variables[known->second.index];
          if (!variable.isExtern || variable.sizeBytes > old.sizeBytes)
            old = variable;
          continue;
        }
        module.symbols[variable.name] = symbol;
        module.variables.push_back(std::move(variable));
      }
      return expect(';');
    }
    return fail(token, "unknown directive " + quote(token));
  }
}

bool Parser::declare(const Token &at, std::string_view name,
                     SymbolSyntax symbol) {
  if (!function->scopes[scope].symbols.emplace(name, symbol).second)
    return fail(at, "'" + std::string(name) + "' is declared twice");
  return true;
}

bool Parser::parseParameterList(std::vector<VariableSyntax> &into) {
  if (!expect('('))
    return false;
  if (accept(')'))
    return true;
  do {
    Token token = lexer.take();
    if (token.isDirective(".reg")) {
      return fail(token, "parameters in registers (.reg) are not supported");
    }
    if (!token.isDirective(".param"))
      return fail(token, "expected .param before " + quote(token));
    if (!parseVariable(StateSpace::Param, false, into, /*single=*/true))
      return false;
  } while (accept(','));
  return expect(')');
}

bool Parser::parseTriple(std::array<uint32_t, 3> &values) {
  values = {1, 1, 1};
  for (int i = 0; i < 3; ++i) {
    Token token = lexer.take();
    if (token.kind != Token::Kind::Integer)
      return fail(token, "expected a number before " + quote(token));
    values[i] = static_cast<uint32_t>(token.bits);
    if (!accept(','))
      break;
  }
  return true;
}

bool Parser::parseFunctionDirectives() {
  while (lexer.peek().kind == Token::Kind::Directive) {
    Token token = lexer.take();
    std::array<uint32_t, 3> values;
    if (token.text == ".maxntid") {
      if (!parseTriple(values))
        return false;
      function->kernel.maximumBlock = values;
    } else if (token.text == ".reqntid") {
      if (!parseTriple(values))
        return false;
      function->kernel.requiredBlock = values;
    } else if (token.text == ".reqnctapercluster") {
      if (!parseTriple(values))
        return false;
      function->kernel.requiredCluster = values;
    } else if (token.text == ".maxnreg") {
      Token count = lexer.take();
      if (count.kind != Token::Kind::Integer)
        return fail(token, "expected a number of registers after .maxnreg");
      function->kernel.maximumRegisters = static_cast<uint32_t>(count.bits);
    } else if (token.text == ".minnctapersm" || token.text == ".maxnctapersm" ||
               token.text == ".maxclusterrank" ||
               token.text == ".abi_preserve" ||
               token.text == ".abi_preserve_control") {
      lexer.take();
    } else if (token.text == ".noreturn" || token.text == ".explicitcluster" ||
               token.text == ".blocksareclusters" || token.text == ".unified") {
      continue;
    } else if (token.text == ".pragma") {
      while (!lexer.peek().is(';') && lexer.peek().kind != Token::Kind::End)
        lexer.take();
      accept(';');
    } else {
      return fail(token, "unknown function directive " + quote(token));
    }
  }
  return true;
}

void Parser::layOutParameters() {
  uint32_t offset = 0;
  for (const VariableSyntax &parameter : function->parameters) {
    uint32_t align = parameter.alignBytes ? parameter.alignBytes : 1;
    offset = (offset + align - 1) / align * align;
    ParameterInfo info;
    info.name = std::string(parameter.name);
    info.type = std::string(parameter.type);
    info.offsetBytes = offset;
    info.sizeBytes = static_cast<uint32_t>(parameter.sizeBytes);
    info.alignBytes = align;
    offset += info.sizeBytes;
    function->kernel.parameters.push_back(std::move(info));
  }
  function->kernel.parameterBytes = offset;
  function->kernel.name = std::string(function->name);
}

bool Parser::parseFunction(bool isEntry, bool isExtern) {
  FunctionSyntax fresh;
  fresh.isEntry = isEntry;
  fresh.isExtern = isExtern;
  fresh.line = lexer.peek().line;
  function = &fresh;
  while (lexer.peek().isDirective(".attribute")) {
    while (!accept(')'))
      if (lexer.take().kind == Token::Kind::End)
        return fail(lexer.peek(), "unfinished .attribute");
  }
  if (!isEntry && lexer.peek().is('('))
    if (!parseParameterList(fresh.returns))
      return false;
  Token name = lexer.take();
  if (name.kind != Token::Kind::Name)
    return fail(name, "expected the name of a function before " + quote(name));
  fresh.name = name.text;
  if (lexer.peek().is('(') && !parseParameterList(fresh.parameters))
    return false;
  if (!parseFunctionDirectives())
    return false;
  layOutParameters();

  // A definition replaces the declaration, at the same index.
  auto known = module.symbols.find(fresh.name);
  uint32_t index = static_cast<uint32_t>(module.functions.size());
  if (known != module.symbols.end() &&
      known->second.kind != SymbolSyntax::Kind::Function)
    return fail(name, quote(name) + " is a variable already");
  if (known != module.symbols.end())
    index = known->second.index;
  else
    module.functions.emplace_back();
  SymbolSyntax symbol;
  symbol.kind = SymbolSyntax::Kind::Function;
  symbol.index = index;
  module.symbols[fresh.name] = symbol;

  fresh.scopes.emplace_back();
  scope = 0;
  auto addVariables = [&](const std::vector<VariableSyntax> &list) {
    for (const VariableSyntax &variable : list) {
      SymbolSyntax parameter;
      parameter.kind = SymbolSyntax::Kind::Variable;
      parameter.index = static_cast<uint32_t>(fresh.variables.size());
      fresh.variables.push_back(variable);
      fresh.scopes[0].symbols.emplace(variable.name, parameter);
    }
  };
  addVariables(fresh.parameters);
  addVariables(fresh.returns);
  if (lexer.peek().is('{')) {
    if (isExtern)
      return fail(lexer.peek(), "an .extern function cannot have a body");
    if (!parseBody())
      return false;
  } else {
    fresh.isExtern = true;
    if (!expect(';'))
      return false;
  }
  if (!fresh.isExtern || module.functions[index].name.empty())
    module.functions[index] = std::move(fresh);
  function = nullptr;
  return true;
}

bool parseModule(std::string_view text, ModuleSyntax &module,
                 std::vector<Diagnostic> &diagnostics) {
  return Parser(text, module, diagnostics).parse();
}

} // namespace tilec::emu
