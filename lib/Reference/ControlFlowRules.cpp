//===- ControlFlowRules.cpp - scf and func -------------------------------===//
//
// Where a condition or a bound is one value for all lanes, control flow is the
// ordinary one, by frames: a role can stop in the middle of it. Where it
// differs between the iterations of a `tile.parallel`, both branches run, each
// for its lanes, and a loop runs until no lane is left; lanes that are done
// keep what they had.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "tile/Contract/Views.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

SmallVector<RuntimeValue> getAll(Machine &machine, ValueRange values) {
  SmallVector<RuntimeValue> result;
  for (Value value : values)
    result.push_back(machine.get(value));
  return result;
}

void setAll(Machine &machine, ValueRange values,
            ArrayRef<RuntimeValue> contents) {
  for (auto [value, content] : llvm::zip(values, contents))
    machine.set(value, content);
}

/// Lane by lane the new value where `mask` holds, else the old one.
LogicalResult merge(Machine &machine, Operation *op, const Mask &mask,
                    ArrayRef<RuntimeValue> fresh,
                    SmallVectorImpl<RuntimeValue> &values) {
  for (auto [value, other] : llvm::zip(values, fresh)) {
    if (value.memref || other.memref)
      return machine.error(op)
             << "a memref would differ between iterations of a tile.parallel; "
                "choose between elements instead";
    value = select(mask, *other.array, *value.array);
  }
  return success();
}

Mask getActiveMask(Machine &machine) {
  return machine.getActive() ? *machine.getActive()
                             : Mask(machine.getLaneCount(), 1);
}

bool isAny(const Mask &mask) {
  return std::find(mask.begin(), mask.end(), 1) != mask.end();
}

//===----------------------------------------------------------------------===//
// scf.if, scf.index_switch
//===----------------------------------------------------------------------===//

LogicalResult runRegion(Machine &machine, Region &region,
                        SmallVectorImpl<RuntimeValue> &yielded) {
  if (region.empty())
    return success();
  if (failed(machine.runBlock(region.front())))
    return failure();
  yielded.assign(
      getAll(machine, region.front().getTerminator()->getOperands()));
  return success();
}

/// Goes on in a region, whose yield becomes the results of `op`.
LogicalResult enterRegion(Machine &machine, Operation *op, Region &region) {
  if (region.empty()) {
    machine.settle(op);
    return success();
  }
  Block &block = region.front();
  machine.enter(block, [&machine, op, &block] {
    setAll(machine, op->getResults(),
           getAll(machine, block.getTerminator()->getOperands()));
    machine.settle(op);
    return success();
  });
  return success();
}

/// LangRef scf.if.
LogicalResult ifOp(Machine &machine, scf::IfOp op) {
  FailureOr<Mask> condition = machine.getCondition(op, op.getCondition());
  if (failed(condition))
    return failure();
  if (condition->size() == 1)
    return enterRegion(machine, op,
                       condition->front() ? op.getThenRegion()
                                          : op.getElseRegion());
  SmallVector<RuntimeValue> values, others;
  for (Type type : op.getResultTypes())
    if (isa<MemRefType>(type))
      return machine.error(op)
             << "a memref would differ between iterations of a tile.parallel; "
                "choose between elements instead";
  Mask thenMask = getActiveMask(machine), elseMask = thenMask;
  for (size_t i = 0; i < condition->size(); ++i) {
    thenMask[i] &= (*condition)[i];
    elseMask[i] &= !(*condition)[i];
  }
  auto run = [&](const Mask &mask, Region &region,
                 SmallVectorImpl<RuntimeValue> &yielded) {
    return machine.withActive(
        mask, [&] { return runRegion(machine, region, yielded); });
  };
  bool isThen = isAny(thenMask), isElse = isAny(elseMask);
  if ((isElse && failed(run(elseMask, op.getElseRegion(), values))) ||
      (isThen && failed(run(thenMask, op.getThenRegion(), others))))
    return failure();
  if (!isElse)
    values = others;
  else if (isThen && failed(merge(machine, op, thenMask, others, values)))
    return failure();
  // No lane is active: results of the right type that nobody looks at.
  if (!isThen && !isElse)
    for (Type type : op.getResultTypes())
      values.push_back(Array(*ElementType::get(type), 1));
  setAll(machine, op.getResults(), values);
  machine.settle(op);
  return success();
}

/// LangRef scf.index_switch.
LogicalResult indexSwitch(Machine &machine, scf::IndexSwitchOp op) {
  FailureOr<int64_t> argument =
      machine.getUniform(op, op.getArg(), "the case of a switch");
  if (failed(argument))
    return failure();
  Region *region = &op.getDefaultRegion();
  for (auto [value, candidate] : llvm::zip(op.getCases(), op.getCaseRegions()))
    if (value == *argument)
      region = &candidate;
  return enterRegion(machine, op, *region);
}

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

bool isBelow(int64_t a, int64_t b, bool isUnsigned) {
  return isUnsigned ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b)
                    : a < b;
}

