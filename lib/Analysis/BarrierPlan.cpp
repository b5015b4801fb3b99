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
  llvm::BitVector getPointsBeforeBarrier(const UnorderedAccesses &pair) const;
  llvm::BitVector getPoints(bool SyncPoint::*part) const;
  llvm::BitVector getBarriers(ConflictScope scope) const;
  bool standOnTwoSides() const;
  std::map<int64_t, SyncPoint>
  findNeeded(ArrayRef<UnorderedAccesses> pairs) const;
  void removeRedundant(ArrayRef<UnorderedAccesses> pairs);
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

llvm::BitVector BarrierPlanner::getPoints(bool SyncPoint::*part) const {
  llvm::BitVector points(weights.size());
  for (const auto &[point, sync] : chosen)
    if (sync.*part)
      points.set(point);
  return points;
}

llvm::BitVector BarrierPlanner::getBarriers(ConflictScope scope) const {
  llvm::BitVector points(weights.size());
  for (const auto &[point, sync] : chosen)
    if (sync.barrier >= scope)
      points.set(point);
  return points;
}

/// Whether chosen points stand on two sides of a branch, where they order together
/// what neither does alone.
bool BarrierPlanner::standOnTwoSides() const {
  llvm::DenseMap<Operation *, Region *> sides;
  for (int64_t point : llvm::make_first_range(chosen))
    for (Region *side = getOperation(point)->getParentRegion();
         side->getParentOp() != table.getLaunch();
         side = side->getParentRegion()) {
      Operation *branch = side->getParentOp();
      if (!isa<LoopLikeOpInterface>(branch) &&
          sides.try_emplace(branch, side).first->second != side)
        return true;
    }
  return false;
}

/// What a pair has no other point for: nearly always needed. (A fence or a wait makes the
/// points of a pair those behind it, so that one before may order the two as well.)
std::map<int64_t, SyncPoint>
BarrierPlanner::findNeeded(ArrayRef<UnorderedAccesses> pairs) const {
  std::map<int64_t, SyncPoint> needed;
  if (standOnTwoSides())
    return needed;
  auto findOnly = [](llvm::BitVector points, const llvm::BitVector &offered) {
    points &= offered;
    return points.count() == 1 ? std::optional(points.find_first())
                               : std::nullopt;
  };
  std::map<ConflictScope, llvm::BitVector> barriers;
  for (ConflictScope scope : {ConflictScope::Warp, ConflictScope::Block})
    barriers[scope] = getBarriers(scope);
  llvm::BitVector waits = getPoints(&SyncPoint::wait);
  llvm::BitVector productWaits = getPoints(&SyncPoint::productWait);
  for (const UnorderedAccesses &pair : pairs) {
    llvm::BitVector points = pair.points;
    if (pair.scope != ConflictScope::Thread) {
      if (auto only = findOnly(points, barriers[pair.scope])) {
        SyncPoint &sync = needed[*only];
        sync.barrier = std::max(sync.barrier, pair.scope);
      }
      points = getPointsBeforeBarrier(pair);
    }
    if (pair.needsWait)
      if (auto only = findOnly(points, waits))
        needed[*only].wait = true;
    if (pair.needsProductWait)
      if (auto only = findOnly(points, productWaits))
        needed[*only].productWait = true;
  }
  return needed;
}

/// Takes out what is not needed, heaviest first, among equals the last first. `pairs`
/// are those of the program without the points.
void BarrierPlanner::removeRedundant(ArrayRef<UnorderedAccesses> pairs) {
  // Every try looks at the whole launch: in a long one only at what is in doubt.
  constexpr size_t mostTried = 32;
  std::map<int64_t, SyncPoint> needed;
  if (chosen.size() > mostTried)
    needed = findNeeded(pairs);
  SmallVector<int64_t> points = llvm::to_vector(llvm::make_first_range(chosen));
  llvm::sort(points, [&](int64_t a, int64_t b) {
    return std::pair(-weights[a], -a) < std::pair(-weights[b], -b);
  });
  for (int64_t point : points) {
    SyncPoint &sync = chosen[point];
    const SyncPoint &least = needed[point];
    auto tryWithout = [&](auto SyncPoint::*part, auto less) {
      SyncPoint before = sync;
      sync.*part = less;
      if (!isOrdered(getPlan()))
        sync = before;
    };
    for (ConflictScope scope : {ConflictScope::Thread, ConflictScope::Warp})
      if (sync.barrier > scope && least.barrier <= scope)
        tryWithout(&SyncPoint::barrier, scope);
    for (bool SyncPoint::*part :
         {&SyncPoint::fence, &SyncPoint::productWait, &SyncPoint::wait})
      if (sync.*part && !(least.*part))
        tryWithout(part, false);
  }
}

BarrierPlan BarrierPlanner::plan() {
  // One round covers nearly all pairs. What is left, where a wait completes on
  // one path what a barrier before it should have published, is ordered directly
  // before the later access, which always does.
  SmallVector<UnorderedAccesses> pairs = findPairs(table, getPlan());
  coverScope(ConflictScope::Block, pairs);
  coverScope(ConflictScope::Warp, pairs);
  coverWaits(pairs, /*forProducts=*/false);
  coverWaits(pairs, /*forProducts=*/true);
  coverFences(pairs);
  for (;;) {
    SmallVector<UnorderedAccesses> left = findPairs(table, getPlan());
    if (left.empty())
      break;
    SyncPoint &sync = chosen[getCoverPair(left.front()).last];
    sync.barrier = std::max(sync.barrier, left.front().scope);
    sync.wait |= left.front().needsWait;
    sync.productWait |= left.front().needsProductWait;
    sync.fence |= left.front().needsFence;
  }
  removeRedundant(pairs);
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
        findUnorderedAccesses(table, BarrierPlan(), OrderExtent::All, op);
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
