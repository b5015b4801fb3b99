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

bool Parser::parseVersion() {
  module.version = lexer.take().text;
  return true;
}

bool Parser::parseTarget() {
  module.target = lexer.take().text;
  while (accept(','))
    lexer.take();
  return true;
}

bool Parser::parseAddressSize() {
  Token size = lexer.take();
  return size.bits == 64 || fail(size, "only 64-bit PTX is supported");
}

bool Parser::parseFile() {
  Token index = lexer.take(), name = lexer.take();
  module.files[static_cast<uint32_t>(index.bits)] = std::string(name.text);
  while (accept(','))
    lexer.take();
  return true;
}

bool Parser::parseSection() {
  lexer.take(); // The name, .debug_info.
  if (!lexer.peek().is('{'))
    return fail(lexer.peek(), "expected '{' after .section");
  lexer.skipBlock();
  return true;
}

bool Parser::parsePragma() {
  while (!lexer.peek().is(';') && lexer.peek().kind != Token::Kind::End)
    lexer.take();
  return expect(';');
}

bool Parser::parseAlias() {
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

bool Parser::parseTopLevel() {
  struct ModuleDirective {
    std::string_view name;
    bool (Parser::*parse)();
  };
  static constexpr ModuleDirective directives[] = {
      {".version", &Parser::parseVersion},
      {".target", &Parser::parseTarget},
      {".address_size", &Parser::parseAddressSize},
      {".file", &Parser::parseFile},
      {".section", &Parser::parseSection},
      {".pragma", &Parser::parsePragma},
      {".alias", &Parser::parseAlias},
  };
  Token token = lexer.take();
  if (token.is(';'))
    return true;
  if (token.kind != Token::Kind::Directive)
    return fail(token, "expected a directive before " + quote(token));
  for (const ModuleDirective &directive : directives)
    if (token.text == directive.name)
      return (this->*directive.parse)();
  return parseDefinition(token);
}

bool Parser::parseDefinition(Token token) {
  bool isExtern = false;
  while (token.text == ".extern" || token.text == ".visible" ||
         token.text == ".weak" || token.text == ".common") {
    isExtern |= token.text == ".extern";
    token = lexer.take();
    if (token.kind != Token::Kind::Directive)
      return fail(token, "expected a directive before " + quote(token));
  }
  StateSpace space;
  if (token.text == ".entry")
    return parseFunction(true, isExtern);
  if (token.text == ".func")
    return parseFunction(false, isExtern);
  if (isSpaceDirective(token.text, space))
    return parseModuleVariables(token, space, isExtern);
  return fail(token, "unknown directive " + quote(token));
}

bool Parser::parseModuleVariables(const Token &at, StateSpace space,
                                  bool isExtern) {
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
        return fail(at, "'" + std::string(variable.name) +
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

/// Attributes, results, name and parameters, performance directives.
bool Parser::parseFunctionHead(Token &name) {
  while (lexer.peek().isDirective(".attribute")) {
    while (!accept(')'))
      if (lexer.take().kind == Token::Kind::End)
        return fail(lexer.peek(), "unfinished .attribute");
  }
  if (!function->isEntry && lexer.peek().is('('))
    if (!parseParameterList(function->returns))
      return false;
  name = lexer.take();
  if (name.kind != Token::Kind::Name)
    return fail(name, "expected the name of a function before " + quote(name));
  function->name = name.text;
  if (lexer.peek().is('(') && !parseParameterList(function->parameters))
    return false;
  if (!parseFunctionDirectives())
    return false;
  layOutParameters();
  return true;
}

/// A definition replaces the declaration, at the same index.
bool Parser::declareFunction(const Token &name, uint32_t &index) {
  auto known = module.symbols.find(function->name);
  index = static_cast<uint32_t>(module.functions.size());
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
  module.symbols[function->name] = symbol;
  return true;
}

/// The body, whose outermost scope has the parameters and results; or `;`.
bool Parser::parseFunctionBody() {
  function->scopes.emplace_back();
  scope = 0;
  auto addVariables = [&](const std::vector<VariableSyntax> &list) {
    for (const VariableSyntax &variable : list) {
      SymbolSyntax parameter;
      parameter.kind = SymbolSyntax::Kind::Variable;
      parameter.index = static_cast<uint32_t>(function->variables.size());
      function->variables.push_back(variable);
      function->scopes[0].symbols.emplace(variable.name, parameter);
    }
  };
  addVariables(function->parameters);
  addVariables(function->returns);
  if (!lexer.peek().is('{')) {
    function->isExtern = true;
    return expect(';');
  }
  if (function->isExtern)
    return fail(lexer.peek(), "an .extern function cannot have a body");
  return parseBody();
}

bool Parser::parseFunction(bool isEntry, bool isExtern) {
  FunctionSyntax fresh;
  fresh.isEntry = isEntry;
  fresh.isExtern = isExtern;
  fresh.line = lexer.peek().line;
  function = &fresh;
  Token name;
  uint32_t index = 0;
  if (!parseFunctionHead(name) || !declareFunction(name, index) ||
      !parseFunctionBody())
    return false;
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
