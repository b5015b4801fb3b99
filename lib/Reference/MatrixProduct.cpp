//===- MatrixProduct.cpp - The product of two matrices -------------------===//

#include "MatrixProduct.h"

#include "Elementwise.h"

using namespace mlir;
using namespace mlir::tile::reference;

template <typename Number>
std::vector<Number> mlir::tile::reference::toNumbers(const Array &array,
                                                     bool isUnsigned,
                                                     bool isTF32) {
  std::vector<Number> numbers(array.count);
  for (int64_t i = 0; i < array.count; ++i) {
    if (!array.type.isFloat)
      numbers[i] = static_cast<Number>(
          isUnsigned ? static_cast<int64_t>(
                           zeroExtend(array.integers[i], array.type.bits))
                     : array.integers[i]);
    else if (array.type.storage() == Storage::Double)
      numbers[i] = static_cast<Number>(array.doubles[i]);
    else
      numbers[i] = static_cast<Number>(
          isTF32 ? roundTo(array.floats[i], FloatFormat::TF32)
                 : array.floats[i]);
  }
  return numbers;
}

template <typename Number>
void mlir::tile::reference::multiplyAdd(const Number *__restrict a,
                                        const Number *__restrict b,
                                        Number *__restrict d, int64_t M,
                                        int64_t N, int64_t K) {
  for (int64_t m = 0; m < M; ++m) {
    Number *__restrict row = d + m * N;
    int64_t k = 0;
    for (; k + 4 <= K; k += 4) {
      Number a0 = a[m * K + k], a1 = a[m * K + k + 1], a2 = a[m * K + k + 2],
             a3 = a[m * K + k + 3];
      const Number *b0 = b + k * N, *b1 = b0 + N, *b2 = b1 + N, *b3 = b2 + N;
      for (int64_t n = 0; n < N; ++n)
        row[n] =
            (((row[n] + a0 * b0[n]) + a1 * b1[n]) + a2 * b2[n]) + a3 * b3[n];
    }
    for (; k < K; ++k)
      for (int64_t n = 0; n < N; ++n)
        row[n] = row[n] + a[m * K + k] * b[k * N + n];
  }
}

template std::vector<double> mlir::tile::reference::toNumbers(const Array &,
                                                              bool, bool);
template void mlir::tile::reference::multiplyAdd(const double *__restrict,
                                                 const double *__restrict,
                                                 double *__restrict, int64_t,
                                                 int64_t, int64_t);
template void mlir::tile::reference::multiplyAdd(const float *__restrict,
                                                 const float *__restrict,
                                                 float *__restrict, int64_t,
                                                 int64_t, int64_t);

template <typename Number>
static std::vector<Number> solve(const MatrixProblem &problem, const Array *c) {
  std::vector<Number> a =
      toNumbers<Number>(problem.a, problem.isUnsignedA, problem.isTF32);
  std::vector<Number> b =
      toNumbers<Number>(problem.b, problem.isUnsignedB, problem.isTF32);
  std::vector<Number> d(problem.M * problem.N, Number(0));
  if (c)
    d = toNumbers<Number>(*c, false, false);
  multiplyAdd(a.data(), b.data(), d.data(), problem.M, problem.N, problem.K);
  return d;
}

static void spreadPoison(const MatrixProblem &problem, const Array *c,
                         Array &result) {
  if (c)
    addPoison(result, *c);
  result.takeOrigin(problem.a);
  result.takeOrigin(problem.b);
  int64_t K = problem.K, N = problem.N;
  for (int64_t i = 0; !problem.a.poison.empty() && i < problem.a.count; ++i)
    if (problem.a.poison[i])
      for (int64_t n = 0; n < N; ++n)
        result.setPoison(i / K * N + n);
  for (int64_t i = 0; !problem.b.poison.empty() && i < problem.b.count; ++i)
    if (problem.b.poison[i])
      for (int64_t m = 0; m < problem.M; ++m)
        result.setPoison(m * N + i % N);
}

MatrixResult mlir::tile::reference::multiply(const MatrixProblem &problem,
                                             const Array *c, ElementType type) {
  MatrixResult result{{}, Array(type, problem.M * problem.N)};
  Array &rounded = result.rounded;
  if (type.isFloat) {
    result.sums = solve<double>(problem, c);
    for (int64_t i = 0; i < rounded.count; ++i)
      rounded.setDouble(i, roundTo(result.sums[i], type.format));
  } else {
    std::vector<uint32_t> sums = solve<uint32_t>(problem, c);
    for (int64_t i = 0; i < rounded.count; ++i)
      rounded.integers[i] = static_cast<int32_t>(sums[i]);
  }
  spreadPoison(problem, c, rounded);
  return result;
}
