//===- Comparison.cpp - Whether two results are equal --------------------===//

#include "tile/Runtime/Comparison.h"

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Reference/Memory.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

//===----------------------------------------------------------------------===//
// The default tolerance
//===----------------------------------------------------------------------===//

static void visitTypes(func::FuncOp function, int &precision,
                       llvm::SmallPtrSetImpl<Operation *> &visited) {
  if (!visited.insert(function).second)
    return;
  auto visit = [&](Type type) {
    std::optional<ElementType> element = ElementType::get(type);
    // f8E8M0FNU only scales.
    if (element && element->isFloat &&
        element->format != FloatFormat::F8E8M0FNU)
      precision = std::min(precision, getPrecision(element->format));
  };
  function.walk([&](Operation *op) {
    for (Type type : op->getOperandTypes())
      visit(type);
    for (Type type : op->getResultTypes())
      visit(type);
    if (auto product = dyn_cast<MatrixProductOpInterface>(op);
        product && product.isTF32())
      precision = std::min(precision, getPrecision(FloatFormat::TF32));
    if (auto call = dyn_cast<func::CallOp>(op))
      if (auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
              call, call.getCalleeAttr()))
        visitTypes(callee, precision, visited);
  });
}

int mlir::tile::getNarrowestPrecision(func::FuncOp function) {
  int precision = getPrecision(FloatFormat::F64);
  llvm::SmallPtrSet<Operation *, 4> visited;
  visitTypes(function, precision, visited);
  return precision;
}

static double getRootMeanSquare(const Array &array) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t i = 0; i < array.count; ++i) {
    double value = array.getDouble(i);
    if (array.isPoison(i) || !std::isfinite(value))
      continue;
    sum += value * value;
    ++count;
  }
  return count ? std::sqrt(sum / static_cast<double>(count)) : 0.0;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static std::string print(const Array &array, int64_t i) {
  if (array.isPoison(i))
    return "undefined";
  std::string text;
  llvm::raw_string_ostream os(text);
  if (array.type.isFloat)
    os << llvm::format("%.9g", array.getDouble(i));
  else if (array.type.bits == 1)
    os << (array.isTrue(i) ? "1" : "0");
  else
    os << array.integers[i];
  return text;
}

Comparison mlir::tile::compare(const Array &actual, const Array &expected,
                               int narrowestPrecision,
                               const Tolerance &tolerance) {
  Comparison result;
  result.isExact = !expected.type.isFloat;
  if (!result.isExact) {
    int precision =
        std::min(narrowestPrecision, getPrecision(expected.type.format));
    result.rtol = tolerance.rtol.value_or(std::ldexp(1.0, 3 - precision));
    result.atol =
        tolerance.atol.value_or(result.rtol * getRootMeanSquare(expected));
  }
  for (int64_t i = 0; i < expected.count; ++i) {
    if (expected.isPoison(i)) {
      ++result.undefined;
      continue;
    }
    ++result.compared;
    bool isEqual = !actual.isPoison(i);
    if (isEqual && result.isExact) {
      isEqual = actual.integers[i] == expected.integers[i];
    } else if (isEqual) {
      double x = actual.getDouble(i), y = expected.getDouble(i);
      if (std::isfinite(x) && std::isfinite(y)) {
        double difference = std::fabs(x - y);
        result.largestDifference =
            std::max(result.largestDifference, difference);
        isEqual = difference <= result.rtol * std::fabs(y) + result.atol;
      } else {
        isEqual = x == y || (std::isnan(x) && std::isnan(y));
      }
    }
    if (isEqual)
      continue;
    if (result.different++ == 0) {
      result.first = i;
      result.actual = print(actual, i);
      result.expected = print(expected, i);
    }
  }
  return result;
}

std::string mlir::tile::describe(const Comparison &comparison,
                                 ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (comparison.isEqual())
    os << "equal: " << comparison.compared << " elements";
  else
    os << "DIFFERENT: " << comparison.different << " of " << comparison.compared
       << " elements";
  if (comparison.undefined)
    os << ", " << comparison.undefined << " undefined ones not compared";
  if (comparison.isExact)
    os << " (compared exactly)";
  else
    os << ", largest difference "
       << llvm::format("%.3g (rtol %.3g, atol %.3g)",
                       comparison.largestDifference, comparison.rtol,
                       comparison.atol);
  if (!comparison.isEqual()) {
    os << "; first at [";
    llvm::interleaveComma(delinearize(comparison.first, shape), os);
    os << "]: " << comparison.actual << ", expected " << comparison.expected;
  }
  return text;
}
