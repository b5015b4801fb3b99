//===- SlotNumbers.cpp - The slots of uses, without dividing --------------===//

#include "SlotNumbers.h"

#include "tile/Analysis/LoopValue.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/RingNumbers.h"
#include "tile/Analysis/SlotCounter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

static int64_t modulo(int64_t value, int64_t slots) {
  return ((value % slots) + slots) % slots;
}

namespace {
/// What a loop carries from one iteration to the next.
struct Carried : LoopValue {
  RingNumber getStart() {
    return getRingNumber(carried ? loop.getInitArgs()[*carried]
                                 : loop.getLowerBound());
  }
  /// The value in the next iteration, in terms of this one.
  RingNumber getNext() {
    if (carried)
      return getRingNumber(loop.getYieldedValues()[*carried]);
    return {loop.getInductionVar(), *getConstantIntValue(loop.getStep())};
  }
};

/// A counter of the slots of `argument + offset`, which a loop is to carry.
struct Counter {
  std::optional<unsigned> argument;
  int64_t offset = 0; ///< in [0, slots)
  int64_t slots = 0;
  auto operator<=>(const Counter &) const = default;
};
} // namespace

/// What `base` carries, if it is a value in a loop, or the result of one, whose
/// slots can be counted.
static std::optional<Carried> getCarriedValue(Value base) {
  std::optional<LoopValue> value = base ? getLoopValue(base) : std::nullopt;
  if (!value)
    return std::nullopt;
  if (!value->carried && !getConstantIntValue(value->loop.getStep()))
    return std::nullopt;
  return Carried{*value};
}

namespace {
/// The counters that each loop is to carry, in the order of their first need.
class CounterPlan {
public:
  /// Plans for the slot of a number, and for those that lead to it.
  void add(RingNumber number, int64_t slots);

  llvm::MapVector<Operation *, SmallVector<Counter>> counters;
};
} // namespace

void CounterPlan::add(RingNumber number, int64_t slots) {
  std::optional<Carried> carried = getCarriedValue(number.base);
  if (!carried)
    return;
  Counter counter{carried->carried, modulo(number.offset, slots), slots};
  SmallVector<Counter> &own = counters[carried->loop];
  if (llvm::is_contained(own, counter))
    return;
  own.push_back(counter);
  add(carried->getStart() + counter.offset, slots);
  RingNumber next = carried->getNext();
  // One step on is the counter's own next value.
  bool isOwn = getCarriedValue(next.base) &&
               getCarriedValue(next.base)->loop == carried->loop &&
               getCarriedValue(next.base)->carried == carried->carried;
  if (!isOwn || modulo(next.offset, slots) != 1 % slots)
    add(next + counter.offset, slots);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
/// Gives loops their counters and says what the slot of a number is.
class SlotBuilder {
public:
  SlotBuilder(const CounterPlan &plan, IRRewriter &rewriter)
      : rewriter(rewriter) {
    for (const auto &[loop, counters] : plan.counters)
      addCounters(cast<scf::ForOp>(loop), counters);
    for (const auto &[loop, counters] : carried)
      connectCounters(cast<scf::ForOp>(loop));
    for (Operation *placeholder : placeholders)
      rewriter.eraseOp(placeholder);
  }

  /// The slot of a number, computed where the rewriter stands if it has to be.
  Value getSlot(Location loc, RingNumber number, int64_t slots);

private:
  void addCounters(scf::ForOp loop, ArrayRef<Counter> counters);
  void connectCounters(scf::ForOp loop);

  IRRewriter &rewriter;
  /// The counters of each loop and their iteration arguments.
  llvm::MapVector<Operation *, std::map<Counter, unsigned>> carried;
  /// What counters start with until they are connected.
  SmallVector<Operation *> placeholders;
};
} // namespace

