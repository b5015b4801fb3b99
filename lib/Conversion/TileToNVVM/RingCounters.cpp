//===- RingCounters.cpp - Numbers of uses in one register -----------------===//
//
// A counter of uses, or of slots, and all that it is counted from and handed to:
//
//     for .. iter_args(%use = %c0)          : index        : i32
//       ring_wait %ring[%use]                              index_castui at the use
//       %next = select (%use == 7), 0, %use + 1
//       yield %next
//
// Such a web changes its type as a whole or not at all. It ends where a remainder is
// taken, of a count that goes on over tiles and is not modulo anything itself.
//
//===----------------------------------------------------------------------===//

#include "RingCounters.h"

#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/SlotCounter.h"
#include "tile/Analysis/StructuredDataflow.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// The values of type `index` that are connected with one of them.
class CounterWeb {
public:
  /// Adds what is connected with `seed`; fails where something else is computed
  /// from it or it from something else.
  LogicalResult collect(Value seed);
  /// Whether loops carry nothing of it but slots, so that all numbers are small.
  bool countsOnlySlots() const;
  void narrow();
  const llvm::SetVector<Value> &getValues() const { return values; }

private:
  void add(Value value);
  void narrowRemainders(Type type);
  LogicalResult addSources(Value value);
  LogicalResult addTargets(OpOperand &use);

  llvm::SetVector<Value> values;
  /// Those that are small remainders of something else.
  llvm::SetVector<Value> remainders;
  /// The operations that compute with values of the web or hand them over.
  llvm::SetVector<Operation *> arithmetic, branches;
  /// Those that take an `index`: uses of rings, and views of slots.
  llvm::SetVector<OpOperand *> indexUses;
};
} // namespace

/// Whether all that `op` does with numbers is the same in 32 bits, if none is
/// negative and all fit.
static bool isCounting(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<arith::AddIOp, arith::CmpIOp, arith::SelectOp>(
          [](auto) { return true; })
      .Default(false);
}

/// Whether `op` gives numbers that fit 31 bits, whatever it computes them from.
static bool isSmallRemainder(Operation *op) {
  auto remainder = dyn_cast<arith::RemUIOp>(op);
  auto divisor = remainder ? getConstantIntValue(remainder.getRhs())
                           : std::optional<int64_t>();
  return divisor && *divisor > 0 && *divisor <= INT32_MAX;
}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

void CounterWeb::add(Value value) {
  if (value.getType().isIndex() && !getConstantIntValue(value))
    values.insert(value);
}

LogicalResult CounterWeb::addSources(Value value) {
  Operation *owner = value.getDefiningOp();
  if (!owner)
    owner = value.getParentBlock()->getParentOp();
  if (isa<RegionBranchOpInterface>(owner)) {
    branches.insert(owner);
    SmallVector<Value> sources = getHandedOver(value);
    llvm::for_each(sources, [&](Value source) { add(source); });
    return success(!sources.empty());
  }
  if (isSmallRemainder(owner)) {
    remainders.insert(value);
    return success();
  }
  if (!isCounting(owner))
    return failure();
  arithmetic.insert(owner);
  llvm::for_each(owner->getOperands(), [&](Value operand) { add(operand); });
  return success();
}

LogicalResult CounterWeb::addTargets(OpOperand &use) {
  Operation *user = use.getOwner();
  if (getRingUseKind(user) || isa<ViewLikeOpInterface>(user)) {
    indexUses.insert(&use);
    return success();
  }
  if (isCounting(user)) {
    arithmetic.insert(user);
    llvm::for_each(user->getOperands(), [&](Value operand) { add(operand); });
    llvm::for_each(user->getResults(), [&](Value result) { add(result); });
    return success();
  }
  auto branch = dyn_cast<RegionBranchOpInterface>(
      user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user);
  if (!branch)
    return failure();
  branches.insert(branch);
  RegionBranchSuccessorMapping handedOver;
  branch.getSuccessorOperandInputMapping(handedOver);
  auto targets = handedOver.find(&use);
  if (targets == handedOver.end())
    return failure();
  llvm::for_each(targets->second, [&](Value target) { add(target); });
  return success();
}

