//===- CountFromZero.cpp - Loops over parts of a range --------------------===//

#include "CountFromZero.h"

#include "tile/Analysis/IndexFacts.h"
#include "tile/Analysis/LinearForm.h"
#include "tile/Dialect/Tile/ScheduleHints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tile;

/// By how much the bounds of `loop` are apart, counted over the integers: the upper one
/// must be in the type. Nothing where that is not known, or the loop never runs.
static std::optional<int64_t> getDistance(scf::ForOp loop, IndexFacts &facts) {
  LinearForm distance = LinearForm::getModular(loop.getUpperBound()) -
                        LinearForm::getModular(loop.getLowerBound());
  if (!distance.isConstant() || distance.getConstant() <= 0)
    return std::nullopt;
  APInt most = facts.getRange(loop.getLowerBound()).smax();
  APInt by(most.getBitWidth(), distance.getConstant(), /*isSigned=*/true,
           /*implicitTrunc=*/true);
  bool leaves = by.getSExtValue() != distance.getConstant();
  bool wraps = false;
  (void)most.sadd_ov(by, wraps);
  return leaves || wraps ? std::nullopt : std::optional(distance.getConstant());
}

// Pattern: for %k = %begin to %begin + n  ->  for %j = 0 to n { %k = %begin + %j }
static void renumber(scf::ForOp loop, int64_t distance,
                     RewriterBase &rewriter) {
  Value begin = loop.getLowerBound(), number = loop.getInductionVar();
  rewriter.setInsertionPoint(loop);
  auto makeConstant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        rewriter, loop.getLoc(),
        rewriter.getIntegerAttr(begin.getType(), value));
  };
  Value zero = makeConstant(0), end = makeConstant(distance);
  rewriter.modifyOpInPlace(loop, [&] {
    loop.setLowerBound(zero);
    loop.setUpperBound(end);
  });
  rewriter.setInsertionPointToStart(loop.getBody());
  auto place = arith::AddIOp::create(rewriter, loop.getLoc(), begin, number);
  rewriter.replaceAllUsesExcept(number, place, place);
}

void mlir::tile::countFromZero(LaunchOp launch, RewriterBase &rewriter) {
  IndexFacts facts(launch);
  SmallVector<std::pair<scf::ForOp, int64_t>> found;
  launch.walk([&](scf::ForOp loop) {
    if (loop.getUnsignedCmp() || findScheduled(*loop.getBody()) ||
        matchPattern(loop.getLowerBound(), m_Constant()))
      return;
    if (auto distance = getDistance(loop, facts))
      found.emplace_back(loop, *distance);
  });
  for (auto [loop, distance] : found)
    renumber(loop, distance, rewriter);
}
