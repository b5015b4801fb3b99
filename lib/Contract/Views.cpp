//===- Views.cpp - Views of memrefs and what is assumed of them -----------===//

#include "tile/Contract/Views.h"

using namespace tilec;

std::string tilec::checkSubview(size_t dim, int64_t offset, int64_t size,
                                int64_t stride, int64_t sourceSize) {
  bool isInside = size >= 0 && offset >= 0 && offset <= sourceSize;
  if (isInside && size > 0) {
    int64_t last = 0;
    bool overflows = __builtin_mul_overflow(size - 1, stride, &last);
    overflows |= __builtin_add_overflow(last, offset, &last);
    isInside = !overflows && last >= 0 && last < sourceSize;
  }
  if (isInside)
    return "";
  return "the view leaves its source: offset " + std::to_string(offset) +
         ", size " + std::to_string(size) + ", stride " +
         std::to_string(stride) + " in dimension " + std::to_string(dim) +
         " of size " + std::to_string(sourceSize);
}

static std::string describe(const char *what, size_t dim, int64_t fixed,
                            int64_t number) {
  return "the result's type says that dimension " + std::to_string(dim) +
         " has " + what + " " + std::to_string(fixed) + ", but it has " +
         std::to_string(number);
}

std::string tilec::checkType(const MemRefShape &shape, const MemRefView &view) {
  for (size_t dim = 0; dim < shape.sizes.size(); ++dim)
    if (shape.sizes[dim] != anyExtent && shape.sizes[dim] != view.sizes[dim])
      return describe("size", dim, shape.sizes[dim], view.sizes[dim]);
  for (size_t dim = 0; dim < shape.strides.size(); ++dim)
    if (shape.strides[dim] != anyExtent &&
        shape.strides[dim] != view.strides[dim] && view.sizes[dim] > 1)
      return describe("stride", dim, shape.strides[dim], view.strides[dim]);
  if (shape.offset != anyExtent && shape.offset != view.offset)
    return "the result's type says that the offset is " +
           std::to_string(shape.offset) + ", but it is " +
           std::to_string(view.offset);
  return "";
}

std::string tilec::checkDim(int64_t dim, int64_t rank) {
  if (dim >= 0 && dim < rank)
    return "";
  return "dimension " + std::to_string(dim) + " of a memref of rank " +
         std::to_string(rank);
}

std::string tilec::checkStep(int64_t step) {
  if (step > 0)
    return "";
  return "the step of a loop is " + std::to_string(step) +
         "; it must be positive";
}

std::string tilec::checkAssumption(int64_t number, int64_t divisor) {
  if (number % divisor == 0)
    return "";
  return "assumption violated: " + std::to_string(number) +
         " is not divisible by " + std::to_string(divisor);
}

static std::string checkDivisors(const char *what,
                                 std::span<const int64_t> numbers,
                                 std::span<const int64_t> divisors) {
  for (size_t dim = 0; dim < divisors.size(); ++dim)
    if (numbers[dim] % divisors[dim] != 0)
      return std::string("assumption violated: the ") + what +
             " of dimension " + std::to_string(dim) + " is " +
             std::to_string(numbers[dim]) + ", not divisible by " +
             std::to_string(divisors[dim]);
  return "";
}

std::string tilec::checkAssumption(const MemRefAssumption &assumption,
                                   const MemRefView &view) {
  std::string problem = checkDivisors("size", view.sizes, assumption.sizes);
  if (problem.empty())
    problem = checkDivisors("stride", view.strides, assumption.strides);
  int64_t byte = view.getFirstByte();
  if (problem.empty() && byte % assumption.alignment != 0)
    return "assumption violated: the memref begins at " +
           view.formatPlace(byte) + ", not a multiple of " +
           std::to_string(assumption.alignment);
  return problem;
}
