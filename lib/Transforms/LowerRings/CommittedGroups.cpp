//===- CommittedGroups.cpp - Which groups hold the uses of rings ----------===//

#include "CommittedGroups.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/OperationTable.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>
#include <map>

using namespace mlir;
using namespace mlir::tile;

/// Calls `visit` with what copies in `op` that are done later write; null is anything.
static void forEachFilled(Operation *op, function_ref<void(Value)> visit) {
  op->walk([&](Operation *inner) {
    if (inner->getNumRegions() > 0)
      return;
    for (const BlockAccess &access : getBlockAccesses(inner))
      if (access.writes && access.completion != tilec::Completion::Immediate)
        visit(access.memref);
  });
}

/// Whether what `filled` is of may be in a slot of `ring`.
static bool mayBeOfRing(Value filled, RingOp ring) {
  return !filled || llvm::any_of(ring.getBuffers(), [&](Value buffer) {
    return mayOverlap(filled, buffer);
  });
}

/// Whether `op` issues copies into a slot of `ring` that are done later.
static bool issuesCopies(Operation *op, RingOp ring) {
  bool isIssued = false;
  forEachFilled(op,
                [&](Value filled) { isIssued |= mayBeOfRing(filled, ring); });
  return isIssued;
}

/// Whether what is committed may still be on its way: not if the slot was
/// acquired in the same block and nothing since then is asynchronous.
static bool mayBeInFlight(RingCommitOp commit, const RingUse &use) {
  auto acquiresSlot = [&](Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](RingAcquireOp acquire) {
          return getRing(acquire.getRing()) == use.ring &&
                 getRingNumber(acquire.getNumber()) == use.number;
        })
        .Default(false);
  };
  for (Operation *op = commit->getPrevNode(); op; op = op->getPrevNode()) {
    if (issuesCopies(op, use.ring))
      return true;
    if (acquiresSlot(op))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Where groups end
//===----------------------------------------------------------------------===//

/// Whether `ring` is waited for behind `op` in its block.
static bool isWaitedForBehind(Operation *op, RingOp ring) {
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    WalkResult walk = next->walk([&](RingWaitOp wait) {
      return getRing(wait.getRing()) == ring ? WalkResult::interrupt()
                                             : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return true;
  }
  return false;
}

/// The operation behind which the group of a commit may end on every path: the
/// outermost condition around it that chooses nothing else.
static Operation *chooseGroupEnd(RingCommitOp commit, const RingUse &use) {
  Operation *end = commit;
  while (auto guard = dyn_cast<scf::IfOp>(end->getParentOp())) {
    bool choosesMore = guard.elseBlock() || guard.getNumResults() > 0;
    Value base = use.number.base;
    bool isNumberedInside =
        base && guard.getThenRegion().isAncestor(base.getParentRegion());
    if (choosesMore || isNumberedInside || isWaitedForBehind(end, use.ring))
      break;
    end = guard;
  }
  return end;
}

GroupEnds tile::lowerCommits(LaunchOp launch) {
  SmallVector<RingCommitOp> commits;
  launch.walk([&](RingCommitOp commit) {
    if (!isOfMbarriers(commit.getRing()))
      commits.push_back(commit);
  });
  // Most rings that are filled by stores see no asynchronous copy at all.
  llvm::SetVector<Value> filled;
  forEachFilled(launch, [&](Value memref) {
    Value root = memref ? getSharedRoot(memref) : Value();
    filled.insert(root ? root : memref);
  });
  llvm::DenseMap<Operation *, bool> isAsynchronous;
  launch.walk([&](RingOp ring) {
    isAsynchronous[ring] =
        llvm::any_of(ring.getBuffers(),
                     [&](Value slots) { return filled.contains(slots); }) ||
        llvm::any_of(filled,
                     [&](Value root) { return mayBeOfRing(root, ring); });
  });
  GroupEnds ends;
  // In the order of the program also behind one condition.
  llvm::DenseMap<Operation *, Operation *> last;
  for (RingCommitOp commit : commits) {
    RingUse use{getRing(commit.getRing()), getRingNumber(commit.getNumber())};
    if (!isAsynchronous[use.ring] || !mayBeInFlight(commit, use))
      continue;
    Operation *end = chooseGroupEnd(commit, use);
    Operation *&before = last.try_emplace(end, end).first->second;
    OpBuilder builder(launch.getContext());
    builder.setInsertionPointAfter(before);
    before = CopyCommitOp::create(builder, commit.getLoc());
    ends.insert({before, use});
    commit.erase();
  }
  return ends;
}

//===----------------------------------------------------------------------===//
// Groups in flight
//===----------------------------------------------------------------------===//

namespace {
/// A use of a ring, or all those of it whose number got lost.
using UseKey = std::pair<Operation *, std::optional<RingNumber>>;

/// More groups than there can be in flight: the use has none.
constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

/// The uses that may be committed and not waited for; of each the fewest groups
/// closed since.
struct CommittedUses {
  std::map<UseKey, int64_t> groups;

  void insert(const UseKey &use, int64_t count) {
    auto [entry, isNew] = groups.insert({use, count});
    if (!isNew)
      entry->second = std::min(entry->second, count);
  }
  bool join(const CommittedUses &other) {
    bool hasGrown = false;
    for (const auto &[use, count] : other.groups) {
      auto entry = groups.find(use);
      hasGrown |= entry == groups.end() || entry->second > count;
      insert(use, count);
    }
    return hasGrown;
  }
};

class GroupCounter {
public:
  GroupCounter(LaunchOp launch, const GroupEnds &ends)
      : launch(launch), ends(ends) {
    launch.walk([&](RingOp ring) { bases[ring] = getNumberBases(ring); });
  }
  llvm::MapVector<Operation *, int64_t> count();

private:
  using Rules = OperationTable<void(GroupCounter &, CommittedUses &)>;
  /// What operations do to groups.
  static const Rules &getRules();
  void transfer(Operation *op, CommittedUses &state);
  void closeGroup(Operation *op, CommittedUses &state);
  void waitFor(RingWaitOp wait, CommittedUses &state);
  void acquire(RingAcquireOp acquire, CommittedUses &state);
  void cross(const RegionEdge &edge, CommittedUses &state);

  LaunchOp launch;
  const GroupEnds &ends;
  llvm::DenseMap<Operation *, llvm::SetVector<Value>> bases;
  llvm::MapVector<Operation *, int64_t> inFlight;
};
} // namespace

void GroupCounter::closeGroup(Operation *op, CommittedUses &state) {
  for (auto &[use, count] : state.groups)
    if (count != unlimited)
      ++count;
  if (auto end = ends.find(op); end != ends.end())
    state.groups[{end->second.ring, end->second.number}] = 0;
}

void GroupCounter::waitFor(RingWaitOp wait, CommittedUses &state) {
  Operation *ring = getRing(wait.getRing());
  RingNumber number = getRingNumber(wait.getNumber());
  std::optional<int64_t> fewest;
  for (const auto &[use, count] : state.groups) {
    bool isOther =
        use.first != ring || (use.second && use.second->base == number.base &&
                              use.second->offset != number.offset);
    if (!isOther)
      fewest = std::min(fewest.value_or(count), count);
  }
  // The last call for an operation is the one with its final state.
  inFlight[wait] = fewest.value_or(0);
  state.groups.erase({ring, number});
}

/// What is acquired a whole round later was waited for.
void GroupCounter::acquire(RingAcquireOp acquire, CommittedUses &state) {
  RingOp ring = getRing(acquire.getRing());
  RingNumber number = getRingNumber(acquire.getNumber());
  std::erase_if(state.groups, [&](const auto &entry) {
    const auto &[use, count] = entry;
    return use.first == ring && use.second && use.second->base == number.base &&
           use.second->offset <= number.offset - ring.getType().getSlots();
  });
}

const GroupCounter::Rules &GroupCounter::getRules() {
  static const Rules rules = [] {
    using Counter = GroupCounter;
    Rules table;
    table.add(+[](Counter &counter, CommittedUses &state, CopyCommitOp op) {
      counter.closeGroup(op, state);
    });
    // What is left of commits is of uses without a group.
    table.add(+[](Counter &, CommittedUses &state, RingCommitOp op) {
      state.groups[{getRing(op.getRing()), getRingNumber(op.getNumber())}] =
          unlimited;
    });
    table.add(+[](Counter &counter, CommittedUses &state, RingWaitOp op) {
      counter.waitFor(op, state);
    });
    table.add(+[](Counter &counter, CommittedUses &state, RingAcquireOp op) {
      counter.acquire(op, state);
    });
    table.add(+[](Counter &, CommittedUses &state, RingOp op) {
      std::erase_if(state.groups,
                    [&](const auto &entry) { return entry.first.first == op; });
    });
    return table;
  }();
  return rules;
}

void GroupCounter::transfer(Operation *op, CommittedUses &state) {
  if (op->getNumOperands() > 0 && isOfMbarriers(op->getOperand(0)))
    return;
  if (const Rules::Rule *rule = getRules().find(op))
    (*rule)(*this, state, op);
}

void GroupCounter::cross(const RegionEdge &edge, CommittedUses &state) {
  NumberEdge numbers(edge);
  RegionBranchOpInterface branch = edge.op;
  Operation *behindOp = edge.to ? nullptr : branch->getNextNode();
  CommittedUses behind;
  for (const auto &[use, count] : state.groups) {
    const auto &[ring, number] = use;
    // Nobody waits for it any more.
    if (behindOp && isBehindRing(behindOp, ring))
      continue;
    // Numbers that drift away from their base are of no use and would drift for
    // ever.
    int64_t farthest = 64 + getSlotCount(ring);
    std::optional<RingNumber> renamed =
        number ? numbers.cross(*number, bases.lookup(ring)) : std::nullopt;
    if (renamed && renamed->base && std::abs(renamed->offset) > farthest)
      renamed = std::nullopt;
    behind.insert({ring, renamed}, count);
  }
  state = std::move(behind);
}

llvm::MapVector<Operation *, int64_t> GroupCounter::count() {
  CommittedUses state;
  runForward(
      launch.getBody().front(), state,
      [&](Operation *op, CommittedUses &uses) { transfer(op, uses); },
      [&](const RegionEdge &edge, CommittedUses &uses) { cross(edge, uses); });
  inFlight.remove_if(
      [](const auto &entry) { return entry.second == unlimited; });
  return std::move(inFlight);
}

llvm::MapVector<Operation *, int64_t>
tile::countGroupsInFlight(LaunchOp launch, const GroupEnds &ends) {
  return GroupCounter(launch, ends).count();
}
