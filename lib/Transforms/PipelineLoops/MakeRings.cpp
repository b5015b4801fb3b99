//===- MakeRings.cpp - Buffers with slots and who may use them ------------===//

#include "MakeRings.h"
#include "CarryNumber.h"
#include "ViewRebaser.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

namespace {
/// Buffers that share a ring.
struct RingGroup {
  SmallVector<RingBuffer> buffers;
  int64_t slots = 1;
  int64_t lead = 0;
  bool isHeld = false;
  /// Bulk copies fill it.
  bool isBulk = false;
};

/// The operations on a ring in the body.
struct RingUses {
  RingAcquireOp acquire;
  RingCommitOp commit;
  RingWaitOp wait;
  RingReleaseOp release;
};

class RingMaker {
public:
  RingMaker(scf::ForOp loop, LoopPlan &plan, IRRewriter &rewriter)
      : loop(loop), plan(plan), rewriter(rewriter), loc(loop.getLoc()) {}
  scf::ForOp make();

private:
  /// Which number of an iteration a ring has: from 0 on each time the loop
  /// starts, or going on through the launch, with one use more for what was
  /// there before the loop or not.
  enum Numbering : unsigned { FromZero, GoesOn, GoesOnHeld, NumberingCount };

  bool mayShare(const RingGroup &group, const RingBuffer &ring);
  bool areFilledTogether(const RingGroup &group, const RingBuffer &ring);
  SmallVector<RingGroup> groupBuffers();
  void carry(Value init, function_ref<Value(OpBuilder &, Value)> advance);
  Numbering getNumbering(const RingGroup &group);
  unsigned countIterations(Numbering numbering);
  Value getNumber(const RingGroup &group);
  void goOn(Numbering numbering);
  void makeRing(const RingGroup &group);
  bool areReadApart(const RingGroup &group, const RingBuffer &ring);
  bool isWriter(const RingGroup &group, Operation *op);
  bool usesGroup(const RingGroup &group, Operation *op);
  RingUses createUses(Value ring, Value number, bool isHeld);
  void placeUses(const RingGroup &group, const RingUses &uses);
  void rebaseBody(const RingGroup &group, ArrayRef<AllocOp> slots,
                  const RingUses &uses);
  void holdBuffer(const RingGroup &group, AllocOp slots, Value ring);
  void continueRing(const RingGroup &group);
  void holdInLoop(const RingGroup &group, AllocOp slots, Value ring,
                  unsigned number, Value held, Value before);
  void rebaseOutside(AllocOp buffer, Value before, Value after);

  scf::ForOp loop;
  LoopPlan &plan;
  IRRewriter &rewriter;
  Location loc;
  /// The places of the numbers of the iteration among what the loop carries.
  std::optional<unsigned> numberIndices[NumberingCount];
  /// What acquires, commits and waits for what was there before the loop, in a
  /// ring whose numbers go on.
  SmallVector<Operation *> firstUses;
};
} // namespace

/// Where in a step a buffer is filled.
static std::pair<int64_t, int64_t> getSpan(const LoopPlan &plan,
                                           const RingBuffer &ring) {
  int64_t first = plan.order.size(), last = -1;
  for (auto [position, entry] : llvm::enumerate(plan.order))
    if (llvm::is_contained(ring.writers, entry.op)) {
      first = std::min<int64_t>(first, position);
      last = position;
    }
  return {first, last};
}

static bool isFilledByBulk(const RingBuffer &ring) {
  return llvm::any_of(ring.writers, [&](Operation *writer) {
    return isFilledByBulkIn(writer, ring.buffer);
  });
}

/// The products of a step that read `buffer`.
static SmallVector<Operation *> findProducts(const LoopPlan &plan,
                                             AllocOp buffer) {
  SmallVector<Operation *> products;
  for (const ScheduledOp &entry : plan.order)
    entry.op->walk([&](MatrixProductOpInterface product) {
      bool reads = llvm::any_of(
          getBlockAccesses(product),
          [&](const BlockAccess &access) { return isIn(access, buffer); });
      if (reads)
        products.push_back(product);
    });
  return products;
}

/// Whether products read what a producer fills, but none both a buffer of the
/// group and this one: in one ring, the first would wait for what the second reads
/// and keep its slot for as long.
bool RingMaker::areReadApart(const RingGroup &group, const RingBuffer &ring) {
  if (!loop->getParentOfType<LaunchOp>().getRoles())
    return false;
  SmallVector<Operation *> products = findProducts(plan, ring.buffer);
  return !products.empty() &&
         llvm::all_of(group.buffers, [&](const RingBuffer &other) {
           SmallVector<Operation *> others = findProducts(plan, other.buffer);
           return !others.empty() &&
                  llvm::none_of(others, [&](Operation *product) {
                    return llvm::is_contained(products, product);
                  });
         });
}

