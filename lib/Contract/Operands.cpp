//===- Operands.cpp - What a kernel takes for granted ---------------------===//

#include "tile/Contract/Operands.h"

using namespace tilec;

static std::string checkDivisors(const char *what,
                                 std::span<const int64_t> numbers,
                                 std::span<const int64_t> divisors) {
  for (size_t dim = 0; dim < divisors.size(); ++dim)
    if (!divides(divisors[dim], numbers[dim]))
      return std::string("whose ") + what + " of dimension " +
             std::to_string(dim) + " is divisible by " +
             std::to_string(divisors[dim]) + ", and it is " +
             std::to_string(numbers[dim]);
  return "";
}

std::string tilec::checkFacts(const MemRefFacts &facts,
                              const MemRefView &view) {
  int64_t byte = view.getFirstByte();
  if (!divides(facts.alignment, byte))
    return "that begins at a multiple of " + std::to_string(facts.alignment) +
           " bytes, and it begins at " + view.formatPlace(byte);
  std::string problem = checkDivisors("size", view.sizes, facts.sizeDivisors);
  if (!problem.empty() || view.isEmpty()) // whose strides lead nowhere
    return problem;
  problem = checkDivisors("stride", view.strides, facts.strideDivisors);
  if (problem.empty() && facts.isContiguous && !view.strides.empty() &&
      view.strides.back() != 1)
    return "whose innermost stride is 1, and it is " +
           std::to_string(view.strides.back());
  return problem;
}

std::string tilec::checkFacts(const ScalarFacts &facts, int64_t number) {
  if (!divides(facts.divisor, number))
    return "that is divisible by " + std::to_string(facts.divisor) +
           ", and it is " + std::to_string(number);
  if (number < facts.min || number > facts.max)
    return "from " + std::to_string(facts.min) + " to " +
           std::to_string(facts.max) + ", and it is " + std::to_string(number);
  return "";
}
