//===- SpecializeWarps.cpp - A producer and its consumers -----------------===//
//
// Requires and keeps synchronized; a launch with `roles` has a
// `tile.specialize` then. Up to here such a launch is one sequential program, in
// which rings say who may touch a slot when; what is packed and put in order is
// that program. It is taken apart along its rings:
//
//     what makes buffers and rings                    in front of both
//     copies, acquire, commit, what they need         the producer
//     everything else                                 the consumers
//
// No order is lost. What the producer touches is slots, between acquire and
// commit, and global memory that nobody writes; so no barrier of the program
// is for it but the one behind the rings, which shows it their words.
//
// Two teams that have every second tile each get a program each (Teams.h).
//
// Comes last before outlining, so that the passes before need not know of
// roles (docs/decisions/0009).
//
//===----------------------------------------------------------------------===//

#include "ConstantSlots.h"
#include "EmitSlice.h"
#include "Teams.h"

#include "tile/Analysis/TileWalk.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Layout/FragmentWarps.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define DEBUG_TYPE "tile-specialize-warps"

namespace mlir::tile {
#define GEN_PASS_DEF_SPECIALIZEWARPS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// What stands in front of both roles: everything up to the barrier behind the
/// last ring.
static FailureOr<SmallVector<Operation *>> findFront(LaunchOp launch) {
  Block &body = launch.getBody().front();
  Operation *lastRing = nullptr;
  for (auto ring : body.getOps<RingOp>())
    lastRing = ring;
  if (!lastRing)
    return launch.emitOpError("has roles, but no ring at which they meet");
  Operation *barrier = lastRing->getNextNode();
  while (barrier && isMemoryEffectFree(barrier))
    barrier = barrier->getNextNode();
  if (!isa_and_nonnull<BarrierOp>(barrier))
    return lastRing->emitOpError("has no barrier behind it, at which the roles "
                                 "see that its words are set");
  SmallVector<Operation *> front;
  for (Operation &op :
       llvm::make_range(body.begin(), std::next(barrier->getIterator()))) {
    if (!isMemoryEffectFree(&op) && !isa<ArenaOp, RingOp>(op) && &op != barrier)
      return op.emitOpError("stands in front of the roles' rings; it belongs "
                            "to one of the roles");
    // Fragments are the consumers'.
    if (llvm::none_of(op.getResultTypes(), llvm::IsaPred<TensorType>))
      front.push_back(&op);
  }
  return front;
}

/// The one consumer among the roles.
static FailureOr<unsigned> findConsumer(LaunchOp launch) {
  std::optional<unsigned> consumer;
  for (auto [number, role] : llvm::enumerate(launch.getRoles()->getRoles())) {
    if (role.getKind() != RoleKind::Consumer)
      continue;
    if (consumer)
      return launch.emitError("not implemented yet: a launch with several "
                              "consumers");
    consumer = number;
  }
  return *consumer;
}

/// Whether the teams of `launch`, if there are several, can have tiles of their own.
static LogicalResult verifyTeams(LaunchOp launch) {
  if (launch.getTeamCount() == 1)
    return success();
  if (auto obstacle = findWalkObstacle(launch))
    return obstacle->op->emitOpError("cannot be in a launch whose teams have "
                                     "tiles of their own: ")
           << obstacle->reason;
  return verifyTeamBuffers(launch);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Takes the producer's operations out of `consumer`, which has all of them.
static void removeProducer(Region &consumer) {
  auto eraseProducers = [](Operation *op) {
    if (isProducerOp(op) || isOpTriviallyDead(op))
      op->erase();
  };
  // Users first: slots were the places of copies, which views named.
  Block &program = consumer.front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(program)))
    op.walk<WalkOrder::PostOrder, ReverseIterator>(eraseProducers);
}

/// Moves what does not stand in front of both roles to `consumer`.
static void moveToConsumer(Block &body, ArrayRef<Operation *> front,
                           SpecializeOp specialize, Region &consumer) {
  llvm::SmallPtrSet<Operation *, 32> stays(front.begin(), front.end());
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(body.begin(), specialize->getIterator())))
    if (!stays.contains(&op))
      op.moveBefore(&consumer.front(), consumer.front().end());
}

