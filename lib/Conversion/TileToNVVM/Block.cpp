//===- Block.cpp - What the block does as one -----------------------------===//
//
// `tile.once`, block indices, assertions, barriers and fences.
//
//===----------------------------------------------------------------------===//

#include "NamedBarriers.h"
#include "ThreadEmitter.h"

using namespace mlir;
using namespace mlir::tile;

/// What stands directly behind another is in its branch: LLVM joins branches one by one,
/// in the cube of their number.
static LogicalResult lowerOnce(ThreadEmitter &emitter, OnceOp op) {
  LogicalResult result = success();
  auto emitBody = [&] { result = emitter.emitBlock(op.getBody().front()); };
  auto [before, branch] = emitter.lastOnce;
  if (branch && before == op->getPrevNode()) {
    OpBuilder::InsertionGuard guard(emitter.builder);
    emitter.builder.setInsertionPoint(branch.thenYield());
    emitBody();
  } else {
    branch = emitter.emitUnder(emitter.getScope().getIsElected(), emitBody);
  }
  emitter.lastOnce = {op, branch};
  return result;
}

static LogicalResult lowerBlockId(ThreadEmitter &emitter, gpu::BlockIdOp op) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Value id;
  Type i32 = builder.getI32Type();
  switch (op.getDimension()) {
  case gpu::Dimension::x:
    id = NVVM::BlockIdXOp::create(builder, loc, i32);
    break;
  case gpu::Dimension::y:
    id = NVVM::BlockIdYOp::create(builder, loc, i32);
    break;
  case gpu::Dimension::z:
    id = NVVM::BlockIdZOp::create(builder, loc, i32);
    break;
  }
  emitter.bind(op.getResult(), emitter.widen(id));
  return success();
}

static LogicalResult lowerAssert(ThreadEmitter &emitter, AssertOp op) {
  OpBuilder &builder = emitter.builder;
  Value isWrong = builder.createOrFold<arith::XOrIOp>(
      emitter.loc, emitter.getScalar(op.getCondition()),
      emitter.constant(builder.getI1Type(), 1));
  emitter.emitUnder(isWrong, [&] { LLVM::Trap::create(builder, emitter.loc); });
  return success();
}

/// `warps` warps wait for each other at a barrier of their own.
static void emitNamedBarrier(ThreadEmitter &emitter, int64_t id,
                             int64_t warps) {
  waitAtNamedBarrier(emitter, emitter.i32(id), warps * emitter.target.warpSize);
}

/// Hardware counts the arrivals at a barrier with an id: all warps of the scope
/// arrive, and outside of roles there are no others.
static LogicalResult lowerNamedBarrier(ThreadEmitter &emitter, BarrierOp op) {
  auto id = static_cast<int64_t>(*op.getId());
  auto warps = static_cast<int64_t>(*op.getWarps());
  int64_t count = emitter.target.namedBarrierCount;
  int64_t free =
      NamedBarriers(op->getParentOfType<SpecializeOp>(), count).getEndOfFree();
  if (id >= free)
    return op.emitError("barrier ")
           << id << (id < count ? " is a role's" : " does not exist")
           << ": a block has " << count << ", of which 1 to " << free - 1
           << " are free to be named";
  int64_t arriving = emitter.getScope().getWarpCount();
  bool isInRole = emitter.getScope().getBarrier() != 0;
  if (isInRole ? warps < arriving : warps != arriving)
    return op.emitError("barrier ")
           << id << " is of " << warps << " warps, but " << arriving
           << " arrive: "
           << (isInRole ? "those of this role alone"
                        : "outside of roles those of the whole "
                          "block");
  emitNamedBarrier(emitter, id, warps);
  return success();
}

static LogicalResult lowerBarrier(ThreadEmitter &emitter, BarrierOp op) {
  if (op.getId())
    return lowerNamedBarrier(emitter, op);
  if (op.isWithinWarp()) {
    // Control flow of the block is uniform: every lane of the warp arrives.
    NVVM::SyncWarpOp::create(emitter.builder, emitter.loc, emitter.i32(-1));
    return success();
  }
  if (int64_t id = emitter.getScope().getBarrier())
    emitNamedBarrier(emitter, id, emitter.getScope().getWarpCount());
  else
    NVVM::Barrier0Op::create(emitter.builder, emitter.loc);
  return success();
}

static LogicalResult lowerProxyFence(ThreadEmitter &emitter, ProxyFenceOp) {
  NVVM::FenceProxyOp::create(
      emitter.builder, emitter.loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(emitter.builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
  return success();
}

void tile::registerBlockLowerings(LoweringTable &table) {
  table.add(lowerOnce);
  table.add(lowerBlockId);
  table.add(lowerAssert);
  table.add(lowerBarrier);
  table.add(lowerProxyFence);
}
