//===- SplitFills.cpp - Fills as operations of their own ------------------===//

#include "SplitFills.h"
#include "BufferWalk.h"
#include "ExpandSchedule.h"
#include "LoopStatements.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tile;

/// Inner loops of fills through registers are unrolled up to this trip count.
static constexpr int64_t maxUnrolled = 8;

//===----------------------------------------------------------------------===//
// Which fills
//===----------------------------------------------------------------------===//

/// Whether a schedule of the loop around `op` may take fills out of it.
static bool isTransparent(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    TileDialect::StagesAttrHelper hint(op->getContext());
    return loop.getStaticTripCount() && !hint.isAttrPresent(op) &&
           loop.getNumResults() == 0;
  }
  return isa<scf::IfOp>(op);
}

SmallVector<Operation *> tile::getMovableFills(Operation *op) {
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
      bool isNeutral = isPure(&inner) || inner.hasTrait<OpTrait::IsTerminator>();
      if (!isNeutral && !isOnlyFills(&inner))
        return false;
      fills |= !isNeutral;
    }
  return fills;
}

bool tile::isStoreOfLoad(Operation *op) {
  auto isLoaded = [](Value value) {
    Operation *def = value.getDefiningOp();
    return def && (isa<LoadOp>(def) || isa<scf::IfOp>(def)) &&
           value.hasOneUse() &&
           llvm::all_of(getNestedAccesses(def), [](const BlockAccess &access) {
             return access.reads && !access.writes && access.memref &&
                    !isSharedMemory(
                        cast<MemRefType>(access.memref.getType()));
           });
  };
  bool stores = false;
  bool isOnly = !op->walk([&](Operation *inner) {
                       if (auto store = dyn_cast<StoreOp>(inner)) {
                         stores = true;
                         return isLoaded(store.getValue()) &&
                                        store.getDestSide().isShared()
                                    ? WalkResult::advance()
                                    : WalkResult::interrupt();
                       }
                       return isPure(inner) || isa<scf::IfOp>(inner) ||
                                      inner->hasTrait<OpTrait::IsTerminator>()
                                  ? WalkResult::advance()
                                  : WalkResult::interrupt();
                     }).wasInterrupted();
  return stores && isOnly && op->getNumResults() == 0;
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

  scf::ForOp loop;
  Operation *op;
  IRRewriter &rewriter;
  SmallVector<Operation *> fills;
};
} // namespace

/// Reads of global memory may be repeated where nothing writes it.
static bool isGlobalRead(Operation *op) {
  SmallVector<BlockAccess> accesses = getBlockAccesses(op);
  return op->getNumRegions() == 0 && !accesses.empty() &&
         llvm::all_of(accesses, [](const BlockAccess &access) {
           return access.reads && !access.writes && access.memref &&
                  !isSharedMemory(cast<MemRefType>(access.memref.getType()));
         });
}

