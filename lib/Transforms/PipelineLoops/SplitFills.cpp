//===- SplitFills.cpp - Fills as operations of their own ------------------===//

#include "SplitFills.h"
#include "BufferWalk.h"
#include "ExpandSchedule.h"
#include "LoopStatements.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/LiveRegisters.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// Inner loops of fills through registers are unrolled up to this trip count.
static constexpr int64_t maxUnrolled = 8;

//===----------------------------------------------------------------------===//
// Which fills
//===----------------------------------------------------------------------===//

/// Whether a schedule of the loop around `op` may take fills out of it.
static bool isTransparent(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](scf::IfOp) { return true; })
      .Case([](scf::ForOp loop) {
        TileDialect::StagesAttrHelper hint(loop.getContext());
        return hasKnownSteps(loop) && !hint.isAttrPresent(loop) &&
               loop.getNumResults() == 0;
      })
      .Default(false);
}

/// The fills in `op`, itself included, that a schedule of the loop around it
/// may move: those inside its `scf.if` and inner loops whose numbers are known
/// and that have no hint of their own.
static SmallVector<Operation *> getMovableFills(Operation *op) {
  if (isFill(op))
    return {op};
  SmallVector<Operation *> fills;
  if (isTransparent(op))
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        llvm::append_range(fills, getMovableFills(&inner));
  return fills;
}

bool tile::isOnlyFills(Operation *op) {
  if (isFill(op))
    return true;
  if (!isTransparent(op) || op->getNumResults() > 0)
    return false;
  bool fills = false;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps()) {
      bool isNeutral =
          isPure(&inner) || inner.hasTrait<OpTrait::IsTerminator>();
      if (!isNeutral && !isOnlyFills(&inner))
        return false;
      fills |= !isNeutral;
    }
  return fills;
}

bool tile::isFillByGroups(Operation *op) {
  return isOnlyFills(op) &&
         llvm::any_of(getNestedAccesses(op), [](const BlockAccess &access) {
           return access.writes &&
                  access.completion == tilec::Completion::Group;
         });
}

//===----------------------------------------------------------------------===//
// Fills in front of the rest
//===----------------------------------------------------------------------===//

namespace {
/// Takes the fills out of one operation of a loop body.
class FillSeparator {
public:
  FillSeparator(scf::ForOp loop, Operation *op, IRRewriter &rewriter)
      : loop(loop), op(op), rewriter(rewriter), fills(getMovableFills(op)) {}

  bool isLegal();
  void separate();

private:
  bool canCompute(Value value);
  Value compute(Value value, IRMapping &mapping);
  bool holdsFill(Operation *candidate);
  void cloneFills(Block &block, IRMapping mapping);
  void cloneFill(Operation *fill, IRMapping &mapping);
  void cloneAround(Operation *around, IRMapping &mapping);
  void cloneIf(scf::IfOp op, IRMapping &mapping);
  void cloneFor(scf::ForOp op, IRMapping &mapping);

  scf::ForOp loop;
  Operation *op;
  IRRewriter &rewriter;
  SmallVector<Operation *> fills;
};
} // namespace

/// Reads of global memory may be repeated where nothing writes it.
static bool isGlobalRead(Operation *op) {
  return op->getNumRegions() == 0 && onlyReadsGlobal(op);
}

