//===- ArrayComparison.cpp - Whether two results are equal ---------------===//

#include "tile/Runtime/ArrayComparison.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

static std::string print(const Array &array, int64_t i) {
  if (array.isPoison(i))
    return "undefined";
  std::string text;
  llvm::raw_string_ostream os(text);
  if (array.type.isFloat)
    os << llvm::format("%.*g", array.type.bits > 32 ? 17 : 9,
                       array.getDouble(i));
  else if (array.type.bits == 1)
    os << (array.isTrue(i) ? "1" : "0");
  else
    os << array.integers[i];
  return text;
}

static tilec::ElementDistance getDistance(const Array &actual,
                                          const Array &expected, int64_t i) {
  if (actual.isPoison(i))
    return {false, std::numeric_limits<double>::infinity(), 0};
  if (expected.type.isFloat)
    return tilec::getFloatDistance(actual.getDouble(i), expected.getDouble(i));
  return tilec::getIntegerDistance(actual.integers[i], expected.integers[i],
                                   expected.type.bits);
}

tilec::Comparison mlir::tile::compare(const Array &actual,
                                      const Array &expected,
                                      const tilec::ComparisonRule &rule,
                                      const Array *reference) {
  const Array &scaled = reference ? *reference : expected;
  tilec::RootMeanSquare scale;
  for (int64_t i = 0; i < scaled.count; ++i)
    if (!scaled.isPoison(i))
      scale.add(scaled.getDouble(i));
  // Integers are compared exactly where floats have a tolerance.
  bool hasBounds = !rule.tolerance.isGiven();
  tilec::ComparisonRule ruleOfType = rule;
  if (!expected.type.isFloat)
    ruleOfType.tolerance = {};
  tilec::Comparison result(ruleOfType, scale.get());
  for (int64_t i = 0; i < expected.count; ++i) {
    if (expected.isPoison(i))
      result.addUndefined();
    else if (result.add(i, getDistance(actual, expected, i),
                        hasBounds ? expected.getBound(i) : 0.0))
      result.describeFirst(print(actual, i), print(expected, i));
  }
  return result;
}
