//===- MakeRings.cpp - Buffers with slots and who may use them ------------===//

#include "MakeRings.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The type of a view when its source has another offset than before.
static MemRefType inferViewType(Operation *view, MemRefType source) {
  return llvm::TypeSwitch<Operation *, MemRefType>(view)
      .Case([&](memref::SubViewOp op) {
        return memref::SubViewOp::inferRankReducedResultType(
            op.getType().getShape(), source, op.getMixedOffsets(),
            op.getMixedSizes(), op.getMixedStrides());
      })
      .Case([&](memref::ExpandShapeOp op) {
        return *memref::ExpandShapeOp::computeExpandedType(
            source, op.getResultType().getShape(),
            op.getReassociationIndices());
      })
      .Case([&](memref::CollapseShapeOp op) {
        return memref::CollapseShapeOp::computeCollapsedType(
            source, op.getReassociationIndices());
      })
      .Default([&](Operation *op) {
        // A cast forgets sizes; what it says of strides must not be more than
        // the source says.
        auto type = cast<MemRefType>(op->getResult(0).getType());
        return MemRefType::get(type.getShape(), type.getElementType(),
                               source.getLayout(), type.getMemorySpace());
      });
}

namespace {
/// Lets operations of a loop see `slot` where they saw `buffer`.
class ViewRebaser {
public:
  ViewRebaser(Value buffer, Value slot, IRRewriter &rewriter)
      : rewriter(rewriter) {
    mapping.map(buffer, slot);
  }
  void rebase(Operation *user);

private:
  Value getView(Value memref);

  IRRewriter &rewriter;
  IRMapping mapping;
};
} // namespace

/// `memref` as a view of the slot; itself if it is not one of the buffer.
Value ViewRebaser::getView(Value memref) {
  if (Value known = mapping.lookupOrNull(memref))
    return known;
  auto view = memref.getDefiningOp<ViewLikeOpInterface>();
  if (!view)
    return memref;
  Value source = getView(view.getViewSource());
  if (source == view.getViewSource())
    return memref;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(view);
  Operation *made = source.getDefiningOp();
  // A view that is made in front of the slot, perhaps outside of the loop, is
  // made again behind it.
  Operation *inBlock = made->getBlock()->findAncestorOpInBlock(*view);
  if (!inBlock || inBlock->isBeforeInBlock(made))
    rewriter.setInsertionPointAfter(made);
  Operation *clone = rewriter.clone(*view, mapping);
  clone->getResult(0).setType(
      inferViewType(view, cast<MemRefType>(source.getType())));
  mapping.map(memref, clone->getResult(0));
  return clone->getResult(0);
}

