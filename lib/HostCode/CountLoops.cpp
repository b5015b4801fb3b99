//===- CountLoops.cpp - Loops that end --------------------------------------===//
//
// The language counts the iterations of an `scf.for` over the integers; upstream's
// lowering counts in the loop's type, where the number behind the last one may wrap and
// the loop never ends. Counted are the iterations, instead, as unsigned numbers, which
// always fit. The runtime is told of a step that is not positive, and such a loop has no
// iteration.
//
//===----------------------------------------------------------------------===//

#include "LowerHost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;

/// Pattern: scf.for %i = %l to %u step %s ->
///          scf.for unsigned %k = 0 to %count step 1 { %i = %l + %k * %s }
///          %count = %l < %u && 0 < %s ? ceil((%u - %l) / %s) : 0
static void countLoop(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(),
        step = loop.getStep();
  auto make = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(step.getType(), number));
  };
  Value zero = make(0), one = make(1);
  auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                    : arith::CmpIPredicate::slt;
  Value runs = arith::AndIOp::create(
      builder, loc, arith::CmpIOp::create(builder, loc, less, lower, upper),
      arith::CmpIOp::create(builder, loc, less, zero, step));
  Value distance = arith::SubIOp::create(builder, loc, upper, lower);
  Value count = arith::CeilDivUIOp::create(builder, loc, distance, step);
  count = arith::SelectOp::create(builder, loc, runs, count, zero);
  loop.setLowerBound(zero);
  loop.setUpperBound(count);
  loop.setStep(one);
  loop.setUnsignedCmp(true);

  builder.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  auto ahead = arith::MulIOp::create(builder, loc, number, step);
  auto value = arith::AddIOp::create(builder, loc, lower, ahead);
  number.replaceAllUsesExcept(value, ahead);
}

void tile::countLoops(ModuleOp module) {
  module.walk([](scf::ForOp loop) {
    // By one no number behind the last is beyond the bound.
    if (!isConstantIntValue(loop.getStep(), 1))
      countLoop(loop);
  });
}
