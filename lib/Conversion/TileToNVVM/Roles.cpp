//===- Roles.cpp - A program for each group of warps ----------------------===//
//
// A `tile.specialize` is a chain of branches on the number of the warp, which
// is made uniform for ptxas by a shuffle. Each program has a scope of its own:
// its threads are numbered from 0, and its prologue stands at its head.
//
//     warp 0 .. 7     setmaxnreg.inc 232     the consumers
//     warp 8 .. 11    setmaxnreg.dec 40      the producer, one thread of it
//
// The threads of a role meet at a named barrier (NamedBarriers.h).
//
// A producer whose copies are all bulk copies only starts what others carry out,
// so that all of its program is run by one thread, and nothing in it has to choose
// one. Where its threads copy, all of them run it. None of them ends before its
// copies have arrived.
//
//===----------------------------------------------------------------------===//

#include "ClusterSharing.h"
#include "NamedBarriers.h"
#include "ThreadEmitter.h"
#include "Turns.h"

#include "tile/Analysis/RingFills.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// A role, and the warps of the block that have it.
struct RoleWarps {
  RoleAttr role;
  Region *body = nullptr;
  int64_t first = 0;
  int64_t barrier = 0; ///< the named barrier at which they meet
  /// Which of the warpgroups that take turns is their first; nothing if they take none.
  std::optional<int64_t> turn = std::nullopt;
};

class RoleEmitter {
public:
  RoleEmitter(ThreadEmitter &emitter, SpecializeOp op)
      : emitter(emitter), builder(emitter.builder), op(op),
        barriers(op, emitter.target.namedBarrierCount),
        sharesSlots(tile::sharesSlots(emitter.kernel)) {}
  LogicalResult emit();

private:
  LogicalResult emitRoles(ArrayRef<RoleWarps> warps);
  LogicalResult emitProgram(const RoleWarps &warps);
  LogicalResult emitThreads(const RoleWarps &warps);
  void moveRegisters(const RoleWarps &warps);
  void emitEnd();
  void meetCluster();

  ThreadEmitter &emitter;
  OpBuilder &builder;
  SpecializeOp op;
  NamedBarriers barriers;
  bool sharesSlots; ///< with other blocks of the cluster
  Value warp;       ///< of the block, the same in all lanes
};
} // namespace

/// Gives registers back, or takes those that others gave.
void RoleEmitter::moveRegisters(const RoleWarps &warps) {
  int64_t own = warps.role.getRegisters();
  if (own == 0)
    return;
  int64_t largest = 0;
  for (RoleAttr other : op.getRoles().getRoles())
    largest = std::max(largest, other.getRegisters());
  NVVM::SetMaxRegisterOp::create(builder, emitter.loc, own,
                                 own == largest
                                     ? NVVM::SetMaxRegisterAction::increase
                                     : NVVM::SetMaxRegisterAction::decrease);
}

/// The program as all threads of the role run it, in turns where they take any.
LogicalResult RoleEmitter::emitThreads(const RoleWarps &warps) {
  if (!warps.turn)
    return emitter.emitBlock(warps.body->front());
  int64_t warpgroups = warps.role.getWarpgroupCount();
  Value own = emitter.i32(*warps.turn);
  if (warpgroups > 1)
    own = emitter.addConstant(
        emitter.divide(emitter.addConstant(warp, -warps.first),
                       warps.role.getWarps() / warpgroups),
        *warps.turn);
  startTurns(emitter, own, barriers);
  if (failed(emitter.emitBlock(warps.body->front())))
    return failure();
  emitter.loc = op.getLoc();
  finishTurns(emitter);
  return success();
}

/// A block ends when no other arrives at its words any more. Each program waits
/// for that by itself. The threads that a producer does not need end at once, as a
/// barrier of the cluster waits for those that have not ended: where its one thread
/// met them behind its program, ptxas took what the program carries for different
/// in each lane, and moved it to uniform registers in each step.
void RoleEmitter::emitEnd() {
  if (sharesSlots)
    emitClusterBarrier(emitter);
}

