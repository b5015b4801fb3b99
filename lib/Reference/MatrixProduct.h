//===- MatrixProduct.h - The product of two matrices ------------*- C++ -*-===//
//
// Operands are row-major M x K and K x N arrays; one triple loop multiplies
// them, each element summing over k in ascending order. Floats accumulate in
// f64 and round once, so that every order of sums, and every instruction, is
// judged by the same numbers; integers wrap in 32 bits.
//
// The bounds (MatrixBounds.cpp) say what the order of the sums and the
// accumulation of the instruction leave open.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_REFERENCE_MATRIXPRODUCT_H
#define TILE_LIB_REFERENCE_MATRIXPRODUCT_H

#include "tile/Reference/Interpreter.h"

namespace mlir::tile::reference {

struct MatrixProblem {
  Array a, b; ///< M x K and K x N
  int64_t M, N, K;
  bool isUnsignedA = false, isUnsignedB = false, isTF32 = false;
  /// Elements have scales, and were narrow before they were multiplied by them.
  bool isScaled = false;
};

/// The elements of an operand as the product takes them: tf32 rounded, integers
/// of either sign.
template <typename Number>
std::vector<Number> toNumbers(const Array &array, bool isUnsigned, bool isTF32);

/// d += a * b for row-major matrices, k ascending for every element. Integers
/// wrap.
template <typename Number>
void multiplyAdd(const Number *__restrict a, const Number *__restrict b,
                 Number *__restrict d, int64_t M, int64_t N, int64_t K);

/// a * b, plus `c` unless it is null.
struct MatrixResult {
  std::vector<double> sums; ///< before rounding; empty for integers
  /// Rounded once. A poison element of `a` spoils its row, of `b` its column.
  Array rounded;
};

MatrixResult multiply(const MatrixProblem &problem, const Array *c,
                      ElementType type);

/// Gives `result.rounded` its bounds.
void deriveProductBounds(const MatrixProblem &problem, const Array *c,
                         Accumulation accumulation, MatrixResult &result);

} // namespace mlir::tile::reference

#endif // TILE_LIB_REFERENCE_MATRIXPRODUCT_H
