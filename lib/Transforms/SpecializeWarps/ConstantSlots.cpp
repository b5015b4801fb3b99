//===- ConstantSlots.cpp - Uses of rings in slots that are constant -------===//

#include "ConstantSlots.h"
#include "EmitRounds.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/LoopFacts.h"
#include "tile/Analysis/NumberResidues.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/SlotCounter.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-specialize-warps"

using namespace mlir;
using namespace mlir::tile;

/// A loop of more slots is not written out: its code would be as long as that of
/// so many steps, twice.
static constexpr int64_t mostSlots = 8;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// A product of the loop's own that is in flight behind its operation; null if
/// there is none.
static MatrixProductOpInterface findPending(scf::ForOp loop) {
  for (auto product : loop.getBody()->getOps<MatrixProductOpInterface>())
    if (isa<PendingType>(product->getResult(0).getType()))
      return product;
  return {};
}

/// Whether a step of the loop does nothing but a product, what that asks of
/// rings, and pure arithmetic of scalars.
static bool isOneProduct(scf::ForOp loop) {
  int64_t products = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isa<MatrixProductOpInterface>(op)) {
      ++products;
      continue;
    }
    bool isTile = llvm::any_of(op.getResultTypes(), llvm::IsaPred<TensorType>);
    bool isUse = getRingUseKind(&op).has_value();
    if (isTile || op.getNumRegions() > 0 ||
        (!isUse && !getBlockAccesses(&op).empty()))
      return false;
  }
  return products == 1;
}

/// What a count of uses of rings of `slots` starts with, if its slot is known.
static std::optional<RoundStart> findStart(Value init, int64_t slots,
                                           IndexFacts &facts) {
  if (std::optional<int64_t> number = getConstantIntValue(init))
    return RoundStart{*number, Value()};
  std::optional<int64_t> slot = NumberResidues(facts, slots).get(init);
  return slot ? std::optional(RoundStart{*slot, init}) : std::nullopt;
}

/// Why the slot that `loop` starts with is not known, and what would make it so.
static std::string describeUnknownStart(scf::ForOp loop, int64_t slots) {
  std::string reason =
      llvm::formatv("the slot that it starts with is not known: what runs "
                    "before it, in a persistent launch its own steps for the "
                    "tile before, need not be a multiple of {0} steps",
                    slots);
  if (std::optional<int64_t> step = getConstantIntValue(loop.getStep()))
    reason += llvm::formatv("; bounds known to be multiples of {0}, by "
                            "tile.divisible for instance, make them one",
                            *step * slots);
  return reason;
}

/// Finds the slots of the rings that a loop uses, and the numbers that count the
/// uses; says what is in the way.
static std::optional<std::string> findCounters(RoundPlan &plan,
                                               IndexFacts &facts) {
  plan.starts.resize(plan.loop.getNumRegionIterArgs());
  for (Operation &op : *plan.loop.getBody()) {
    if (!getRingUseKind(&op))
      continue;
    int64_t slots = cast<RingType>(op.getOperand(0).getType()).getSlots();
    if (plan.slots != 0 && slots != plan.slots)
      return "its rings have different numbers of slots";
    plan.slots = slots;
    auto argument = dyn_cast<BlockArgument>(op.getOperand(1));
    auto counter = argument ? matchSlotCounter(argument) : std::nullopt;
    if (!isMbarrierUse(&op) || !counter || counter->loop != plan.loop ||
        counter->slots != 2 * slots)
      return "a use of its rings is not counted by steps";
    std::optional<RoundStart> start = findStart(counter->init, slots, facts);
    if (!start)
      return describeUnknownStart(plan.loop, slots);
    plan.starts[counter->argument] = start;
  }
  return std::nullopt;
}

/// What is in the way of constant slots; nothing if the plan is complete.
static std::optional<std::string> planRounds(RoundPlan &plan,
                                             IndexFacts &facts) {
  if (!isOneProduct(plan.loop))
    return "a step is more than one product, and would be there once a slot";
  if (auto obstacle = findCounters(plan, facts))
    return obstacle;
  if (plan.slots < 2)
    return "its ring has one slot";
  if (plan.slots > mostSlots)
    return "its ring has many slots, and a step would be there once for each "
           "of them";
  std::optional<int64_t> step = getConstantIntValue(plan.loop.getStep());
  if (!step || *step <= 0)
    return "the number of its steps is not known before it runs";
  std::optional<APInt> steps = plan.loop.getStaticTripCount();
  if (steps && steps->ult(plan.slots))
    return "it has fewer steps than slots";
  plan.stepsModuloSlots = getTripCountModulo(facts, plan.loop, plan.slots);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

void tile::fixSlots(Region &consumer, StringRef kernel) {
  SmallVector<scf::ForOp> loops;
  consumer.walk([&](scf::ForOp loop) {
    bool usesRings = llvm::any_of(
        *loop.getBody(), [](Operation &op) { return getRingUseKind(&op); });
    if (usesRings && findPending(loop))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops) {
    Location loc = findPending(loop).getLoc();
    RoundPlan plan;
    plan.loop = loop;
    // Of the program as it is now: the loops before have become others.
    IndexFacts facts(consumer.getParentOfType<LaunchOp>());
    if (auto obstacle = planRounds(plan, facts)) {
      remark::missed(loc, remark::RemarkOpts::name("CountedSlots")
                              .category(DEBUG_TYPE)
                              .function(kernel))
          << remark::reason("slots are counted: {0}", *obstacle);
      continue;
    }
    emitRounds(plan);
    remark::passed(loc, remark::RemarkOpts::name("ConstantSlots")
                            .category(DEBUG_TYPE)
                            .function(kernel))
        << remark::add("a loop over rounds of {0} slots", plan.slots)
        << remark::metric("Slots", plan.slots);
  }
}