LogicalResult CounterWeb::collect(Value seed) {
  add(seed);
  for (size_t next = 0; next < values.size(); ++next) {
    Value value = values[next];
    if (failed(addSources(value)))
      return failure();
    for (OpOperand &use : value.getUses())
      if (failed(addTargets(use)))
        return failure();
  }
  return success();
}

bool CounterWeb::countsOnlySlots() const {
  return llvm::all_of(values, [](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return !argument || matchSlotCounter(argument);
  });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Gives `operand`, a constant, the type of what it is counted with.
static void narrowConstant(OpOperand &operand, Type type) {
  Operation *op = operand.getOwner();
  OpBuilder builder(op);
  int64_t value = *getConstantIntValue(operand.get());
  operand.set(arith::ConstantIntOp::create(builder, op->getLoc(), type, value));
}

void CounterWeb::narrowRemainders(Type type) {
  for (Value remainder : remainders) {
    OpBuilder builder(remainder.getContext());
    builder.setInsertionPointAfterValue(remainder);
    auto narrowed = arith::IndexCastUIOp::create(builder, remainder.getLoc(),
                                                 type, remainder);
    remainder.replaceAllUsesExcept(narrowed, narrowed);
    values.remove(remainder);
  }
}

void CounterWeb::narrow() {
  if (values.empty())
    return;
  Type narrowType = IntegerType::get(values.front().getContext(), 32);
  narrowRemainders(narrowType);
  for (Value value : values)
    value.setType(narrowType);
  for (Operation *op : arithmetic)
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get().getType().isIndex())
        narrowConstant(operand, narrowType);
  for (Operation *op : branches) {
    RegionBranchSuccessorMapping handedOver;
    cast<RegionBranchOpInterface>(op).getSuccessorOperandInputMapping(
        handedOver);
    for (auto &[operand, targets] : handedOver)
      if (operand->get().getType().isIndex() &&
          llvm::any_of(targets,
                       [&](Value target) { return values.contains(target); }))
        narrowConstant(*operand, narrowType);
  }
  // One number for all uses of a counter: acquire and commit are of one use.
  llvm::DenseMap<Value, Value> numbers;
  for (OpOperand *use : indexUses) {
    Value counter = use->get(), &number = numbers[counter];
    if (!number) {
      OpBuilder builder(use->getOwner());
      builder.setInsertionPointAfterValue(counter);
      number = arith::IndexCastUIOp::create(builder, counter.getLoc(),
                                            builder.getIndexType(), counter);
    }
    use->set(number);
  }
}

/// The slots that the loops of a kernel carry.
static llvm::SetVector<Value> collectSlots(Operation *kernel) {
  llvm::SetVector<Value> slots;
  kernel->walk([&](scf::ForOp loop) {
    for (BlockArgument argument : loop.getRegionIterArgs())
      if (argument.getType().isIndex() && matchSlotCounter(argument))
        slots.insert(argument);
  });
  return slots;
}

void tile::narrowRingCounters(Operation *kernel) {
  llvm::SetVector<Value> seeds;
  kernel->walk([&](RingOp ring) {
    if (!ring.getModulo())
      return;
    for (Operation *use : ring->getUsers())
      if (getRingUseKind(use))
        seeds.insert(use->getOperand(1));
  });
  for (Value seed : seeds) {
    CounterWeb web;
    if (seed.getType().isIndex() && succeeded(web.collect(seed)))
      web.narrow();
  }
  for (Value slot : collectSlots(kernel)) {
    CounterWeb web;
    if (slot.getType().isIndex() && succeeded(web.collect(slot)) &&
        web.countsOnlySlots())
      web.narrow();
  }
}