/// The program of a role, with its own prologue.
LogicalResult RoleEmitter::emitProgram(const RoleWarps &warps) {
  ThreadScope &outside = emitter.getScope();
  Location loc = emitter.loc;
  moveRegisters(warps);
  int64_t threads = warps.role.getWarps() * emitter.target.warpSize;
  Value thread = emitter.addConstant(outside.getThread(),
                                     -warps.first * emitter.target.warpSize);
  Operation *endOfPrologue =
      LLVM::PoisonOp::create(builder, loc, builder.getI1Type());
  ThreadScope scope(emitter, emitter.target, thread, threads, endOfPrologue);
  scope.setBarrier(warps.barrier);
  emitter.setScope(scope);
  // What a role computes once no other has.
  auto descriptorsOutside = emitter.descriptorBases;
  LogicalResult emitted = success();
  bool copies = hasThreadFill(*warps.body);
  if (warps.role.getKind() == RoleKind::Producer && !copies) {
    Value isElected = scope.getIsElected();
    scope.setSingleThread();
    auto branch = scf::IfOp::create(builder, loc, isElected,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenYield());
    emitted = emitter.emitBlock(warps.body->front());
    emitEnd();
  } else {
    emitted = emitThreads(warps);
    emitEnd();
  }
  if (copies)
    emitter.callIntrinsic("llvm.nvvm.cp.async.wait.all", Type(), {});
  endOfPrologue->erase();
  emitter.descriptorBases = std::move(descriptorsOutside);
  emitter.setScope(outside);
  return emitted;
}

/// `warps[0]` where the warp is one of its, else the roles behind it.
LogicalResult RoleEmitter::emitRoles(ArrayRef<RoleWarps> warps) {
  if (warps.size() == 1)
    return emitProgram(warps.front());
  Value isOwn = emitter.compare(arith::CmpIPredicate::ult, warp,
                                emitter.i32(warps[1].first));
  auto branch = scf::IfOp::create(builder, emitter.loc, isOwn,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenYield());
  if (failed(emitProgram(warps.front())))
    return failure();
  emitter.loc = op.getLoc();
  builder.setInsertionPoint(branch.elseYield());
  return emitRoles(warps.drop_front());
}

/// All blocks of the cluster meet. The barrier of the block that stands in front, and
/// orders no more, goes.
void RoleEmitter::meetCluster() {
  Operation *last = nullptr;
  if (Block::iterator here = builder.getInsertionPoint();
      here != builder.getInsertionBlock()->begin())
    last = &*std::prev(here);
  while (last && isMemoryEffectFree(last))
    last = last->getPrevNode();
  if (isa_and_nonnull<NVVM::Barrier0Op>(last))
    last->erase();
  emitClusterBarrier(emitter); // The words of all blocks are set.
}

LogicalResult RoleEmitter::emit() {
  if (sharesSlots)
    meetCluster();
  Value number =
      emitter.divide(emitter.getScope().getThread(), emitter.target.warpSize);
  warp = NVVM::ShflOp::create(builder, emitter.loc, builder.getI32Type(),
                              emitter.i32(-1), number, emitter.i32(0),
                              emitter.i32(emitter.target.warpSize - 1),
                              NVVM::ShflKind::idx, UnitAttr());
  SmallVector<RoleWarps> warps;
  if (barriers.getEndOfFree() < 1)
    return op.emitError("has roles for which a block has not enough barriers: ")
           << emitter.target.namedBarrierCount;
  int64_t first = 0, turns = 0;
  for (auto [number, role, body] :
       llvm::enumerate(op.getRoles().getRoles(), op.getBodies())) {
    warps.push_back({role, &body, first, barriers.getOfRole(number)});
    first += role.getWarps();
    if (!TakeTurnOp::isIn(body))
      continue;
    warps.back().turn = turns;
    turns += role.getWarpgroupCount();
  }
  return emitRoles(warps);
}

static LogicalResult lowerSpecialize(ThreadEmitter &emitter, SpecializeOp op) {
  return RoleEmitter(emitter, op).emit();
}

void tile::registerRoleLowerings(LoweringTable &table) {
  table.add(lowerSpecialize);
}
