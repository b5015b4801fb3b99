//===- ParserConstant.cpp - Constant expressions, vector registers --------===//
//
// Constant expressions as in C, on signed integers of 64 bits; floats take a
// sign only. A vector register `.reg .v4 .f32 %v` is four registers %v.x to
// %v.w (also .r .g .b .a); %v alone stands for the vector of them.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

bool Parser::parseUnaryConstant(Operand &operand) {
  bool minus = false, complement = false, logicalNot = false;
  while (true) {
    if (accept('-'))
      minus = !minus;
    else if (accept('~'))
      complement = !complement;
    else if (accept('!'))
      logicalNot = !logicalNot;
    else if (!accept('+'))
      break;
  }
  Token token = lexer.take();
  operand.line = token.line;
  if (token.is('(')) {
    if (++nesting > 64)
      return fail(token, "too many nested parentheses");
    bool inner = parseConstant(operand);
    --nesting;
    if (!inner || !expect(')'))
      return false;
  } else if (token.kind == Token::Kind::Integer || token.text == "WARP_SZ") {
    operand.kind = Operand::Kind::Integer;
    operand.bits = token.kind == Token::Kind::Integer ? token.bits : 32;
  } else if (token.kind == Token::Kind::Float32 ||
             token.kind == Token::Kind::Float64) {
    operand.kind = token.kind == Token::Kind::Float32 ? Operand::Kind::Float32
                                                      : Operand::Kind::Float64;
    operand.bits = token.bits;
  } else {
    return fail(token, "expected an operand before " + quote(token));
  }
  if (operand.kind == Operand::Kind::Float32 && minus)
    operand.bits ^= 0x80000000u;
  else if (operand.kind == Operand::Kind::Float64 && minus)
    operand.bits ^= 0x8000000000000000ull;
  else if (minus)
    operand.bits = 0 - operand.bits;
  if (complement)
    operand.bits = ~operand.bits;
  if (logicalNot)
    operand.bits = !operand.bits;
  return true;
}

