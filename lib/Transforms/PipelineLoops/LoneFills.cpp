//===- LoneFills.cpp - Bulk copies that no pipelined loop took ------------===//

#include "LoneFills.h"
#include "CarryNumber.h"
#include "LoopStatements.h"
#include "ViewRebaser.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Copies that share a use, and what touches their buffers while it is held.
struct Site {
  SmallVector<TensorCopyOpInterface> copies;
  SmallVector<Operation *> holders; ///< of the copies' block, in order

  Block *getBlock() const { return copies.front()->getBlock(); }
};

/// Buffers that are filled at the same sites.
struct LoneRing {
  SmallVector<AllocOp> buffers;
  SmallVector<Site> sites;
};
} // namespace

static AllocOp getBuffer(TensorCopyOpInterface copy) {
  Value root = getSharedRoot(copy.getDest());
  return root ? root.getDefiningOp<AllocOp>() : AllocOp();
}

//===----------------------------------------------------------------------===//
// Which copies share a ring
//===----------------------------------------------------------------------===//

/// Whether nothing happens between two copies of a block.
static bool areNeighbours(TensorCopyOpInterface first,
                          TensorCopyOpInterface second) {
  if (first->getBlock() != second->getBlock())
    return false;
  for (Operation *op = first->getNextNode(); op; op = op->getNextNode())
    if (op == second)
      return true;
    else if (!isMemoryEffectFree(op))
      return false;
  return false;
}

/// The bulk loads without a slot, those that may share a use together: next to
/// each other, each into another buffer.
static SmallVector<Site> findSites(LaunchOp launch) {
  SmallVector<Site> sites;
  launch.walk([&](TensorCopyOpInterface copy) {
    if (!isBulkLoad(copy) || getAcquire(copy))
      return;
    bool isNext =
        !sites.empty() && areNeighbours(sites.back().copies.back(), copy) &&
        llvm::none_of(sites.back().copies, [&](TensorCopyOpInterface other) {
          return getBuffer(other) == getBuffer(copy);
        });
    if (!isNext)
      sites.emplace_back();
    sites.back().copies.push_back(copy);
  });
  return sites;
}

/// Buffers with the same sites get a ring together.
static SmallVector<LoneRing> groupSites(ArrayRef<Site> sites) {
  llvm::MapVector<Operation *, SmallVector<int64_t>> sitesOf;
  for (auto [number, site] : llvm::enumerate(sites))
    for (TensorCopyOpInterface copy : site.copies)
      sitesOf[getBuffer(copy)].push_back(number);
  SmallVector<LoneRing> rings;
  SmallVector<SmallVector<int64_t>> numbers;
  for (auto &[buffer, own] : sitesOf) {
    auto known = llvm::find(numbers, own);
    if (!buffer || known == numbers.end()) {
      numbers.push_back(own);
      rings.emplace_back().sites.resize(own.size());
      known = std::prev(numbers.end());
    }
    LoneRing &ring = rings[known - numbers.begin()];
    ring.buffers.push_back(cast_if_present<AllocOp>(buffer));
    for (auto [index, number] : llvm::enumerate(own))
      for (TensorCopyOpInterface copy : sites[number].copies)
        if (getBuffer(copy) == buffer)
          ring.sites[index].copies.push_back(copy);
  }
  for (LoneRing &ring : rings)
    for (Site &site : ring.sites)
      llvm::sort(site.copies,
                 [](TensorCopyOpInterface a, TensorCopyOpInterface b) {
                   return a->isBeforeInBlock(b);
                 });
  return rings;
}

//===----------------------------------------------------------------------===//
// Whether a ring can have them
//===----------------------------------------------------------------------===//

static bool touches(Operation *op, const LoneRing &ring) {
  return llvm::any_of(getNestedAccesses(op), [&](const BlockAccess &access) {
    return llvm::any_of(ring.buffers,
                        [&](AllocOp buffer) { return isIn(access, buffer); });
  });
}

static bool isInSite(const LoneRing &ring, Operation *op) {
  return llvm::any_of(ring.sites, [&](const Site &site) {
    return llvm::is_contained(site.copies, op);
  });
}

/// Finds what holds each use: from its copies to the end of their block, or to
/// the next site in it.
static void findHolders(LoneRing &ring) {
  for (Site &site : ring.sites) {
    site.holders.clear();
    for (Operation *op = site.copies.back()->getNextNode(); op;
         op = op->getNextNode()) {
      bool hasSite = llvm::any_of(ring.sites, [&](const Site &other) {
        return op->isAncestor(other.copies.front());
      });
      if (hasSite)
        break;
      if (touches(op, ring))
        site.holders.push_back(op);
    }
  }
}

/// Whether the uses of `memref` are accesses and views, and each access is one of
/// a site or of what holds its use.
static bool areUsesHeld(Value memref, const LoneRing &ring) {
  return llvm::all_of(memref.getUsers(), [&](Operation *user) {
    if (isa<ViewLikeOpInterface>(user))
      return areUsesHeld(user->getResult(0), ring);
    if (isInSite(ring, user))
      return true;
    bool isAccess =
        llvm::any_of(getNestedAccesses(user), [&](const BlockAccess &access) {
          return access.memref == memref;
        });
    return isAccess && llvm::any_of(ring.sites, [&](const Site &site) {
             return llvm::any_of(site.holders, [&](Operation *holder) {
               return holder->isAncestor(user);
             });
           });
  });
}

static bool isInLoop(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>() != nullptr;
}

/// Whether the copies of a site write all of their buffers.
static bool fillsAll(const Site &site) {
  return llvm::all_of(site.copies, [](TensorCopyOpInterface copy) {
    return llvm::any_of(getBlockAccesses(copy), [&](const BlockAccess &access) {
      return access.writes && access.replaces &&
             access.memref == getSharedRoot(access.memref);
    });
  });
}

