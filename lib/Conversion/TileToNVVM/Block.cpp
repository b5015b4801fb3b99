//===- Block.cpp - What the block does as one -----------------------------===//
//
// `tile.once`, block indices, assertions and barriers.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"

using namespace mlir;
using namespace mlir::tile;

static LogicalResult lowerOnce(ThreadEmitter &emitter, OnceOp op) {
  Value isElected = emitter.getScope().getIsElected();
  LogicalResult result = success();
  emitter.emitUnder(isElected,
                    [&] { result = emitter.emitBlock(op.getBody().front()); });
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

/// Hardware counts the arrivals at a barrier with an id: all warps of the scope
/// arrive, so it must wait for as many.
static LogicalResult lowerNamedBarrier(ThreadEmitter &emitter, BarrierOp op) {
  const tilec::GpuTarget &target = emitter.target;
  auto id = static_cast<int64_t>(*op.getId());
  auto warps = static_cast<int64_t>(*op.getWarps());
  if (id >= target.namedBarrierCount)
    return op.emitError("barrier ")
           << id << " does not exist: a block has " << target.namedBarrierCount
           << ", of which 1 to " << target.namedBarrierCount - 1
           << " are free to be named";
  int64_t arriving = emitter.getScope().getWarpCount();
  if (warps != arriving)
    return op.emitError("barrier ")
           << id << " is of " << warps << " warps, but " << arriving
           << " arrive: outside of roles those of the whole block";
  NVVM::BarrierOp::create(emitter.builder, emitter.loc, TypeRange(),
                          emitter.i32(id), emitter.i32(warps * target.warpSize),
                          /*reductionOp=*/{}, /*reductionPredicate=*/Value());
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
  NVVM::Barrier0Op::create(emitter.builder, emitter.loc);
  return success();
}

void tile::registerBlockLowerings(LoweringTable &table) {
  table.add(lowerOnce);
  table.add(lowerBlockId);
  table.add(lowerAssert);
  table.add(lowerBarrier);
}
