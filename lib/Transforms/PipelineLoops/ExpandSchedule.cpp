//===- ExpandSchedule.cpp - A loop whose iterations overlap ---------------===//

#include "ExpandSchedule.h"
#include "CarriedValues.h"
#include "LookAhead.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Operations that stand next to each other in a step and have one lead.
struct Group {
  SmallVector<Operation *> ops;
  int64_t lead = 0;
};

/// Values of certain iterations: those of the prologue by their number, those
/// of a step of the loop by their distance from its own.
using Instances = llvm::DenseMap<std::pair<Value, int64_t>, Value>;

class LoopExpander {
public:
  LoopExpander(scf::ForOp loop, ArrayRef<ScheduledOp> order,
               IRRewriter &rewriter);
  scf::ForOp expand();

private:
  void emitPrologue();
  void createLoop();
  void emitStep();
  void emitGroup(const Group &group, int64_t iteration);
  void emitGuarded(const Group &group, int64_t iteration);
  void emitOperation(Operation *op, int64_t iteration);
  void emitScalarsBefore(Operation *op);
  void finish();

  Value resolve(Value value, int64_t iteration);
  Value resolveCarried(BlockArgument argument, int64_t iteration);
  Value recompute(Value value, int64_t iteration);
  bool isKnown(Value value) const;
  Iteration getIteration(int64_t iteration);
  Value getInitialValue(const CarriedValue &carried);
  Value getNextValue(const CarriedValue &carried);
  Value getDummy(Type type);
  /// What a loop-carried value is when this iteration does not exist: what it
  /// was before.
  Value getPrevious(BlockArgument argument, int64_t iteration);
  bool isInPrologue() const { return !newLoop; }

  scf::ForOp loop;
  IRRewriter &rewriter;
  Location loc;
  SmallVector<Group> groups;
  CarriedValues carried;
  scf::ForOp newLoop;
  llvm::DenseMap<int64_t, Value> limits;
  llvm::DenseMap<int64_t, Iteration> iterations;
  /// The guard in which operations are emitted; null outside.
  Operation *guardOp = nullptr;
  /// Of scheduled operations, and of recomputed ones that dominate what follows.
  Instances values;
  /// What loop-carried values become in an iteration.
  Instances next;
};
} // namespace

bool tile::isRecomputed(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  auto isScalarOrMemRef = [](Type type) { return !isa<TensorType>(type); };
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperandTypes(), isScalarOrMemRef) &&
         llvm::all_of(op->getResultTypes(), isScalarOrMemRef);
}

PrologueSize tile::getPrologueSize(ArrayRef<ScheduledOp> order) {
  PrologueSize size;
  for (const ScheduledOp &entry : order) {
    size.steps = std::max(size.steps, entry.lead);
    size.operations += entry.lead;
  }
  return size;
}