bool FillSeparator::canCompute(Value value) {
  if (!op->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *def = value.getDefiningOp();
  // Induction variables of the inner loops are theirs.
  if (!def)
    return isa<scf::ForOp>(value.getParentBlock()->getParentOp());
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
    if (!llvm::all_of(fill->getOperands(),
                      [&](Value operand) { return canCompute(operand); }))
      return false;
    for (const BlockAccess &access : getBlockAccesses(fill)) {
      if (access.reads && isWritten(access.memref))
        return false;
      Value root = access.writes ? getSharedRoot(access.memref) : Value();
      if (!access.writes)
        continue;
      if (!root || !root.getDefiningOp<AllocOp>())
        return false;
      BufferUse use = followBuffer(loop, root);
      if (llvm::any_of(use.refills, [&](Operation *refill) {
            return op->isAncestor(refill);
          }))
        return false;
    }
  }
  bool readsWritten = op->walk([&](Operation *inner) {
                          if (!isGlobalRead(inner))
                            return WalkResult::advance();
                          for (const BlockAccess &access :
                               getBlockAccesses(inner))
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

/// The condition or inner loop again, with nothing but its fills.
void FillSeparator::cloneAround(Operation *around, IRMapping &mapping) {
  OpBuilder::InsertionGuard guard(rewriter);
  if (auto condition = dyn_cast<scf::IfOp>(around)) {
    bool hasElse = llvm::any_of(fills, [&](Operation *fill) {
      return condition.getElseRegion().isAncestor(fill->getParentRegion());
    });
    auto clone = scf::IfOp::create(rewriter, around->getLoc(),
                                   compute(condition.getCondition(), mapping),
                                   hasElse);
    rewriter.setInsertionPointToStart(clone.thenBlock());
    cloneFills(*condition.thenBlock(), mapping);
    if (!hasElse)
      return;
    rewriter.setInsertionPointToStart(clone.elseBlock());
    return cloneFills(*condition.elseBlock(), mapping);
  }
  auto inner = cast<scf::ForOp>(around);
  auto clone = scf::ForOp::create(
      rewriter, around->getLoc(), compute(inner.getLowerBound(), mapping),
      compute(inner.getUpperBound(), mapping),
      compute(inner.getStep(), mapping), ValueRange(), nullptr,
      inner.getUnsignedCmp());
  mapping.map(inner.getInductionVar(), clone.getInductionVar());
  rewriter.setInsertionPointToStart(clone.getBody());
  cloneFills(*inner.getBody(), mapping);
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

/// Whether a copy goes through registers.
static bool isThroughRegisters(Operation *op) {
  auto copy = dyn_cast<CopyOp>(op);
  return copy && isFill(op) && copy.getLayout() &&
         !copy.getInstructionAttr().isAsynchronous();
}

static Value createLoad(CopyOp copy, OpBuilder &builder) {
  Type element = copy.getDest().getType().getElementType();
  auto type = RankedTensorType::get(copy.getTileShape(), element,
                                    copy.getLayoutAttr());
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
  if (auto width = copy.getVectorWidth())
    store.setVectorWidth(getSideWidth(copy.getDest().getType(), *width));
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
    auto copy = dyn_cast<CopyOp>(inner);
    Operation *clone = rewriter.clone(inner, mapping);
    if (!copy)
      continue;
    loaded.push_back(createLoad(cast<CopyOp>(clone), rewriter));
    rewriter.eraseOp(clone);
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
static bool isGuardedCopies(Operation *op) {
  auto guard = dyn_cast<scf::IfOp>(op);
  return guard && !guard.elseBlock() && isOnlyFills(op) &&
         llvm::all_of(guard.thenBlock()->without_terminator(),
                      [](Operation &inner) {
                        return isRecomputed(&inner) ||
                               isThroughRegisters(&inner);
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
    number =
        rewriter.createOrFold<arith::AddIOp>(loc, number, loop.getStep());
  }
  rewriter.eraseOp(loop);
}

/// Short inner loops of copies through registers are written out.
static void unrollCopies(scf::ForOp loop, IRRewriter &rewriter) {
  for (auto inner :
       llvm::make_early_inc_range(loop.getBody()->getOps<scf::ForOp>())) {
    if (!isOnlyFills(inner) ||
        inner.getStaticTripCount()->ugt(maxUnrolled))
      continue;
    SmallVector<Operation *> fills = getMovableFills(inner);
    if (llvm::all_of(fills, isThroughRegisters) &&
        llvm::all_of(fills, [&](Operation *fill) {
          return fill->getParentOp() == inner;
        }))
      unroll(inner, rewriter);
  }
}

void tile::separateLoads(scf::ForOp loop, IRRewriter &rewriter) {
  unrollCopies(loop, rewriter);
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    if (isGuardedCopies(&op)) {
      separateGuarded(cast<scf::IfOp>(op), rewriter);
    } else if (isThroughRegisters(&op)) {
      auto copy = cast<CopyOp>(op);
      rewriter.setInsertionPoint(copy);
      createStore(copy, createLoad(copy, rewriter), rewriter);
      rewriter.eraseOp(copy);
    }
  }
}