/// Whether a buffer is filled in the same way and for the same products as those
/// of a group.
bool RingMaker::mayShare(const RingGroup &group, const RingBuffer &ring) {
  return group.slots == ring.slots && group.lead == ring.lead &&
         !group.isHeld && !ring.isHeld &&
         group.isBulk == isFilledByBulk(ring) && !areReadApart(group, ring);
}

/// Whether there is no other work between what fills a buffer and what fills
/// those of a group: none of another step, none that has to wait for some of them
/// already (nothing does where threads fill for a later step), and, where bulk
/// copies run ahead, no other ring. Its acquire would have a guard of its own, and
/// an acquire, its copies and their commit are one piece.
bool RingMaker::areFilledTogether(const RingGroup &group,
                                  const RingBuffer &ring) {
  auto [first, last] = getSpan(plan, ring);
  auto [otherFirst, otherLast] = getSpan(plan, group.buffers.front());
  RingGroup joined = group;
  joined.buffers.push_back(ring);
  bool isOnePiece = group.isBulk && ring.lead > 0;
  auto isApart = [&](const ScheduledOp &entry) {
    bool isUse = !isWriter(joined, entry.op) && usesGroup(joined, entry.op);
    return entry.lead != ring.lead ||
           (isUse && (group.isBulk || ring.lead == 0)) ||
           (isOnePiece &&
            llvm::any_of(plan.rings, [&](const RingBuffer &other) {
              return llvm::is_contained(other.writers, entry.op) &&
                     !mayShare(group, other);
            }));
  };
  int64_t begin = std::min(first, otherFirst), end = std::max(last, otherLast);
  return llvm::none_of(ArrayRef(plan.order).slice(begin, end + 1 - begin),
                       isApart);
}

/// Buffers filled without other work between, in the same way and for the same
/// products, share a ring.
SmallVector<RingGroup> RingMaker::groupBuffers() {
  SmallVector<RingGroup> groups;
  for (const RingBuffer &ring : plan.rings) {
    auto group = llvm::find_if(groups, [&](const RingGroup &group) {
      return mayShare(group, ring) && areFilledTogether(group, ring);
    });
    if (group == groups.end())
      groups.push_back(
          {{ring}, ring.slots, ring.lead, ring.isHeld, isFilledByBulk(ring)});
    else
      group->buffers.push_back(ring);
  }
  return groups;
}

/// Lets the loop carry one value more, which is `init` in the first iteration
/// and what `advance` makes of it in the next ones.
void RingMaker::carry(Value init,
                      function_ref<Value(OpBuilder &, Value)> advance) {
  auto carrying = loop.replaceWithAdditionalYields(
      rewriter, {init}, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
        return SmallVector<Value>{advance(builder, arguments.front())};
      });
  loop = cast<scf::ForOp>(carrying->getOperation());
}

/// Rings with mbarriers stand in front of everything; where that is not directly
/// in front of the loop, their numbers go on from one time it runs to the next.
RingMaker::Numbering RingMaker::getNumbering(const RingGroup &group) {
  if (!group.isBulk || loop->getParentOp() == loop->getParentOfType<LaunchOp>())
    return FromZero;
  return group.isHeld ? GoesOnHeld : GoesOn;
}

/// The place of a count of iterations among what the loop carries.
unsigned RingMaker::countIterations(Numbering numbering) {
  std::optional<unsigned> &index = numberIndices[numbering];
  if (index)
    return *index;
  rewriter.setInsertionPoint(loop);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  carry(zero, [&](OpBuilder &builder, Value count) -> Value {
    return arith::AddIOp::create(builder, loc, count, one);
  });
  index = loop.getNumRegionIterArgs() - 1;
  return *index;
}

Value RingMaker::getNumber(const RingGroup &group) {
  return loop.getRegionIterArg(*numberIndices[getNumbering(group)]);
}

/// Lets the numbers of rings start where they ended when the loop ran before.
void RingMaker::goOn(Numbering numbering) {
  if (!numberIndices[numbering])
    return;
  unsigned index = *numberIndices[numbering];
  auto start = [&](Operation *, Value number) -> Value {
    loop.getInitArgsMutable()[index].set(number);
    Value after = loop.getResult(index);
    if (numbering == GoesOn)
      return after;
    for (Operation *use : firstUses)
      use->setOperand(1, number);
    rewriter.setInsertionPointAfter(loop);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    return arith::AddIOp::create(rewriter, loc, after, one);
  };
  carryNumber(loop->getParentOfType<LaunchOp>(), {loop.getOperation()}, start,
              rewriter);
}

bool RingMaker::isWriter(const RingGroup &group, Operation *op) {
  return llvm::any_of(group.buffers, [&](const RingBuffer &ring) {
    return llvm::is_contained(ring.writers, op);
  });
}

