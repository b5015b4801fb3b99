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

/// Those that a barrier or a wait would order: all but what needs the wait for
/// a use of a ring.
static SmallVector<UnorderedAccesses> findPairs(const ConflictTable &table,
                                                const BarrierPlan &plan) {
  SmallVector<UnorderedAccesses> pairs = findUnorderedAccesses(table, plan);
  llvm::erase_if(
      pairs, [](const UnorderedAccesses &pair) { return pair.needsRingWait; });
  return pairs;
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
  void coverWaits(ArrayRef<UnorderedAccesses> pairs, bool forProducts);
  void coverFences(ArrayRef<UnorderedAccesses> pairs);
  int64_t getDistance(const UnorderedAccesses &pair, int64_t point) const;
  llvm::BitVector getPointsBeforeBarrier(const UnorderedAccesses &pair) const;
  void removeRedundant();
  CoverPair getCoverPair(const UnorderedAccesses &pair) const;
  bool isOrdered(const BarrierPlan &candidate) const {
    return findPairs(table, candidate).empty();
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

/// How many points are passed between the earlier access of `pair` and `point`.
int64_t BarrierPlanner::getDistance(const UnorderedAccesses &pair,
                                    int64_t point) const {
  int64_t count = weights.size();
  int64_t start = table.getPoints().getPosition(table.get(pair.earlier).op);
  return (point - start - 1 + count) % count;
}

/// The points up to the last barrier among those of `pair`, in the order in
/// which they are passed after its earlier access.
llvm::BitVector
BarrierPlanner::getPointsBeforeBarrier(const UnorderedAccesses &pair) const {
  int64_t last = -1;
  for (const auto &[point, sync] : chosen)
    if (sync.barrier >= pair.scope && pair.points.test(point))
      last = std::max(last, getDistance(pair, point));
  llvm::BitVector points = pair.points;
  for (int64_t point : pair.points.set_bits())
    if (getDistance(pair, point) > last)
      points.reset(point);
  return points;
}

/// Puts waits for copies, or products, in flight: before the barriers that
/// publish them, or alone where only their own threads look at them.
void BarrierPlanner::coverWaits(ArrayRef<UnorderedAccesses> pairs,
                                bool forProducts) {
  SmallVector<CoverPair> open;
  for (const UnorderedAccesses &pair : pairs) {
    if (!(forProducts ? pair.needsProductWait : pair.needsWait))
      continue;
    CoverPair &cover = open.emplace_back(getCoverPair(pair));
    if (pair.scope != ConflictScope::Thread)
      cover.points = getPointsBeforeBarrier(pair);
  }
  for (int64_t point : findCheapestCover(open, weights))
    (forProducts ? chosen[point].productWait : chosen[point].wait) = true;
}

/// Puts proxy fences between the waits and the barriers of the pairs that need
/// them.
void BarrierPlanner::coverFences(ArrayRef<UnorderedAccesses> pairs) {
  SmallVector<CoverPair> open;
  for (const UnorderedAccesses &pair : pairs) {
    if (!pair.needsFence)
      continue;
    CoverPair &cover = open.emplace_back(getCoverPair(pair));
    if (pair.scope != ConflictScope::Thread)
      cover.points = getPointsBeforeBarrier(pair);
    if (!pair.needsWait)
      continue;
    int64_t completed = weights.size();
    for (const auto &[point, sync] : chosen)
      if (sync.wait && cover.points.test(point))
        completed = std::min(completed, getDistance(pair, point));
    llvm::BitVector points = cover.points;
    for (int64_t point : points.set_bits())
      if (getDistance(pair, point) < completed)
        cover.points.reset(point);
  }
  for (int64_t point : findCheapestCover(open, weights))
    chosen[point].fence = true;
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
    auto tryWithout = [&](auto SyncPoint::*part, auto less) {
      SyncPoint before = sync;
      sync.*part = less;
      if (!isOrdered(getPlan()))
        sync = before;
    };
    for (ConflictScope scope : {ConflictScope::Thread, ConflictScope::Warp})
      if (sync.barrier > scope)
        tryWithout(&SyncPoint::barrier, scope);
    for (bool SyncPoint::*part :
         {&SyncPoint::fence, &SyncPoint::productWait, &SyncPoint::wait})
      if (sync.*part)
        tryWithout(part, false);
  }
}

BarrierPlan BarrierPlanner::plan() {
  // One round covers nearly all pairs. What is left, where a wait completes on
  // one path what a barrier before it should have published, is ordered directly
  // before the later access, which always does.
  for (bool isFirst = true;; isFirst = false) {
    SmallVector<UnorderedAccesses> pairs = findPairs(table, getPlan());
    if (pairs.empty())
      break;
    if (!isFirst) {
      SyncPoint &sync = chosen[getCoverPair(pairs.front()).last];
      sync.barrier = std::max(sync.barrier, pairs.front().scope);
      sync.wait |= pairs.front().needsWait;
      sync.productWait |= pairs.front().needsProductWait;
      sync.fence |= pairs.front().needsFence;
      continue;
    }
    coverScope(ConflictScope::Block, pairs);
    coverScope(ConflictScope::Warp, pairs);
    coverWaits(pairs, /*forProducts=*/false);
    coverWaits(pairs, /*forProducts=*/true);
    coverFences(pairs);
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
    if (!isa<BarrierOp, CopyWaitOp, ProductWaitOp, ProxyFenceOp>(op))
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