/// A bound as the loop compares it: an unsigned one of less than 64 bits is
/// positive.
int64_t asCompared(int64_t bound, unsigned bits, bool isUnsigned) {
  return isUnsigned && bits < 64 ? bound & ((int64_t(1) << bits) - 1) : bound;
}

/// Adds the step; false where there is no next iteration, as its number would
/// not fit.
bool advance(int64_t &next, int64_t step, bool isUnsigned) {
  if (!isUnsigned)
    return !__builtin_add_overflow(next, step, &next);
  uint64_t sum;
  bool overflows = __builtin_add_overflow(static_cast<uint64_t>(next),
                                          static_cast<uint64_t>(step), &sum);
  next = static_cast<int64_t>(sum);
  return !overflows;
}

/// What is left of a loop.
struct Iterations {
  int64_t next, end, step;
  unsigned bits;
  bool isUnsigned;
};

/// Goes on in the next iteration, which goes on in the one after it.
LogicalResult iterate(Machine &machine, scf::ForOp op, Iterations left,
                      ArrayRef<RuntimeValue> carried) {
  if (!isBelow(left.next, left.end, left.isUnsigned)) {
    setAll(machine, op.getResults(), carried);
    machine.settle(op);
    return success();
  }
  machine.set(op.getInductionVar(), Array::integer(left.next, left.bits));
  setAll(machine, op.getRegionIterArgs(), carried);
  if (!advance(left.next, left.step, left.isUnsigned))
    left.end = left.next; // the last iteration
  machine.enter(*op.getBody(), [&machine, op, left]() mutable {
    return iterate(
        machine, op, left,
        getAll(
            machine,
            cast<scf::YieldOp>(op.getBody()->getTerminator()).getOperands()));
  });
  return success();
}

/// No unsigned step is below zero.
std::string checkStep(int64_t step, bool isUnsigned) {
  return tilec::checkStep(isUnsigned && step != 0 ? 1 : step);
}

LogicalResult uniformFor(Machine &machine, scf::ForOp op) {
  SmallVector<int64_t, 3> bounds;
  for (auto [value, role] :
       {std::pair<Value, StringRef>{op.getLowerBound(), "the lower bound"},
        {op.getUpperBound(), "the upper bound"},
        {op.getStep(), "the step"}}) {
    FailureOr<int64_t> bound = machine.getUniform(op, value, role);
    if (failed(bound))
      return failure();
    bounds.push_back(*bound);
  }
  bool isUnsigned = op.getUnsignedCmp();
  unsigned bits = ElementType::get(op.getInductionVar().getType()).value().bits;
  for (int64_t &bound : bounds)
    bound = asCompared(bound, bits, isUnsigned);
  if (std::string problem = checkStep(bounds[2], isUnsigned); !problem.empty())
    return machine.error(op) << problem;
  return iterate(machine, op,
                 {bounds[0], bounds[1], bounds[2], bits, isUnsigned},
                 getAll(machine, op.getInitArgs()));
}

LogicalResult divergingFor(Machine &machine, scf::ForOp op) {
  int64_t lanes = machine.getLaneCount();
  Array lower = broadcast(machine.getArray(op.getLowerBound()), lanes);
  Array upper = broadcast(machine.getArray(op.getUpperBound()), lanes);
  Array step = broadcast(machine.getArray(op.getStep()), lanes);
  bool isUnsigned = op.getUnsignedCmp();
  for (int64_t lane = 0; lane < lanes; ++lane) {
    if (!machine.isActive(lane))
      continue;
    for (const Array *bound : {&lower, &upper, &step})
      if (bound->isPoison(lane))
        return machine.undefinedAt(op, lane, *bound)
               << "a bound of the loop depends on " << bound->origin.getCause();
    if (lower.getBound(lane) + upper.getBound(lane) + step.getBound(lane) != 0)
      machine.leaveOpen(op);
    if (std::string problem = checkStep(step.integers[lane], isUnsigned);
        !problem.empty())
      return machine.error(op) << problem;
  }
  unsigned bits = lower.type.bits;
  std::vector<int64_t> next(lanes), end(lanes);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    next[lane] = asCompared(lower.integers[lane], bits, isUnsigned);
    end[lane] = asCompared(upper.integers[lane], bits, isUnsigned);
  }
  SmallVector<RuntimeValue> carried = getAll(machine, op.getInitArgs());
  Array induction = lower;
  Mask live = getActiveMask(machine);
  while (true) {
    for (int64_t lane = 0; lane < lanes; ++lane)
      live[lane] &= isBelow(next[lane], end[lane], isUnsigned);
    if (!isAny(live))
      break;
    machine.set(op.getInductionVar(), induction);
    setAll(machine, op.getRegionIterArgs(), carried);
    if (failed(machine.withActive(
            live, [&] { return machine.runBlock(*op.getBody()); })))
      return failure();
    SmallVector<RuntimeValue> yielded =
        getAll(machine, op.getBody()->getTerminator()->getOperands());
    if (failed(merge(machine, op, live, yielded, carried)))
      return failure();
    for (int64_t lane = 0; lane < lanes; ++lane)
      if (live[lane]) {
        live[lane] = advance(next[lane],
                             asCompared(step.integers[lane], bits, isUnsigned),
                             isUnsigned);
        induction.integers[lane] = signExtend(next[lane], bits);
      }
  }
  setAll(machine, op.getResults(), carried);
  machine.settle(op);
  return success();
}

