//===- AlternateConsumers.cpp - Warpgroups that take turns ----------------===//
//
// Requires and keeps synchronized. Where the last product of an iteration runs
// under the computation of the next one (OverlapProducts/LateProduct.h), the tensor
// cores still wait while all warpgroups compute at the same time. So they start
// their products in turns, one after the other: those of one run while another
// computes.
//
//     for                              for
//       S = X n           starts         take_turn
//       O += P * Y n - 1  starts         S = X n           starts
//       wait for S                       O += P * Y n - 1  starts
//       p = f(S)                         pass_turn
//       wait for O                       wait for S, p = f(S), wait for O
//
// The product of the first iteration, peeled in front of the loop, has a turn of
// its own, so that the warpgroups are apart from the beginning.
//
// Teams that have tiles of their own take turns over tiles instead
// (AlternateTiles.h).
//
// Comes behind barriers, since warpgroups that meet in the loop cannot be apart,
// and in front of the split into roles, which gives turns to the consumers.
// Which loops get turns where the launch leaves that open is decided in
// docs/decisions/0012.
//
//===----------------------------------------------------------------------===//

#include "AlternateTiles.h"
#include "StartProduct.h"

#include "tile/Analysis/ConsoleOutput.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "tile-alternate-consumers"

namespace mlir::tile {
#define GEN_PASS_DEF_ALTERNATECONSUMERS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Loops with a late product
//===----------------------------------------------------------------------===//

namespace {
/// A loop with a late product: what its iterations start, and the product in front
/// of it that is the first iteration's, if there is one.
struct TurnPlan {
  scf::ForOp loop;
  GemmAsyncOp first, last;
  MatrixProductOpInterface peeled;
};
} // namespace

/// Whether something between `from` and `to` uses `value`.
static bool isUsedBetween(Value value, Operation *from, Operation *to) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *inBlock = from->getBlock()->findAncestorOpInBlock(*user);
    return inBlock && from->isBeforeInBlock(inBlock) &&
           inBlock->isBeforeInBlock(to);
  });
}

/// How many products `loop` has, in inner loops too.
static int64_t countProducts(scf::ForOp loop) {
  int64_t products = 0;
  loop.getBody()->walk([&](MatrixProductOpInterface) { ++products; });
  return products;
}

/// Whether the loop has two products that are started before one is waited for, of
/// which the last one adds to what the loop carries, and runs while something is
/// computed from the first.
static bool hasLateProduct(TurnPlan &plan) {
  Block *body = plan.loop.getBody();
  auto products = llvm::to_vector(body->getOps<GemmAsyncOp>());
  auto waits = llvm::to_vector(body->getOps<WaitOp>());
  if (products.size() != 2 || countProducts(plan.loop) != 2 ||
      waits.size() != 2)
    return false;
  plan.first = products.front();
  plan.last = products.back();
  Value sum = plan.last.getC();
  return waits.front().getPending() == plan.first.getResult() &&
         waits.back().getPending() == plan.last.getResult() &&
         plan.last->isBeforeInBlock(waits.front()) && sum &&
         sum.getParentBlock() == body && !sum.getDefiningOp() &&
         sum.getType() == plan.last.getType().getFragment() &&
         isUsedBetween(waits.front(), waits.front(), waits.back());
}

/// The last product in front of the loop, if it is like the first one in it but
/// waited for where it stands.
static MatrixProductOpInterface findPeeled(TurnPlan &plan) {
  MatrixProductOpInterface last;
  for (auto product : plan.loop->getBlock()->getOps<MatrixProductOpInterface>())
    if (product->isBeforeInBlock(plan.loop))
      last = product;
  bool isAlike =
      last && last.getScales().empty() &&
      last->getResult(0).getType() == plan.first.getType().getFragment() &&
      last.getInstructionAttr() == plan.first.getInstructionAttr();
  return isAlike ? last : MatrixProductOpInterface();
}

static SmallVector<TurnPlan> findPlans(LaunchOp launch) {
  SmallVector<TurnPlan> plans;
  launch.walk([&](scf::ForOp loop) {
    TurnPlan plan;
    plan.loop = loop;
    if (!hasLateProduct(plan))
      return;
    plan.peeled = findPeeled(plan);
    plans.push_back(plan);
  });
  return plans;
}

//===----------------------------------------------------------------------===//
// What is in the way
//===----------------------------------------------------------------------===//

/// How many warpgroups compute.
static int64_t countWarpgroups(LaunchOp launch) {
  for (RoleAttr role : launch.getRoles()->getRoles())
    if (role.getKind() == RoleKind::Consumer)
      return role.getWarpgroupCount();
  return 0;
}

/// Where all warpgroups meet in the loop; null if nowhere.
static Operation *findMeeting(scf::ForOp loop) {
  Operation *found = nullptr;
  loop.walk([&](BarrierOp barrier) {
    if (!barrier.isWithinWarp())
      found = barrier;
  });
  return found;
}

/// Up to so many columns turns are known to help (docs/decisions/0012).
static constexpr int64_t mostColumns = 128;

