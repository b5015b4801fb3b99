//===- BarrierPlan.cpp - Where a block has to wait ------------------------===//

#include "tile/Analysis/BarrierPlan.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/OperationTable.h"
#include "tile/Analysis/StructuredDataflow.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// An access that no barrier has followed yet. `index` names it among the
/// accesses of the launch.
struct Pending {
  int64_t index = 0;
  /// An asynchronous copy that this thread has not waited for.
  bool inFlight = false;
  /// Made in an earlier iteration with operands that may have changed since.
  bool isStale = false;
  auto operator<=>(const Pending &) const = default;
};

/// What is pending at a point: sorted, without repetition.
struct PendingSet {
  SmallVector<Pending, 8> entries;

  void insert(Pending entry) {
    auto place = llvm::lower_bound(entries, entry);
    if (place == entries.end() || *place != entry)
      entries.insert(place, entry);
  }
  bool join(const PendingSet &other) {
    size_t before = entries.size();
    for (Pending entry : other.entries)
      insert(entry);
    return entries.size() != before;
  }
  /// Applies `change` to every entry and restores the order.
  template <typename Change>
  void transform(const Change &change) {
    SmallVector<Pending, 8> old;
    std::swap(old, entries);
    for (Pending entry : old) {
      change(entry);
      insert(entry);
    }
  }
};

/// Which accesses of a launch conflict.
class AccessTable {
public:
  explicit AccessTable(LaunchOp launch);

  /// The numbers of an operation's accesses.
  auto getAccesses(Operation *op) const {
    auto [first, last] = points.getAccessRange(op);
    return llvm::seq(first, last);
  }
  const BlockAccess &get(int64_t index) const {
    return points.getAccesses()[index];
  }
  int64_t getPosition(Operation *op) const { return points.getPosition(op); }
  /// Whether `later` must be ordered after `earlier`.
  bool conflicts(Pending earlier, int64_t later) const;

private:
  ProgramPoints points;
  /// For each pair of accesses whether both may touch a byte and one writes.
  SmallVector<llvm::BitVector> overlaps;
};
} // namespace

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

/// The ring that a shared memref is a slot of; null if none.
static Value getRing(Value memref) {
  auto type = dyn_cast_or_null<MemRefType>(memref ? memref.getType() : Type());
  if (!type || !isSharedMemory(type))
    return {};
  Value root = getSharedRoot(memref);
  auto view = root ? root.getDefiningOp<ViewOp>() : ViewOp();
  return view && view.getSlots() ? root : Value();
}

/// Whether two accesses may not be exchanged, apart from who makes them.
/// Accesses to one ring are ordered by the loop that was pipelined over it.
static bool needOrder(const BlockAccess &a, const BlockAccess &b) {
  if (!a.writes && !b.writes)
    return false;
  if (Value ring = getRing(a.memref); ring && ring == getRing(b.memref))
    return false;
  if (a.combines && a.combines == b.combines)
    return false;
  return mayOverlap(a, b);
}

AccessTable::AccessTable(LaunchOp launch) : points(launch) {
  ArrayRef<BlockAccess> accesses = points.getAccesses();
  overlaps.assign(accesses.size(), llvm::BitVector(accesses.size()));
  for (size_t a = 0; a < accesses.size(); ++a)
    for (size_t b = a; b < accesses.size(); ++b)
      if (needOrder(accesses[a], accesses[b])) {
        overlaps[a].set(b);
        overlaps[b].set(a);
      }
}

/// Whether every thread touches in `later` only elements that it alone touched
/// in `earlier`: the same box of the same memref in the same layout, in which
/// no element is held twice. Then the threads' own order is enough.
static bool isThreadPrivate(const BlockAccess &earlier,
                            const BlockAccess &later) {
  if (!earlier.threads || earlier.threads != later.threads)
    return false;
  const Side &first = *earlier.side, &second = *later.side;
  if (first.memref != second.memref || first.box != second.box ||
      !llvm::equal(first.indices, second.indices))
    return false;
  // Elements of less than a byte share it with their neighbours.
  if (getMemoryBits(first.getType().getElementType()) < 8)
    return false;
  return earlier.threads.getLayout().getReplication() == 1;
}

bool AccessTable::conflicts(Pending earlier, int64_t later) const {
  if (!overlaps[earlier.index].test(later))
    return false;
  if (earlier.inFlight || earlier.isStale)
    return true;
  return !isThreadPrivate(get(earlier.index), get(later));
}

//===----------------------------------------------------------------------===//
// Dataflow
//===----------------------------------------------------------------------===//

static SyncPoint getBarrier(BarrierOp) {
  return {.wait = false, .barrier = true};
}

/// A wait that leaves groups in flight is the pipelined loop's own affair.
static SyncPoint getWait(CopyWaitOp op) {
  return {.wait = !op.getPending(), .barrier = false};
}

using SyncRules = OperationTable<SyncPoint()>;

