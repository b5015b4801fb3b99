//===- LateProduct.cpp - A product under the next iteration --------------===//

#include "LateProduct.h"
#include "ProductLoop.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// A use of a ring in whose slot an operand lies, which nothing else reads.
struct SlotUse {
  RingWaitOp wait;
  RingReleaseOp release;
  /// From the slot to the operand.
  SmallVector<Operation *> views;
};

/// How a product is moved into the next iteration.
struct LatePlan {
  scf::ForOp loop;
  MatrixProductOpInterface first;   ///< the product in front
  MatrixProductOpInterface product; ///< the one that is late
  unsigned argument = 0;            ///< of the loop: the sum
  SmallVector<SlotUse> uses;
  /// What stands behind the wait for the product.
  llvm::SetVector<Operation *> behind;

  bool isCarried() { // operand A
    return isa<RankedTensorType>(product.getA().getType());
  }
};
} // namespace

MatrixProductOpInterface tile::findLastOfTwo(scf::ForOp loop) {
  SmallVector<MatrixProductOpInterface> products(
      loop.getBody()->getOps<MatrixProductOpInterface>());
  bool areTwo = products.size() == 2 && countProducts(loop) == 2 &&
                llvm::all_of(products, isWaitedForLater);
  if (!areTwo)
    return {};
  MatrixProductOpInterface last = products.back();
  Operation *yield = loop.getBody()->getTerminator();
  bool isLast = last->getResult(0).hasOneUse() &&
                *last->getResult(0).user_begin() == yield && last.getC();
  return isLast ? last : MatrixProductOpInterface();
}

/// Adds the operations of the body that use `value`, and what uses these.
static void addDependents(scf::ForOp loop, Value value,
                          llvm::SetVector<Operation *> &dependents) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
    getUsedValuesDefinedAbove(op.getRegions(), used);
    if (llvm::any_of(used, [&](Value operand) {
          return operand == value ||
                 dependents.contains(operand.getDefiningOp());
        }))
      dependents.insert(&op);
  }
}

/// Collects the views of `loop` that lead to `operand`; gives the wait whose slot
/// is all that they depend on, null if they depend on something else.
static RingWaitOp collectViews(scf::ForOp loop, Value operand,
                               SmallVectorImpl<Operation *> &views) {
  RingWaitOp wait;
  Operation *view = operand.getDefiningOp();
  while (view && view->getBlock() == loop.getBody()) {
    auto viewLike = dyn_cast<ViewLikeOpInterface>(view);
    if (!viewLike)
      return {};
    for (Value used : view->getOperands()) {
      bool isOutside = loop.isDefinedOutsideOfLoop(used);
      if (isOutside || used == viewLike.getViewSource())
        continue;
      auto slot = used.getDefiningOp<RingWaitOp>();
      if (!slot || (wait && wait != slot))
        return {};
      wait = slot;
    }
    views.push_back(view);
    view = viewLike.getViewSource().getDefiningOp();
  }
  std::reverse(views.begin(), views.end());
  return wait;
}

/// Adds the use of a ring that `operand` is in, or the operand to the use of the
/// other one; says what is in the way if there is none that comes to an end
/// behind the product.
static std::optional<StringRef> addUse(LatePlan &plan, Value operand) {
  RingOp ring = findRing(operand);
  if (!ring && isWrittenIn(plan.loop, operand))
    return "an operand is written in the loop and in no ring; "
           "'tile.stages' gives slots to what copies from global memory fill";
  if (plan.loop.isDefinedOutsideOfLoop(operand))
    return std::nullopt;
  SlotUse use;
  use.wait = collectViews(plan.loop, operand, use.views);
  if (!ring || !use.wait || use.wait.getRing() != ring.getResult() ||
      use.wait->getBlock() != plan.loop.getBody())
    return "where an operand lies depends on more than its slot";
  auto known = llvm::find_if(
      plan.uses, [&](SlotUse &other) { return other.wait == use.wait; });
  if (known != plan.uses.end()) {
    for (Operation *view : use.views)
      if (!llvm::is_contained(known->views, view))
        known->views.push_back(view);
    return std::nullopt;
  }
  if (cast<RingType>(ring.getType()).getSlots() < 2)
    return "its ring has one slot";
  SmallVector<RingReleaseOp> releases = findReleases(plan.loop, ring);
  if (!isOneBehind(plan.loop, plan.product, releases) ||
      releases.front().getNumber() != use.wait.getNumber())
    return "a slot that it reads is not released once an iteration, behind it";
  use.release = releases.front();
  plan.uses.push_back(use);
  return std::nullopt;
}

