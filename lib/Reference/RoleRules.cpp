//===- RoleRules.cpp - Roles and where they meet -------------------------===//
//
// Language.md, "What passes introduce": a `tile.specialize` runs its regions at
// the same time, each by a group of warps. A role is one sequential program
// here, so a barrier of its own warps orders nothing more; that none is missing
// is the emulator's to find. A barrier with an id is where roles meet.
//
// What two roles do to memory outside of rings is not checked for an order: a
// missing barrier shows only by the values that some order of the roles gives.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

/// "producer", or "consumer 1" where there are several of a kind.
std::string getName(ArrayRef<RoleAttr> roles, size_t position) {
  RoleKind kind = roles[position].getKind();
  auto isSame = [&](RoleAttr role) { return role.getKind() == kind; };
  std::string name = stringifyRoleKind(kind).str();
  if (llvm::count_if(roles, isSame) == 1)
    return name;
  return name + " " +
         std::to_string(llvm::count_if(roles.take_front(position), isSame));
}

/// Numbers the roles that take turns, if several do.
void startTurns(BlockState &block, SpecializeOp op,
                ArrayRef<std::unique_ptr<Role>> roles) {
  SmallVector<Role *> circle;
  for (auto [role, body] : llvm::zip_equal(roles, op.getBodies()))
    if (TakeTurnOp::isIn(body))
      circle.push_back(role.get());
  block.turnCount = circle.size();
  block.turn = 0;
  if (circle.size() < 2)
    return;
  for (auto [number, role] : llvm::enumerate(circle))
    role->turn = number;
}

/// Roles that take turns take equally many, so that none is left to anybody.
LogicalResult finishTurns(Machine &machine, SpecializeOp op,
                          ArrayRef<std::unique_ptr<Role>> roles) {
  int64_t turn = machine.blockState->turn;
  if (turn == 0)
    return success();
  auto left = llvm::find_if(
      roles, [&](const auto &role) { return role->turn == turn; });
  return machine.error(op)
         << "a turn is left to " << (*left)->name
         << " at the end; roles that take turns with each other take equally "
            "many";
}

/// `tile.specialize`: Language.md, "What passes introduce".
LogicalResult specialize(Machine &machine, SpecializeOp op) {
  ArrayRef<RoleAttr> attributes = op.getRoles().getRoles();
  std::vector<std::unique_ptr<Role>> roles;
  for (auto [position, body] : llvm::enumerate(op.getBodies())) {
    auto role = std::make_unique<Role>();
    role->name = getName(attributes, position);
    role->warps = attributes[position].getWarps();
    role->frames.push_back(machine.getFrame(body.front()));
    roles.push_back(std::move(role));
  }
  startTurns(*machine.blockState, op, roles);
  if (failed(machine.runRoles(op, roles)))
    return failure();
  return finishTurns(machine, op, roles);
}

/// The barrier that a role arrives at, after checking that it may.
FailureOr<NamedBarrier *> arrive(Machine &machine, BarrierOp op) {
  Role &role = machine.getRole();
  if (role.isMain())
    return machine.error(op)
           << "a barrier with an id is where roles meet, and stands in a "
              "'tile.specialize'; the barrier of the block is 'tile.barrier'";
  auto id = static_cast<int64_t>(*op.getId());
  auto warps = static_cast<int64_t>(*op.getWarps());
  NamedBarrier &barrier = machine.blockState->barriers[id];
  if (barrier.arrived == 0) {
    barrier.warps = warps;
    barrier.first = op;
  }
  barrier.arrived += role.warps;
  if (barrier.warps == warps && barrier.arrived <= warps)
    return &barrier;
  InFlightDiagnostic diagnostic = machine.error(op);
  diagnostic.attachNote(barrier.first->getLoc())
      << "the first to arrive at it is here";
  if (barrier.warps != warps)
    return diagnostic << "barrier " << id << " is of " << warps
                      << " warps here, but of " << barrier.warps
                      << " where the others arrive";
  return diagnostic << barrier.arrived << " warps arrive at barrier " << id
                    << ", which is of " << warps;
}

/// `tile.barrier`: Language.md, "What passes introduce".
LogicalResult barrier(Machine &machine, BarrierOp op) {
  if (!op.getId())
    return success();
  Role &role = machine.getRole();
  auto id = static_cast<int64_t>(*op.getId());
  if (role.barrierUse) {
    if (machine.blockState->barriers[id].use > *role.barrierUse) {
      role.barrierUse.reset();
      return success();
    }
  } else {
    FailureOr<NamedBarrier *> barrier = arrive(machine, op);
    if (failed(barrier))
      return failure();
    machine.noteProgress();
    if ((*barrier)->arrived == (*barrier)->warps) {
      (*barrier)->arrived = 0;
      ++(*barrier)->use;
      return success();
    }
    role.barrierUse = (*barrier)->use;
  }
  const NamedBarrier &state = machine.blockState->barriers[id];
  machine.waitFor(op, "barrier " + std::to_string(id) + ", at which " +
                          std::to_string(state.arrived) + " of " +
                          std::to_string(state.warps) + " warps have arrived");
  return success();
}

/// `tile.take_turn`: Language.md, "What passes introduce". The warpgroups of a role
/// are one program here, which always has the turn where no other role takes any.
LogicalResult takeTurn(Machine &machine, TakeTurnOp op) {
  std::optional<int64_t> own = machine.getRole().turn;
  if (own && *own != machine.blockState->turn)
    machine.waitFor(op, "its turn, which another role has");
  return success();
}

/// `tile.pass_turn`: Language.md, "What passes introduce".
LogicalResult passTurn(Machine &machine, PassTurnOp) {
  BlockState &block = *machine.blockState;
  if (machine.getRole().turn)
    block.turn = (block.turn + 1) % block.turnCount;
  return success();
}

} // namespace

void mlir::tile::reference::addRoleRules(RuleTable &table) {
  table.add(specialize);
  table.add(barrier);
  table.add(takeTurn);
  table.add(passTurn);
}
