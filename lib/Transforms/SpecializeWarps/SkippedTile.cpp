//===- SkippedTile.cpp - Numbers of uses behind a tile --------------------===//

#include "SkippedTile.h"
#include "StepCount.h"

#include "tile/Analysis/LoopFacts.h"
#include "tile/Analysis/LoopValue.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/TileWalk.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// How often a loop goes round
//===----------------------------------------------------------------------===//

/// The slots of the rings that `loop` uses; 1 where they have different numbers of
/// slots, or it uses none.
static int64_t getSlots(scf::ForOp loop) {
  int64_t slots = 0;
  loop.walk([&](Operation *op) {
    if (!getRingUseKind(op))
      return;
    int64_t own = cast<RingType>(op->getOperand(0).getType()).getSlots();
    slots = slots == 0 || slots == own ? own : 1;
  });
  return std::max<int64_t>(slots, 1);
}

Value tile::emitKnownStepCount(OpBuilder &builder, scf::ForOp loop, Value lower,
                               Value upper, int64_t slots) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value step = arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(lower.getType(),
                             *getConstantIntValue(loop.getStep())));
  Value count = emitStepCount(builder, loop, lower, upper, step);
  IndexFacts facts;
  auto known = getTripCountModulo(facts, loop, slots);
  if (slots == 1 || !known || loop.getStaticTripCount())
    return count;
  Value rounds = arith::DivUIOp::create(builder, loc, count, constant(slots));
  Value whole = arith::MulIOp::create(builder, loc, rounds, constant(slots));
  return arith::AddIOp::create(builder, loc, whole, constant(*known));
}

//===----------------------------------------------------------------------===//
// What a tile computes of numbers
//===----------------------------------------------------------------------===//

namespace {
class NumberEmitter {
public:
  NumberEmitter(OpBuilder &builder, scf::ForOp walk, ValueRange carried)
      : builder(builder), walk(walk) {
    mapping.map(walk.getRegionIterArgs(), carried);
  }
  Value emit(Value value);

private:
  Value emitGrown(scf::ForOp loop, unsigned argument);
  Value emitBranch(scf::IfOp branch, unsigned number);
  Value emitComputed(Operation *op, unsigned number);

  OpBuilder &builder;
  scf::ForOp walk;
  IRMapping mapping;
};
} // namespace

// Pattern: what a loop gives that adds n in each step -> init + n * steps
Value NumberEmitter::emitGrown(scf::ForOp loop, unsigned argument) {
  StepGrowth growth = *getStepGrowth(loop, argument);
  Value init = emit(loop.getInitArgs()[argument]);
  if (growth.amount == 0)
    return init;
  Location loc = loop.getLoc();
  Value steps = emitKnownStepCount(builder, loop, emit(loop.getLowerBound()),
                                   emit(loop.getUpperBound()), getSlots(loop));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  if (growth.amount != 1)
    steps = arith::MulIOp::create(builder, loc, steps, constant(growth.amount));
  Value sum = arith::AddIOp::create(builder, loc, init, steps);
  return growth.modulus == 0 ? sum
                             : arith::RemUIOp::create(builder, loc, sum,
                                                      constant(growth.modulus));
}

Value NumberEmitter::emitBranch(scf::IfOp branch, unsigned number) {
  Value condition = emit(branch.getCondition());
  Location loc = branch.getLoc();
  auto made = scf::IfOp::create(builder, loc,
                                TypeRange(branch.getResult(number).getType()),
                                condition, /*withElseRegion=*/true);
  auto fill = [&](Block &block, Value value) {
    OpBuilder::InsertionGuard guard(builder);
    IRMapping outside = mapping; // what is emitted inside stays there
    builder.setInsertionPointToEnd(&block);
    scf::YieldOp::create(builder, loc, emit(value));
    mapping = outside;
  };
  fill(made.getThenRegion().front(), branch.thenYield().getOperand(number));
  fill(made.getElseRegion().front(), branch.elseYield().getOperand(number));
  return made.getResult(0);
}

Value NumberEmitter::emitComputed(Operation *op, unsigned number) {
  for (Value operand : op->getOperands())
    mapping.map(operand, emit(operand));
  return builder.clone(*op, mapping)->getResult(number);
}

Value NumberEmitter::emit(Value value) {
  if (Value emitted = mapping.lookupOrNull(value))
    return emitted;
  if (!walk.getRegion().isAncestor(value.getParentRegion()))
    return value;
  unsigned number = cast<OpResult>(value).getResultNumber();
  Value emitted;
  if (std::optional<LoopValue> carried = getLoopValue(value))
    emitted = emitGrown(carried->loop, number);
  else if (auto branch = value.getDefiningOp<scf::IfOp>())
    emitted = emitBranch(branch, number);
  else
    emitted = emitComputed(value.getDefiningOp(), number);
  mapping.map(value, emitted);
  return emitted;
}

SmallVector<Value> tile::emitSkippedTile(OpBuilder &builder, scf::ForOp walk,
                                         ValueRange carried,
                                         ValueRange results) {
  NumberEmitter emitter(builder, walk, carried);
  return llvm::map_to_vector(results,
                             [&](Value value) { return emitter.emit(value); });
}
