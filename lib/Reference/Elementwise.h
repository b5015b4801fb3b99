//===- Elementwise.h - Loops over the elements of operands ------*- C++ -*-===//
//
// Elementwise rules differ only in what they do to one element. These templates
// run it over all elements; an operand of one element stands for all, and
// poison of any operand makes the result's element poison.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_REFERENCE_ELEMENTWISE_H
#define TILE_LIB_REFERENCE_ELEMENTWISE_H

#include "Machine.h"

#include <algorithm>

namespace mlir::tile::reference {

inline int64_t getCommonCount(llvm::ArrayRef<const Array *> operands) {
  // A count of zero elements wins over one.
  int64_t count = 1;
  for (const Array *operand : operands)
    if (operand->count != 1)
      count = operand->count;
  return count;
}

inline void addPoison(Array &result, const Array &operand) {
  if (operand.poison.empty())
    return;
  if (result.poison.empty())
    result.poison.assign(result.count, 0);
  result.takeOrigin(operand);
  for (int64_t i = 0; i < result.count; ++i)
    result.poison[i] |= operand.poison[operand.count == 1 ? 0 : i];
}

/// result[i] = function(a[i]) over two raw vectors.
template <typename To, typename From, typename Function>
void mapUnary(std::vector<To> &to, const std::vector<From> &a,
              Function function) {
  for (size_t i = 0, e = to.size(); i < e; ++i)
    to[i] = function(a[i]);
}

/// result[i] = function(a[i], b[i]); vectors of one element stand for all.
template <typename To, typename From, typename Function>
void mapBinary(std::vector<To> &to, const std::vector<From> &a,
               const std::vector<From> &b, Function function) {
  size_t count = to.size();
  if (a.size() == count && b.size() == count) {
    for (size_t i = 0; i < count; ++i)
      to[i] = function(a[i], b[i]);
    return;
  }
  size_t stepA = a.size() == count, stepB = b.size() == count;
  for (size_t i = 0; i < count; ++i)
    to[i] = function(a[i * stepA], b[i * stepB]);
}

/// The result's type as an element type; every type that verifies has one.
inline ElementType getResultType(Operation *op, unsigned result = 0) {
  return ElementType::get(op->getResult(result).getType())
      .value_or(ElementType{});
}

} // namespace mlir::tile::reference

#endif // TILE_LIB_REFERENCE_ELEMENTWISE_H