/// The operations that order others.
static const SyncRules &getSyncRules() {
  static const SyncRules rules = [] {
    SyncRules table;
    table.add(getBarrier);
    table.add(getWait);
    return table;
  }();
  return rules;
}

namespace {
class OrderChecker {
public:
  OrderChecker(LaunchOp launch, const AccessTable &table,
               const BarrierPlan &plan)
      : launch(launch), table(table), plan(plan) {}
  std::optional<UnorderedPair> findFirst();

private:
  void synchronize(SyncPoint point, PendingSet &pending);
  void transfer(Operation *op, PendingSet &pending);
  void crossBackEdge(Operation *op, PendingSet &pending);

  LaunchOp launch;
  const AccessTable &table;
  const BarrierPlan &plan;
  std::optional<UnorderedPair> first;
};
} // namespace

void OrderChecker::synchronize(SyncPoint point, PendingSet &pending) {
  if (point.wait)
    pending.transform([](Pending &entry) { entry.inFlight = false; });
  // A barrier orders all but copies still in flight.
  if (point.barrier)
    llvm::erase_if(pending.entries,
                   [](const Pending &entry) { return !entry.inFlight; });
}

void OrderChecker::transfer(Operation *op, PendingSet &pending) {
  if (auto point = plan.find(op); point != plan.end())
    synchronize(point->second, pending);
  if (const SyncRules::Rule *rule = getSyncRules().find(op))
    return synchronize((*rule)(op), pending);
  auto own = table.getAccesses(op);
  for (int64_t later : own)
    for (Pending entry : pending.entries) {
      if (!table.conflicts(entry, later))
        continue;
      bool isEarlier =
          !first || table.getPosition(op) < table.getPosition(first->later);
      if (isEarlier)
        first = UnorderedPair{table.get(entry.index).op, op, entry.inFlight};
      else if (first->later == op)
        first->needsWait |= entry.inFlight;
    }
  for (int64_t index : own)
    pending.insert({index,
                    table.get(index).completion != tilec::Completion::Immediate,
                    false});
}

/// Whether the place that a thread touches may differ in the next iteration of
/// `loop`.
static bool mayMoveWith(Operation *loop, const BlockAccess &access) {
  if (!access.threads)
    return true;
  auto isInside = [&](Value value) {
    return loop->isAncestor(value.getParentBlock()->getParentOp());
  };
  return isInside(access.side->memref) ||
         llvm::any_of(access.side->indices, isInside);
}

void OrderChecker::crossBackEdge(Operation *op, PendingSet &pending) {
  pending.transform([&](Pending &entry) {
    entry.isStale |= mayMoveWith(op, table.get(entry.index));
  });
}

std::optional<UnorderedPair> OrderChecker::findFirst() {
  PendingSet pending;
  runForward(
      launch.getBody().front(), pending,
      [&](Operation *op, PendingSet &set) { transfer(op, set); },
      [&](const RegionEdge &edge, PendingSet &set) {
        if (edge.from && edge.to)
          crossBackEdge(edge.op, set);
      });
  return first;
}

std::optional<UnorderedPair>
mlir::tile::findUnorderedPair(LaunchOp launch, const BarrierPlan &plan) {
  return OrderChecker(launch, AccessTable(launch), plan).findFirst();
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

/// The operation before which to wait: the later one, or the outermost loop
/// around it that does not contain the earlier one. Their launch contains both.
static Operation *choosePoint(const UnorderedPair &pair) {
  Operation *point = pair.later;
  for (Operation *parent = pair.later->getParentOp();
       !parent->isAncestor(pair.earlier); parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent))
      point = parent;
  return point;
}

static int64_t getDepth(Operation *op) {
  int64_t depth = 0;
  while ((op = op->getParentOp()))
    ++depth;
  return depth;
}

/// Takes out what is not needed, innermost first, among equals the last first.
static void removeRedundant(LaunchOp launch, const AccessTable &table,
                            BarrierPlan &plan) {
  SmallVector<Operation *> points =
      llvm::to_vector(llvm::make_first_range(plan));
  llvm::sort(points, [&](Operation *a, Operation *b) {
    return std::tuple(-getDepth(a), -table.getPosition(a)) <
           std::tuple(-getDepth(b), -table.getPosition(b));
  });
  auto removeUnlessNeeded = [&](bool &flag) {
    if (!flag)
      return;
    flag = false;
    flag = OrderChecker(launch, table, plan).findFirst().has_value();
  };
  for (Operation *point : points) {
    removeUnlessNeeded(plan[point].barrier);
    removeUnlessNeeded(plan[point].wait);
  }
}

BarrierPlan mlir::tile::planBarriers(LaunchOp launch) {
  AccessTable table(launch);
  BarrierPlan plan;
  while (auto pair = OrderChecker(launch, table, plan).findFirst()) {
    SyncPoint &point = plan[choosePoint(*pair)];
    point.barrier = true;
    point.wait |= pair->needsWait;
  }
  removeRedundant(launch, table, plan);
  plan.remove_if([](const auto &entry) {
    return !entry.second.barrier && !entry.second.wait;
  });
  return plan;
}