LoopExpander::LoopExpander(scf::ForOp loop, ArrayRef<ScheduledOp> order,
                           IRRewriter &rewriter)
    : loop(loop), rewriter(rewriter), loc(loop.getLoc()), carried(loop, order) {
  for (const ScheduledOp &entry : order) {
    if (groups.empty() || groups.back().lead != entry.lead || entry.startsGroup)
      groups.push_back({{}, entry.lead});
    groups.back().ops.push_back(entry.op);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Iteration LoopExpander::getIteration(int64_t iteration) {
  auto known = iterations.find(iteration);
  if (known != iterations.end())
    return known->second;
  OpBuilder::InsertionGuard restore(rewriter);
  if (guardOp)
    rewriter.setInsertionPoint(guardOp);
  Iteration result;
  if (isInPrologue())
    result = getIterationFromStart(loop, iteration, rewriter);
  else if (iteration == 0)
    result = {newLoop.getInductionVar(), Value()};
  else
    result = getIterationAhead(newLoop, iteration, limits[iteration], rewriter);
  iterations[iteration] = result;
  return result;
}

/// The value that `value` of the old body has in an iteration.
Value LoopExpander::resolve(Value value, int64_t iteration) {
  if (!carried.isInLoop(value))
    return value;
  if (value == loop.getInductionVar())
    return getIteration(iteration).number;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return resolveCarried(argument, iteration);
  if (Value known = values.lookup({value, iteration}))
    return known;
  std::optional<int64_t> lead = carried.getLead(value.getDefiningOp());
  if (!lead)
    return recompute(value, iteration);
  assert(!isInPrologue() && *lead > iteration && "used before it is made");
  return newLoop.getRegionIterArg(carried.getIndex({value, *lead - iteration}));
}

Value LoopExpander::resolveCarried(BlockArgument argument, int64_t iteration) {
  Value yielded = carried.getYielded(argument);
  std::optional<int64_t> lead = carried.getLead(yielded.getDefiningOp());
  bool isScheduled = carried.isInLoop(yielded) && lead;
  if (isInPrologue()) {
    if (iteration == 0)
      return loop.getTiedLoopInit(argument)->get();
    return isScheduled ? next.lookup({argument, iteration - 1})
                       : resolve(yielded, iteration - 1);
  }
  if (!isScheduled && carried.isComputedInStep(argument, iteration))
    return resolve(yielded, iteration - 1);
  if (!isScheduled)
    return newLoop.getRegionIterArg(carried.getIndex({argument, iteration}));
  int64_t age = *lead - iteration + 1;
  if (age == 0)
    return next.lookup({argument, iteration - 1});
  return newLoop.getRegionIterArg(carried.getIndex({argument, age}));
}

/// Computes `value` where the builder stands.
Value LoopExpander::recompute(Value value, int64_t iteration) {
  Operation *op = value.getDefiningOp();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, resolve(operand, iteration));
  Operation *clone = rewriter.clone(*op, mapping);
  SmallVector<Value> results(clone->getResults());
  SmallVector<Value> folded;
  if (isInPrologue() && succeeded(rewriter.tryFold(clone, folded)) &&
      !folded.empty()) {
    rewriter.eraseOp(clone);
    results = folded;
  }
  for (auto [old, result] : llvm::zip_equal(op->getResults(), results))
    values[{old, iteration}] = result;
  return values.lookup({value, iteration});
}

Value LoopExpander::getDummy(Type type) {
  if (auto shaped = dyn_cast<RankedTensorType>(type))
    return arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(shaped,
                               rewriter.getZeroAttr(shaped.getElementType())));
  return arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
}

Value LoopExpander::getPrevious(BlockArgument argument, int64_t iteration) {
  if (!isInPrologue())
    return newLoop.getRegionIterArg(carried.getIndex({argument, 1}));
  return iteration == 0 ? loop.getTiedLoopInit(argument)->get()
                        : next.lookup({argument, iteration - 1});
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void LoopExpander::emitOperation(Operation *op, int64_t iteration) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  IRMapping mapping;
  for (Value value : used)
    mapping.map(value, resolve(value, iteration));
  Operation *clone = rewriter.clone(*op, mapping);
  for (auto [old, result] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    values[{old, iteration}] = result;
}

/// Operations that run ahead work only on iterations that exist. What others
/// need of them leaves the guard as its results.
void LoopExpander::emitGuarded(const Group &group, int64_t iteration) {
  Iteration ahead = getIteration(iteration);
  SmallVector<Value> leaving = carried.getLeaving(group.ops);
  SmallVector<BlockArgument> arguments = carried.getAdvanced(group.ops);
  SmallVector<Type> types(ValueRange(leaving).getTypes());
  for (BlockArgument argument : arguments)
    types.push_back(argument.getType());
  auto guarded = scf::IfOp::create(rewriter, loc, types, ahead.exists,
                                   /*withElseRegion=*/!types.empty());
  OpBuilder::InsertionGuard guard(rewriter);
  // What is computed inside does not dominate what follows.
  Instances outer = values;
  guardOp = guarded;
  rewriter.setInsertionPointToStart(guarded.thenBlock());
  SmallVector<Value> made;
  for (Operation *op : group.ops)
    emitOperation(op, iteration);
  for (Value value : leaving)
    made.push_back(values.lookup({value, iteration}));
  for (BlockArgument argument : arguments)
    made.push_back(resolve(carried.getYielded(argument), iteration));
  if (!types.empty()) {
    scf::YieldOp::create(rewriter, loc, made);
    rewriter.setInsertionPointToStart(guarded.elseBlock());
    SmallVector<Value> instead;
    for (Value value : leaving)
      instead.push_back(getDummy(value.getType()));
    for (BlockArgument argument : arguments)
      instead.push_back(getPrevious(argument, iteration));
    scf::YieldOp::create(rewriter, loc, instead);
  }
  guardOp = nullptr;
  values = std::move(outer);
  auto results = guarded.getResults();
  for (auto [value, result] : llvm::zip(leaving, results))
    values[{value, iteration}] = result;
  for (auto [argument, result] :
       llvm::zip(arguments, results.drop_front(leaving.size())))
    next[{argument, iteration}] = result;
}

/// Whether the step has already made what `value` of its own iteration takes.
bool LoopExpander::isKnown(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || !carried.isInLoop(value))
    return true;
  if (carried.isScheduled(value))
    return carried.getLeadOf(value) > 0 || values.contains({value, 0});
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isKnown(operand); });
}