/// Whether an operation of the body uses what is in a slot.
bool RingMaker::usesGroup(const RingGroup &group, Operation *op) {
  if (isWriter(group, op))
    return false;
  return llvm::any_of(getNestedAccesses(op), [&](const BlockAccess &access) {
    return llvm::any_of(group.buffers, [&](const RingBuffer &ring) {
      return isIn(access, ring.buffer);
    });
  });
}

/// Puts the uses of a ring into the order of a step.
void RingMaker::placeUses(const RingGroup &group, const RingUses &uses) {
  auto [acquire, commit, wait, release] = uses;
  int64_t first = -1, last = -1, firstUse = -1, lastUse = -1;
  for (auto [at, entry] : llvm::enumerate(plan.order)) {
    int64_t position = at;
    if (isWriter(group, entry.op)) {
      first = first < 0 ? position : first;
      last = position;
    } else if (usesGroup(group, entry.op)) {
      bool isEarlier = firstUse < 0 || entry.lead > plan.order[firstUse].lead;
      firstUse = isEarlier ? position : firstUse;
      bool isLater = lastUse < 0 || entry.lead <= plan.order[lastUse].lead;
      lastUse = isLater ? position : lastUse;
    }
  }
  int64_t waitLead = firstUse < 0 ? 0 : plan.order[firstUse].lead;
  int64_t releaseLead = lastUse < 0 ? waitLead : plan.order[lastUse].lead;
  // A slot that is filled in the same step is waited for when it is; where a
  // producer fills it, when it is used.
  bool isAhead = group.lead > waitLead;
  bool isByProducer = group.isBulk && firstUse > last &&
                      loop->getParentOfType<LaunchOp>().getRoles();
  SmallVector<ScheduledOp> order;
  // What nobody uses is released at once, and so is the use before a held one.
  bool isReleasedAtOnce = group.isHeld || lastUse < 0;
  auto addWait = [&]() {
    order.push_back({wait, waitLead});
    if (isReleasedAtOnce)
      order.push_back({release, waitLead});
  };
  if (isAhead)
    addWait();
  for (auto [at, entry] : llvm::enumerate(plan.order)) {
    int64_t position = at;
    if (isByProducer && position == firstUse)
      addWait();
    // A use of a slot is under a guard of its own, which has no results.
    if (position == first)
      order.push_back({acquire, group.lead, /*startsGroup=*/true});
    order.push_back(entry);
    order.back().startsGroup |= position == last + 1;
    // A bulk copy is under one guard with what gives its slot.
    if (position == first && group.isBulk)
      order.back().startsGroup = false;
    if (position == last) {
      order.push_back({commit, group.lead});
      if (!isAhead && !isByProducer)
        addWait();
    }
    if (position == lastUse && !isReleasedAtOnce)
      order.push_back({release, releaseLead});
  }
  plan.order = std::move(order);
}

/// The uses stand at the head of the body; their order is the plan's.
RingUses RingMaker::createUses(Value ring, Value number, bool isHeld) {
  rewriter.setInsertionPointToStart(loop.getBody());
  Value use = number;
  if (isHeld) {
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    use = arith::AddIOp::create(rewriter, loc, number, one);
  }
  return {RingAcquireOp::create(rewriter, loc, ring, use),
          RingCommitOp::create(rewriter, loc, ring, use),
          RingWaitOp::create(rewriter, loc, ring, use),
          RingReleaseOp::create(rewriter, loc, ring, number)};
}

/// Lets the operations of the body see slots. Views stand in the order of the
/// buffers: behind that of a smaller slot, LLVM would derive the address of a
/// larger one from it, at the cost of an addition in each iteration.
void RingMaker::rebaseBody(const RingGroup &group, ArrayRef<AllocOp> slots,
                           const RingUses &uses) {
  Operation *body = uses.release->getNextNode();
  for (auto [entry, alloc] : llvm::zip_equal(group.buffers, slots)) {
    AllocOp buffer = entry.buffer, own = alloc;
    RingAcquireOp acquire = uses.acquire;
    RingWaitOp wait = uses.wait;
    rewriter.setInsertionPoint(body);
    ViewRebaser filled(buffer,
                       createSlotView(buffer, own, acquire.getSlot(), rewriter),
                       rewriter);
    ViewRebaser used(buffer,
                     createSlotView(buffer, own, wait.getSlot(), rewriter),
                     rewriter);
    for (const ScheduledOp &scheduled : plan.order)
      (llvm::is_contained(entry.writers, scheduled.op) ? filled : used)
          .rebase(scheduled.op);
  }
}

/// Lets what uses `buffer` in front of the loop see `before`, behind it `after`.
void RingMaker::rebaseOutside(AllocOp buffer, Value before, Value after) {
  ViewRebaser early(buffer, before, rewriter), late(buffer, after, rewriter);
  for (Operation &op : llvm::make_early_inc_range(*loop->getBlock()))
    if (&op != loop)
      (op.isBeforeInBlock(loop) ? early : late).rebase(&op);
}

