//===- RingProtocol.cpp - Whether rings are used in step ------------------===//

#include "tile/Analysis/RingProtocol.h"

#include "tile/Analysis/RingFills.h"

#include "RingUses.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/OperationTable.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
class ProtocolChecker {
public:
  explicit ProtocolChecker(LaunchOp launch);
  SmallVector<RingFinding> check();

private:
  using Rules = OperationTable<void(ProtocolChecker &, RingUses &)>;
  /// What operations on rings do.
  static const Rules &getRules();
  SmallVector<Operation *> getUsedRings(Operation *op) const;
  RingOp getAccessedRing(const BlockAccess &access) const;
  void endUses(Operation *op, RingUses &state) const;
  void transfer(Operation *op, RingUses &state);
  void cross(const RegionEdge &edge, RingUses &state) const;
  void acquire(RingAcquireOp op, RingUses &state);
  void checkOrder(RingAcquireOp op, const UseName &use, RingUses &state);
  void commit(RingCommitOp op, RingUses &state);
  void waitFor(RingWaitOp op, RingUses &state);
  void release(RingReleaseOp op, RingUses &state);
  /// Says where a use, which `message` names, may not be free.
  void expectFree(Operation *op, const UseName &use, const RingUses &state,
                  const Twine &message);
  void endRing(RingOp ring, const RingUses &state);
  void checkAccesses(Operation *op, const RingUses &state);
  void checkAccess(Operation *op, const BlockAccess &access,
                   const RingUses &state);

  /// Whether a use that may be in one of `wrong` states at `op` is an error:
  /// there is no other state that it could be in, or it comes around.
  bool isCertain(Operation *op, const UseState &found, unsigned wrong);
  /// Says where a use may be in other states than those asked for.
  void expect(Operation *op, const UseName &use, unsigned asked,
              const RingUses &state, StringRef message);
  void report(Operation *op, bool isError, const Twine &message,
              Operation *other = nullptr);

  LaunchOp launch;
  llvm::DenseMap<Operation *, llvm::SetVector<Value>> bases;
  llvm::DenseMap<Value, RingOp> ringOfBuffer;
  /// The rings that end with a block, by its terminator.
  llvm::DenseMap<Operation *, SmallVector<RingOp>> ringsEndingAt;
  /// By the operation of the launch's body that has the last use of rings or the last
  /// access to their buffers: the state of a long launch is that of a few rings.
  llvm::DenseMap<Operation *, llvm::SmallSetVector<Operation *, 2>> lastUsedAt;
  /// By the operation that they are found at: what the last look at it, with
  /// its final state, has found.
  llvm::MapVector<Operation *, SmallVector<RingFinding>> findings;
  Operation *current = nullptr;
  /// Rings with a number that nothing relates to the others.
  llvm::SetVector<Operation *> unrelated;
};
} // namespace

ProtocolChecker::ProtocolChecker(LaunchOp launch) : launch(launch) {
  launch.walk([&](RingOp ring) {
    bases[ring] = getNumberBases(ring);
    for (Value buffer : ring.getBuffers())
      ringOfBuffer[buffer] = ring;
    ringsEndingAt[ring->getBlock()->getTerminator()].push_back(ring);
  });
  llvm::MapVector<Operation *, Operation *> last;
  for (Operation &op : launch.getBody().front())
    op.walk([&](Operation *inner) {
      for (Operation *ring : getUsedRings(inner))
        last[ring] = &op;
    });
  for (auto [ring, op] : last)
    lastUsedAt[op].insert(ring);
}

/// The rings that `op` uses or whose buffers it touches.
SmallVector<Operation *> ProtocolChecker::getUsedRings(Operation *op) const {
  if (getRingUseKind(op))
    return {op->getOperand(0).getDefiningOp()};
  SmallVector<Operation *> rings;
  if (op->getNumRegions() == 0)
    for (const BlockAccess &access : getBlockAccesses(op))
      if (RingOp ring = getAccessedRing(access))
        rings.push_back(ring);
  return rings;
}

void ProtocolChecker::report(Operation *op, bool isError, const Twine &message,
                             Operation *other) {
  bool isOtherRing = llvm::is_contained(llvm::make_first_range(bases), other);
  findings[current].push_back({op, isError, message.str(), other, isOtherRing});
}