void ViewRebaser::rebase(Operation *user) {
  user->walk([&](Operation *op) {
    if (isa<ViewLikeOpInterface>(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<MemRefType>(operand.get().getType()))
        operand.set(getView(operand.get()));
  });
}

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
  SmallVector<RingGroup> groupBuffers();
  void carry(Value init, function_ref<Value(OpBuilder &, Value)> advance);
  void countIterations();
  void makeRing(const RingGroup &group);
  AllocOp makeSlots(AllocOp buffer, int64_t slots);
  Value getSlot(AllocOp buffer, AllocOp slots, Value slot);
  bool isWriter(const RingGroup &group, Operation *op);
  bool usesGroup(const RingGroup &group, Operation *op);
  RingUses createUses(const RingGroup &group, Value ring);
  void placeUses(const RingGroup &group, const RingUses &uses);
  void rebaseBody(const RingGroup &group, ArrayRef<AllocOp> slots,
                  const RingUses &uses);
  void holdBuffer(const RingGroup &group, AllocOp slots, Value ring);
  void rebaseOutside(AllocOp buffer, Value before, Value after);

  scf::ForOp loop;
  LoopPlan &plan;
  IRRewriter &rewriter;
  Location loc;
  /// The number of the iteration, and its place among what the loop carries.
  Value number;
  unsigned numberIndex = 0;
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

/// Buffers filled without other work between share a ring.
SmallVector<RingGroup> RingMaker::groupBuffers() {
  SmallVector<RingGroup> groups;
  for (const RingBuffer &ring : plan.rings) {
    auto [first, last] = getSpan(plan, ring);
    auto fits = [&](RingGroup &group) {
      if (group.slots != ring.slots || group.lead != ring.lead ||
          group.isHeld || ring.isHeld)
        return false;
      auto [otherFirst, otherLast] = getSpan(plan, group.buffers.front());
      for (int64_t position = std::min(first, otherFirst);
           position <= std::max(last, otherLast); ++position)
        if (plan.order[position].lead != ring.lead)
          return false;
      return true;
    };
    auto group = llvm::find_if(groups, fits);
    if (group == groups.end())
      groups.push_back({{ring}, ring.slots, ring.lead, ring.isHeld});
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

void RingMaker::countIterations() {
  rewriter.setInsertionPoint(loop);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  carry(zero, [&](OpBuilder &builder, Value count) -> Value {
    return arith::AddIOp::create(builder, loc, count, one);
  });
  numberIndex = loop.getNumRegionIterArgs() - 1;
  number = loop.getRegionIterArgs().back();
}

AllocOp RingMaker::makeSlots(AllocOp buffer, int64_t slots) {
  MemRefType type = buffer.getType();
  SmallVector<int64_t> shape = {slots};
  llvm::append_range(shape, type.getShape());
  auto layout =
      buffer.getLayout()->getLayout(getMemoryBits(type.getElementType()));
  return AllocOp::create(
      rewriter, buffer.getLoc(),
      MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(),
                      type.getMemorySpace()),
      SharedAttr::get(buffer.getContext(), layout->replicateOutermost(slots)),
      buffer.getAlignmentAttr());
}

/// The view of one slot.
Value RingMaker::getSlot(AllocOp buffer, AllocOp slots, Value slot) {
  MemRefType type = buffer.getType();
  int64_t rank = type.getRank();
  SmallVector<OpFoldResult> offsets(rank + 1, rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes(rank + 1, rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> strides(rank + 1, rewriter.getIndexAttr(1));
  offsets[0] = slot;
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes[dim + 1] = rewriter.getIndexAttr(type.getDimSize(dim));
  auto view = memref::SubViewOp::inferRankReducedResultType(
      type.getShape(), slots.getType(), offsets, sizes, strides);
  return memref::SubViewOp::create(rewriter, buffer.getLoc(), view, slots,
                                   offsets, sizes, strides);
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
  // A slot that is filled in the same step is waited for when it is.
  bool isAhead = group.lead > waitLead;
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
    // A use of a slot is under a guard of its own, which has no results.
    if (position == first)
      order.push_back({acquire, group.lead, /*startsGroup=*/true});
    order.push_back(entry);
    order.back().startsGroup |= position == last + 1;
    if (position == last) {
      order.push_back({commit, group.lead});
      if (!isAhead)
        addWait();
    }
    if (position == lastUse && !isReleasedAtOnce)
      order.push_back({release, releaseLead});
  }
  plan.order = std::move(order);
}

/// The uses stand at the head of the body; their order is the plan's.
RingUses RingMaker::createUses(const RingGroup &group, Value ring) {
  rewriter.setInsertionPointToStart(loop.getBody());
  Value use = number;
  if (group.isHeld) {
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
    ViewRebaser filled(buffer, getSlot(buffer, own, acquire.getSlot()),
                       rewriter);
    ViewRebaser used(buffer, getSlot(buffer, own, wait.getSlot()), rewriter);
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
  rewriter.setInsertionPointAfter(ring.getDefiningOp());
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  RingAcquireOp::create(rewriter, loc, ring, zero);
  RingCommitOp::create(rewriter, loc, ring, zero);
  Value held = RingWaitOp::create(rewriter, loc, ring, zero).getSlot();
  Value before = getSlot(buffer, slots, held);
  // The slot in use is carried out of the loop.
  RingUses uses = createUses(group, ring);
  carry(held, [&](OpBuilder &, Value) -> Value { return uses.wait.getSlot(); });
  number = loop.getRegionIterArgs()[numberIndex];
  placeUses(group, uses);
  rebaseBody(group, {slots}, uses);
  rewriter.setInsertionPointAfter(loop);
  Value after = getSlot(buffer, slots, loop.getResults().back());
  rebaseOutside(buffer, before, after);
  rewriter.setInsertionPoint(loop->getBlock()->getTerminator());
  RingReleaseOp::create(rewriter, loc, ring, loop.getResult(numberIndex));
}

void RingMaker::makeRing(const RingGroup &group) {
  if (group.isHeld)
    rewriter.setInsertionPoint(group.buffers.front().buffer);
  else
    rewriter.setInsertionPoint(loop);
  SmallVector<AllocOp> slots;
  SmallVector<Value> guarded;
  for (const RingBuffer &ring : group.buffers) {
    slots.push_back(makeSlots(ring.buffer, group.slots));
    guarded.push_back(slots.back().getResult());
  }
  auto type = RingType::get(rewriter.getContext(), group.slots);
  Value ring = RingOp::create(rewriter, loc, type, guarded);
  if (group.isHeld)
    return holdBuffer(group, slots.front(), ring);
  RingUses uses = createUses(group, ring);
  placeUses(group, uses);
  rebaseBody(group, slots, uses);
}

scf::ForOp RingMaker::make() {
  SmallVector<RingGroup> groups = groupBuffers();
  if (groups.empty())
    return loop;
  countIterations();
  for (const RingGroup &group : groups)
    makeRing(group);
  return loop;
}

scf::ForOp tile::makeRings(scf::ForOp loop, LoopPlan &plan,
                           IRRewriter &rewriter) {
  return RingMaker(loop, plan, rewriter).make();
}

/// Erases views of `memref` that nothing uses. Whether none is left.
static bool eraseUnusedViews(Value memref, IRRewriter &rewriter) {
  bool isUnused = true;
  for (Operation *user : llvm::make_early_inc_range(memref.getUsers())) {
    if (isa<ViewLikeOpInterface>(user) &&
        eraseUnusedViews(user->getResult(0), rewriter))
      rewriter.eraseOp(user);
    else
      isUnused = false;
  }
  return isUnused;
}

void tile::eraseUnused(AllocOp buffer, IRRewriter &rewriter) {
  if (eraseUnusedViews(buffer.getResult(), rewriter))
    rewriter.eraseOp(buffer);
}