/// LangRef scf.for.
LogicalResult forOp(Machine &machine, scf::ForOp op) {
  bool isUniform = llvm::all_of(
      ValueRange{op.getLowerBound(), op.getUpperBound(), op.getStep()},
      [&](Value bound) { return machine.getArray(bound).count == 1; });
  return isUniform ? uniformFor(machine, op) : divergingFor(machine, op);
}

//===----------------------------------------------------------------------===//
// scf.while
//===----------------------------------------------------------------------===//

/// Goes on in the part of the loop before the condition.
LogicalResult enterBefore(Machine &machine, scf::WhileOp op,
                          ArrayRef<RuntimeValue> carried);

/// Goes on after the condition, or behind the loop.
LogicalResult enterAfter(Machine &machine, scf::WhileOp op) {
  scf::ConditionOp conditionOp = op.getConditionOp();
  FailureOr<Mask> condition =
      machine.getCondition(conditionOp, conditionOp.getCondition());
  if (failed(condition))
    return failure();
  SmallVector<RuntimeValue> passed = getAll(machine, conditionOp.getArgs());
  if (!condition->front()) {
    setAll(machine, op.getResults(), passed);
    machine.settle(op);
    return success();
  }
  setAll(machine, op.getAfterArguments(), passed);
  machine.enter(*op.getAfterBody(), [&machine, op]() mutable {
    return enterBefore(machine, op,
                       getAll(machine, op.getYieldOp().getOperands()));
  });
  return success();
}

LogicalResult enterBefore(Machine &machine, scf::WhileOp op,
                          ArrayRef<RuntimeValue> carried) {
  setAll(machine, op.getBeforeArguments(), carried);
  machine.enter(*op.getBeforeBody(),
                [&machine, op]() mutable { return enterAfter(machine, op); });
  return success();
}

/// A loop of a `tile.parallel`: `live` holds the lanes that are still in it.
LogicalResult divergingWhile(Machine &machine, scf::WhileOp op) {
  SmallVector<RuntimeValue> carried = getAll(machine, op.getInits());
  SmallVector<RuntimeValue> results;
  Mask live = getActiveMask(machine);
  bool diverged = false;
  scf::ConditionOp conditionOp = op.getConditionOp();
  auto step = [&](Block &block, ArrayRef<RuntimeValue> arguments) {
    setAll(machine, block.getArguments(), arguments);
    if (!diverged)
      return machine.runBlock(block);
    return machine.withActive(live, [&] { return machine.runBlock(block); });
  };
  while (true) {
    if (failed(step(*op.getBeforeBody(), carried)))
      return failure();
    FailureOr<Mask> condition(failure());
    auto read = [&] {
      condition = machine.getCondition(conditionOp, conditionOp.getCondition());
      return success(succeeded(condition));
    };
    if (failed(diverged ? machine.withActive(live, read) : read()))
      return failure();
    SmallVector<RuntimeValue> passed = getAll(machine, conditionOp.getArgs());
    if (!diverged)
      results = passed;
    else if (failed(merge(machine, op, live, passed, results)))
      return failure();
    if (condition->size() == 1) {
      if (!condition->front())
        break;
    } else {
      diverged = true;
      for (size_t i = 0; i < condition->size(); ++i)
        live[i] &= (*condition)[i];
      if (!isAny(live))
        break;
    }
    if (failed(step(*op.getAfterBody(), passed)))
      return failure();
    SmallVector<RuntimeValue> yielded =
        getAll(machine, op.getYieldOp().getOperands());
    if (!diverged)
      carried = yielded;
    else if (failed(merge(machine, op, live, yielded, carried)))
      return failure();
  }
  setAll(machine, op.getResults(), results);
  machine.settle(op);
  return success();
}

/// LangRef scf.while.
LogicalResult whileOp(Machine &machine, scf::WhileOp op) {
  return machine.isInParallel()
             ? divergingWhile(machine, op)
             : enterBefore(machine, op, getAll(machine, op.getInits()));
}

//===----------------------------------------------------------------------===//
// func.call
//===----------------------------------------------------------------------===//

/// LangRef func.call; where: Language.md, "Legal operations".
LogicalResult call(Machine &machine, func::CallOp op) {
  auto callee = machine.symbols.lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee)
    return machine.error(op)
           << "there is no function '" << op.getCallee() << "' in the module";
  SmallVector<RuntimeValue> arguments = getAll(machine, op.getOperands());
  return machine.enterFunction(
      callee, arguments,
      [&machine, results = op.getResults()](ArrayRef<RuntimeValue> values) {
        setAll(machine, results, values);
      });
}

} // namespace

void mlir::tile::reference::addControlFlowRules(RuleTable &table) {
  table.add(ifOp);
  table.add(indexSwitch);
  table.add(forOp);
  table.add(whileOp);
  table.add(call);
}
