//===- LoopFacts.cpp - Where the numbers of a loop end --------------------===//

#include "tile/Analysis/LoopFacts.h"

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