bool FillSeparator::canCompute(Value value) {
  if (!op->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *def = value.getDefiningOp();
  // Induction variables of the inner loops are theirs.
  if (!def)
    return isTransparent(value.getParentBlock()->getParentOp());
  if (!isRecomputed(def) && !isGlobalRead(def))
    return false;
  return llvm::all_of(def->getOperands(),
                      [&](Value operand) { return canCompute(operand); });
}

/// No fill overwrites what the operation touched before, nothing in it writes
/// what the fills and their indices read, and all they need can be computed in
/// front.
bool FillSeparator::isLegal() {
  SmallVector<BlockAccess> others = getNestedAccesses(op);
  auto isWritten = [&](Value memref) {
    BlockAccess read = BlockAccess::read(memref);
    return llvm::any_of(others, [&](const BlockAccess &other) {
      return other.writes && mayOverlap(other, read);
    });
  };
  for (Operation *fill : fills) {
    // With what is around it: conditions, bounds.
    for (Operation *needed = fill; needed != op; needed = needed->getParentOp())
      if (!llvm::all_of(needed->getOperands(),
                        [&](Value operand) { return canCompute(operand); }))
        return false;
    for (const BlockAccess &access : getBlockAccesses(fill)) {
      if (access.reads && isWritten(access.memref))
        return false;
      Value root = access.writes ? getSharedRoot(access.memref) : Value();
      if (!access.writes)
        continue;
      // A slot belongs to the use of its ring that surrounds the fill.
      if (!root || !root.getDefiningOp<AllocOp>() || getRingOfBuffer(root))
        return false;
      BufferUse use = followBuffer(loop, root);
      if (llvm::any_of(use.refills, [&](Operation *refill) {
            return op->isAncestor(refill);
          }))
        return false;
    }
  }
  bool readsWritten =
      op->walk([&](Operation *inner) {
          if (!isGlobalRead(inner))
            return WalkResult::advance();
          for (const BlockAccess &access : getBlockAccesses(inner))
            if (isWritten(access.memref))
              return WalkResult::interrupt();
          return WalkResult::advance();
        }).wasInterrupted();
  return !readsWritten;
}

Value FillSeparator::compute(Value value, IRMapping &mapping) {
  if (mapping.contains(value) ||
      !op->isAncestor(value.getParentBlock()->getParentOp()))
    return mapping.lookupOrDefault(value);
  Operation *def = value.getDefiningOp();
  for (Value operand : def->getOperands())
    compute(operand, mapping);
  rewriter.clone(*def, mapping);
  return mapping.lookup(value);
}

void FillSeparator::cloneFill(Operation *fill, IRMapping &mapping) {
  for (Value operand : fill->getOperands())
    mapping.map(operand, compute(operand, mapping));
  rewriter.clone(*fill, mapping);
}

bool FillSeparator::holdsFill(Operation *candidate) {
  return llvm::any_of(
      fills, [&](Operation *fill) { return candidate->isAncestor(fill); });
}

void FillSeparator::cloneIf(scf::IfOp op, IRMapping &mapping) {
  bool hasElse = llvm::any_of(fills, [&](Operation *fill) {
    return op.getElseRegion().isAncestor(fill->getParentRegion());
  });
  auto clone = scf::IfOp::create(rewriter, op.getLoc(),
                                 compute(op.getCondition(), mapping), hasElse);
  rewriter.setInsertionPointToStart(clone.thenBlock());
  cloneFills(*op.thenBlock(), mapping);
  if (!hasElse)
    return;
  rewriter.setInsertionPointToStart(clone.elseBlock());
  cloneFills(*op.elseBlock(), mapping);
}

void FillSeparator::cloneFor(scf::ForOp op, IRMapping &mapping) {
  auto clone = scf::ForOp::create(
      rewriter, op.getLoc(), compute(op.getLowerBound(), mapping),
      compute(op.getUpperBound(), mapping), compute(op.getStep(), mapping),
      ValueRange(), nullptr, op.getUnsignedCmp());
  mapping.map(op.getInductionVar(), clone.getInductionVar());
  rewriter.setInsertionPointToStart(clone.getBody());
  cloneFills(*op.getBody(), mapping);
}

/// The condition or inner loop again, with nothing but its fills.
void FillSeparator::cloneAround(Operation *around, IRMapping &mapping) {
  OpBuilder::InsertionGuard guard(rewriter);
  llvm::TypeSwitch<Operation *>(around)
      .Case([&](scf::IfOp op) { cloneIf(op, mapping); })
      .Case([&](scf::ForOp op) { cloneFor(op, mapping); });
}

/// `mapping` is a copy: what is computed in a block is not seen outside.
void FillSeparator::cloneFills(Block &block, IRMapping mapping) {
  for (Operation &inner : block) {
    if (llvm::is_contained(fills, &inner))
      cloneFill(&inner, mapping);
    else if (inner.getNumRegions() > 0 && holdsFill(&inner))
      cloneAround(&inner, mapping);
  }
}

void FillSeparator::separate() {
  rewriter.setInsertionPoint(op);
  IRMapping mapping;
  cloneAround(op, mapping);
  for (Operation *fill : fills)
    rewriter.eraseOp(fill);
}

void tile::separateFills(scf::ForOp loop, IRRewriter &rewriter) {
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    if (op.getNumRegions() == 0 || getMovableFills(&op).empty() ||
        isOnlyFills(&op))
      continue;
    FillSeparator separator(loop, &op, rewriter);
    if (separator.isLegal())
      separator.separate();
  }
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// `op` as a copy that goes through registers; null if it is none.
static CopyOp getCopyThroughRegisters(Operation *op) {
  auto copy = dyn_cast<CopyOp>(op);
  bool is = copy && isFill(op) && copy.getLayout() &&
            !copy.getInstructionAttr().isAsynchronous();
  return is ? copy : CopyOp();
}

static Value createLoad(CopyOp copy, OpBuilder &builder) {
  Type element = copy.getDest().getType().getElementType();
  auto type =
      RankedTensorType::get(copy.getTileShape(), element, copy.getLayoutAttr());
  Side side = copy.getSourceSide();
  auto load = LoadOp::create(builder, copy.getLoc(), type, copy.getSource(),
                             copy.getSourceIndices(), copy.getPad());
  load.getSourceRowsMutable().assign(side.rows ? ValueRange(side.rows)
                                               : ValueRange());
  load.setSourceBoxAttr(side.box);
  if (!side.box && !side.isWhole())
    load.setSourceBoxAttr(
        builder.getDenseI64ArrayAttr(side.getExtents(copy.getTileShape())));
  load.setSourceRowsDimAttr(copy.getSourceRowsDimAttr());
  load.setSourceInBoundsAttr(side.inBounds);
  if (auto width = copy.getVectorWidth())
    load.setVectorWidth(getSideWidth(copy.getSource().getType(), *width));
  return load;
}

static void createStore(CopyOp copy, Value fragment, OpBuilder &builder) {
  Side side = copy.getDestSide();
  auto store = StoreOp::create(builder, copy.getLoc(), fragment, copy.getDest(),
                               copy.getDestIndices());
  store.getDestRowsMutable().assign(side.rows ? ValueRange(side.rows)
                                              : ValueRange());
  store.setDestBoxAttr(side.box);
  if (!side.box && !side.isWhole())
    store.setDestBoxAttr(
        builder.getDenseI64ArrayAttr(side.getExtents(copy.getTileShape())));
  store.setDestRowsDimAttr(copy.getDestRowsDimAttr());
  store.setDestInBoundsAttr(side.inBounds);
  IndexFacts facts(copy->getParentOfType<LaunchOp>());
  recordAccessWidths(facts, store);
}

/// scf.if %c { copies } -> %t.. = scf.if %c { loads };  scf.if %c { stores }
static void separateGuarded(scf::IfOp op, IRRewriter &rewriter) {
  SmallVector<CopyOp> copies(op.thenBlock()->getOps<CopyOp>());
  SmallVector<Type> types;
  for (CopyOp copy : copies)
    types.push_back(RankedTensorType::get(
        copy.getTileShape(), copy.getDest().getType().getElementType(),
        copy.getLayoutAttr()));
  rewriter.setInsertionPoint(op);
  auto loads = scf::IfOp::create(rewriter, op.getLoc(), types,
                                 op.getCondition(), /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(loads.thenBlock());
  IRMapping mapping;
  SmallVector<Value> loaded, instead;
  for (Operation &inner : op.thenBlock()->without_terminator()) {
    Operation *clone = rewriter.clone(inner, mapping);
    CopyOp copy = getCopyThroughRegisters(clone);
    if (!copy)
      continue;
    loaded.push_back(createLoad(copy, rewriter));
    rewriter.eraseOp(copy);
  }
  scf::YieldOp::create(rewriter, op.getLoc(), loaded);
  rewriter.setInsertionPointToStart(loads.elseBlock());
  for (Type type : types)
    instead.push_back(arith::ConstantOp::create(
        rewriter, op.getLoc(), cast<TypedAttr>(rewriter.getZeroAttr(type))));
  scf::YieldOp::create(rewriter, op.getLoc(), instead);
  for (auto [copy, fragment] : llvm::zip_equal(copies, loads.getResults())) {
    rewriter.setInsertionPoint(copy);
    createStore(copy, fragment, rewriter);
    rewriter.eraseOp(copy);
  }
}

/// A guard of nothing but copies through registers.
static bool isGuardedCopies(scf::IfOp guard) {
  return !guard.elseBlock() && isOnlyFills(guard) &&
         llvm::all_of(
             guard.thenBlock()->without_terminator(), [](Operation &inner) {
               return isRecomputed(&inner) || getCopyThroughRegisters(&inner);
             });
}

/// Writes out a loop without results whose bounds are constant.
static void unroll(scf::ForOp loop, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  Value number = loop.getLowerBound();
  for (uint64_t trip = 0; trip < loop.getStaticTripCount()->getZExtValue();
       ++trip) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), number);
    for (Operation &op : loop.getBody()->without_terminator())
      rewriter.clone(op, mapping);
    number = rewriter.createOrFold<arith::AddIOp>(loc, number, loop.getStep());
  }
  rewriter.eraseOp(loop);
}

