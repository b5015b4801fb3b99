//===- SlotCounter.cpp - The numbers of a ring's slots --------------------===//

#include "tile/Analysis/SlotCounter.h"

#include "tile/Analysis/LoopValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;

Value tile::matchNextSlot(Value next, int64_t &slots) {
  auto select = next.getDefiningOp<arith::SelectOp>();
  if (!select || getConstantIntValue(select.getTrueValue()) != 0)
    return {};
  auto after = select.getFalseValue().getDefiningOp<arith::AddIOp>();
  auto isLast = select.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!after || !isLast || isLast.getPredicate() != arith::CmpIPredicate::eq ||
      isLast.getLhs() != after.getLhs() ||
      getConstantIntValue(after.getRhs()) != 1)
    return {};
  std::optional<int64_t> last = getConstantIntValue(isLast.getRhs());
  if (!last || *last < 1)
    return {};
  slots = *last + 1;
  return after.getLhs();
}

std::optional<SlotCounter> tile::matchSlotCounter(BlockArgument argument) {
  std::optional<LoopValue> value = getLoopValue(argument);
  if (!value || !value->carried)
    return std::nullopt;
  SlotCounter counter;
  counter.loop = value->loop;
  counter.argument = *value->carried;
  counter.init = counter.loop.getInitArgs()[counter.argument];
  Value next = counter.loop.getYieldedValues()[counter.argument];
  if (matchNextSlot(next, counter.slots) != argument)
    return std::nullopt;
  return counter;
}

Value tile::buildNextSlot(OpBuilder &builder, Location loc, Value slot,
                          int64_t slots) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       slot, index(slots - 1));
  Value after = arith::AddIOp::create(builder, loc, slot, index(1));
  return arith::SelectOp::create(builder, loc, isLast, index(0), after);
}