/// The use of a held ring that stands for what was there before the loop, and
/// the one that is left behind it. The first is held from the beginning, so that
/// the program in front of the loop may write and read it as it likes.
void RingMaker::holdBuffer(const RingGroup &group, AllocOp slots, Value ring) {
  AllocOp buffer = group.buffers.front().buffer;
  rewriter.setInsertionPoint(buffer);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  auto acquire = RingAcquireOp::create(rewriter, loc, ring, zero);
  auto commit = RingCommitOp::create(rewriter, loc, ring, zero);
  auto wait = RingWaitOp::create(rewriter, loc, ring, zero);
  Value held = wait.getSlot();
  if (getNumbering(group) == GoesOnHeld)
    firstUses.append({acquire, commit, wait});
  Value before = createSlotView(buffer, slots, held, rewriter);
  unsigned number = *numberIndices[getNumbering(group)];
  holdInLoop(group, slots, ring, number, held, before);
  rewriter.setInsertionPoint(loop->getBlock()->getTerminator());
  RingReleaseOp::create(rewriter, loc, ring, loop.getResult(number));
}

/// Lets the loop go on from the use whose slot `held` is, seen as `before`: always
/// one use is held, in the end the last one. The number of the use is what the loop
/// carries at `number`.
void RingMaker::holdInLoop(const RingGroup &group, AllocOp slots, Value ring,
                           unsigned number, Value held, Value before) {
  AllocOp buffer = group.buffers.front().buffer;
  RingUses uses =
      createUses(ring, loop.getRegionIterArg(number), /*isHeld=*/true);
  // The slot in use is carried out of the loop.
  carry(held, [&](OpBuilder &, Value) -> Value { return uses.wait.getSlot(); });
  placeUses(group, uses);
  rebaseBody(group, {slots}, uses);
  rewriter.setInsertionPointAfter(loop);
  Value after =
      createSlotView(buffer, slots, loop.getResults().back(), rewriter);
  rebaseOutside(buffer, before, after);
}

/// The uses of a ring that another loop made go on; the one that this loop leaves
/// is released where that of the other one was.
void RingMaker::continueRing(const RingGroup &group) {
  ContinuedRing from = *group.buffers.front().continued;
  Value last = from.release.getNumber();
  rewriter.setInsertionPoint(loop);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  carry(last, [&](OpBuilder &builder, Value number) -> Value {
    return arith::AddIOp::create(builder, loc, number, one);
  });
  unsigned number = loop.getNumRegionIterArgs() - 1;
  holdInLoop(group, from.slots, from.ring, number, from.getHeldSlot(),
             from.held);
  Value after = loop.getResult(number);
  from.release.getNumberMutable().assign(after);
  for (Operation *user : llvm::make_early_inc_range(last.getUsers())) {
    if (user->getBlock() != loop->getBlock() || !countsOn(user))
      continue;
    user->replaceUsesOfWith(last, after);
    if (!user->hasTrait<OpTrait::IsTerminator>())
      user->moveAfter(loop);
  }
}

void RingMaker::makeRing(const RingGroup &group) {
  if (group.buffers.front().continued)
    return continueRing(group);
  countIterations(getNumbering(group));
  if (getNumbering(group) != FromZero)
    rewriter.setInsertionPoint(loop->getParentOfType<LaunchOp>()
                                   .getBody()
                                   .front()
                                   .findAncestorOpInBlock(*loop));
  else if (group.isHeld)
    rewriter.setInsertionPoint(group.buffers.front().buffer);
  else
    rewriter.setInsertionPoint(loop);
  SmallVector<AllocOp> slots;
  SmallVector<Value> guarded;
  for (const RingBuffer &ring : group.buffers) {
    slots.push_back(createSlots(ring.buffer, group.slots, rewriter));
    guarded.push_back(slots.back().getResult());
  }
  auto type = RingType::get(rewriter.getContext(), group.slots);
  Value ring = RingOp::create(rewriter, loc, type, guarded);
  if (group.isHeld)
    return holdBuffer(group, slots.front(), ring);
  RingUses uses = createUses(ring, getNumber(group), /*isHeld=*/false);
  placeUses(group, uses);
  rebaseBody(group, slots, uses);
}

scf::ForOp RingMaker::make() {
  SmallVector<RingGroup> groups = groupBuffers();
  for (const RingGroup &group : groups)
    makeRing(group);
  goOn(GoesOn);
  goOn(GoesOnHeld);
  return loop;
}

scf::ForOp tile::makeRings(scf::ForOp loop, LoopPlan &plan,
                           IRRewriter &rewriter) {
  return RingMaker(loop, plan, rewriter).make();
}