/// Scalars that stand before `op` keep their place in front of it; those that
/// take what the schedule makes behind it are computed where they are used.
void LoopExpander::emitScalarsBefore(Operation *op) {
  for (Operation &other : *loop.getBody()) {
    if (&other == op)
      return;
    if (carried.isNeededWithoutLead(&other) &&
        !values.contains({other.getResult(0), 0}) &&
        isKnown(other.getResult(0)))
      recompute(other.getResult(0), 0);
  }
}

void LoopExpander::emitGroup(const Group &group, int64_t iteration) {
  if (group.lead > 0)
    return emitGuarded(group, iteration);
  for (Operation *op : group.ops) {
    emitScalarsBefore(op);
    emitOperation(op, iteration);
  }
  for (BlockArgument argument : carried.getAdvanced(group.ops))
    next[{argument, iteration}] =
        values.lookup({carried.getYielded(argument), iteration});
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

void LoopExpander::emitPrologue() {
  int64_t largest = carried.getLargestLead();
  for (int64_t step = -largest; step < 0; ++step)
    for (const Group &group : groups)
      if (step + group.lead >= 0)
        emitGuarded(group, step + group.lead);
}

/// The value that is carried into the first step.
Value LoopExpander::getInitialValue(const CarriedValue &value) {
  auto argument = dyn_cast<BlockArgument>(value.value);
  if (!argument)
    return resolve(value.value, carried.getLeadOf(value.value) - value.age);
  Value yielded = carried.getYielded(argument);
  std::optional<int64_t> lead = carried.isInLoop(yielded)
                                    ? carried.getLead(yielded.getDefiningOp())
                                    : std::nullopt;
  return resolveCarried(argument, lead ? *lead - value.age + 1 : value.age);
}

/// The value that is carried on to the next step.
Value LoopExpander::getNextValue(const CarriedValue &value) {
  auto argument = dyn_cast<BlockArgument>(value.value);
  if (!argument) {
    if (value.age > 1)
      return newLoop.getRegionIterArg(
          carried.getIndex({value.value, value.age - 1}));
    return resolve(value.value, carried.getLeadOf(value.value));
  }
  Value yielded = carried.getYielded(argument);
  if (!carried.isScheduled(yielded))
    return resolve(yielded, value.age);
  if (value.age > 1)
    return newLoop.getRegionIterArg(
        carried.getIndex({argument, value.age - 1}));
  return next.lookup({argument, carried.getLeadOf(yielded)});
}

void LoopExpander::createLoop() {
  SmallVector<Value> inits;
  for (const CarriedValue &value : carried.getAll())
    inits.push_back(getInitialValue(value));
  for (const Group &group : groups)
    if (group.lead > 0 && !limits.contains(group.lead))
      limits[group.lead] = getLimit(loop, group.lead, rewriter);
  values.clear();
  next.clear();
  iterations.clear();
  newLoop = scf::ForOp::create(rewriter, loc, loop.getLowerBound(),
                               loop.getUpperBound(), loop.getStep(), inits,
                               /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  newLoop->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  if (!inits.empty())
    return;
  rewriter.eraseOp(newLoop.getBody()->getTerminator());
}

void LoopExpander::emitStep() {
  rewriter.setInsertionPointToStart(newLoop.getBody());
  for (const Group &group : groups)
    emitGroup(group, group.lead);
  SmallVector<Value> yields;
  for (const CarriedValue &value : carried.getAll())
    yields.push_back(getNextValue(value));
  scf::YieldOp::create(rewriter, loc, yields);
  // Scalars that only ran ahead are not used by the iteration itself.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(*newLoop.getBody())))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
}

void LoopExpander::finish() {
  for (auto [argument, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
    if (!result.use_empty())
      rewriter.replaceAllUsesWith(
          result, newLoop.getResult(carried.getResultIndex(argument)));
  rewriter.eraseOp(loop);
}

scf::ForOp LoopExpander::expand() {
  rewriter.setInsertionPoint(loop);
  emitPrologue();
  createLoop();
  emitStep();
  finish();
  return newLoop;
}

scf::ForOp tile::expandSchedule(scf::ForOp loop, ArrayRef<ScheduledOp> order,
                                IRRewriter &rewriter) {
  return LoopExpander(loop, order, rewriter).expand();
}
