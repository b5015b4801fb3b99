//===- EmitRounds.cpp - A loop over rounds of slots -----------------------===//

#include "EmitRounds.h"
#include "StepCount.h"

#include "tile/Analysis/RoundNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Where a round begins in a count of uses, and the one behind it.
struct RoundBegin {
  Value begin, other;
};

/// The round that is emitted.
struct Round {
  /// Of the counts of each init that is not known, and of those that are.
  llvm::SmallMapVector<Value, RoundBegin, 2> begins;
  Value stepsBefore; ///< how many steps of the loop are behind
  Value stepsLeft;   ///< how many there are from it on, at least one
  Value hasNext;     ///< whether there is a round behind it
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
  /// Whether the loop over rounds carries what iteration argument `i` of the loop
  /// over steps did: numbers are known by their rounds where all of those end with
  /// the same slot.
  bool isCarried(unsigned i) const {
    return !plan.starts[i] || !plan.stepsModuloSlots;
  }
  SmallVector<Value> keepCarried(ValueRange values) const;
  RoundBegin getBegin(Value isSecond);
  Round emitRound(scf::ForOp made, Value steps, ArrayRef<Value> counts);
  SmallVector<Value> emitLoop(Value steps, ArrayRef<Value> counts);
  Value getNumber(const Round &round, RoundStart start, int64_t step);
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

/// The number that a counter which starts with `start` has in a step of a round.
Value RoundEmitter::getNumber(const Round &round, RoundStart start,
                              int64_t step) {
  int64_t number = start.number + step;
  bool isOther = number / plan.slots % 2 == 1;
  const RoundBegin &begin = round.begins.find(start.init)->second;
  return builder.createOrFold<arith::AddIOp>(
      loc, isOther ? begin.other : begin.begin, index(number % plan.slots));
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

/// What the loop over rounds carries of the values of all iteration arguments.
SmallVector<Value> RoundEmitter::keepCarried(ValueRange values) const {
  SmallVector<Value> kept;
  for (auto [i, value] : llvm::enumerate(values))
    if (isCarried(i))
      kept.push_back(value);
  return kept;
}

/// What the loop over rounds carries on if it ends behind `steps` steps of a round.
SmallVector<Value> RoundEmitter::getResults(const Round &round, int64_t steps,
                                            ValueRange carried) {
  SmallVector<Value> results;
  for (auto [i, start] : llvm::enumerate(plan.starts)) {
    if (!start) {
      results.push_back(carried.front());
      carried = carried.drop_front();
    } else if (isCarried(i)) {
      results.push_back(getNumber(round, *start, steps));
    }
  }
  return results;
}

/// Emits the steps of a round from `step` on, those that it may not have under the
/// condition that it has them; gives what is carried on if the loop ends then.
SmallVector<Value> RoundEmitter::emitSteps(const Round &round, int64_t step,
                                           ValueRange carried) {
  if (step == plan.slots)
    return getResults(round, step, carried);
  bool isSure = plan.stepsModuloSlots && step != *plan.stepsModuloSlots;
  if (step == 0 || isSure)
    return emitSteps(round, step + 1, emitStep(round, step, carried));
  Value isThere = round.hasNext;
  if (!plan.stepsModuloSlots)
    isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                                    round.stepsLeft, index(step));
  SmallVector<Value> results = keepCarried(loop.getInitArgs());
  auto branch =
      scf::IfOp::create(builder, loc, TypeRange(ValueRange(results)), isThere,
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(branch.thenBlock());
  SmallVector<Value> done = emitStep(round, step, carried);
  scf::YieldOp::create(builder, loc, emitSteps(round, step + 1, done));
  builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder, loc, getResults(round, step, carried));
  return branch.getResults();
}

RoundBegin RoundEmitter::getBegin(Value isSecond) {
  return {buildRound(builder, loc, isSecond, plan.slots),
          buildOtherRound(builder, loc, isSecond, plan.slots)};
}

/// What an iteration of the loop over rounds has before its steps.
Round RoundEmitter::emitRound(scf::ForOp made, Value steps,
                              ArrayRef<Value> counts) {
  Round round;
  for (auto [init, isSecond] : llvm::zip_equal(
           counts, made.getRegionIterArgs().take_back(counts.size())))
    round.begins[init] = getBegin(isSecond);
  round.stepsBefore = arith::MulIOp::create(
      builder, loc, made.getInductionVar(), index(plan.slots));
  if (!plan.stepsModuloSlots) {
    round.stepsLeft =
        arith::SubIOp::create(builder, loc, steps, round.stepsBefore);
  } else if (*plan.stepsModuloSlots != 0) {
    Value next =
        arith::AddIOp::create(builder, loc, made.getInductionVar(), index(1));
    round.hasNext = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, next, made.getUpperBound());
  }
  return round;
}

