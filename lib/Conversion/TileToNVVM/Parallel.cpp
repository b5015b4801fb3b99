//===- Parallel.cpp - Iterations of a parallel loop -----------------------===//
//
// A thread runs the iterations of the registers that the loop's layout gives
// it, one after another: the body is emitted for a register with the induction
// variables bound to its coordinate, for many in loops (IterationLoops.h).
// Iterations in the padding do not run.
//
// Where lanes or warps replicate iterations, all replicas compute but only the
// first acts on memory. A replica would miss what the first one has written, so
// a body that reads memory after writing, or has an atomic, runs in the first
// replica alone; it has no results then (MaterializeScratch/ReplicatedLoops).
//
//===----------------------------------------------------------------------===//

#include "IterationLoops.h"
#include "RegionValues.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;

/// Binds the induction variables to the coordinate of register `reg`, in loops that
/// add `parts`.
static void bindIteration(ThreadEmitter &emitter, ParallelOp op,
                          const FragmentLayout &layout, int64_t reg,
                          ArrayRef<CountedPart> parts) {
  tilec::Coordinate coordinate = getRegisterCoordinate(layout, reg);
  for (auto [dim, variable, part] :
       llvm::enumerate(op.getInductionVars(), parts)) {
    Value position = emitter.add(
        emitter.getScope().getCoordinate(layout, dim).value, part.value);
    int64_t constant = coordinate[dim] + part.constant;
    emitter.bind(variable, position ? emitter.addConstant(
                                          emitter.widen(position), constant)
                                    : emitter.i64(constant));
  }
}

/// The iteration of register `reg`: what it yields, or padding where
/// `condition` does not hold.
static FailureOr<SmallVector<Value>>
emitIteration(ThreadEmitter &emitter, ParallelOp op,
              const FragmentLayout &layout, int64_t reg,
              ArrayRef<CountedPart> parts, Value condition) {
  OpBuilder &builder = emitter.builder;
  Location loc = op.getLoc();
  emitter.iteration.reg = reg;
  auto emitBody = [&]() -> FailureOr<SmallVector<Value>> {
    bindIteration(emitter, op, layout, reg, parts);
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
  IterationPlan plan = planIterations(op, layout);
  LogicalResult result = emitIterationLoops(
      emitter, plan, layout.getRank(),
      [&](ArrayRef<CountedPart> parts) -> LogicalResult {
        for (int64_t reg : plan.registers) {
          Value isInShape = getIsInShape(emitter, layout, reg, parts);
          FailureOr<SmallVector<Value>> yielded =
              emitIteration(emitter, op, layout, reg, parts,
                            emitter.both(wholeGuard, isInShape));
          if (failed(yielded))
            return failure();
          for (auto [registers, value] : llvm::zip(results, *yielded))
            registers.push_back(value);
        }
        return success();
      });
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
