//===- MatrixBounds.cpp - Bounds of matrix products ----------------------===//
//
// Each element is a sum of K products, and of the accumulator (SumError.h). By
// the PTX ISA products are exact and every addition rounds to the accumulator at
// least, as in a chain of fma. Tensor cores cut each term to the accumulator's
// width below the largest one instead, a unit in the last place each.
//
// Two more products of matrices give what all elements need: |a| |b|, the sums
// of the magnitudes, and, where operands have bounds, |a| eb + ea (|b| + eb).
//
//===----------------------------------------------------------------------===//

#include "../MatrixProduct.h"
#include "Bounds.h"
#include "tile/Reference/SumError.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

/// How the instructions of a product accumulate.
struct Accumulator {
  FloatFormat format; ///< in which partial sums are held
  int precision;      ///< bits that a term keeps
  double roundingsPerTerm;
  double unit; ///< the largest error of one, relative
};

Accumulator getAccumulator(const MatrixProblem &problem, ElementType result,
                           Accumulation accumulation) {
  ElementType a = problem.a.type, b = problem.b.type;
  auto chain = [](FloatFormat format, double roundings) {
    int precision = getPrecision(format);
    return Accumulator{format, precision, roundings,
                       std::ldexp(1.0, -precision)};
  };
  // Two chains differ where the reference's own is no wider.
  if (result.format == FloatFormat::F64)
    return chain(FloatFormat::F64, 2);
  bool isVector = a.format == FloatFormat::F32 && !problem.isTF32;
  FloatFormat format =
      result.format == FloatFormat::F16 ? FloatFormat::F16 : FloatFormat::F32;
  if (isVector || accumulation == Accumulation::Single)
    return chain(format, 1);
  bool isNarrow = problem.isScaled || std::min(a.bits, b.bits) <= 8;
  int precision = std::min(getPrecision(format), isNarrow ? 14 : 24);
  // Every term is cut, and the sum of every eight once more.
  return {format, precision, 1.125, std::ldexp(1.0, 1 - precision)};
}

/// What `roundings` roundings can lose below the least normal number of `format`,
/// of terms that are multiples of 2^`lowestBit`: half of the last place there is.
double getUnderflow(double roundings, FloatFormat format, int lowestBit) {
  int smallest =
      getLowestBit(decode(/*bits=*/1, format)); // of the least positive number
  return lowestBit < smallest ? roundings * std::ldexp(1.0, smallest - 1) : 0.0;
}

/// |x| of an operand's elements, those of tf32 rounded.
std::vector<double> getMagnitudes(const Array &array, bool isUnsigned,
                                  bool isTF32) {
  std::vector<double> magnitudes = toNumbers<double>(array, isUnsigned, isTF32);
  for (double &value : magnitudes)
    value = std::fabs(value);
  return magnitudes;
}

/// The operand's bounds. To tf32 an instruction may round ties away from zero.
std::vector<double> getErrors(const Array &array, bool isTF32) {
  std::vector<double> errors(array.count);
  for (int64_t i = 0; i < array.count; ++i) {
    errors[i] = getMagnitudeBound(array.getBound(i));
    if (!isTF32)
      continue;
    double value = array.floats[i];
    double rounded = roundTo(value, FloatFormat::TF32);
    // As far as the value, on its other side.
    double tie = 2 * value - rounded;
    bool isTie = rounded != value && roundTo(tie, FloatFormat::TF32) == tie;
    double error = getRoundedBound(value, errors[i], rounded,
                                   ElementType::floating(FloatFormat::TF32));
    errors[i] = isTie ? std::max(error, getDistance(tie, rounded)) : error;
  }
  return errors;
}

/// For each line of `count` elements at `step`, of lines that begin `stride`
/// apart, the lowest bit that is set in one.
std::vector<int> getLowestBits(ArrayRef<double> values, int64_t lines,
                               int64_t stride, int64_t count, int64_t step) {
  std::vector<int> lowest(lines, std::numeric_limits<int>::max());
  for (int64_t line = 0; line < lines; ++line)
    for (int64_t i = 0; i < count; ++i)
      lowest[line] = std::min(lowest[line],
                              getLowestBit(values[line * stride + i * step]));
  return lowest;
}

/// a * b in single precision, with what that can lose added on; in double where
/// single overflows.
std::vector<double> multiplyMagnitudes(ArrayRef<double> a, ArrayRef<double> b,
                                       const MatrixProblem &problem) {
  int64_t M = problem.M, N = problem.N, K = problem.K;
  std::vector<float> narrowA(a.begin(), a.end()), narrowB(b.begin(), b.end());
  std::vector<float> narrow(M * N, 0.0f);
  multiplyAdd(narrowA.data(), narrowB.data(), narrow.data(), M, N, K);
  bool fitsSingle = std::all_of(narrow.begin(), narrow.end(), [](float value) {
    return std::isfinite(value) && (value == 0.0f || value > 0x1p-100f);
  });
  std::vector<double> product(narrow.begin(), narrow.end());
  if (!fitsSingle) {
    std::fill(product.begin(), product.end(), 0.0);
    multiplyAdd(a.data(), b.data(), product.data(), M, N, K);
  }
  double lost = 1 + static_cast<double>(K + 2) * 0x1p-23;
  for (double &value : product)
    value *= lost;
  return product;
}