template <typename Op>
static UseName getUse(Op op) {
  return {op.getRing().getDefiningOp(), getRingNumber(op.getNumber())};
}

/// Whether a use that is not free may have the number under another name.
static bool mayHaveOtherName(const UseName &use, const RingUses &state) {
  if (state.lost.count(use.first))
    return true;
  return llvm::any_of(state.uses, [&](const auto &entry) {
    return entry.first.first == use.first &&
           entry.first.second.base != use.second.base;
  });
}

static StringRef describe(unsigned states) {
  switch (states & ~Free) {
  case Filling:
    return "is acquired and not committed";
  case Full:
    return "is committed and not waited for";
  case Reading:
    return "is waited for and not released";
  case None:
    return "is not acquired, or was released";
  default:
    return "is at another point on each path";
  }
}

/// Whether a run that has come from `earlier` may come to `later` without what
/// lies between on other paths: both stand in a loop that may go round as often
/// as one likes, and `earlier` under no condition of its own.
static bool comesAround(Operation *earlier, Operation *later,
                        Operation *launch) {
  Operation *parent = earlier->getParentOp();
  for (; parent && !parent->isAncestor(later); parent = parent->getParentOp())
    if (!isa<LoopLikeOpInterface>(parent))
      return false;
  while (parent != launch && !isa<LoopLikeOpInterface>(parent))
    parent = parent->getParentOp();
  auto loop = dyn_cast<scf::ForOp>(parent);
  return loop && !loop.getStaticTripCount();
}

bool ProtocolChecker::isCertain(Operation *op, const UseState &found,
                                unsigned wrong) {
  Operation *change = found.getChange(wrong);
  return !(found.getStates() & ~wrong) ||
         (change && comesAround(change, op, launch));
}

/// Whether the last iteration of the loop that `op` is in finds a use under a
/// condition that does not hold there.
static bool isCommittedTooLate(Operation *op, const UseState &found) {
  auto loop = op->getParentOfType<scf::ForOp>();
  return found.committed && loop && loop.getOperation() == op->getParentOp() &&
         (failsInLastIteration(found.condition, loop) ||
          failsInLastIteration(found.roundCondition, loop));
}

