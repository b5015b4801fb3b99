//===- Parser.h - The parser's state ----------------------------*- C++ -*-===//
//
// One recursive-descent parser in four files: Parser.cpp has the module level,
// ParserVariable.cpp variables with their initialisers, ParserBody.cpp the
// bodies of functions, ParserConstant.cpp constants and vector registers.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_SYNTAX_PARSER_H
#define TILE_LIB_EMULATOR_SYNTAX_PARSER_H

#include "Lexer.h"
#include "SyntaxTree.h"

#include <array>
#include <string>

namespace tilec::emu {

class Parser {
public:
  Parser(std::string_view text, ModuleSyntax &module,
         std::vector<Diagnostic> &diagnostics)
      : lexer(text), module(module), diagnostics(diagnostics) {}

  bool parse();

private:
  bool fail(const Token &at, std::string message);
  bool expect(char c);
  bool accept(char c);
  bool parseTopLevel();
  bool parseVersion();
  bool parseTarget();
  bool parseAddressSize();
  bool parseFile();
  bool parseSection();
  bool parsePragma();
  bool parseAlias();
  /// A function or variables, with the linking directives before them.
  bool parseDefinition(Token token);
  bool parseModuleVariables(const Token &at, StateSpace space, bool isExtern);
  bool parseVariable(StateSpace space, bool isExtern,
                     std::vector<VariableSyntax> &into, bool single = false);
  bool parseDeclarator(VariableSyntax &variable, uint64_t vectorWidth);
  bool parseInitializer(VariableSyntax &variable, unsigned elementBytes);
  bool parseInitialValue(VariableSyntax &variable, unsigned elementBytes,
                         uint64_t &offset);
  bool parseFunction(bool isEntry, bool isExtern);
  bool parseFunctionHead(Token &name);
  /// The index that a function of this name has in the module.
  bool declareFunction(const Token &name, uint32_t &index);
  bool parseFunctionBody();
  bool parseParameterList(std::vector<VariableSyntax> &into);
  bool parseFunctionDirectives();
  bool parseBody();
  bool parseStatement();
  bool parseRegisters();
  bool parseLocation();
  bool parseInstruction();
  bool parseOperand(Operand &operand);
  bool parseOperandPrimary(Operand &operand);
  bool parseAddress(Operand &operand);
  bool parseConstant(Operand &operand);
  bool parseUnaryConstant(Operand &operand);
  /// The rest of `name` or `name+constant`; 0 where there is none.
  bool parseOffset(std::string_view name, int64_t &offset);
  /// Of operators that bind at least so closely.
  bool parseBinaryConstant(Operand &operand, int least);
  /// Declares vector registers and their components.
  bool declareVectors(const Token &at, const SymbolSyntax &symbol,
                      uint32_t components);
  /// Makes the vector of its components out of a vector register's name.
  bool expandVector(std::string_view name, Operand &operand);
  bool parseLabelledDirective(std::string_view label);
  bool declare(const Token &at, std::string_view name, SymbolSyntax symbol);
  bool parseTriple(std::array<uint32_t, 3> &values);
  void layOutParameters();

  Lexer lexer;
  ModuleSyntax &module;
  std::vector<Diagnostic> &diagnostics;
  FunctionSyntax *function = nullptr;
  uint32_t scope = 0;
  uint32_t location = 0;
  int nesting = 0; ///< Of parentheses, braces and brackets in operands.
};

/// The token as an error message names it.
std::string quote(const Token &token);
/// Whether a directive names a state space (.global, .shared, ..).
bool isSpaceDirective(std::string_view text, StateSpace &space);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNTAX_PARSER_H