/// Short inner loops of copies through registers are written out.
static void unrollCopies(scf::ForOp loop, IRRewriter &rewriter) {
  for (auto inner :
       llvm::make_early_inc_range(loop.getBody()->getOps<scf::ForOp>())) {
    std::optional<APInt> trips = inner.getStaticTripCount();
    if (!isOnlyFills(inner) || !trips || trips->ugt(maxUnrolled))
      continue;
    SmallVector<Operation *> fills = getMovableFills(inner);
    if (llvm::all_of(fills, getCopyThroughRegisters) &&
        llvm::all_of(fills, [&](Operation *fill) {
          return fill->getParentOp() == inner;
        }))
      unroll(inner, rewriter);
  }
}

/// The store of a parallel loop that fills a buffer: each iteration stores what it
/// has read from global memory at its own place, and touches nothing else. Null if
/// there is none.
static memref::StoreOp getOwnStore(ParallelOp parallel) {
  auto stores = parallel.getBody().getOps<memref::StoreOp>();
  if (parallel.getNumResults() > 0 || !parallel.getLayoutAttr() ||
      !llvm::hasSingleElement(stores))
    return nullptr;
  memref::StoreOp store = *stores.begin();
  bool isOwn = llvm::equal(store.getIndices(), parallel.getInductionVars()) &&
               store.getMemRefType().getShape() == parallel.getShape() &&
               getSharedRoot(store.getMemRef()) == store.getMemRef();
  bool readsGlobal = false;
  for (const BlockAccess &access : getNestedAccesses(parallel)) {
    bool isStore = !access.reads && access.memref == store.getMemRef();
    if (!isStore && (access.writes || access.isShared()))
      return nullptr;
    readsGlobal |= !isStore;
  }
  return isOwn && readsGlobal ? store : nullptr;
}

