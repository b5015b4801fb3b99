//===- CarriedBoundsTest.cpp - Bounds of operands, carried on -------------===//
//
// Every rule of docs/Checking.md against what it promises: operands that lie
// within their bounds give results within the bound. A program runs on operands
// with bounds, and again and again on others, drawn from within them, mostly
// from their ends; no result of those may leave the first one's bounds. And some
// must come close, so that no rule is merely large.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace mlir::tile::reference;

namespace {

constexpr int64_t count = 256;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Rule {
  const char *body;   ///< makes %r of %x, %y and %z
  const char *result; ///< the element type of %r; empty: that of the operands
  /// The least that the closest result has to reach of its bound.
  double tightness = 0.4;
};

#define BINARY(OPERATION)                                                      \
  Rule{"%r = " OPERATION " %x, %y : tensor<{N}x{T}>", ""}
#define UNARY(OPERATION) Rule{"%r = " OPERATION " %x : tensor<{N}x{T}>", ""}

const Rule floatRules[] = {
    BINARY("arith.addf"),
    BINARY("arith.subf"),
    BINARY("arith.mulf"),
    BINARY("arith.divf"),
    BINARY("arith.remf"),
    BINARY("arith.maximumf"),
    BINARY("arith.minimumf"),
    BINARY("arith.maxnumf"),
    BINARY("arith.minnumf"),
    BINARY("math.copysign"),
    UNARY("arith.negf"),
    UNARY("math.absf"),
    UNARY("math.ceil"),
    UNARY("math.floor"),
    UNARY("math.round"),
    UNARY("math.roundeven"),
    UNARY("math.trunc"),
    UNARY("math.sqrt"),
    UNARY("math.exp"),
    UNARY("math.exp2"),
    UNARY("math.expm1"),
    UNARY("math.log"),
    UNARY("math.log1p"),
    UNARY("math.log2"),
    UNARY("math.rsqrt"),
    UNARY("math.sin"),
    UNARY("math.cos"),
    UNARY("math.tanh"),
    UNARY("math.erf"),
    BINARY("math.powf"),
    {"%r = math.fma %x, %y, %z : tensor<{N}x{T}>", ""},
    {R"(%p = arith.cmpf olt, %x, %y : tensor<{N}x{T}>
        %r = arith.select %p, %x, %z
            : tensor<{N}xi1>, tensor<{N}x{T}>)",
     ""},
    {R"(%p = arith.cmpf oge, %x, %y : tensor<{N}x{T}>
        %q = arith.cmpf une, %y, %z : tensor<{N}x{T}>
        %a = arith.andi %p, %q : tensor<{N}xi1>
        %r = arith.extui %a : tensor<{N}xi1> to tensor<{N}xi32>)",
     "i32"},
    {R"(%r = arith.fptosi %x : tensor<{N}x{T}> to tensor<{N}xi32>)", "i32"},
    {R"(%i = arith.fptosi %x : tensor<{N}x{T}> to tensor<{N}xi32>
        %j = arith.fptosi %y : tensor<{N}x{T}> to tensor<{N}xi32>
        %s = arith.addi %i, %j : tensor<{N}xi32>
        %m = arith.muli %s, %i : tensor<{N}xi32>
        %c = arith.constant dense<3> : tensor<{N}xi32>
        %d = arith.divsi %m, %c : tensor<{N}xi32>
        %k = arith.maxsi %d, %j : tensor<{N}xi32>
        %h = arith.shrsi %k, %c : tensor<{N}xi32>
        %w = arith.subi %h, %i : tensor<{N}xi32>
        %r = arith.sitofp %w : tensor<{N}xi32> to tensor<{N}x{T}>)",
     ""},
    {R"(%i = arith.fptosi %x : tensor<{N}x{T}> to tensor<{N}xi32>
        %j = arith.fptosi %y : tensor<{N}x{T}> to tensor<{N}xi32>
        %p = arith.cmpi sle, %i, %j : tensor<{N}xi32>
        %r = arith.select %p, %i, %j
            : tensor<{N}xi1>, tensor<{N}xi32>)",
     "i32"},
    // Sums, with their bound on the order on top.
    {R"(%a = tile.reduce <add> %x dims [0] : tensor<{N}x{T}> -> tensor<{T}>
        %r = tile.broadcast %a dims [0] : tensor<{T}> -> tensor<{N}x{T}>)",
     "", 0.02},
    {R"(%a = tile.reduce <maximumf> %x dims [0]
            : tensor<{N}x{T}> -> tensor<{T}>
        %r = tile.broadcast %a dims [0] : tensor<{T}> -> tensor<{N}x{T}>)",
     ""},
    {"%r = tile.scan <add> %x dim 0 : tensor<{N}x{T}>", "", 0.3},
    {"%r = tile.scan <minnumf> %x dim 0 {reverse} : tensor<{N}x{T}>", ""},
    {R"(%r = tile.scan (%x) dim 0 : (tensor<{N}x{T}>) -> (tensor<{N}x{T}>) {
        ^bb0(%a: {T}, %b: {T}):
          %m = arith.maximumf %a, %b : {T}
          tile.yield %m : {T}
        })",
     ""},
};

