//===- TurnOps.cpp - Verification of turns --------------------------------===//
//
// That turns are balanced within a role can be seen without running the program: each
// block takes and passes them in turn, and the warpgroups of a role run the same blocks,
// as control flow at block level is uniform. That several roles take equally many the
// reference interpreter checks. That nobody waits for ever follows from balance: in a
// turn no warpgroup waits for another, so that "the first warpgroup's turn, then the
// second's, .." is an order of the program in which everything that is waited for comes
// first.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;

/// To order turns is no access.
void TakeTurnOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &) {}
void PassTurnOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &) {}

bool TakeTurnOp::isIn(Region &program) {
  return program.walk([](TakeTurnOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// The last `OpT` in front of `op` in its block, or the first one behind it.
template <typename OpT>
static OpT findInFront(Operation *op) {
  OpT last;
  for (auto other : op->getBlock()->getOps<OpT>())
    if (other->isBeforeInBlock(op))
      last = other;
  return last;
}
template <typename OpT>
static OpT findBehind(Operation *op) {
  for (auto other : op->getBlock()->getOps<OpT>())
    if (op->isBeforeInBlock(other))
      return other;
  return {};
}

/// What takes turns with whom.
namespace {
struct Circle {
  /// The consumers that run an operation: the role that it stands in, or, where roles
  /// are not split yet, that of the launch; null if neither is one.
  RoleAttr own;
  int64_t warpgroups =
      0; ///< of all that take turns; 0 where warps are left over
};
} // namespace

static Circle findCircle(Operation *op) {
  auto isConsumer = [](RoleAttr role) {
    return role.getKind() == RoleKind::Consumer;
  };
  Circle circle;
  if (auto specialize = op->getParentOfType<SpecializeOp>()) {
    for (auto [role, body] : llvm::zip_equal(specialize.getRoles().getRoles(),
                                             specialize.getBodies())) {
      if (!isConsumer(role) || !TakeTurnOp::isIn(body))
        continue;
      circle.warpgroups += role.getWarpgroupCount();
      if (body.isAncestor(op->getParentRegion()))
        circle.own = role;
    }
    return circle;
  }
  auto launch = op->getParentOfType<LaunchOp>();
  if (!launch || !launch.getRoles())
    return {};
  ArrayRef<RoleAttr> roles = launch.getRoles()->getRoles();
  circle.own = *llvm::find_if(roles, isConsumer);
  circle.warpgroups = circle.own.getWarpgroupCount() * launch.getTeamCount();
  return circle;
}

/// What makes a warpgroup of `role` wait for another one between `take` and `pass`.
static Operation *findMeeting(TakeTurnOp take, PassTurnOp pass, RoleAttr role) {
  bool isAlone = role.getWarpgroupCount() == 1;
  Operation *found = nullptr;
  for (Operation *op = take->getNextNode(); op != pass && !found;
       op = op->getNextNode()) {
    op->walk([&](BarrierOp barrier) {
      if (!barrier.isWithinWarp() && (!isAlone || barrier.getId()))
        found = barrier;
    });
    op->walk([&](TakeTurnOp other) { found = other; });
  }
  return found;
}

LogicalResult TakeTurnOp::verify() {
  // take_turn_c1
  auto [role, warpgroups] = findCircle(*this);
  if (!role)
    return emitOpError("is for the consumers of a launch with roles");
  if (role.getWarpgroupCount() < 1 || warpgroups < 2)
    return emitOpError(
               "is for several warpgroups of four warps, of one role or "
               "of all consumers, and there ")
           << (warpgroups == 1 ? "is " : "are ") << warpgroups
           << "; its role has " << role.getWarps()
           << (role.getWarps() == 1 ? " warp" : " warps");
  // take_turn_c2
  auto pass = findBehind<PassTurnOp>(*this);
  auto next = findBehind<TakeTurnOp>(*this);
  if (!pass || (next && next->isBeforeInBlock(pass)))
    return emitOpError(
        "is not followed by a 'tile.pass_turn' in its block; the "
        "others would wait for ever");
  // take_turn_c3
  Operation *meeting = findMeeting(*this, pass, role);
  if (!meeting)
    return success();
  InFlightDiagnostic error = emitOpError(
      "begins a turn in which a warpgroup waits for one whose turn comes after "
      "it; pass the turn on before");
  error.attachNote(meeting->getLoc()) << "it waits here";
  return error;
}

LogicalResult PassTurnOp::verify() {
  // pass_turn_c1
  auto take = findInFront<TakeTurnOp>(*this);
  auto before = findInFront<PassTurnOp>(*this);
  if (take && (!before || before->isBeforeInBlock(take)))
    return success();
  return emitOpError("ends a turn that is not taken in front of it in its "
                     "block; put a 'tile.take_turn' there");
}
