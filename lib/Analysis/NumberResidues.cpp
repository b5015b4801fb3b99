//===- NumberResidues.cpp - Numbers of uses modulo the slots --------------===//

#include "tile/Analysis/NumberResidues.h"

#include "tile/Analysis/LoopFacts.h"
#include "tile/Analysis/LoopValue.h"
#include "tile/Analysis/RoundNumbers.h"
#include "tile/Analysis/SlotCounter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<int64_t> NumberResidues::get(RingNumber number) {
  std::optional<int64_t> base = 0;
  if (number.base) {
    auto found = known.find(number.base);
    base = found != known.end() ? found->second : compute(number.base);
    if (!base)
      return std::nullopt;
    known[number.base] = *base;
  }
  return llvm::mod(*base + number.offset, modulus);
}

std::optional<int64_t> NumberResidues::compute(Value base) {
  if (!getHandedOver(base).empty())
    return computeHandedOver(base);
  // Pattern: a % n -> a, if the modulus divides n
  auto remainder = base.getDefiningOp<arith::RemUIOp>();
  auto divisor = remainder ? getConstantIntValue(remainder.getRhs())
                           : std::optional<int64_t>();
  if (divisor && *divisor > 0 && *divisor % modulus == 0)
    return get(remainder.getLhs());
  // Pattern: a + b, of what a team skips for instance
  if (auto sum = base.getDefiningOp<arith::AddIOp>()) {
    std::optional<int64_t> left = get(sum.getLhs()), right = get(sum.getRhs());
    if (left && right)
      return *left + *right;
  }
  // Pattern: the slot behind a -> a + 1, if the modulus divides the slots
  int64_t slots = 0;
  Value before = matchNextSlot(base, slots);
  if (before && slots % modulus == 0)
    return get(getRingNumber(before) + 1);
  if (auto parts = matchRoundNumber(base, modulus))
    return parts->slot;
  if (facts.getDivisor(base) % modulus == 0)
    return 0;
  return std::nullopt;
}

/// The operand that control flow hands over as `base` first: what a loop starts
/// with stands in front of it.
static Value getFirstHandedOver(Value base, ArrayRef<Value> sources) {
  Operation *owner = base.getDefiningOp();
  if (!owner)
    owner = base.getParentBlock()->getParentOp();
  const Value *found = llvm::find_if(sources, [&](Value source) {
    return !owner->isAncestor(source.getParentBlock()->getParentOp());
  });
  return found == sources.end() ? sources.front() : *found;
}

/// Of what control flow hands over: the residue that it has first, if it has that
/// everywhere where `base` has it. By induction over the edges that a run takes it
/// always does.
std::optional<int64_t> NumberResidues::computeHandedOver(Value base) {
  SmallVector<Value> sources = getHandedOver(base);
  std::optional<int64_t> first = get(getFirstHandedOver(base, sources));
  if (!first)
    return std::nullopt;
  llvm::DenseMap<Value, int64_t> proved = known;
  known[base] = *first;
  if (llvm::all_of(sources, [&](Value v) { return get(v) == first; }))
    return first;
  known = std::move(proved); // nothing that follows from the assumption
  return computeGrown(base);
}

/// What the value that `loop` carries as `argument` grows by in each iteration, as
/// far as that is seen modulo `modulus`.
static std::optional<int64_t> getGrowth(scf::ForOp loop, unsigned argument,
                                        int64_t modulus) {
  BlockArgument carried = loop.getRegionIterArg(argument);
  auto counter = matchSlotCounter(carried);
  if (counter && counter->slots % modulus == 0)
    return 1;
  RingNumber now = getRingNumber(carried);
  RingNumber next = getRingNumber(loop.getYieldedValues()[argument]);
  if (next.base != now.base)
    return std::nullopt;
  return llvm::mod(next.offset - now.offset, modulus);
}

/// Of what a loop gives that it has carried and has added a constant to.
std::optional<int64_t> NumberResidues::computeGrown(Value base) {
  std::optional<LoopValue> value = getLoopValue(base);
  if (!value || isa<BlockArgument>(base))
    return std::nullopt;
  scf::ForOp loop = value->loop;
  auto growth = getGrowth(loop, *value->carried, modulus);
  if (!growth)
    return std::nullopt;
  std::optional<int64_t> start = get(loop.getInitArgs()[*value->carried]);
  std::optional<int64_t> trips = getTripCountModulo(facts, loop, modulus);
  if (!start || !trips)
    return std::nullopt;
  return llvm::mod(*start + *trips * *growth, modulus);
}