namespace {

struct BinaryOperator {
  std::string_view spelling;
  int precedence; ///< Higher binds closer.
};
/// Longer spellings first.
constexpr BinaryOperator binaryOperators[] = {
    {"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7}, {"==", 6}, {"!=", 6},
    {"&&", 2}, {"||", 1}, {"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},
    {"-", 9},  {"<", 7},  {">", 7},  {"&", 5},  {"^", 4},  {"|", 3},
};

/// False if the result is not defined.
bool evaluate(std::string_view op, int64_t a, int64_t b, uint64_t &result) {
  auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  bool divides = op == "/" || op == "%";
  if (divides && (b == 0 || (b == -1 && a == INT64_MIN)))
    return false;
  if ((op == "<<" || op == ">>") && y > 63)
    return false;
  result = op == "*"    ? x * y
           : op == "/"  ? static_cast<uint64_t>(a / b)
           : op == "%"  ? static_cast<uint64_t>(a % b)
           : op == "+"  ? x + y
           : op == "-"  ? x - y
           : op == "<<" ? x << y
           : op == ">>" ? static_cast<uint64_t>(a >> y)
           : op == "<"  ? a < b
           : op == "<=" ? a <= b
           : op == ">"  ? a > b
           : op == ">=" ? a >= b
           : op == "==" ? a == b
           : op == "!=" ? a != b
           : op == "&"  ? x & y
           : op == "^"  ? x ^ y
           : op == "|"  ? x | y
           : op == "&&" ? a && b
                        : a || b;
  return true;
}

} // namespace

/// The operator that comes next, if it binds at least so closely; its tokens
/// are taken.
static bool takeOperator(Lexer &lexer, int least, BinaryOperator &found) {
  Token first = lexer.peek();
  if (first.kind != Token::Kind::Punctuation)
    return false;
  // Both characters of an operator follow each other in the text, which ends
  // with a zero.
  std::string_view two(first.text.data(), 2);
  for (const BinaryOperator &op : binaryOperators) {
    if (!two.starts_with(op.spelling))
      continue;
    if (op.precedence < least)
      return false;
    found = op;
    for (size_t i = 0; i < op.spelling.size(); ++i)
      lexer.take();
    return true;
  }
  return false;
}

bool Parser::parseBinaryConstant(Operand &operand, int least) {
  if (!parseUnaryConstant(operand))
    return false;
  BinaryOperator op;
  while (takeOperator(lexer, least, op)) {
    Token at = lexer.peek();
    Operand right;
    if (!parseBinaryConstant(right, op.precedence + 1))
      return false;
    if (operand.kind != Operand::Kind::Integer ||
        right.kind != Operand::Kind::Integer)
      return fail(at, "constant expressions are of integers only");
    if (!evaluate(op.spelling, static_cast<int64_t>(operand.bits),
                  static_cast<int64_t>(right.bits), operand.bits))
      return fail(at, "'" + std::string(op.spelling) +
                          "' of these constants is not defined");
  }
  return true;
}

bool Parser::parseConstant(Operand &operand) {
  if (!parseBinaryConstant(operand, 1))
    return false;
  if (!accept('?'))
    return true;
  Token at = lexer.peek();
  if (++nesting > 64)
    return fail(at, "too many nested conditions");
  Operand yes, no;
  if (!parseConstant(yes) || !expect(':') || !parseConstant(no))
    return false;
  --nesting;
  operand = operand.bits ? yes : no;
  return true;
}

bool Parser::parseOffset(std::string_view name, int64_t &offset) {
  offset = 0;
  Token sign = lexer.peek();
  if (sign.is('-'))
    return fail(sign, "expected '+' before '-': offsets are added, as in '" +
                          std::string(name) + "+-4'");
  if (!accept('+'))
    return true;
  Operand constant;
  Token at = lexer.peek();
  if (!parseConstant(constant))
    return false;
  if (constant.kind != Operand::Kind::Integer)
    return fail(at, "an offset is an integer");
  offset = static_cast<int64_t>(constant.bits);
  return true;
}

//===----------------------------------------------------------------------===//
// Vector registers
//===----------------------------------------------------------------------===//

static constexpr std::string_view componentNames[] = {"xyzw", "rgba"};

bool Parser::declareVectors(const Token &at, const SymbolSyntax &symbol,
                            uint32_t components) {
  bool isFamily = symbol.kind == SymbolSyntax::Kind::RegisterFamily;
  for (uint32_t v = 0; v < symbol.count / components; ++v) {
    std::string name(at.text);
    if (isFamily)
      name += std::to_string(v);
    SymbolSyntax vector = symbol, component = symbol;
    vector.kind = SymbolSyntax::Kind::RegisterVector;
    vector.index = symbol.index + v * components;
    vector.count = components;
    module.ownedNames.push_back(name);
    if (!declare(at, module.ownedNames.back(), vector))
      return false;
    component.kind = SymbolSyntax::Kind::Register;
    component.count = 1;
    for (uint32_t c = 0; c < components; ++c)
      for (std::string_view letters : componentNames) {
        component.index = vector.index + c;
        module.ownedNames.push_back(name + "." + letters[c]);
        if (!declare(at, module.ownedNames.back(), component))
          return false;
      }
  }
  return true;
}

bool Parser::expandVector(std::string_view name, Operand &operand) {
  if (!function || module.ownedNames.empty())
    return false;
  for (int32_t s = static_cast<int32_t>(scope); s >= 0;
       s = function->scopes[s].parent) {
    auto found = function->scopes[s].symbols.find(name);
    if (found == function->scopes[s].symbols.end())
      continue;
    if (found->second.kind != SymbolSyntax::Kind::RegisterVector)
      return false;
    operand.kind = Operand::Kind::Vector;
    for (uint32_t c = 0; c < found->second.count; ++c) {
      Operand element;
      element.kind = Operand::Kind::Name;
      element.line = operand.line;
      module.ownedNames.push_back(std::string(name) + "." +
                                  componentNames[0][c]);
      element.name = module.ownedNames.back();
      operand.elements.push_back(element);
    }
    return true;
  }
  return false;
}

} // namespace tilec::emu
