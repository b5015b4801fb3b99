//===- Parallel.cpp - Iterations of a parallel loop -----------------------===//
//
// A thread runs the iterations of the registers that the loop's layout gives
// it, one after another: the body is emitted once per register with the
// induction variables bound to its coordinate. Iterations in the padding do not
// run.
//
// Where lanes or warps replicate iterations, all replicas compute but only the
// first acts on memory. A replica would miss what the first one has written, so
// a body that reads memory after writing, or has an atomic, runs in the first
// replica alone; it has no results then (MaterializeScratch/ReplicatedLoops).
//
//===----------------------------------------------------------------------===//

#include "RegionValues.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;

/// Binds the induction variables to the coordinate of register `reg`.
static void bindIteration(ThreadEmitter &emitter, ParallelOp op,
                          const FragmentLayout &layout, int64_t reg) {
  tilec::Coordinate coordinate = getRegisterCoordinate(layout, reg);
  for (auto [dim, variable] : llvm::enumerate(op.getInductionVars())) {
    Value thread = emitter.getScope().getCoordinate(layout, dim).value;
    Value position = thread ? emitter.widen(thread) : Value();
    position = position ? emitter.addConstant(position, coordinate[dim])
                        : emitter.i64(coordinate[dim]);
    emitter.bind(variable, position);
  }
}

/// The iteration of register `reg`: what it yields, or padding where
/// `condition` does not hold.
static FailureOr<SmallVector<Value>>
emitIteration(ThreadEmitter &emitter, ParallelOp op,
              const FragmentLayout &layout, int64_t reg, Value condition) {
  OpBuilder &builder = emitter.builder;
  Location loc = op.getLoc();
  emitter.iteration.reg = reg;
  auto emitBody = [&]() -> FailureOr<SmallVector<Value>> {
    bindIteration(emitter, op, layout, reg);
    if (failed(emitter.emitBlock(op.getBody().front())))
      return failure();
    emitter.loc = loc;
    SmallVector<Value> yielded;
    for (Value value : op.getYield().getValues())
      yielded.push_back(emitter.getScalar(value));
    return yielded;
  };
  if (!condition)
    return emitBody();

  FailureOr<SmallVector<Type>> types =
      flattenTypes(emitter, op.getYield().getValues().getTypes(), op);
  if (failed(types))
    return failure();
  SmallVector<Value> none;
  for (Type type : *types)
    none.push_back(emitter.padding(type));
  if (matchPattern(condition, m_Zero()))
    return none;
  auto branch = scf::IfOp::create(builder, loc, *types, condition,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  branch.thenBlock()->clear();
  branch.elseBlock()->clear();
  builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder, loc, none);
  builder.setInsertionPointToEnd(branch.thenBlock());
  FailureOr<SmallVector<Value>> yielded = emitBody();
  if (failed(yielded))
    return failure();
  scf::YieldOp::create(builder, loc, *yielded);
  return llvm::to_vector_of<Value>(branch.getResults());
}

static LogicalResult lowerParallel(ThreadEmitter &emitter, ParallelOp op) {
  const FragmentLayout &layout = emitter.getLayout(op.getLayoutAttr());
  Value isFirst = emitter.getScope().getIsFirstReplica(layout), wholeGuard;
  IterationEffects effects = op.getIterationEffects();
  if (isFirst && effects.mustRunOnce())
    wholeGuard = isFirst;
  else if (isFirst && effects.writes)
    emitter.iteration.effectGuard = isFirst;

  emitter.iteration.loop = op;
  SmallVector<SmallVector<Value>> results(op.getNumResults());
  LogicalResult result = success();
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg) {
    Value condition =
        emitter.both(wholeGuard, emitter.getScope().getIsInShape(layout, reg));
    FailureOr<SmallVector<Value>> yielded =
        emitIteration(emitter, op, layout, reg, condition);
    if (failed(yielded)) {
      result = failure();
      break;
    }
    for (auto [registers, value] : llvm::zip(results, *yielded))
      registers.push_back(value);
  }
  emitter.iteration = {};
  if (failed(result))
    return failure();
  for (auto [value, registers] : llvm::zip(op.getResults(), results))
    emitter.bind(value, std::move(registers));
  return success();
}

void tile::registerParallelLowerings(LoweringTable &table) {
  table.add(lowerParallel);
}