/// Gives the fragments and copies of a program, whose layouts are those of the
/// threads that compute, layouts over the `warps` of its role.
static LogicalResult foldLayouts(Region &program, int64_t warps) {
  LogicalResult folded = success();
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FragmentAttr attr) -> Attribute {
    auto layout = tilec::foldWarps(attr.getLayout(), warps);
    if (layout)
      return FragmentAttr::get(attr.getContext(), *layout);
    folded = emitError(program.getLoc())
             << "a producer of " << warps
             << " warps cannot share out what it copies: " << layout.reason();
    return attr;
  });
  replacer.addReplacement([&](DenseElementsAttr elements) -> Attribute {
    return elements.reshape(
        cast<ShapedType>(replacer.replace(elements.getType())));
  });
  program.walk([&](Operation *op) {
    replacer.replaceElementsIn(op, /*replaceAttrs=*/true,
                               /*replaceLocs=*/false, /*replaceTypes=*/true);
  });
  return folded;
}

/// Emits the program of a producer of `warps` warps.
static LogicalResult fillProducer(Region &program, Block &body,
                                  const ProducerSlice &slice, int64_t warps) {
  OpBuilder builder = OpBuilder::atBlockEnd(&program.emplaceBlock());
  IRMapping mapping;
  emitSlice(body, slice, builder, mapping);
  return foldLayouts(program, warps);
}

/// Makes of the consumers' program over all tiles, the first of `programs`, one for
/// each team. From now on `threads` counts those of all teams.
static void splitTeams(LaunchOp launch, MutableArrayRef<Region> programs) {
  auto teams = static_cast<int64_t>(programs.size());
  for (Region &other : programs.drop_front()) {
    IRMapping mapping;
    programs.front().cloneInto(&other, mapping);
  }
  Block &front = launch.getBody().front();
  for (auto [team, own] : llvm::enumerate(programs))
    giveTiles(front, own, team, teams);
  launch.setThreads(launch.getThreads() * teams);
  launch.removeConsumersAttr();
}

static LogicalResult split(LaunchOp launch, ArrayRef<Operation *> front,
                           unsigned consumer, ProducerSlice &slice) {
  RolesAttr roles = getRolesOfTeams(launch);
  Block &body = launch.getBody().front();
  OpBuilder builder(body.getTerminator());
  auto specialize = SpecializeOp::create(builder, launch.getLoc(), roles,
                                         roles.getRoles().size());
  launch.setRolesAttr(roles);
  for (Operation *op : front)
    slice.ops.erase(op);
  for (auto [role, program] :
       llvm::zip_equal(roles.getRoles(), specialize.getBodies()))
    if (role.getKind() != RoleKind::Consumer &&
        failed(fillProducer(program, body, slice, role.getWarps())))
      return failure();
  MutableArrayRef<Region> programs = specialize.getBodies().slice(
      consumer, static_cast<size_t>(launch.getTeamCount()));
  Region &program = programs.front();
  program.emplaceBlock();
  moveToConsumer(body, front, specialize, program);
  removeProducer(program);
  if (programs.size() > 1)
    splitTeams(launch, programs);
  for (Region &own : programs)
    fixSlots(own, launch.getKernel().value_or(""));
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static LogicalResult specializeWarps(LaunchOp launch) {
  bool isDone = !launch.getBody().getOps<SpecializeOp>().empty();
  if (!launch.getRoles() || isDone)
    return success();
  ProducerSlice slice = computeProducerSlice(launch);
  if (slice.obstacle)
    return slice.obstacle->op->emitOpError("cannot be in a launch with roles: ")
           << slice.obstacle->reason;
  FailureOr<SmallVector<Operation *>> front = findFront(launch);
  FailureOr<unsigned> consumer = findConsumer(launch);
  if (failed(front) || failed(consumer) || failed(verifyTeams(launch)))
    return failure();
  return split(launch, *front, *consumer, slice);
}

namespace {
struct SpecializeWarps : tile::impl::SpecializeWarpsBase<SpecializeWarps> {
  void runOnOperation() override {
    if (failed(
            transformLaunches(getOperation(), getArgument(), specializeWarps)))
      signalPassFailure();
  }
};
} // namespace