#undef BINARY
#undef UNARY

const Rule singleRules[] = {
    {"%r = arith.truncf %x : tensor<{N}xf32> to tensor<{N}xf16>", "f16"},
    {"%r = arith.truncf %x : tensor<{N}xf32> to tensor<{N}xf8E4M3FN>",
     "f8E4M3FN"},
    {"%r = arith.extf %x : tensor<{N}xf32> to tensor<{N}xf64>", "f64"},
    {"%r = arith.bitcast %x : tensor<{N}xf32> to tensor<{N}xi32>", "i32"},
    {R"(%a = tensor.expand_shape %x [[0, 1]] output_shape [16, 16]
            : tensor<{N}xf32> into tensor<16x16xf32>
        %b = tensor.expand_shape %y [[0, 1]] output_shape [16, 16]
            : tensor<{N}xf32> into tensor<16x16xf32>
        %c = tensor.expand_shape %z [[0, 1]] output_shape [16, 16]
            : tensor<{N}xf32> into tensor<16x16xf32>
        %d = tile.gemm %a, %b, %c : tensor<16x16xf32>, tensor<16x16xf32>
            -> tensor<16x16xf32>
        %r = tensor.collapse_shape %d [[0, 1]]
            : tensor<16x16xf32> into tensor<{N}xf32>)",
     "", 0.1},
};

std::string getProgram(const Rule &rule, const std::string &type) {
  std::string result = *rule.result ? rule.result : type;
  return fill(std::string(R"mlir(
    func.func @f(%A: memref<{N}x{T}>, %B: memref<{N}x{T}>,
                 %C: memref<{N}x{T}>, %O: memref<{N}x{R}>) {
      %c1 = arith.constant 1 : index
      tile.launch blocks(%n) in (%c1) threads(128) {
        %x = tile.load %A : memref<{N}x{T}> -> tensor<{N}x{T}>
        %y = tile.load %B : memref<{N}x{T}> -> tensor<{N}x{T}>
        %z = tile.load %C : memref<{N}x{T}> -> tensor<{N}x{T}>
        )mlir") + rule.body +
                  R"mlir(
        tile.store %r, %O : tensor<{N}x{R}>, memref<{N}x{R}>
      }
      return
    })mlir",
              {{"N", std::to_string(count)}, {"T", type}, {"R", result}});
}

/// Positive numbers around 1, many near an integer or halfway, with bounds of
/// every size from nothing to a tenth.
Array generate(ElementType type, std::mt19937 &random) {
  std::uniform_real_distribution<double> value(0.3, 4.0), size(-7.0, -1.0);
  Array array(type, count);
  for (int64_t i = 0; i < count; ++i) {
    double x = value(random);
    if (random() % 4 == 0)
      x = std::round(x) + (random() % 2 ? 0.01 : 0.49);
    array.setDouble(i, roundTo(x, type.format));
    if (random() % 4 != 0)
      array.setBound(i, std::pow(10.0, size(random)));
  }
  return array;
}

