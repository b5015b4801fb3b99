//===- RingGuards.cpp - Whether a guarded commit is there for its wait ----===//
//
// A loop that fills ahead commits under the condition that the iteration exists
// which will wait:
//
//     scf.for %i = .. to %n step %s {
//       wait %use
//       scf.if (%i + d * s < %n) { acquire, commit %use + d }
//     }
//
// The wait of iteration i is for what iteration i - d commits, where
// i - d * s + ahead < n for the `ahead` of its condition. That follows from
// i < n where ahead <= d * s. Where ahead >= d * s + s, it is false in the last
// iteration of every loop that runs more than d times: nothing is there to be
// waited for. In between it depends on the bounds.
//
//===----------------------------------------------------------------------===//

#include "RingGuards.h"

#include "tile/Analysis/RingNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;

/// The constant c where `condition` is `%i + c < %n` of `loop`.
static std::optional<int64_t> getLookAhead(scf::ForOp loop, Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                         : arith::CmpIPredicate::slt;
  if (!compare || compare.getPredicate() != predicate ||
      compare.getRhs() != loop.getUpperBound())
    return std::nullopt;
  if (compare.getLhs() == loop.getInductionVar())
    return 0;
  auto sum = compare.getLhs().getDefiningOp<arith::AddIOp>();
  if (!sum || sum.getLhs() != loop.getInductionVar())
    return std::nullopt;
  return getConstantIntValue(sum.getRhs());
}

/// Whether the number of a use grows by one in each iteration.
static bool countsIterations(scf::ForOp loop, const RingNumber &number) {
  auto argument = dyn_cast_or_null<BlockArgument>(number.base);
  if (!argument || argument.getOwner() != loop.getBody() ||
      argument == loop.getInductionVar())
    return false;
  Value next = loop.getTiedLoopYieldedValue(argument)->get();
  return getRingNumber(next) == RingNumber{argument, 1};
}

/// The only commit to the ring of `wait` in `loop`; null if there are several.
static RingCommitOp findOnlyCommit(scf::ForOp loop, RingWaitOp wait) {
  RingCommitOp only;
  bool isOnly = true;
  loop.walk([&](RingCommitOp commit) {
    if (commit.getRing() != wait.getRing())
      return;
    isOnly &= !only;
    only = commit;
  });
  return isOnly ? only : RingCommitOp();
}

Operation *tile::findMissingCommit(RingWaitOp wait) {
  auto loop = dyn_cast<scf::ForOp>(wait->getParentOp());
  if (!loop || loop.getStaticTripCount())
    return nullptr;
  RingCommitOp commit = findOnlyCommit(loop, wait);
  auto guard = commit ? dyn_cast<scf::IfOp>(commit->getParentOp()) : nullptr;
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!guard || guard->getParentOp() != loop || !step || *step <= 0 ||
      commit->getParentRegion() != &guard.getThenRegion())
    return nullptr;
  RingNumber waited = getRingNumber(wait.getNumber());
  RingNumber committed = getRingNumber(commit.getNumber());
  if (waited.base != committed.base || !countsIterations(loop, waited))
    return nullptr;
  int64_t lead = committed.offset - waited.offset;
  std::optional<int64_t> ahead = getLookAhead(loop, guard.getCondition());
  bool isMissing = ahead && lead > 0 && *ahead >= (lead + 1) * *step;
  return isMissing ? commit.getOperation() : nullptr;
}