/// Why a ring cannot have its sites; empty if it can.
static std::string findReason(LoneRing &ring) {
  if (llvm::is_contained(ring.buffers, AllocOp()))
    return "where it copies to is chosen while the program runs";
  for (AllocOp buffer : ring.buffers)
    if (getRingOfBuffer(buffer.getResult()))
      return "it fills a slot that a pipelined loop takes over when it starts";
  findHolders(ring);
  for (const Site &site : ring.sites)
    if (!canCarryNumber(site.copies.front()))
      return "it stands in an operation that counts no uses";
  for (AllocOp buffer : ring.buffers)
    if (!areUsesHeld(buffer.getResult(), ring))
      return "its buffer is also used where what it copied may not be there";
  bool isOnce =
      ring.sites.size() == 1 && !isInLoop(ring.sites.front().copies.front());
  for (const Site &site : ring.sites)
    if (!isOnce && !fillsAll(site))
      return "it fills a part of a buffer, in the rest of which something may "
             "be left from before";
  return {};
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
class LoneRingMaker {
public:
  LoneRingMaker(LaunchOp launch, LoneRing &ring, IRRewriter &rewriter)
      : launch(launch), ring(ring), rewriter(rewriter) {}
  void make();

private:
  void createRing();
  void createUses(const Site &site);
  void rebase(ArrayRef<Operation *> ops, Value slot);

  LaunchOp launch;
  LoneRing &ring;
  IRRewriter &rewriter;
  Value ringValue;
  SmallVector<AllocOp> slots;
  /// Behind the acquire of each site: the other uses of its number.
  llvm::MapVector<Operation *, SmallVector<Operation *>> usesOf;
};
} // namespace

void LoneRingMaker::createRing() {
  Block &body = launch.getBody().front();
  Operation *first = nullptr;
  for (const Site &site : ring.sites) {
    Operation *own = body.findAncestorOpInBlock(*site.copies.front());
    first = !first || own->isBeforeInBlock(first) ? own : first;
  }
  rewriter.setInsertionPoint(first);
  SmallVector<Value> guarded;
  for (AllocOp buffer : ring.buffers) {
    slots.push_back(createSlots(buffer, 1, rewriter));
    guarded.push_back(slots.back().getResult());
  }
  Location loc = ring.sites.front().copies.front().getLoc();
  ringValue = RingOp::create(rewriter, loc,
                             RingType::get(rewriter.getContext(), 1), guarded);
}

/// Lets operations see the slot, where the rewriter stands, for the buffers.
void LoneRingMaker::rebase(ArrayRef<Operation *> ops, Value slot) {
  for (auto [buffer, own] : llvm::zip_equal(ring.buffers, slots)) {
    ViewRebaser rebaser(buffer, createSlotView(buffer, own, slot, rewriter),
                        rewriter);
    for (Operation *op : ops)
      rebaser.rebase(op);
  }
}

void LoneRingMaker::createUses(const Site &site) {
  TensorCopyOpInterface first = site.copies.front(), last = site.copies.back();
  Location loc = first.getLoc();
  rewriter.setInsertionPoint(first);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  auto acquire = RingAcquireOp::create(rewriter, loc, ringValue, zero);
  rebase(SmallVector<Operation *>(site.copies.begin(), site.copies.end()),
         acquire.getSlot());
  rewriter.setInsertionPointAfter(last);
  Operation *commit = RingCommitOp::create(rewriter, loc, ringValue, zero);
  if (!site.holders.empty())
    rewriter.setInsertionPoint(site.holders.front());
  auto wait = RingWaitOp::create(rewriter, loc, ringValue, zero);
  rebase(site.holders, wait.getSlot());
  if (!site.holders.empty())
    rewriter.setInsertionPointAfter(site.holders.back());
  Operation *release = RingReleaseOp::create(rewriter, loc, ringValue, zero);
  usesOf[acquire] = {acquire, commit, wait, release};
}

void LoneRingMaker::make() {
  // Loops that carry the number of another ring have been made anew.
  findHolders(ring);
  createRing();
  for (const Site &site : ring.sites)
    createUses(site);
  SmallVector<Operation *> acquires(llvm::make_first_range(usesOf));
  carryNumber(
      launch, acquires,
      [&](Operation *acquire, Value number) -> Value {
        for (Operation *use : usesOf[acquire])
          use->setOperand(1, number);
        rewriter.setInsertionPointAfter(acquire);
        Location loc = acquire->getLoc();
        Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
        return arith::AddIOp::create(rewriter, loc, number, one);
      },
      rewriter);
  for (AllocOp buffer : ring.buffers)
    eraseUnused(buffer, rewriter);
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

SmallVector<DroppedBulkCopy> tile::makeLoneRings(LaunchOp launch,
                                                 IRRewriter &rewriter) {
  SmallVector<DroppedBulkCopy> dropped;
  SmallVector<LoneRing> rings = groupSites(findSites(launch));
  SmallVector<LoneRing *> possible;
  for (LoneRing &ring : rings) {
    std::string reason = findReason(ring);
    if (reason.empty()) {
      possible.push_back(&ring);
      continue;
    }
    for (const Site &site : ring.sites)
      for (TensorCopyOpInterface copy : site.copies)
        dropped.push_back({copy, reason});
  }
  IndexFacts facts(launch);
  for (const DroppedBulkCopy &copy : dropped)
    copyByThreads(copy.copy, facts);
  for (LoneRing *ring : possible)
    LoneRingMaker(launch, *ring, rewriter).make();
  return dropped;
}
