//===- ConfirmRoles.cpp - Whether a producer can do its work --------------===//

#include "ConfirmRoles.h"
#include "LoopPlan.h"
#include "LoopStatements.h"
#include "SplitFills.h"
#include "ThreadFills.h"

#include "../ChooseRoles.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Analysis/ProducerSlice.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Layout/FragmentWarps.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "tile-pipeline-loops"

using namespace mlir;
using namespace mlir::tile;

static bool mayReadGlobal(Operation *op) {
  return llvm::any_of(getBlockAccesses(op), [](const BlockAccess &access) {
    return access.reads && !access.isShared();
  });
}

/// What a pipelined loop brings from global memory that the producer cannot, or
/// not as far ahead as the program says.
static std::optional<SplitObstacle>
findForeignLoad(scf::ForOp loop, const ProducerSlice &slice) {
  std::optional<SplitObstacle> found;
  if (Operation *op = findScheduled(*loop.getBody()))
    return SplitObstacle{op, "the program says itself how far ahead the "
                             "operations of the loop run"};
  auto refuse = [](Operation *op) {
    return SplitObstacle{op, describe(op) + " is no copy of a producer, and "
                                            "would not run ahead"};
  };
  for (auto parallel : loop.getBody()->getOps<ParallelOp>())
    if (fillsByElements(parallel) && !slice.ops.contains(parallel))
      return refuse(parallel);
  loop.walk([&](Operation *op) {
    bool isLoad = isa<LoadOp, CopyOp, Im2ColOp>(op) && mayReadGlobal(op);
    // Places that the producer alone needs.
    bool isOfProducer = slice.ops.contains(op) &&
                        llvm::all_of(op->getUsers(), [&](Operation *user) {
                          return slice.ops.contains(user);
                        });
    if (!isLoad || isOfProducer)
      return WalkResult::advance();
    found = refuse(op);
    return WalkResult::interrupt();
  });
  return found;
}

/// The fills in `loop` that mbarriers count, each with the buffer that it fills.
static SmallVector<std::pair<Operation *, AllocOp>> getFills(scf::ForOp loop) {
  SmallVector<std::pair<Operation *, AllocOp>> fills;
  loop.walk([&](Operation *op) {
    if (!isMbarrierFill(op))
      return;
    for (const BlockAccess &access : getBlockAccesses(op))
      if (Value root = access.writes ? getSharedRoot(access.memref) : Value())
        if (auto buffer = root.getDefiningOp<AllocOp>())
          fills.push_back({op, buffer});
  });
  return fills;
}

/// A buffer whose last slot is kept for what is behind the loop, and may be
/// filled by others too.
static std::optional<SplitObstacle>
findHeldBuffer(scf::ForOp loop, const SharedLiveness &liveness) {
  std::optional<SplitObstacle> found;
  for (auto [fill, buffer] : getFills(loop))
    if (isNeededBehind(loop, buffer, liveness))
      found = SplitObstacle{fill, "what is in the buffer of " + describe(fill) +
                                      " is read behind the loop"};
  return found;
}

/// A producer fills slots of all loops from the start: they are there side by side,
/// where without it each loop's lie in those of the one before.
static std::optional<SplitObstacle>
findMissingBytes(LaunchOp launch, const tilec::GpuTarget &target) {
  TileDialect::StagesAttrHelper stages(launch.getContext());
  int64_t bytes = 0, loops = 0;
  launch.walk([&](scf::ForOp loop) {
    IntegerAttr asked = stages.getAttr(loop);
    if (!asked || asked.getInt() < 2)
      return;
    ++loops;
    llvm::SmallPtrSet<Operation *, 4> counted;
    for (auto [fill, buffer] : getFills(loop)) {
      if (!counted.insert(buffer).second)
        continue;
      MemRefType type = buffer.getType();
      bytes += asked.getInt() * type.getNumElements() *
               getMemoryBits(type.getElementType()) / 8;
    }
  });
  if (loops < 2 || bytes <= target.maxSharedBytesPerBlock)
    return std::nullopt;
  return SplitObstacle{
      launch,
      llvm::formatv("the slots of its {0} loops, which a producer fills "
                    "at the same time, are {1} bytes; a block of {2} "
                    "has {3}",
                    loops, bytes, target.name, target.maxSharedBytesPerBlock)};
}

static std::optional<SplitObstacle>
findRoleObstacle(LaunchOp launch, const tilec::GpuTarget &target) {
  TileDialect::StagesAttrHelper stages(launch.getContext());
  SharedLiveness liveness = computeSharedLiveness(launch);
  ProducerSlice slice = computeProducerSlice(launch);
  std::optional<SplitObstacle> found;
  bool hasAny = false;
  launch.walk([&](scf::ForOp loop) {
    IntegerAttr asked = stages.getAttr(loop);
    if (found || !asked || asked.getInt() < 2)
      return;
    hasAny = true;
    found = findForeignLoad(loop, slice);
    if (!found)
      found = findHeldBuffer(loop, liveness);
  });
  if (!found)
    found = findMissingBytes(launch, target);
  if (found)
    return found;
  if (!hasAny || slice.ops.empty())
    return SplitObstacle{launch, "no loop fills shared memory ahead"};
  return slice.obstacle;
}

