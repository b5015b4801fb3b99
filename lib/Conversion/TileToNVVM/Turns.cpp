//===- Turns.cpp - Warpgroups that go on one after the other --------------===//

#include "Turns.h"

using namespace mlir;
using namespace mlir::tile;

static void takeTurn(ThreadEmitter &emitter) {
  const ThreadScope::Turns &turns = *emitter.getScope().getTurns();
  waitAtNamedBarrier(emitter, turns.own, turns.threads);
}

static void passTurn(ThreadEmitter &emitter) {
  const ThreadScope::Turns &turns = *emitter.getScope().getTurns();
  arriveAtNamedBarrier(emitter, turns.next, turns.threads);
}

/// A warpgroup, of which products and turns are, is so many warps.
static constexpr int64_t warpsPerGroup = 4;

void tile::startTurns(ThreadEmitter &emitter, Value warpgroup,
                      const NamedBarriers &barriers) {
  int64_t count = barriers.getTurnCount(), firstBarrier = barriers.getOfTurns();
  auto isNumber = [&](int64_t number) {
    return emitter.compare(arith::CmpIPredicate::eq, warpgroup,
                           emitter.i32(number));
  };
  Value own = emitter.addConstant(warpgroup, firstBarrier);
  Value isLast = isNumber(count - 1);
  Value next = emitter.select(isLast, emitter.i32(firstBarrier),
                              emitter.addConstant(own, 1));
  int64_t threads = 2 * warpsPerGroup * emitter.target.warpSize;
  emitter.getScope().setTurns({own, next, isNumber(0), threads});
  emitter.emitUnder(isLast, [&] { passTurn(emitter); });
}

void tile::finishTurns(ThreadEmitter &emitter) {
  emitter.emitUnder(emitter.getScope().getTurns()->isFirst,
                    [&] { takeTurn(emitter); });
}

static LogicalResult verifyTurns(ThreadEmitter &emitter, Operation *op) {
  if (emitter.getScope().getTurns())
    return success();
  return op->emitError("has no role whose warpgroups take turns around it; run "
                       "tile-specialize-warps first");
}

static LogicalResult lowerTakeTurn(ThreadEmitter &emitter, TakeTurnOp op) {
  if (failed(verifyTurns(emitter, op)))
    return failure();
  takeTurn(emitter);
  return success();
}

static LogicalResult lowerPassTurn(ThreadEmitter &emitter, PassTurnOp op) {
  if (failed(verifyTurns(emitter, op)))
    return failure();
  passTurn(emitter);
  return success();
}

void tile::registerTurnLowerings(LoweringTable &table) {
  table.add(lowerTakeTurn);
  table.add(lowerPassTurn);
}