/// The loop with its counters, which do not count yet.
void SlotBuilder::addCounters(scf::ForOp loop, ArrayRef<Counter> counters) {
  rewriter.setInsertionPoint(loop);
  Value zero = arith::ConstantIndexOp::create(rewriter, loop.getLoc(), 0);
  placeholders.push_back(zero.getDefiningOp());
  unsigned first = loop.getNumRegionIterArgs();
  SmallVector<Value> inits(counters.size(), zero);
  auto keep = [](OpBuilder &, Location, ArrayRef<BlockArgument> slots) {
    return SmallVector<Value>(slots.begin(), slots.end());
  };
  auto widened = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, keep);
  auto &own = carried[widened->getOperation()];
  for (auto [i, counter] : llvm::enumerate(counters))
    own[counter] = first + i;
}

/// Gives the counters of a loop what they start with and what comes next.
void SlotBuilder::connectCounters(scf::ForOp loop) {
  for (auto [counter, argument] : carried[loop]) {
    Carried value{{loop, counter.argument}};
    rewriter.setInsertionPoint(loop);
    Value start = getSlot(loop.getLoc(), value.getStart() + counter.offset,
                          counter.slots);
    loop.getInitArgsMutable()[argument].set(start);
    Operation *yield = loop.getBody()->getTerminator();
    rewriter.setInsertionPoint(yield);
    RingNumber next = value.getNext();
    Value current = loop.getRegionIterArg(argument);
    Value counted = counter.argument
                        ? Value(loop.getRegionIterArg(*counter.argument))
                        : loop.getInductionVar();
    bool isNext =
        next.base == counted && modulo(next.offset, counter.slots) == 1;
    Value after =
        isNext ? buildNextSlot(rewriter, loop.getLoc(), current, counter.slots)
               : getSlot(loop.getLoc(), next + counter.offset, counter.slots);
    yield->setOperand(argument, after);
  }
}

Value SlotBuilder::getSlot(Location loc, RingNumber number, int64_t slots) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  if (!number.base || slots == 1)
    return index(modulo(number.offset, slots));
  if (std::optional<Carried> value = getCarriedValue(number.base)) {
    Counter counter{value->carried, modulo(number.offset, slots), slots};
    unsigned argument = carried[value->loop].at(counter);
    if (isa<BlockArgument>(number.base))
      return value->loop.getRegionIterArg(argument);
    return value->loop.getResult(argument);
  }
  Value sum = number.base;
  if (number.offset != 0)
    sum = arith::AddIOp::create(rewriter, loc, sum, index(number.offset));
  return arith::RemUIOp::create(rewriter, loc, sum, index(slots));
}

namespace {
/// An operation on a ring, and what its number is asked modulo: the slots, or
/// for a ring that stays twice as many.
struct NumberedUse {
  Operation *op = nullptr;
  OpOperand *number = nullptr;
  int64_t modulus = 0;
  bool stays = false;
};
} // namespace

/// The operations whose numbers are replaced, those that a ring without
/// mbarriers gives no slot excepted.
static SmallVector<NumberedUse> findUses(LaunchOp launch) {
  SmallVector<NumberedUse> uses;
  launch.walk([&](Operation *op) {
    if (op->getNumOperands() != 2)
      return;
    auto ring = dyn_cast<RingType>(op->getOperand(0).getType());
    if (!ring)
      return;
    bool stays = isOfMbarriers(op->getOperand(0));
    if (stays || op->getNumResults() == 1)
      uses.push_back(
          {op, &op->getOpOperand(1), (stays ? 2 : 1) * ring.getSlots(), stays});
  });
  return uses;
}

void tile::lowerSlots(LaunchOp launch) {
  SmallVector<NumberedUse> uses = findUses(launch);
  CounterPlan plan;
  for (const NumberedUse &use : uses)
    if (use.modulus > 1)
      plan.add(getRingNumber(use.number->get()), use.modulus);
  IRRewriter rewriter(launch.getContext());
  SlotBuilder builder(plan, rewriter);
  for (const NumberedUse &use : uses) {
    rewriter.setInsertionPoint(use.op);
    Value number = builder.getSlot(
        use.op->getLoc(), getRingNumber(use.number->get()), use.modulus);
    if (use.stays)
      rewriter.modifyOpInPlace(use.op, [&] { use.number->set(number); });
    else
      rewriter.replaceOp(use.op, number);
  }
}