bool isAny(ArrayRef<double> errors) {
  return llvm::any_of(errors, [](double error) { return error != 0.0; });
}

/// Sum over k of |a| eb + ea (|b| + eb); empty where all operands are exact.
std::vector<double> getOperandErrors(const MatrixProblem &problem,
                                     ArrayRef<double> a, ArrayRef<double> b) {
  std::vector<double> errorsA = getErrors(problem.a, problem.isTF32);
  std::vector<double> errorsB = getErrors(problem.b, problem.isTF32);
  std::vector<double> result;
  if (isAny(errorsB))
    result = multiplyMagnitudes(a, errorsB, problem);
  if (!isAny(errorsA))
    return result;
  std::vector<double> reach(b.begin(), b.end());
  for (auto [value, error] : llvm::zip(reach, errorsB))
    value += error;
  std::vector<double> fromA = multiplyMagnitudes(errorsA, reach, problem);
  if (result.empty())
    return fromA;
  for (auto [value, other] : llvm::zip(result, fromA))
    value += other;
  return result;
}

/// What is known of the operands, for the bounds of all elements.
struct ProductErrors {
  std::vector<double> magnitudes; ///< sums of |a b|
  std::vector<double> carried;    ///< from the operands' bounds, or empty
  std::vector<int> lowestA, lowestB;

  ProductErrors(const MatrixProblem &problem) {
    int64_t M = problem.M, N = problem.N, K = problem.K;
    std::vector<double> a =
        getMagnitudes(problem.a, problem.isUnsignedA, problem.isTF32);
    std::vector<double> b =
        getMagnitudes(problem.b, problem.isUnsignedB, problem.isTF32);
    carried = getOperandErrors(problem, a, b);
    magnitudes = multiplyMagnitudes(a, b, problem);
    lowestA = getLowestBits(a, M, K, K, 1);
    lowestB = getLowestBits(b, N, 1, K, N);
  }

  /// The place value that all products of an element are multiples of.
  int getLowestBitOf(int64_t row, int64_t column) const {
    constexpr int none = std::numeric_limits<int>::max();
    bool isZero = lowestA[row] == none || lowestB[column] == none;
    return isZero ? none : lowestA[row] + lowestB[column];
  }
};

} // namespace

void mlir::tile::reference::deriveProductBounds(const MatrixProblem &problem,
                                                const Array *c,
                                                Accumulation accumulation,
                                                MatrixResult &result) {
  Array &rounded = result.rounded;
  bool isFloat = rounded.type.isFloat;
  bool isExact = problem.a.bounds.empty() && problem.b.bounds.empty() &&
                 (!c || c->bounds.empty());
  if (!isFloat && isExact)
    return;
  ProductErrors errors(problem);
  Accumulator accumulator =
      isFloat ? getAccumulator(problem, rounded.type, accumulation)
              : Accumulator{FloatFormat::F64, 53, 0, 0};
  double roundings = accumulator.roundingsPerTerm *
                     static_cast<double>(problem.K + (c ? 1 : 0));
  for (int64_t i = 0; i < rounded.count; ++i) {
    if (rounded.isPoison(i))
      continue;
    double sum = isFloat ? result.sums[i] : rounded.getDouble(i);
    double start = c ? std::fabs(c->getDouble(i)) : 0.0;
    double error = (errors.carried.empty() ? 0.0 : errors.carried[i]) +
                   (c ? getMagnitudeBound(c->getBound(i)) : 0.0);
    double magnitude = errors.magnitudes[i] + start + error;
    int lowest = std::min(errors.getLowestBitOf(i / problem.N, i % problem.N),
                          getLowestBit(start));
    if (isFloat)
      error += getUnderflow(roundings, accumulator.format, lowest);
    bool isCertain = !std::isfinite(sum) && error == 0.0;
    bool isFree =
        error != 0.0 || !fits(magnitude, lowest, accumulator.precision);
    if (isFree && !isCertain)
      error += std::isinf(roundTo(magnitude, accumulator.format))
                   ? unbounded
                   : getOrderError(roundings, accumulator.unit, magnitude, sum);
    double bound =
        getRoundedBound(sum, error, rounded.getDouble(i), rounded.type);
    rounded.setBound(i, withEitherZero(getDistance(bound, 0.0), sum));
  }
}
