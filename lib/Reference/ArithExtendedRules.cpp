//===- ArithExtendedRules.cpp - arith on integers, with two results ------===//
//
// Sums and products whose upper half, or carry, is a result of its own.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

/// Two results: the low half and the high half (or the carry).
template <typename Function>
LogicalResult extended(Machine &machine, Operation *op, Function function) {
  const Array &a = machine.getArray(op->getOperand(0));
  const Array &b = machine.getArray(op->getOperand(1));
  int64_t count = getCommonCount({&a, &b});
  Array low(getResultType(op, 0), count), high(getResultType(op, 1), count);
  for (int64_t i = 0; i < count; ++i) {
    auto [l, h] = function(a.integers[a.count == 1 ? 0 : i],
                           b.integers[b.count == 1 ? 0 : i], a.type.bits);
    low.integers[i] = signExtend(l, low.type.bits);
    high.integers[i] = signExtend(h, high.type.bits);
  }
  for (Array *result : {&low, &high}) {
    addPoison(*result, a);
    addPoison(*result, b);
    deriveBounds(machine, op, *result);
  }
  machine.set(op->getResult(0), std::move(low));
  machine.set(op->getResult(1), std::move(high));
  return success();
}

/// LangRef arith.addui_extended.
LogicalResult addExtended(Machine &machine, Operation *op) {
  return extended(machine, op, [](int64_t a, int64_t b, unsigned bits) {
    uint64_t sum = zeroExtend(
        static_cast<int64_t>(zeroExtend(a, bits) + zeroExtend(b, bits)), bits);
    return std::pair<int64_t, int64_t>(static_cast<int64_t>(sum),
                                       sum < zeroExtend(a, bits));
  });
}

/// LangRef arith.mulsi_extended.
LogicalResult multiplySignedExtended(Machine &machine, Operation *op) {
  return extended(machine, op, [](int64_t a, int64_t b, unsigned bits) {
    auto product = static_cast<__int128>(a) * b;
    return std::pair<int64_t, int64_t>(static_cast<int64_t>(product),
                                       static_cast<int64_t>(product >> bits));
  });
}

/// LangRef arith.mului_extended.
LogicalResult multiplyUnsignedExtended(Machine &machine, Operation *op) {
  return extended(machine, op, [](int64_t a, int64_t b, unsigned bits) {
    auto product = static_cast<unsigned __int128>(zeroExtend(a, bits)) *
                   zeroExtend(b, bits);
    return std::pair<int64_t, int64_t>(static_cast<int64_t>(product),
                                       static_cast<int64_t>(product >> bits));
  });
}

} // namespace

void mlir::tile::reference::addArithExtendedRules(RuleTable &table) {
  table.addAll<arith::AddUIExtendedOp>(addExtended);
  table.addAll<arith::MulSIExtendedOp>(multiplySignedExtended);
  table.addAll<arith::MulUIExtendedOp>(multiplyUnsignedExtended);
}
