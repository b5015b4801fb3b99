//===- LoneGroups.cpp - Groups of copies that fill no ring ----------------===//

#include "LoneGroups.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Lone copies that share a group, all in operations of one block.
struct LoneGroup {
  Operation *last = nullptr;   ///< behind which the group ends
  Operation *reader = nullptr; ///< in front of which it is waited for
};
} // namespace

//===----------------------------------------------------------------------===//
// What is touched
//===----------------------------------------------------------------------===//

static bool isAsynchronous(const BlockAccess &access) {
  return access.writes && access.completion == tilec::Completion::Group;
}

/// The buffer outside of rings that an asynchronous copy fills; null if none.
static Value getLoneBuffer(Operation *op) {
  if (op->getNumRegions() > 0)
    return {};
  for (const BlockAccess &access : getBlockAccesses(op)) {
    if (!isAsynchronous(access) || !access.isShared())
      continue;
    Value root = getSharedRoot(access.memref);
    return root && !getRingOfBuffer(root) ? root : Value();
  }
  return {};
}

/// Whether `op` itself touches `buffer`, otherwise than by asynchronous copies
/// where `besidesCopies`.
static bool touches(Operation *op, Value buffer, bool besidesCopies) {
  return llvm::any_of(getBlockAccesses(op), [&](const BlockAccess &access) {
    if (access.isGlobalOnly || (besidesCopies && isAsynchronous(access)))
      return false;
    return !access.memref || mayOverlap(access.memref, buffer);
  });
}

static bool touchesInside(Operation *op, Value buffer, bool besidesCopies) {
  return op
      ->walk([&](Operation *inner) {
        return touches(inner, buffer, besidesCopies) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
class LoneGroupFinder {
public:
  LoneGroupFinder(LaunchOp launch, const GroupEnds &ends)
      : launch(launch), ends(ends) {}
  SmallVector<LoneGroup> find();

private:
  std::optional<LoneGroup> findGroup(Operation *copy, Value buffer);
  Operation *findReader(Operation *own, Value buffer);
  bool isWaitedForBefore(Operation *own, Operation *reader, Value buffer);

  LaunchOp launch;
  const GroupEnds &ends;
};
} // namespace

/// The groups that are closed between two operations of a block.
static int64_t countGroups(Operation *first, Operation *last) {
  return llvm::count_if(
      first->getBlock()->getOps<CopyCommitOp>(), [&](CopyCommitOp commit) {
        return first->isBeforeInBlock(commit) && commit->isBeforeInBlock(last);
      });
}

Operation *LoneGroupFinder::findReader(Operation *own, Value buffer) {
  for (Operation *op = own->getNextNode(); op; op = op->getNextNode())
    if (touchesInside(op, buffer, /*besidesCopies=*/true))
      return op;
  return nullptr;
}

/// Whether `op` may wait for one of `uses`: a number of another base is that of a
/// later iteration.
static bool waitsForOneOf(ArrayRef<RingUse> uses, Operation *op) {
  if (getRingUseKind(op) != RingUseKind::Wait)
    return false;
  RingOp ring = getRing(op->getOperand(0));
  RingNumber number = getRingNumber(op->getOperand(1));
  return llvm::any_of(uses, [&](const RingUse &use) {
    bool isOther =
        use.number.base == number.base && use.number.offset != number.offset;
    return use.ring == ring && !isOther;
  });
}

/// Whether a use that is committed behind `own` is waited for before the first
/// access to `buffer` in `reader`.
bool LoneGroupFinder::isWaitedForBefore(Operation *own, Operation *reader,
                                        Value buffer) {
  SmallVector<RingUse> uses;
  bool isWaitedFor = false;
  auto visit = [&](Operation *op) {
    if (auto end = ends.find(op); end != ends.end())
      uses.push_back(end->second);
    isWaitedFor |= waitsForOneOf(uses, op);
    return isWaitedFor || touches(op, buffer, /*besidesCopies=*/true)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  for (Operation *op = own->getNextNode(); op; op = op->getNextNode())
    if (op->walk<WalkOrder::PreOrder>(visit).wasInterrupted() || op == reader)
      break;
  return isWaitedFor;
}

/// The group that a copy would have alone; nothing where others wait for it.
std::optional<LoneGroup> LoneGroupFinder::findGroup(Operation *copy,
                                                    Value buffer) {
  for (Operation *own = copy; own != launch; own = own->getParentOp()) {
    // What also reads the buffer waits for the copy by itself.
    if (touchesInside(own, buffer, /*besidesCopies=*/true))
      return std::nullopt;
    Operation *reader = findReader(own, buffer);
    if (!reader)
      continue;
    if (isWaitedForBefore(own, reader, buffer))
      return std::nullopt;
    return LoneGroup{own, reader};
  }
  return std::nullopt;
}

/// Copies in front of the same reader are waited for together. Left are the groups
/// behind which something stays in flight.
SmallVector<LoneGroup> LoneGroupFinder::find() {
  SmallVector<LoneGroup> groups;
  launch.walk([&](Operation *op) {
    Value buffer = getLoneBuffer(op);
    std::optional<LoneGroup> own =
        buffer ? findGroup(op, buffer) : std::nullopt;
    if (!own)
      return;
    bool isShared = !groups.empty() &&
                    groups.back().last->getBlock() == own->last->getBlock() &&
                    own->last->isBeforeInBlock(groups.back().reader);
    if (!isShared)
      return groups.push_back(*own);
    groups.back().last = own->last;
    if (own->reader->isBeforeInBlock(groups.back().reader))
      groups.back().reader = own->reader;
  });
  llvm::erase_if(groups, [](const LoneGroup &group) {
    return countGroups(group.last, group.reader) == 0;
  });
  return groups;
}

/// Whether the program counts groups itself.
static bool hasWaits(LaunchOp launch) {
  return launch.walk([](CopyWaitOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

void tile::commitLoneCopies(LaunchOp launch, const GroupEnds &ends) {
  if (ends.empty() || hasWaits(launch))
    return;
  for (const LoneGroup &group : LoneGroupFinder(launch, ends).find()) {
    OpBuilder builder(launch.getContext());
    builder.setInsertionPointAfter(group.last);
    Location loc = group.last->getLoc();
    auto commit = CopyCommitOp::create(builder, loc);
    builder.setInsertionPoint(group.reader);
    CopyWaitOp::create(
        builder, loc,
        builder.getI64IntegerAttr(countGroups(commit, group.reader)));
  }
}
