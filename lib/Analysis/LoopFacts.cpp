//===- LoopFacts.cpp - Where the numbers of a loop end --------------------===//

#include "tile/Analysis/LoopFacts.h"

#include "RingConditions.h"

#include "tile/Analysis/Divisors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;

bool tile::mayWrap(IndexFacts &facts, scf::ForOp loop, Value from,
                   int64_t steps) {
  bool isUnsigned = loop.getUnsignedCmp();
  ConstantIntRanges start = facts.getRange(from);
  ConstantIntRanges step = facts.getRange(loop.getStep());
  unsigned width = start.smin().getBitWidth(), wide = 2 * width + 64;
  auto widen = [&](const APInt &value) {
    return isUnsigned ? value.zext(wide) : value.sext(wide);
  };
  APInt sum =
      widen(isUnsigned ? start.umax() : start.smax()) +
      widen(isUnsigned ? step.umax() : step.smax()) * APInt(wide, steps);
  return sum.sgt(widen(isUnsigned ? APInt::getMaxValue(width)
                                  : APInt::getSignedMaxValue(width)));
}

bool tile::mayWrapAtEnd(IndexFacts &facts, scf::ForOp loop) {
  std::optional<APInt> step = facts.getRange(loop.getStep()).getConstantValue();
  if (step && step->isOne())
    return false; // the upper bound at most
  if (!mayWrap(facts, loop, loop.getInductionVar(), /*steps=*/1))
    return false;
  // Where the step divides both bounds, that number is the upper bound at most.
  // Powers of two divide unsigned numbers as they do signed ones.
  if (!step || !step->isStrictlyPositive() ||
      (loop.getUnsignedCmp() && !step->isPowerOf2()))
    return true;
  int64_t divisor = step->getSExtValue();
  return facts.getDivisor(loop.getLowerBound()) % divisor != 0 ||
         facts.getDivisor(loop.getUpperBound()) % divisor != 0;
}

//===----------------------------------------------------------------------===//
// How often
//===----------------------------------------------------------------------===//

/// A bound modulo `modulus`: divisible but for a constant that is added.
static std::optional<int64_t> getResidue(IndexFacts &facts, Value bound,
                                         int64_t modulus) {
  if (std::optional<int64_t> constant = getConstantIntValue(bound))
    return llvm::mod(*constant, modulus);
  if (facts.getDivisor(bound) % modulus == 0)
    return 0;
  auto sum = bound.getDefiningOp<arith::AddIOp>();
  std::optional<int64_t> added =
      sum ? getConstantIntValue(sum.getRhs()) : std::nullopt;
  if (!added || facts.getDivisor(sum.getLhs()) % modulus != 0)
    return std::nullopt;
  ConstantIntRanges range = facts.getRange(sum.getLhs());
  bool wrapsDown = false, wrapsUp = false;
  APInt addend(range.smin().getBitWidth(), *added, /*isSigned=*/true);
  (void)range.smin().sadd_ov(addend, wrapsDown);
  (void)range.smax().sadd_ov(addend, wrapsUp);
  if ((wrapsDown || wrapsUp) &&
      wrapDivisor(modulus, addend.getBitWidth()) != modulus)
    return std::nullopt;
  return llvm::mod(*added, modulus);
}

/// Whether the lower bound of `loop` is known to be below the upper one and
/// `step`, so that the steps between them are as many as it goes round.
static bool reachesEnd(IndexFacts &facts, scf::ForOp loop, int64_t step) {
  std::optional<int64_t> lower = facts.getUpperBound(loop.getLowerBound());
  std::optional<int64_t> upper = facts.getLowerBound(loop.getUpperBound());
  bool fits =
      lower && upper && llvm::isInt<32>(*lower) && llvm::isInt<32>(step);
  if (fits && *lower - step < *upper)
    return true;
  UseCondition before{UseCondition::Less,
                      LinearForm(loop.getLowerBound()) - LinearForm(step) -
                          LinearForm(loop.getUpperBound()),
                      /*isUnsigned=*/false, Value()};
  for (Region *region = loop->getParentRegion();
       auto branch =
           dyn_cast_or_null<RegionBranchOpInterface>(region->getParentOp());
       region = branch->getParentRegion()) {
    for (const RegionSuccessor &to : getEntrySuccessors(branch)) {
      if (to.getSuccessor() != region)
        continue;
      ConditionEdge entry(RegionEdge(branch, nullptr, to));
      if (entry.getHeld() && isImplied(before, entry.getHeld()))
        return true;
    }
  }
  return false;
}

std::optional<int64_t>
tile::getTripCountModulo(IndexFacts &facts, scf::ForOp loop, int64_t modulus) {
  if (std::optional<APInt> count = loop.getStaticTripCount())
    return count->urem(modulus);
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  // Divisors are of signed numbers, and have at most 30 bits.
  if (loop.getUnsignedCmp() || !step || *step <= 0 ||
      *step > largestDivisor / modulus)
    return std::nullopt;
  auto lower = getResidue(facts, loop.getLowerBound(), *step * modulus);
  auto upper = getResidue(facts, loop.getUpperBound(), *step * modulus);
  if (!lower || !upper)
    return std::nullopt;
  int64_t distance = llvm::mod(*upper - *lower, *step * modulus);
  int64_t trips = llvm::divideCeil(distance, *step) % modulus;
  // None is no round of steps, too.
  if (trips != 0 && !reachesEnd(facts, loop, *step))
    return std::nullopt;
  return trips;
}

int64_t tile::estimateTripCount(Operation *op) {
  // One that is written as a loop runs more than once.
  constexpr int64_t assumedTripCount = 8;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    if (std::optional<APInt> count = loop.getStaticTripCount())
      return static_cast<int64_t>(count->getLimitedValue(INT32_MAX));
  return isa<LoopLikeOpInterface>(op) ? assumedTripCount : 1;
}
