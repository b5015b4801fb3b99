//===- StepCount.cpp - How often a loop goes round ------------------------===//

#include "StepCount.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tile;

Value tile::emitStepCount(OpBuilder &builder, scf::ForOp loop, Value lower,
                          Value upper, Value step) {
  Location loc = loop.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  if (std::optional<APInt> count = loop.getStaticTripCount())
    return index(count->getZExtValue());
  Type type = lower.getType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                    : arith::CmpIPredicate::slt;
  Value isAny = arith::CmpIOp::create(builder, loc, less, lower, upper);
  Value distance = arith::SubIOp::create(builder, loc, upper, lower);
  Value last = arith::SubIOp::create(builder, loc, distance, constant(1));
  Value steps = arith::DivUIOp::create(builder, loc, last, step);
  if (!type.isIndex())
    steps = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                         steps);
  Value count = arith::AddIOp::create(builder, loc, steps, index(1));
  return arith::SelectOp::create(builder, loc, isAny, count, index(0));
}
