//===- RoundNumbers.cpp - Numbers of uses whose slot is known -------------===//

#include "tile/Analysis/RoundNumbers.h"

#include "tile/Analysis/LoopValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether `value` is the constant 0 or `slots`, or chooses between them.
static bool isChosenRound(Value value, int64_t slots) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant == 0 || *constant == slots;
  auto select = value.getDefiningOp<arith::SelectOp>();
  return select && getConstantIntValue(select.getTrueValue()) &&
         isChosenRound(select.getTrueValue(), slots) &&
         getConstantIntValue(select.getFalseValue()) &&
         isChosenRound(select.getFalseValue(), slots);
}

/// Whether `value` is 0 or `slots`.
static bool isRound(Value value, int64_t slots) {
  if (isChosenRound(value, slots))
    return true;
  std::optional<LoopValue> ofLoop = getLoopValue(value);
  if (!ofLoop || !ofLoop->carried)
    return false;
  scf::ForOp loop = ofLoop->loop;
  unsigned index = *ofLoop->carried;
  return isChosenRound(loop.getInitArgs()[index], slots) &&
         isChosenRound(loop.getYieldedValues()[index], slots);
}

std::optional<RoundNumber> tile::matchRoundNumber(Value number, int64_t slots) {
  if (auto cast = number.getDefiningOp<arith::IndexCastUIOp>())
    number = cast.getIn();
  RoundNumber parts{number, 0};
  if (auto sum = number.getDefiningOp<arith::AddIOp>())
    if (std::optional<int64_t> slot = getConstantIntValue(sum.getRhs()))
      parts = {sum.getLhs(), *slot};
  if (parts.slot < 0 || parts.slot >= slots || !isRound(parts.round, slots))
    return std::nullopt;
  return parts;
}

Value tile::buildOtherRound(OpBuilder &builder, Location loc, Value round,
                            int64_t slots) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value second = arith::ConstantIndexOp::create(builder, loc, slots);
  Value isFirst = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::eq, round, zero);
  return builder.createOrFold<arith::SelectOp>(loc, isFirst, second, zero);
}