void ProtocolChecker::expect(Operation *op, const UseName &use, unsigned asked,
                             const RingUses &state, StringRef message) {
  UseState found = state.get(use);
  unsigned wrong = found.getStates() & ~asked;
  if (!wrong)
    return;
  if (found.states == Free && mayHaveOtherName(use, state)) {
    unrelated.insert(use.first);
    return report(op, false,
                  message + "; whether that is so is not known, as its number "
                            "has no known distance from others of the ring");
  }
  if (wrong == Free && isCommittedTooLate(op, found))
    return report(op, true,
                  message + ", but in the last iterations it is not: the "
                            "condition of the commit asks for an iteration "
                            "further ahead",
                  found.committed);
  bool isError = isCertain(op, found, wrong);
  // Not there on some path: what brought it there elsewhere.
  Operation *change = found.getChange(wrong == Free ? found.states : wrong);
  report(op, isError,
         message + (isError ? ", but this use " : ", but this use possibly ") +
             describe(wrong),
         change);
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// Whether the numbers come in order. A use under a condition may not have been
/// acquired, which leaves an earlier number to be the next one.
void ProtocolChecker::checkOrder(RingAcquireOp op, const UseName &use,
                                 RingUses &state) {
  NextUse &next = state.next[use.first];
  const RingNumber &number = use.second;
  if (next.most && next.most->base == number.base) {
    int64_t ahead = number.offset - next.most->offset;
    if (ahead > 0)
      report(
          op, true,
          "acquires use " + Twine(ahead) +
              " behind the next one of the ring; uses are acquired in order");
    bool isEarlier = next.least && next.least->base == number.base &&
                     number.offset < next.least->offset;
    if (isEarlier)
      report(op, true,
             "acquires use " + Twine(next.least->offset - number.offset) +
                 " before the next one of the ring, a second time");
    else if (ahead < 0 && !state.uses.count(use))
      report(op, false, "possibly acquires a use a second time");
  } else {
    report(op, false,
           "acquires a use whose number has no known distance from the one "
           "before; whether uses are acquired in order is not known");
  }
  next = {number + 1, number + 1};
}

void ProtocolChecker::expectFree(Operation *op, const UseName &use,
                                 const RingUses &state, const Twine &message) {
  UseState found = state.get(use);
  unsigned wrong = found.getStates() & ~Free;
  bool isError = wrong && isCertain(op, found, wrong);
  if (wrong)
    report(op, isError,
           message + (isError ? " that " : " that possibly ") + describe(wrong),
           found.getChange(wrong));
}

void ProtocolChecker::acquire(RingAcquireOp op, RingUses &state) {
  UseName use = getUse(op);
  checkOrder(op, use, state);
  expectFree(op, use, state, "acquires a use");
  int64_t slots = getSlotCount(use.first);
  expectFree(op, {use.first, use.second + -slots}, state,
             "acquires the slot of a use, " + Twine(slots) + " before,");
  UseState acquired;
  acquired.states = Filling;
  acquired.acquired = op;
  state.set(use, acquired);
  state.slots[op.getSlot()] = use;
}

void ProtocolChecker::commit(RingCommitOp op, RingUses &state) {
  UseName use = getUse(op);
  expect(op, use, Filling, state, "commits what has to be acquired");
  UseState committed = state.get(use);
  committed.states = Full;
  committed.condition = committed.roundCondition = UseCondition();
  committed.committed = op;
  state.set(use, committed);
}

void ProtocolChecker::waitFor(RingWaitOp op, RingUses &state) {
  UseName use = getUse(op);
  expect(op, use, Full, state, "waits for what has to be committed");
  UseState waited = state.get(use);
  waited.states = Reading;
  waited.condition = waited.roundCondition = UseCondition();
  waited.waited = op;
  state.set(use, waited);
  state.slots[op.getSlot()] = use;
}

void ProtocolChecker::release(RingReleaseOp op, RingUses &state) {
  UseName use = getUse(op);
  expect(op, use, Reading, state, "releases what has to be waited for");
  state.set(use, UseState());
}

/// Every use goes round: at the end of a ring none is on its way.
void ProtocolChecker::endRing(RingOp ring, const RingUses &state) {
  llvm::SetVector<Operation *> reported;
  for (const auto &[use, found] : state.uses) {
    if (use.first != ring)
      continue;
    unsigned wrong = found.states & ~Free;
    bool isError = !(found.states & Free) && !unrelated.contains(ring);
    Operation *change = found.getChange(wrong);
    if (!reported.insert(change))
      continue;
    report(change, isError,
           "this is the last of a use that " +
               Twine(isError ? "" : "possibly ") + describe(wrong) +
               " where its ring ends",
           ring);
  }
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The shape of the tile that an access moves, if it is known.
static SmallVector<int64_t> getTileShape(Operation *op,
                                         const BlockAccess &access) {
  if (access.fragment)
    return llvm::to_vector(
        cast<RankedTensorType>(access.fragment.getType()).getShape());
  if (auto copy = dyn_cast<CopyOp>(op))
    return llvm::to_vector(copy.getTileShape());
  return {};
}

/// The value that says which slot of the ring's buffer `root` is touched; null
/// if none does.
static Value getSlotValue(Operation *op, const BlockAccess &access,
                          Value root) {
  Value memref = access.memref;
  Value slot;
  while (memref != root) {
    if (auto view = memref.getDefiningOp<memref::SubViewOp>()) {
      bool isOne = view.getSource() == root &&
                   isConstantIntValue(view.getMixedSizes()[0], 1);
      slot = isOne ? dyn_cast<Value>(view.getMixedOffsets()[0]) : Value();
      memref = view.getSource();
    } else if (auto view = memref.getDefiningOp<ViewLikeOpInterface>()) {
      memref = view.getViewSource();
    } else {
      return {};
    }
  }
  if (access.memref != root)
    return slot;
  if (access.side && !access.side->isWhole() && !access.side->rows) {
    SmallVector<int64_t> extents =
        access.side->getExtents(getTileShape(op, access));
    bool isOne = !extents.empty() && extents.front() == 1;
    return isOne ? access.side->indices.front() : Value();
  }
  ValueRange indices = getElementIndices(op);
  return indices.empty() ? Value() : indices.front();
}

RingOp ProtocolChecker::getAccessedRing(const BlockAccess &access) const {
  Value root = access.memref ? getSharedRoot(access.memref) : Value();
  return root ? ringOfBuffer.lookup(root) : RingOp();
}

void ProtocolChecker::checkAccess(Operation *op, const BlockAccess &access,
                                  const RingUses &state) {
  RingOp ring = getAccessedRing(access);
  if (!ring)
    return;
  Value slot = getSlotValue(op, access, getSharedRoot(access.memref));
  auto use = slot ? state.slots.find(slot) : state.slots.end();
  if (use == state.slots.end() || use->second.first != ring.getOperation())
    return report(op, false,
                  "touches a ring's buffer at a slot that no acquire and no "
                  "wait has given; whose use it is is not known",
                  ring);
  expect(op, use->second, Filling | Reading, state,
         "touches a slot between acquire and commit or wait and release only");
}

void ProtocolChecker::checkAccesses(Operation *op, const RingUses &state) {
  if (isa<RegionBranchOpInterface>(op))
    return;
  op->walk([&](Operation *inner) {
    if (inner->getNumRegions() == 0)
      for (const BlockAccess &access : getBlockAccesses(inner))
        checkAccess(inner, access, state);
  });
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

const ProtocolChecker::Rules &ProtocolChecker::getRules() {
  static const Rules rules = [] {
    using Checker = ProtocolChecker;
    Rules table;
    table.add(+[](Checker &checker, RingUses &state, RingAcquireOp op) {
      checker.acquire(op, state);
    });
    table.add(+[](Checker &checker, RingUses &state, RingCommitOp op) {
      checker.commit(op, state);
    });
    table.add(+[](Checker &checker, RingUses &state, RingWaitOp op) {
      checker.waitFor(op, state);
    });
    table.add(+[](Checker &checker, RingUses &state, RingReleaseOp op) {
      checker.release(op, state);
    });
    table.add(+[](Checker &, RingUses &state, RingOp op) { state.reset(op); });
    return table;
  }();
  return rules;
}

void ProtocolChecker::transfer(Operation *op, RingUses &state) {
  current = op;
  findings.erase(op);
  if (state.isUnreachable)
    return;
  if (const Rules::Rule *rule = getRules().find(op))
    (*rule)(*this, state, op);
  else
    checkAccesses(op, state);
  if (auto ending = ringsEndingAt.find(op); ending != ringsEndingAt.end())
    for (RingOp ring : ending->second)
      endRing(ring, state);
  if (op->getNumRegions() == 0)
    endUses(op, state);
}

/// Forgets of rings what nobody asks for behind `op`.
void ProtocolChecker::endUses(Operation *op, RingUses &state) const {
  if (auto last = lastUsedAt.find(op); last != lastUsedAt.end())
    for (Operation *ring : last->second)
      state.endUses(ring);
}

void ProtocolChecker::cross(const RegionEdge &edge, RingUses &state) const {
  state.cross(edge, bases);
  RegionBranchOpInterface branch = edge.op;
  if (!edge.to)
    endUses(branch, state);
}

SmallVector<RingFinding> ProtocolChecker::check() {
  RingUses state;
  runForward(
      launch.getBody().front(), state,
      [&](Operation *op, RingUses &uses) { transfer(op, uses); },
      [&](const RegionEdge &edge, RingUses &uses) { cross(edge, uses); });
  SmallVector<RingFinding> all;
  launch.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto found = findings.find(op); found != findings.end())
      llvm::append_range(all, found->second);
  });
  return all;
}

SmallVector<RingFinding> tile::checkRingProtocol(LaunchOp launch) {
  return ProtocolChecker(launch).check();
}

LogicalResult tile::verifyRingProtocol(LaunchOp launch) {
  bool hasFailed = false;
  for (const RingFinding &finding : checkRingProtocol(launch)) {
    InFlightDiagnostic diagnostic =
        finding.isError ? finding.op->emitOpError() : finding.op->emitWarning();
    diagnostic << finding.message;
    if (finding.other)
      diagnostic.attachNote(finding.other->getLoc())
          << (finding.isOtherRing ? "the ring is from here"
                                  : "the use got there here");
    hasFailed |= finding.isError;
  }
  return failure(hasFailed);
}