/// Why the loop gets no turns; where the launch asks for them, only what makes them
/// pointless.
static std::optional<std::string> findObstacle(TurnPlan &plan, bool isAsked) {
  if (findMeeting(plan.loop))
    return "the warpgroups meet at a barrier in the loop";
  if (isAsked)
    return std::nullopt;
  MatrixProductOpInterface late = plan.last;
  if (late.getN() > mostColumns)
    return llvm::formatv(
               "turns are known to help up to {0} columns of the late "
               "product, which has {1}",
               mostColumns, late.getN())
        .str();
  if (late.getElementTypeB().getIntOrFloatBitWidth() != 16)
    return "turns are known to help with operands of 16 bits";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// Pattern: start S; start O  ->  take_turn; start S; start O; pass_turn
static void addTurn(Operation *first, Operation *last) {
  OpBuilder builder(first);
  TakeTurnOp::create(builder, first->getLoc());
  builder.setInsertionPointAfter(last);
  PassTurnOp::create(builder, last->getLoc());
}

// Pattern: S = gemm  ->  take_turn; start S; pass_turn; wait for S
static void startInTurn(MatrixProductOpInterface product) {
  OpBuilder builder(product);
  Location loc = product.getLoc();
  GemmAsyncOp started = startProduct(builder, product);
  addTurn(started, started);
  ProductWaitOp::create(builder, loc, /*pending=*/0);
  auto done = WaitOp::create(builder, loc, product.getProductType(), started);
  product->getResult(0).replaceAllUsesWith(done);
  product->erase();
}

static void applyTurns(TurnPlan &plan) {
  addTurn(plan.first, plan.last);
  if (plan.peeled)
    startInTurn(plan.peeled);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static void sayDeclined(LaunchOp launch, Location loc, const Twine &reason) {
  remark::missed(loc, remark::RemarkOpts::name("NotAlternating")
                          .category(DEBUG_TYPE)
                          .function(launch.getKernel().value_or("")))
      << remark::reason("{0}", reason.str());
}

static void sayTaken(LaunchOp launch, Location loc, const Twine &what) {
  remark::passed(loc, remark::RemarkOpts::name("Alternating")
                          .category(DEBUG_TYPE)
                          .function(launch.getKernel().value_or("")))
      << remark::reason("{0}", what.str());
}

/// Gives turns to the loops of `launch`, which has roles, that can have them; says why
/// there are none, if so.
static std::optional<std::string> alternateLoops(LaunchOp launch,
                                                 bool isAsked) {
  int64_t warpgroups = countWarpgroups(launch);
  if (warpgroups < 2)
    return "less than two warpgroups compute; launch 256 threads or more";
  std::optional<std::string> obstacle = "no loop has a product that runs under "
                                        "the computation of the next iteration";
  bool hasAny = false;
  for (TurnPlan &plan : findPlans(launch)) {
    obstacle = findObstacle(plan, isAsked);
    if (obstacle) {
      sayDeclined(launch, plan.loop.getLoc(),
                  "warpgroups start products as they come: " + *obstacle);
      continue;
    }
    applyTurns(plan);
    hasAny = true;
    sayTaken(launch, plan.loop.getLoc(),
             Twine(warpgroups) + " warpgroups start products in turns");
  }
  return hasAny ? std::nullopt : obstacle;
}

/// Gives turns to what in `launch` can have them; says why nothing can, if so.
static std::optional<SplitObstacle> alternate(LaunchOp launch, bool isAsked) {
  if (!launch.getRoles())
    return SplitObstacle{launch, "it has no producer beside the warps that "
                                 "compute"};
  if (launch.getTeamCount() > 1) {
    if (auto obstacle = alternateTiles(launch))
      return obstacle;
    sayTaken(launch, launch.getLoc(),
             Twine(launch.getTeamCount()) +
                 " teams have every second tile each");
    return std::nullopt;
  }
  if (auto reason = alternateLoops(launch, isAsked))
    return SplitObstacle{launch, *reason};
  return std::nullopt;
}

static bool isDone(LaunchOp launch) {
  return !launch.getBody().getOps<SpecializeOp>().empty() ||
         TakeTurnOp::isIn(launch.getBody());
}

/// Whether anybody takes turns. A launch that asks for turns which nobody could take is
/// wrong; one that asks a chip without roles, or prints for a while, runs without.
static FailureOr<bool> alternateConsumers(LaunchOp launch) {
  Consumers consumers = launch.getConsumers().value_or(Consumers::Auto);
  bool isAsked = consumers != Consumers::Auto;
  if (consumers == Consumers::Cooperative || isDone(launch))
    return false;
  std::optional<SplitObstacle> obstacle = alternate(launch, isAsked);
  if (!obstacle || !isAsked)
    return !obstacle;
  auto target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  if (!copiesInBulk(**target) || writesToConsole(launch)) {
    sayDeclined(launch, launch.getLoc(),
                "nobody takes turns: " + obstacle->reason);
    return false;
  }
  InFlightDiagnostic error = emitErrorWithoutRegions(launch)
                             << "asks for consumers that take turns and cannot "
                                "have them: "
                             << obstacle->reason;
  if (obstacle->op != launch)
    error.attachNote(obstacle->op->getLoc()) << "because of this";
  return error;
}

namespace {
struct AlternateConsumers final
    : tile::impl::AlternateConsumersBase<AlternateConsumers> {
  void runOnOperation() override {
    bool hasChanged = false;
    auto alternate = [&](LaunchOp launch) -> LogicalResult {
      FailureOr<bool> anyTurns = alternateConsumers(launch);
      hasChanged |= succeeded(anyTurns) && *anyTurns;
      return anyTurns;
    };
    if (failed(transformLaunches(getOperation(), getArgument(), alternate)))
      return signalPassFailure();
    if (!hasChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