/// Numbers of either sign on both sides of where a rounding gives zero, zeros among them,
/// with bounds that many of them cross zero by.
Array generateNearZero(ElementType type, std::mt19937 &random) {
  std::uniform_real_distribution<double> size(-10.0, 0.0), part(0.0, 2.0);
  Array array(type, count);
  for (int64_t i = 0; i < count; ++i) {
    double magnitude = random() % 4 ? std::pow(10.0, size(random)) : 0.0;
    double value = roundTo(magnitude, type.format);
    array.setDouble(i, random() % 2 ? -value : value);
    if (random() % 4 != 0)
      array.setBound(i, magnitude * part(random));
  }
  return array;
}

/// Another number within the bounds of each.
Array draw(const Array &near, std::mt19937 &random) {
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  Array array(near.type, near.count);
  for (int64_t i = 0; i < near.count; ++i) {
    double value = near.getDouble(i), bound = near.getBound(i);
    double where = random() % 3 ? (random() % 2 ? 1.0 : -1.0) : part(random);
    double other = roundTo(value + where * bound, near.type.format);
    bool isWithin = bound != 0.0 && std::fabs(other - value) <= bound;
    array.setDouble(i, isWithin ? other : value);
  }
  return array;
}

/// The largest part of its bound that a result of other operands uses; infinite where a zero
/// of certain sign comes out as the other zero.
double getLargestRatio(const std::string &program,
                       const std::vector<Array> &operands,
                       std::mt19937 &random) {
  Array expected = run(program, operands);
  double largest = 0;
  for (int trial = 0; trial < 24; ++trial) {
    std::vector<Array> others;
    for (const Array &operand : operands)
      others.push_back(draw(operand, random));
    Array actual = run(program, others);
    for (int64_t i = 0; i < expected.count; ++i) {
      double was = expected.getDouble(i), is = actual.getDouble(i);
      double distance = std::fabs(is - was), bound = expected.getBound(i);
      if (distance != 0.0)
        largest = std::max(largest, distance / bound);
      else if (std::signbit(is) != std::signbit(was) && bound == 0.0)
        largest = infinity;
    }
  }
  return largest;
}

double check(const Rule &rule, const std::string &type, FloatFormat format,
             Array (*makeOperand)(ElementType, std::mt19937 &) = generate) {
  std::mt19937 random(11);
  std::vector<Array> operands;
  for (int i = 0; i < 3; ++i)
    operands.push_back(makeOperand(ElementType::floating(format), random));
  double largest = getLargestRatio(getProgram(rule, type), operands, random);
  EXPECT_LE(largest, 1.0) << type << ": " << rule.body;
  return largest;
}

TEST(CarriedBounds, HoldWhatTheyPromise) {
  // Narrow results hide small differences: one type has to come close.
  for (const Rule &rule : floatRules)
    EXPECT_GE(std::max({check(rule, "f64", FloatFormat::F64),
                        check(rule, "f32", FloatFormat::F32),
                        check(rule, "f16", FloatFormat::F16),
                        check(rule, "bf16", FloatFormat::BF16)}),
              rule.tightness)
        << rule.body;
  for (const Rule &rule : singleRules)
    EXPECT_GE(check(rule, "f32", FloatFormat::F32), rule.tightness)
        << rule.body;
}

/// As HoldWhatTheyPromise, where results are zeros of open sign.
TEST(CarriedBounds, LeaveSignsOfZerosOpen) {
  for (const Rule &rule : floatRules)
    check(rule, "f32", FloatFormat::F32, generateNearZero);
  for (const Rule &rule : singleRules)
    check(rule, "f32", FloatFormat::F32, generateNearZero);
}

/// Exact operands: no operation that rounds once has a bound.
TEST(CarriedBounds, AreZeroForExactOperands) {
  std::mt19937 random(12);
  for (const char *operation :
       {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf",
        "arith.maximumf", "math.copysign"}) {
    Rule rule{"", ""};
    std::string body =
        std::string("%r = ") + operation + " %x, %y : tensor<{N}x{T}>";
    rule.body = body.c_str();
    std::vector<Array> operands;
    for (int i = 0; i < 3; ++i) {
      Array array = generate(ElementType::floating(FloatFormat::F32), random);
      array.bounds.clear();
      operands.push_back(std::move(array));
    }
    Array result = run(getProgram(rule, "f32"), operands);
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(result.getBound(i), 0.0) << operation;
  }
}

} // namespace
