//===- RoundNumbers.cpp - Numbers of uses whose slot is known -------------===//

#include "tile/Analysis/RoundNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether `value` is the constant 0 or `slots`, or chooses between them.
static bool isRound(Value value, int64_t slots) {
  auto isEither = [&](Value choice) {
    std::optional<int64_t> constant = getConstantIntValue(choice);
    return constant && (*constant == 0 || *constant == slots);
  };
  auto select = value.getDefiningOp<arith::SelectOp>();
  return isEither(value) || (select && isEither(select.getTrueValue()) &&
                             isEither(select.getFalseValue()));
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

Value tile::buildRound(OpBuilder &builder, Location loc, Value isSecond,
                       int64_t slots) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value second = arith::ConstantIndexOp::create(builder, loc, slots);
  return builder.createOrFold<arith::SelectOp>(loc, isSecond, second, zero);
}

Value tile::buildOtherRound(OpBuilder &builder, Location loc, Value isSecond,
                            int64_t slots) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value second = arith::ConstantIndexOp::create(builder, loc, slots);
  return builder.createOrFold<arith::SelectOp>(loc, isSecond, zero, second);
}

Value tile::buildIsSecond(OpBuilder &builder, Location loc, Value number,
                          int64_t slots) {
  Value second = arith::ConstantIndexOp::create(builder, loc, slots);
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::uge,
                                             number, second);
}
