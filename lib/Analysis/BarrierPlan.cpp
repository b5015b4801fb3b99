//===- BarrierPlan.cpp - Where a block has to wait ------------------------===//

#include "tile/Analysis/BarrierPlan.h"

#include "tile/Analysis/BarrierCover.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<UnorderedAccesses>
tile::findUnorderedPair(const ConflictTable &table, const BarrierPlan &plan) {
  SmallVector<UnorderedAccesses> pairs = findUnorderedAccesses(table, plan);
  return pairs.empty() ? std::nullopt : std::optional(pairs.front());
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// How often the body of `loop` is taken to run.
static int64_t estimateTrips(LoopLikeOpInterface loop) {
  constexpr int64_t unknownTrips = 16, manyTrips = 256;
  if (std::optional<APInt> trips = loop.getStaticTripCount())
    return static_cast<int64_t>(
        std::clamp<uint64_t>(trips->getLimitedValue(), 1, manyTrips));
  return unknownTrips;
}

/// The cost of a barrier before each operation of a launch, by its position: how
/// often it is expected to run. A branch costs less than what is around it, two
/// of them more.
static SmallVector<int64_t> getWeights(const ConflictTable &table) {
  constexpr int64_t once = int64_t(1) << 20, heaviest = int64_t(1) << 50;
  Operation *launch = table.getLaunch();
  SmallVector<int64_t> weights;
  for (Operation *op : table.getPoints().getOperations()) {
    int64_t weight = once;
    for (Operation *parent = op->getParentOp(); parent != launch;
         parent = parent->getParentOp()) {
      auto loop = dyn_cast<LoopLikeOpInterface>(parent);
      weight = loop ? std::min(weight * estimateTrips(loop), heaviest)
                    : std::max<int64_t>(weight / 4 * 3, 1);
    }
    weights.push_back(weight);
  }
  return weights;
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

namespace {
/// Chooses points for the pairs that the program leaves unordered.
class BarrierPlanner {
public:
  explicit BarrierPlanner(const ConflictTable &table)
      : table(table), weights(getWeights(table)) {}
  BarrierPlan plan();

private:
  void coverScope(ConflictScope scope, ArrayRef<UnorderedAccesses> pairs);
  void coverWaits(ArrayRef<UnorderedAccesses> pairs);
  llvm::BitVector getPointsBeforeBarrier(const UnorderedAccesses &pair) const;
  void removeRedundant();
  CoverPair getCoverPair(const UnorderedAccesses &pair) const;
  bool isOrdered(const BarrierPlan &candidate) const {
    return findUnorderedAccesses(table, candidate).empty();
  }
  Operation *getOperation(int64_t position) const {
    return table.getPoints().getOperations()[position];
  }

  const ConflictTable &table;
  SmallVector<int64_t> weights;
  /// What is chosen so far, by position.
  std::map<int64_t, SyncPoint> chosen;
  BarrierPlan getPlan() const;
};
} // namespace

CoverPair BarrierPlanner::getCoverPair(const UnorderedAccesses &pair) const {
  const ProgramPoints &points = table.getPoints();
  return {pair.points, points.getPosition(table.get(pair.later).op)};
}

/// Puts barriers of `scope` where those chosen so far leave pairs that need it.
void BarrierPlanner::coverScope(ConflictScope scope,
                                ArrayRef<UnorderedAccesses> pairs) {
  SmallVector<CoverPair> open;
  for (const UnorderedAccesses &pair : pairs) {
    bool isCovered = llvm::any_of(chosen, [&](const auto &entry) {
      return entry.second.barrier >= scope && pair.points.test(entry.first);
    });
    if (pair.scope == scope && !isCovered)
      open.push_back(getCoverPair(pair));
  }
  for (int64_t point : findCheapestCover(open, weights))
    chosen[point].barrier = std::max(chosen[point].barrier, scope);
}

/// The points up to the last barrier among those of `pair`, in the order in
/// which they are passed after its earlier access.
llvm::BitVector
BarrierPlanner::getPointsBeforeBarrier(const UnorderedAccesses &pair) const {
  int64_t count = weights.size();
  int64_t start = table.getPoints().getPosition(table.get(pair.earlier).op);
  auto getDistance = [&](int64_t point) {
    return (point - start - 1 + count) % count;
  };
  int64_t last = -1;
  for (const auto &[point, sync] : chosen)
    if (sync.barrier >= pair.scope && pair.points.test(point))
      last = std::max(last, getDistance(point));
  llvm::BitVector points = pair.points;
  for (int64_t point : pair.points.set_bits())
    if (getDistance(point) > last)
      points.reset(point);
  return points;
}

/// Puts waits for copies in flight: before the barriers that publish them, or
/// alone where only their own threads look at them.
void BarrierPlanner::coverWaits(ArrayRef<UnorderedAccesses> pairs) {
  SmallVector<CoverPair> open;
  for (const UnorderedAccesses &pair : pairs) {
    if (!pair.needsWait)
      continue;
    CoverPair &cover = open.emplace_back(getCoverPair(pair));
    if (pair.scope != ConflictScope::Thread)
      cover.points = getPointsBeforeBarrier(pair);
  }
  for (int64_t point : findCheapestCover(open, weights))
    chosen[point].wait = true;
}

BarrierPlan BarrierPlanner::getPlan() const {
  BarrierPlan plan;
  for (const auto &[point, sync] : chosen)
    if (!sync.isEmpty())
      plan[getOperation(point)] = sync;
  return plan;
}

/// Takes out what is not needed, heaviest first, among equals the last first.
void BarrierPlanner::removeRedundant() {
  SmallVector<int64_t> points = llvm::to_vector(llvm::make_first_range(chosen));
  llvm::sort(points, [&](int64_t a, int64_t b) {
    return std::pair(-weights[a], -a) < std::pair(-weights[b], -b);
  });
  for (int64_t point : points) {
    SyncPoint &sync = chosen[point];
    auto tryWithout = [&](SyncPoint less) {
      std::swap(sync, less);
      if (!isOrdered(getPlan()))
        std::swap(sync, less);
    };
    for (ConflictScope scope : {ConflictScope::Thread, ConflictScope::Warp})
      if (sync.barrier > scope)
        tryWithout({sync.wait, scope});
    if (sync.wait)
      tryWithout({false, sync.barrier});
  }
}

BarrierPlan BarrierPlanner::plan() {
  // One round covers nearly all pairs. What is left, where a wait completes on
  // one path what a barrier before it should have published, is ordered directly
  // before the later access, which always does.
  for (bool isFirst = true;; isFirst = false) {
    SmallVector<UnorderedAccesses> pairs =
        findUnorderedAccesses(table, getPlan());
    if (pairs.empty())
      break;
    if (!isFirst) {
      SyncPoint &sync = chosen[getCoverPair(pairs.front()).last];
      sync.barrier = std::max(sync.barrier, pairs.front().scope);
      sync.wait |= pairs.front().needsWait;
      continue;
    }
    coverScope(ConflictScope::Block, pairs);
    coverScope(ConflictScope::Warp, pairs);
    coverWaits(pairs);
  }
  removeRedundant();
  return getPlan();
}

BarrierPlan tile::planBarriers(const ConflictTable &table) {
  return BarrierPlanner(table).plan();
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

SmallVector<SyncReason> tile::explainBarriers(LaunchOp launch) {
  ConflictTable table(launch);
  SmallVector<SyncReason> reasons;
  launch.getBody().walk([&](Operation *op) {
    if (!isa<BarrierOp, CopyWaitOp>(op))
      return;
    SyncReason &reason = reasons.emplace_back(SyncReason{op, std::nullopt});
    SmallVector<UnorderedAccesses> pairs =
        findUnorderedAccesses(table, BarrierPlan(), op);
    if (pairs.empty())
      return;
    // What people look for first is who reads what was written.
    const UnorderedAccesses *best = llvm::find_if(pairs, [&](const auto &pair) {
      return table.get(pair.earlier).writes && table.get(pair.later).reads;
    });
    if (best == pairs.end())
      best = pairs.begin();
    reason.reason =
        OrderReason{table.get(best->earlier).op, table.get(best->later).op};
  });
  return reasons;
}