/// Whether warps of a producer can share out a layout of those that compute.
static bool canFold(FragmentAttr layout, int64_t warps) {
  return !layout || tilec::foldWarps(layout.getLayout(), warps);
}

/// What in the slice of a producer its `warps` cannot share out.
static Operation *findUnfoldable(const ProducerSlice &slice, int64_t warps) {
  for (Operation *op : slice.ops) {
    bool can = llvm::all_of(op->getAttrs(), [&](NamedAttribute attribute) {
      return canFold(dyn_cast<FragmentAttr>(attribute.getValue()), warps);
    });
    for (Type type : op->getResultTypes())
      can &= op->getNumRegions() > 0 || canFold(getFragment(type), warps);
    if (!can)
      return op;
  }
  return nullptr;
}

/// Gives a producer whose threads copy the warps and registers for that, unless the
/// program says itself what it has.
static std::optional<SplitObstacle>
growProducer(LaunchOp launch, const tilec::GpuTarget &target) {
  RolePlan planned = makeRoles(launch, target, ProducerWork::StartsCopies);
  if (launch.getRoles()->getRoles() == ArrayRef(planned.roles)) {
    RolePlan grown = makeRoles(launch, target, ProducerWork::CopiesByThreads);
    if (grown.roles.empty())
      return SplitObstacle{launch, grown.declined};
    launch.setRolesAttr(RolesAttr::get(launch.getContext(), grown.roles));
  }
  ProducerSlice slice = computeProducerSlice(launch);
  for (RoleAttr role : launch.getRoles()->getRoles())
    if (Operation *op = findUnfoldable(slice, role.getWarps()))
      return SplitObstacle{op, (Twine(role.getWarps()) +
                                " warps of a producer cannot share out what " +
                                describe(op) + " gives to " +
                                Twine(launch.getRoles()->getConsumerWarps()) +
                                " warps")
                                   .str()};
  return std::nullopt;
}

/// The launch does without roles, or cannot where it asks for them.
static LogicalResult declineRoles(LaunchOp launch,
                                  const SplitObstacle &obstacle) {
  if (launch.getWarpSpecialize() == WarpSpecialize::On) {
    InFlightDiagnostic error = emitErrorWithoutRegions(launch)
                               << "asks for specialised warps and cannot have "
                                  "them: "
                               << obstacle.reason;
    error.attachNote(obstacle.op->getLoc()) << "because of this";
    return error;
  }
  launch.removeRolesAttr();
  remark::missed(obstacle.op->getLoc(),
                 remark::RemarkOpts::name("NotSpecialized")
                     .category(DEBUG_TYPE)
                     .function(launch.getKernel().value_or("")))
      << remark::reason("no warps are specialised: {0}", obstacle.reason);
  return success();
}

LogicalResult tile::confirmRoles(LaunchOp launch) {
  if (!launch.getRoles())
    return success();
  auto target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  bool copiesByThreads = countThreadFills(launch);
  std::optional<SplitObstacle> obstacle = findRoleObstacle(launch, **target);
  if (!obstacle && copiesByThreads)
    obstacle = growProducer(launch, **target);
  if (!obstacle)
    return success();
  uncountThreadFills(launch);
  return declineRoles(launch, *obstacle);
}

/// Whether there is a ring for a producer to fill: threads that compute fill those of
/// other loops.
static bool hasProducedRing(LaunchOp launch) {
  return launch
      .walk([](RingAcquireOp acquire) {
        return getFills(acquire).empty() ? WalkResult::advance()
                                         : WalkResult::interrupt();
      })
      .wasInterrupted();
}

LogicalResult tile::confirmRings(LaunchOp launch) {
  LogicalResult result = success();
  if (launch.getRoles() && !hasProducedRing(launch))
    result = declineRoles(launch,
                          {launch, "no buffer that its loops fill has slots"});
  launch.removeWarpSpecializeAttr();
  return result;
}

void tile::moveRingsToFront(LaunchOp launch) {
  if (!launch.getRoles())
    return;
  Block &body = launch.getBody().front();
  Operation *first = &body.front();
  for (RingOp ring : llvm::make_early_inc_range(body.getOps<RingOp>())) {
    for (Value buffer : ring.getBuffers())
      buffer.getDefiningOp()->moveBefore(first);
    ring->moveBefore(first);
  }
}
