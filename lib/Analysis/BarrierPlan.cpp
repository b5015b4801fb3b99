//===- BarrierPlan.cpp - Where a block has to wait ------------------------===//

#include "tile/Analysis/BarrierPlan.h"

#include "OrderTrials.h"

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
  SmallVector<UnorderedAccesses> pairs =
      findUnorderedAccesses(table, plan, OrderExtent::UntilSettled);
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
  PointSet getPointsBeforeBarrier(const UnorderedAccesses &pair) const;
  void orderRest(OrderTrials &trials);
  void removeRedundant(OrderTrials &trials);
  CoverPair getCoverPair(const UnorderedAccesses &pair) const;

  const ConflictTable &table;
  SmallVector<int64_t> weights;
  BarrierPlan chosen; ///< so far
};
} // namespace

CoverPair BarrierPlanner::getCoverPair(const UnorderedAccesses &pair) const {
  const ProgramPoints &points = table.getPoints();
  return {pair.points, points.getPosition(table.get(pair.later).op)};
}

/// What is chosen at `points`.
static SmallVector<std::pair<int64_t, SyncPoint>>
findChosen(const BarrierPlan &chosen, const PointSet &points) {
  SmallVector<std::pair<int64_t, SyncPoint>> found;
  if (points.empty())
    return found;
  auto last = chosen.upper_bound(points.find_last());
  for (auto next = chosen.lower_bound(points.find_first()); next != last;
       ++next)
    if (points.test(next->first))
      found.push_back(*next);
  return found;
}

/// Puts barriers of `scope` where those chosen so far leave pairs that need it.
void BarrierPlanner::coverScope(ConflictScope scope,
                                ArrayRef<UnorderedAccesses> pairs) {
  SmallVector<CoverPair> open;
  for (const UnorderedAccesses &pair : pairs) {
    bool isCovered =
        llvm::any_of(findChosen(chosen, pair.points), [&](const auto &entry) {
          return entry.second.barrier >= scope;
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
PointSet
BarrierPlanner::getPointsBeforeBarrier(const UnorderedAccesses &pair) const {
  int64_t last = -1;
  for (const auto &[point, sync] : findChosen(chosen, pair.points))
    if (sync.barrier >= pair.scope)
      last = std::max(last, getDistance(pair, point));
  PointSet points = pair.points;
  for (int64_t point : pair.points)
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
    for (const auto &[point, sync] : findChosen(chosen, cover.points))
      if (sync.wait)
        completed = std::min(completed, getDistance(pair, point));
    PointSet points = cover.points;
    for (int64_t point : points)
      if (getDistance(pair, point) < completed)
        cover.points.reset(point);
  }
  for (int64_t point : findCheapestCover(open, weights))
    chosen[point].fence = true;
}

/// What is left, where a wait completes on one path what a barrier before it should
/// have published, is ordered directly before the later access, which always does.
void BarrierPlanner::orderRest(OrderTrials &trials) {
  while (std::optional<UnorderedAccesses> pair = trials.findFirst()) {
    SyncPoint &sync = chosen[getCoverPair(*pair).last];
    sync.barrier = std::max(sync.barrier, pair->scope);
    sync.wait |= pair->needsWait;
    sync.productWait |= pair->needsProductWait;
    sync.fence |= pair->needsFence;
  }
}

/// Takes out what is not needed, heaviest first, among equals the last first.
void BarrierPlanner::removeRedundant(OrderTrials &trials) {
  SmallVector<int64_t> points = llvm::to_vector(llvm::make_first_range(chosen));
  llvm::sort(points, [&](int64_t a, int64_t b) {
    return std::pair(-weights[a], -a) < std::pair(-weights[b], -b);
  });
  for (int64_t point : points) {
    SyncPoint &sync = chosen[point];
    auto tryWithout = [&](auto SyncPoint::*part, auto less) {
      SyncPoint before = sync;
      sync.*part = less;
      if (!trials.accept(point))
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
  // One round covers nearly all pairs.
  SmallVector<UnorderedAccesses> pairs = findPairs(table, chosen);
  coverScope(ConflictScope::Block, pairs);
  coverScope(ConflictScope::Warp, pairs);
  coverWaits(pairs, /*forProducts=*/false);
  coverWaits(pairs, /*forProducts=*/true);
  coverFences(pairs);
  OrderTrials trials(table, chosen, OrderExtent::UntilSettled);
  orderRest(trials);
  removeRedundant(trials);
  std::erase_if(chosen,
                [](const auto &entry) { return entry.second.isEmpty(); });
  return std::move(chosen);
}

BarrierPlan tile::planBarriers(const ConflictTable &table) {
  return BarrierPlanner(table).plan();
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

SmallVector<SyncReason> tile::explainBarriers(LaunchOp launch) {
  ConflictTable table(launch);
  BarrierPlan nothing;
  OrderTrials trials(table, nothing, OrderExtent::All);
  SmallVector<SyncReason> reasons;
  launch.getBody().walk([&](Operation *op) {
    if (!isa<BarrierOp, CopyWaitOp, ProductWaitOp, ProxyFenceOp>(op))
      return;
    SyncReason &reason = reasons.emplace_back(SyncReason{op, std::nullopt});
    SmallVector<UnorderedAccesses> pairs = trials.findWithout(op);
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