/// Emits the loop over rounds of `steps` steps in which uses go on from `counts`;
/// gives what it carries, and for each count whether the round behind the last one
/// is a second one.
SmallVector<Value> RoundEmitter::emitLoop(Value steps, ArrayRef<Value> counts) {
  Value rounds =
      builder.createOrFold<arith::CeilDivUIOp>(loc, steps, index(plan.slots));
  SmallVector<Value> inits = keepCarried(loop.getInitArgs());
  Value isNot = arith::ConstantIntOp::create(builder, loc, 0, /*width=*/1);
  for (Value init : counts)
    inits.push_back(init ? buildIsSecond(builder, loc, init, plan.slots)
                         : isNot);
  auto made =
      scf::ForOp::create(builder, loc, index(0), rounds, index(1), inits,
                         [](OpBuilder &, Location, Value, ValueRange) {});
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(made.getBody());
  Round round = emitRound(made, steps, counts);
  SmallVector<Value> carried;
  unsigned next = 0;
  for (auto [i, start] : llvm::enumerate(plan.starts)) {
    if (!start)
      carried.push_back(made.getRegionIterArg(next));
    next += isCarried(i);
  }
  SmallVector<Value> yielded = emitSteps(round, /*step=*/0, carried);
  Value isTrue = arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1);
  for (Value isSecond : made.getRegionIterArgs().take_back(counts.size()))
    yielded.push_back(arith::XOrIOp::create(builder, loc, isSecond, isTrue));
  scf::YieldOp::create(builder, loc, yielded);
  return made.getResults();
}

void RoundEmitter::emit() {
  llvm::SetVector<Value> counts;
  for (const std::optional<RoundStart> &start : plan.starts)
    if (start)
      counts.insert(start->init);
  Value steps = emitStepCount(builder, loop, loop.getLowerBound(),
                              loop.getUpperBound(), loop.getStep());
  SmallVector<Value> results = emitLoop(steps, counts.getArrayRef());
  Round behind;
  if (plan.stepsModuloSlots)
    for (auto [init, isSecond] :
         llvm::zip_equal(counts, ArrayRef(results).take_back(counts.size()))) {
      RoundBegin begin = getBegin(isSecond);
      // The last round, if it has not all steps, is the one before.
      if (*plan.stepsModuloSlots != 0)
        std::swap(begin.begin, begin.other);
      behind.begins[init] = begin;
    }
  ArrayRef<Value> next = results;
  for (auto [i, result] : llvm::enumerate(loop.getResults())) {
    if (isCarried(i)) {
      result.replaceAllUsesWith(next.front());
      next = next.drop_front();
    } else {
      result.replaceAllUsesWith(
          getNumber(behind, *plan.starts[i], *plan.stepsModuloSlots));
    }
  }
  loop.erase();
}

// Pattern: for steps -> for rounds of steps
void tile::emitRounds(const RoundPlan &plan) { RoundEmitter(plan).emit(); }
