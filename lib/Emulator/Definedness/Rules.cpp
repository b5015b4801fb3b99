//===- Rules.cpp - What instructions do with undefined values -------------===//
//
// See Rules.h. An opcode that is not listed computes: its results are undefined
// where any operand is.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "../Syntax/SyntaxTree.h"

#include <algorithm>

namespace tilec::emu {

static bool has(const InstructionSyntax &syntax, std::string_view part) {
  return std::find(syntax.parts.begin() + 1, syntax.parts.end(), part) !=
         syntax.parts.end();
}

static bool isIntegerType(std::string_view part) {
  return part.size() >= 2 && part.size() <= 3 &&
         (part[0] == 'u' || part[0] == 's' || part[0] == 'b') &&
         part[1] >= '1' && part[1] <= '9';
}

static bool isPairOfHalves(std::string_view part) {
  return part == "f16x2" || part == "bf16x2";
}
static bool isPairOfBytes(std::string_view part) {
  return part == "e4m3x2" || part == "e5m2x2";
}

/// cvt.to.from: between integers it moves bits; pairs convert each by itself.
static Rule chooseConversionRule(const InstructionSyntax &syntax) {
  size_t count = syntax.parts.size();
  if (count < 3 || syntax.parts[1] == "pack")
    return {RuleKind::Result};
  std::string_view to = syntax.parts[count - 2], from = syntax.parts[count - 1];
  if (isIntegerType(to) && isIntegerType(from) && !has(syntax, "sat"))
    return {RuleKind::Bits};
  bool toPair = isPairOfHalves(to) || isPairOfBytes(to);
  if (toPair && from == "f32" && syntax.operands.size() == 3)
    return {RuleKind::Pack};
  if (toPair && (isPairOfHalves(from) || isPairOfBytes(from)))
    return {RuleKind::Elements};
  return {RuleKind::Result};
}

/// Sums and products of integers of which neither the carry nor the upper half is
/// asked for.
static bool isSum(const InstructionSyntax &syntax) {
  std::string_view opcode = syntax.parts[0];
  bool isProduct = opcode == "mul" || opcode == "mad";
  if (!isProduct && opcode != "add" && opcode != "sub" && opcode != "neg")
    return false;
  return isIntegerType(syntax.parts.back()) && !has(syntax, "sat") &&
         !has(syntax, "cc") && !has(syntax, "hi");
}

static Rule chooseMatrixRule(const InstructionSyntax &syntax) {
  if (has(syntax, "load") || has(syntax, "store"))
    return {RuleKind::Bits};
  bool product = syntax.parts[0] == "mma" || has(syntax, "mma") ||
                 has(syntax, "mma_async");
  return {product ? RuleKind::Product : RuleKind::Decides};
}

static Rule chooseLookupTable(const InstructionSyntax &syntax) {
  // With a predicate as second result it compares as well.
  if (syntax.operands.size() != 5)
    return {RuleKind::Result};
  return {RuleKind::Logic, 255, static_cast<uint8_t>(syntax.operands[4].bits)};
}

namespace {
struct Row {
  std::string_view opcode;
  Rule rule;
};
constexpr Row rows[] = {
    {"mov", {RuleKind::Bits}},
    {"ld", {RuleKind::Bits}},
    {"ldu", {RuleKind::Bits}},
    {"ldmatrix", {RuleKind::Bits}},
    {"st", {RuleKind::Bits}},
    {"stmatrix", {RuleKind::Bits}},
    {"movmatrix", {RuleKind::Bits}},
    {"brev", {RuleKind::Bits}},
    {"selp", {RuleKind::Bits, 2}},
    {"shfl", {RuleKind::Bits, 1}},
    {"prmt", {RuleKind::Bits, 2}},
    {"shl", {RuleKind::Bits, 1}},
    {"shr", {RuleKind::Bits, 1}},
    {"shf", {RuleKind::Bits, 2}},
    {"bfe", {RuleKind::Bits, 1}},
    {"bfi", {RuleKind::Bits, 2}},
    {"and", {RuleKind::Logic, 255, 0xc0}},
    {"or", {RuleKind::Logic, 255, 0xfc}},
    {"xor", {RuleKind::Logic, 255, 0x3c}},
    {"not", {RuleKind::Logic, 255, 0x0f}},
    {"vote", {RuleKind::Warp}},
    {"match", {RuleKind::Warp}},
    {"redux", {RuleKind::Warp}},
    {"atom", {RuleKind::Atomic}},
    {"red", {RuleKind::Atomic}},
    {"bar", {RuleKind::Decides}},
    {"barrier", {RuleKind::Decides}},
    {"mbarrier", {RuleKind::Decides}},
    {"cp", {RuleKind::Decides}},
    {"fence", {RuleKind::Decides}},
    {"tensormap", {RuleKind::Decides}},
    {"setmaxnreg", {RuleKind::Decides}},
    {"brx", {RuleKind::Decides}},
    {"call", {RuleKind::Decides}},
    {"prefetch", {RuleKind::Nothing}},
    {"prefetchu", {RuleKind::Nothing}},
    {"discard", {RuleKind::Nothing}},
    {"applypriority", {RuleKind::Nothing}},
    {"nanosleep", {RuleKind::Nothing}},
};
} // namespace

Rule chooseRule(const InstructionSyntax &syntax) {
  std::string_view opcode = syntax.parts[0];
  if (opcode == "mma" || opcode == "wmma" || opcode == "wgmma")
    return chooseMatrixRule(syntax);
  if (opcode == "cvt")
    return chooseConversionRule(syntax);
  if (isSum(syntax))
    return {RuleKind::Sum};
  if (opcode == "lop3")
    return chooseLookupTable(syntax);
  if ((opcode == "set" || opcode == "setp") &&
      (has(syntax, "and") || has(syntax, "or")))
    return {RuleKind::Combined};
  if ((opcode == "st" || opcode == "red") && has(syntax, "async"))
    return {RuleKind::Decides};
  for (const Row &row : rows)
    if (row.opcode == opcode)
      return row.rule;
  if (isPairOfHalves(syntax.parts.back()) && opcode != "set" &&
      opcode != "setp")
    return {RuleKind::Elements};
  return {RuleKind::Result};
}

} // namespace tilec::emu
