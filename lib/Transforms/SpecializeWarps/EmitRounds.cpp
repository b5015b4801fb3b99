//===- EmitRounds.cpp - A loop over rounds of slots -----------------------===//

#include "EmitRounds.h"

#include "tile/Analysis/RoundNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Where the round that is emitted begins, and the one behind it.
struct Round {
  Value begin, other;
  Value stepsBefore; ///< how many steps of the loop are behind
  Value stepsLeft;   ///< how many there are from its begin on, at least one
};

class RoundEmitter {
public:
  explicit RoundEmitter(const RoundPlan &plan)
      : plan(plan), loop(plan.loop), loc(loop.getLoc()), builder(plan.loop) {}
  void emit();

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value countSteps();
  Value getNumber(const Round &round, int64_t start, int64_t step);
  Value getInduction(const Round &round, int64_t step);
  SmallVector<Value> emitStep(const Round &round, int64_t step,
                              ValueRange carried);
  SmallVector<Value> getResults(const Round &round, int64_t steps,
                                ValueRange carried);
  SmallVector<Value> emitSteps(const Round &round, int64_t step,
                               ValueRange carried);

  const RoundPlan &plan;
  scf::ForOp loop;
  Location loc;
  OpBuilder builder;
};
} // namespace

/// How often the loop goes round, as an index. The distance between its bounds
/// fits their type as an unsigned number, also where nothing else does.
Value RoundEmitter::countSteps() {
  if (std::optional<APInt> count = loop.getStaticTripCount())
    return index(count->getZExtValue());
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
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
  Value steps = arith::DivUIOp::create(builder, loc, last, loop.getStep());
  if (!type.isIndex())
    steps = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                         steps);
  Value count = arith::AddIOp::create(builder, loc, steps, index(1));
  return arith::SelectOp::create(builder, loc, isAny, count, index(0));
}

/// The number that a counter which starts with `start` has in a step of a round.
Value RoundEmitter::getNumber(const Round &round, int64_t start, int64_t step) {
  int64_t number = start + step;
  bool isOther = number / plan.slots % 2 == 1;
  return builder.createOrFold<arith::AddIOp>(
      loc, isOther ? round.other : round.begin, index(number % plan.slots));
}

Value RoundEmitter::getInduction(const Round &round, int64_t step) {
  Type type = loop.getInductionVar().getType();
  Value steps =
      builder.createOrFold<arith::AddIOp>(loc, round.stepsBefore, index(step));
  if (!type.isIndex())
    steps = arith::IndexCastUIOp::create(builder, loc, type, steps);
  Value distance =
      builder.createOrFold<arith::MulIOp>(loc, steps, loop.getStep());
  return builder.createOrFold<arith::AddIOp>(loc, loop.getLowerBound(),
                                             distance);
}

/// Emits a step that goes on from `carried`, what the loop carries besides
/// counters; gives the same behind the step.
SmallVector<Value> RoundEmitter::emitStep(const Round &round, int64_t step,
                                          ValueRange carried) {
  IRMapping mapping;
  if (!loop.getInductionVar().use_empty())
    mapping.map(loop.getInductionVar(), getInduction(round, step));
  for (auto [argument, start] :
       llvm::zip_equal(loop.getRegionIterArgs(), plan.starts)) {
    if (start) {
      mapping.map(argument, getNumber(round, *start, step));
      continue;
    }
    mapping.map(argument, carried.front());
    carried = carried.drop_front();
  }
  SmallVector<Operation *> emitted;
  for (Operation &op : loop.getBody()->without_terminator())
    emitted.push_back(builder.clone(op, mapping));
  SmallVector<Value> next;
  for (auto [value, start] :
       llvm::zip_equal(loop.getYieldedValues(), plan.starts))
    if (!start)
      next.push_back(mapping.lookupOrDefault(value));
  // The counters' next numbers are nobody's.
  for (Operation *op : llvm::reverse(emitted))
    if (isOpTriviallyDead(op) && !llvm::any_of(op->getResults(), [&](Value v) {
          return llvm::is_contained(next, v);
        }))
      op->erase();
  return next;
}

/// What the loop gives if it ends behind `steps` steps of a round.
SmallVector<Value> RoundEmitter::getResults(const Round &round, int64_t steps,
                                            ValueRange carried) {
  SmallVector<Value> results;
  for (std::optional<int64_t> start : plan.starts) {
    if (start) {
      results.push_back(getNumber(round, *start, steps));
      continue;
    }
    results.push_back(carried.front());
    carried = carried.drop_front();
  }
  return results;
}

/// Emits the steps of a round from `step` on, each but the first under the
/// condition that there is one; gives what the loop gives if it ends then.
SmallVector<Value> RoundEmitter::emitSteps(const Round &round, int64_t step,
                                           ValueRange carried) {
  if (step == plan.slots)
    return getResults(round, step, carried);
  if (step == 0 || !round.stepsLeft)
    return emitSteps(round, step + 1, emitStep(round, step, carried));
  Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                                        round.stepsLeft, index(step));
  auto branch = scf::IfOp::create(builder, loc, loop.getResultTypes(), isThere,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(branch.thenBlock());
  SmallVector<Value> done = emitStep(round, step, carried);
  scf::YieldOp::create(builder, loc, emitSteps(round, step + 1, done));
  builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder, loc, getResults(round, step, carried));
  return branch.getResults();
}

void RoundEmitter::emit() {
  Value steps = countSteps(), slots = index(plan.slots);
  Value rounds = builder.createOrFold<arith::CeilDivUIOp>(loc, steps, slots);
  std::optional<int64_t> known = getConstantIntValue(steps);
  bool isWhole = known && *known % plan.slots == 0;
  SmallVector<Value> inits(loop.getInitArgs());
  inits.push_back(index(0));
  auto made =
      scf::ForOp::create(builder, loc, index(0), rounds, index(1), inits,
                         [](OpBuilder &, Location, Value, ValueRange) {});
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  builder.setInsertionPointToEnd(made.getBody());
  Round round;
  round.begin = made.getRegionIterArgs().back();
  round.other = buildOtherRound(builder, loc, round.begin, plan.slots);
  round.stepsBefore =
      arith::MulIOp::create(builder, loc, made.getInductionVar(), slots);
  if (!isWhole)
    round.stepsLeft =
        arith::SubIOp::create(builder, loc, steps, round.stepsBefore);
  SmallVector<Value> carried;
  for (auto [argument, start] :
       llvm::zip(made.getRegionIterArgs(), plan.starts))
    if (!start)
      carried.push_back(argument);
  SmallVector<Value> next = emitSteps(round, /*step=*/0, carried);
  next.push_back(round.other);
  scf::YieldOp::create(builder, loc, next);
  loop.replaceAllUsesWith(made.getResults().drop_back());
  loop.erase();
}

// Pattern: for steps -> for rounds of steps
void tile::emitRounds(const RoundPlan &plan) { RoundEmitter(plan).emit(); }