/// Whether nothing but the product reads the slot of `use`.
static bool isOwn(LatePlan &plan, SlotUse &use) {
  SmallVector<Operation *> users(use.wait->getUsers());
  for (Operation *view : use.views)
    llvm::append_range(users, view->getUsers());
  return llvm::all_of(users, [&](Operation *op) {
    return op == plan.product || llvm::is_contained(use.views, op);
  });
}

/// Adds the conversion that gives operand A, whose registers the product of the
/// iteration before may still read.
static std::optional<StringRef> addConversion(LatePlan &plan) {
  Operation *conversion = plan.product.getA().getDefiningOp();
  bool isOwn = conversion && conversion->getBlock() == plan.loop.getBody() &&
               isa<CastOpInterface>(conversion) && conversion->hasOneUse();
  if (!isOwn)
    return "its operand in registers is no conversion that could follow the "
           "product before";
  plan.behind.insert(conversion);
  return std::nullopt;
}

/// Registers for addresses, counters and masks that no fragment shows.
static constexpr int64_t scalarRegisters = 40;

/// The registers of a thread that computes.
static int64_t getRegisterBudget(LaunchOp launch,
                                 const tilec::GpuTarget &target) {
  int64_t threads = 0, own = 0;
  for (RoleAttr role : launch.getRoles()->getRoles()) {
    threads += role.getWarps() * target.warpSize;
    if (role.getKind() == RoleKind::Consumer)
      own = role.getRegisters();
  }
  int64_t blocks = launch.getMinBlocksPerSm().value_or(1);
  int64_t most = std::min(target.maxRegistersPerThread,
                          target.maxRegistersPerBlock / blocks / threads);
  return own ? own
             : std::min<int64_t>(most, launch.getMaxRegisters().value_or(most));
}

/// What is in the way of a late product; nothing if the plan is complete.
static std::optional<StringRef> planDelay(LatePlan &plan) {
  auto launch = plan.loop->getParentOfType<LaunchOp>();
  if (!launch.getRoles())
    return "the threads that compute also fill its slots";
  if (plan.product.getMetadata())
    return "its metadata are those of the iteration";
  Value sum = plan.loop.getRegionIterArg(plan.argument);
  for (Value operand : {plan.product.getA(), plan.product.getB()})
    if (isa<MemRefType>(operand.getType()))
      if (auto obstacle = addUse(plan, operand))
        return obstacle;
  if (!llvm::all_of(plan.uses, [&](SlotUse &use) { return isOwn(plan, use); }))
    return "something else reads its slot";
  addDependents(plan.loop, sum, plan.behind);
  plan.behind.remove(plan.product);
  if (plan.behind.contains(plan.first))
    return "the product in front depends on its sum";
  if (!llvm::all_of(plan.behind, isMemoryEffectFree))
    return "what follows from its sum has an effect in the iteration";
  if (plan.isCarried())
    if (auto obstacle = addConversion(plan))
      return obstacle;
  int64_t registers = scalarRegisters;
  for (Type inFlight :
       {Type(plan.first.getProductType()), Type(plan.product.getC().getType()),
        Type(plan.product.getA().getType())})
    registers += countRegisters(inFlight);
  auto target = getModuleTarget(launch);
  if (failed(target) || registers > getRegisterBudget(launch, **target))
    return "two products in flight take more registers than a thread has";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Appends what the next iteration needs: operand A and slots.
static void appendCarried(LatePlan &plan, const IRMapping &mapping,
                          SmallVectorImpl<Value> &values) {
  if (plan.isCarried())
    values.push_back(mapping.lookupOrDefault(plan.product.getA()));
  for (SlotUse &use : plan.uses)
    values.push_back(mapping.lookupOrDefault(use.wait.getSlot()));
}

/// Maps the operands of the product to those of the iteration before, `carried`
/// as `appendCarried` has it.
static IRMapping mapOperands(OpBuilder &builder, LatePlan &plan,
                             ValueRange carried, Value sum) {
  IRMapping mapping;
  mapping.map(plan.product.getC(), sum);
  if (plan.isCarried()) {
    mapping.map(plan.product.getA(), carried.front());
    carried = carried.drop_front();
  }
  for (auto &&[use, slot] : llvm::zip_equal(plan.uses, carried)) {
    mapping.map(use.wait.getSlot(), slot);
    for (Operation *view : use.views)
      builder.clone(*view, mapping);
  }
  return mapping;
}

/// Emits the first iteration without the late product where `builder` stands;
/// gives what the next one gets.
static SmallVector<Value> peelFirst(OpBuilder &builder, LatePlan &plan) {
  scf::ForOp loop = plan.loop;
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
  auto isLate = [&](Operation &op) {
    return &op == plan.product || llvm::any_of(plan.uses, [&](SlotUse &use) {
      return &op == use.release || llvm::is_contained(use.views, &op);
    });
  };
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isLate(op))
      builder.clone(op, mapping);
  SmallVector<Value> values;
  for (auto [index, value] : llvm::enumerate(loop.getYieldedValues()))
    values.push_back(mapping.lookupOrDefault(
        index == plan.argument ? plan.product.getC() : value));
  appendCarried(plan, mapping, values);
  return values;
}

