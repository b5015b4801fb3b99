//===- Arithmetic.cpp - What both layouts count with ----------------------===//
//
// The chain rule and its diagnostics. A reason names the dimension, the number
// that was found and the number that would be right.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"

#include <algorithm>

using namespace tilec;

std::optional<int64_t> detail::multiply(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product) || product > largestNumber)
    return std::nullopt;
  return product;
}

std::optional<Failure> detail::checkShape(const Coordinate &shape) {
  int64_t elements = 1;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] < 0)
      return Failure{"extent " + std::to_string(shape[dim]) + " of dimension " +
                     std::to_string(dim) + " is negative"};
    std::optional<int64_t> product =
        multiply(elements, std::max<int64_t>(shape[dim], 1));
    if (!product)
      return Failure{"the shape has more than 2^48 elements"};
    elements = *product;
  }
  return std::nullopt;
}

std::optional<Failure> detail::checkDigit(int64_t extent, int dim, int64_t step,
                                          int rank) {
  if (extent < 1)
    return Failure{"a digit's extent must be positive, not " +
                   std::to_string(extent)};
  if (extent > largestNumber || step > largestNumber)
    return Failure{"a digit's extent and step must not exceed 2^48"};
  if (step < 0)
    return Failure{"a digit's step must not be negative, but is " +
                   std::to_string(step)};
  if (dim == Digit::replicated) {
    if (step != 0)
      return Failure{"a digit that replicates must have a zero step, not " +
                     std::to_string(step)};
    return std::nullopt;
  }
  if (dim < 0 || dim >= rank)
    return Failure{"a digit steps through dimension " + std::to_string(dim) +
                   " of a shape of rank " + std::to_string(rank)};
  return std::nullopt;
}

std::optional<Failure> detail::checkChains(const Coordinate &shape,
                                           Digits digits) {
  // Insertion order is irrelevant to the rule; sorting brings chains together.
  std::sort(digits.begin(), digits.end(), [](const Digit &a, const Digit &b) {
    return std::pair(a.dim, a.step) < std::pair(b.dim, b.step);
  });
  size_t next = 0;
  for (int dim = 0; dim < static_cast<int>(shape.size()); ++dim) {
    std::string where = " in dimension " + std::to_string(dim);
    int64_t extent = std::max<int64_t>(shape[dim], 1), reached = 1;
    for (; next < digits.size() && digits[next].dim == dim; ++next) {
      const Digit &digit = digits[next];
      if (digit.step != reached)
        return Failure{"the digit of extent " + std::to_string(digit.extent) +
                       where + " has step " + std::to_string(digit.step) +
                       " where the digits before it end at " +
                       std::to_string(reached)};
      if (reached > extent)
        return Failure{"only the last digit" + where +
                       " may pass the extent, " + std::to_string(extent) +
                       ", but an earlier one reaches " +
                       std::to_string(reached)};
      std::optional<int64_t> product = multiply(reached, digit.extent);
      if (!product)
        return Failure{"the digits" + where + " cover more than 2^48"};
      reached = *product;
    }
    if (reached < extent)
      return Failure{"the digits" + where + " cover " +
                     std::to_string(reached) + " of " + std::to_string(extent)};
  }
  return std::nullopt;
}

Digits detail::mergeDigits(const Digits &digits) {
  Digits result;
  for (Digit digit : digits) {
    if (digit.extent == 1)
      continue;
    if (digit.step == 0)
      digit.dim = Digit::replicated;
    // Pattern: [a : s, b : s * a] -> [a * b : s], zero steps included.
    if (!result.empty() && result.back().dim == digit.dim &&
        result.back().step * result.back().extent == digit.step)
      result.back().extent *= digit.extent;
    else
      result.push_back(digit);
  }
  return result;
}

bool detail::isPermutation(const std::vector<int> &order, int rank) {
  std::vector<bool> seen(rank, false);
  for (int dim : order) {
    if (dim < 0 || dim >= rank || seen[dim])
      return false;
    seen[dim] = true;
  }
  return static_cast<int>(order.size()) == rank;
}

std::string detail::join(const std::vector<int64_t> &numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text;
}

std::string detail::toString(int64_t extent, int dim, int64_t step, int rank) {
  std::vector<int64_t> steps(rank, 0);
  if (dim >= 0)
    steps[dim] = step;
  return std::to_string(extent) + " : (" + join(steps) + ")";
}