bool tile::fillsByElements(ParallelOp parallel) {
  return static_cast<bool>(getOwnStore(parallel));
}

/// parallel (%i) { ..; store %x, %s[%i] } -> %t = parallel (%i) { ..; yield %x }
///                                           tile.store %t, %s
static void separateElements(ParallelOp parallel, memref::StoreOp store,
                             IRRewriter &rewriter) {
  auto type =
      RankedTensorType::get(parallel.getShape(), store.getValue().getType(),
                            parallel.getLayoutAttr());
  rewriter.setInsertionPoint(parallel);
  auto loads = ParallelOp::create(
      rewriter, parallel.getLoc(), TypeRange(type), parallel.getShapeAttr(),
      parallel.getCoalescedWidthAttr(), parallel.getLayoutAttr(),
      parallel.getVectorWidthAttr());
  loads.getBody().takeBody(parallel.getBody());
  loads.getYield().getOperation()->insertOperands(0, store.getValue());
  auto whole = StoreOp::create(rewriter, store.getLoc(), loads.getResult(0),
                               store.getMemRef(), ValueRange());
  IndexFacts facts(loads->getParentOfType<LaunchOp>());
  recordAccessWidths(facts, whole);
  rewriter.eraseOp(store);
  rewriter.eraseOp(parallel);
}

/// Registers that hold what a thread has read for `copy`: one for each access, or
/// more where it is wider.
static int64_t countReadRegisters(CopyOp copy) {
  constexpr int64_t registerBits = 32;
  int64_t width = copy.getVectorWidth().value_or(1);
  int64_t bits = getMemoryBits(copy.getSource().getType().getElementType());
  int64_t count = copy.getLayoutAttr().getLayout().getRegisterCount();
  return llvm::divideCeil(count, width) *
         llvm::divideCeil(width * bits, registerBits);
}

void tile::separateLoads(scf::ForOp loop, const tilec::GpuTarget &target,
                         IRRewriter &rewriter) {
  unrollCopies(loop, rewriter);
  Block &body = *loop.getBody();
  for (auto parallel : llvm::make_early_inc_range(body.getOps<ParallelOp>()))
    if (memref::StoreOp store = getOwnStore(parallel))
      separateElements(parallel, store, rewriter);
  for (auto guard : llvm::make_early_inc_range(body.getOps<scf::IfOp>()))
    if (isGuardedCopies(guard))
      separateGuarded(guard, rewriter);
  auto copies =
      llvm::filter_to_vector(body.getOps<CopyOp>(), [](CopyOp copy) -> bool {
        return getCopyThroughRegisters(copy);
      });
  if (copies.empty())
    return;
  auto launch = loop->getParentOfType<LaunchOp>();
  int64_t free = getRegisterLimit(launch, target) - estimateRegisters(launch);
  for (CopyOp copy : copies) {
    int64_t held = countReadRegisters(copy);
    if (held > free)
      continue;
    free -= held;
    rewriter.setInsertionPoint(copy);
    createStore(copy, createLoad(copy, rewriter), rewriter);
    rewriter.eraseOp(copy);
  }
}