/// Starts the product in front and, behind it, the late one of the iteration
/// before; gives that.
static GemmAsyncOp startBoth(LatePlan &plan, Value sum, ValueRange carried) {
  OpBuilder builder(plan.first);
  auto first = startProduct(builder, plan.first);
  IRMapping before = mapOperands(builder, plan, carried, sum);
  auto late = startProduct(builder, plan.product, before);
  auto wait = WaitOp::create(builder, plan.first.getLoc(),
                             plan.first.getProductType(), first);
  plan.first->getResult(0).replaceAllUsesWith(wait);
  plan.first->erase();
  return late;
}

/// Emits the iterations behind the first, which gave `inits`.
static scf::ForOp emitLate(OpBuilder &builder, LatePlan &plan,
                           ValueRange inits) {
  unsigned own = plan.loop.getNumRegionIterArgs();
  scf::ForOp rest = emitRest(builder, plan.loop, inits);
  Value sum = rest.getRegionIterArg(plan.argument);
  GemmAsyncOp late =
      startBoth(plan, sum, rest.getRegionIterArgs().drop_front(own));
  Operation *yield = rest.getBody()->getTerminator();
  OpBuilder end(yield);
  // The waits for slots stay where they are, behind what the operand is computed
  // from: a branch that keeps ptxas from moving the next wait up over that.
  auto done = WaitOp::create(end, plan.product.getLoc(),
                             plan.product.getProductType(), late);
  sum.replaceAllUsesExcept(done, late);
  for (SlotUse &use : plan.uses)
    RingReleaseOp::create(
        end, use.release.getLoc(), use.release.getOperand(0),
        getBefore(end, use.release.getLoc(), use.release.getNumber()));
  SmallVector<Operation *> behind = plan.behind.takeVector();
  llvm::sort(behind, [](Operation *one, Operation *other) {
    return one->isBeforeInBlock(other);
  });
  for (Operation *op : behind)
    op->moveBefore(yield);
  SmallVector<Value> next(yield->getOperands());
  next[plan.argument] = plan.product.getC();
  appendCarried(plan, IRMapping(), next);
  yield->setOperands(next);
  return rest;
}

/// Emits the last product; gives the results of the old loop.
static SmallVector<Value> emitLast(OpBuilder &builder, LatePlan &plan,
                                   scf::ForOp rest,
                                   ArrayRef<unsigned> numbers) {
  SmallVector<Value> results(rest.getResults());
  ValueRange carried =
      ValueRange(results).drop_front(plan.loop.getNumResults());
  IRMapping mapping =
      mapOperands(builder, plan, carried, results[plan.argument]);
  Operation *last = builder.clone(*plan.product, mapping);
  for (auto &&[use, number] : llvm::zip_equal(plan.uses, numbers))
    RingReleaseOp::create(
        builder, last->getLoc(), use.release.getOperand(0),
        getBefore(builder, last->getLoc(), rest.getResult(number)));
  results.truncate(plan.loop.getNumResults());
  results[plan.argument] = last->getResult(0);
  return results;
}

static void eraseOld(LatePlan &plan) {
  plan.product->erase();
  for (SlotUse &use : plan.uses) {
    use.release.erase();
    for (Operation *view : llvm::reverse(use.views))
      view->erase();
  }
}

// Pattern: for { S = gemm; P = f(S); sum = gemm P, Y, g(sum) }
//       -> first iteration; for { start S; start P * Y; wait S; .. wait }; gemm
static void applyDelay(LatePlan &plan) {
  SmallVector<unsigned> numbers;
  for (SlotUse &use : plan.uses)
    numbers.push_back(
        cast<BlockArgument>(use.release->getOperand(1)).getArgNumber() -
        plan.loop.getNumInductionVars());
  replaceLoop(plan.loop, [&](OpBuilder &builder) {
    SmallVector<Value> first = peelFirst(builder, plan);
    scf::ForOp rest = emitLate(builder, plan, first);
    SmallVector<Value> results = emitLast(builder, plan, rest, numbers);
    eraseOld(plan);
    return results;
  });
}

std::optional<StringRef> tile::delayProduct(scf::ForOp loop,
                                            MatrixProductOpInterface product) {
  LatePlan plan;
  plan.loop = loop;
  plan.product = product;
  plan.first = *loop.getBody()->getOps<MatrixProductOpInterface>().begin();
  plan.argument = product->getResult(0).use_begin()->getOperandNumber();
  if (auto obstacle = planDelay(plan))
    return obstacle;
  applyDelay(plan);
  return std::nullopt;
}
