//===- ControlFlow.cpp - Loops and branches of a thread -------------------===//
//
// Structured control flow stays structured: every operation is emitted again
// with its operands, arguments and results flattened, so that a fragment
// carried by a loop is one loop-carried scalar per register. Conditions and
// bounds at block level are uniform; inside `tile.parallel` they belong to an
// iteration. A `for` makes as many iterations as its bounds say over the
// integers, also where the number after the last one does not fit its type.
//
// Loops ask LLVM not to unroll them at run time: the tiles are the unrolling,
// and inline assembly in a copied body would synchronise more than once.
//
//===----------------------------------------------------------------------===//

#include "Access/Rounds.h"
#include "Compute/WarpgroupGemm.h"
#include "RegionValues.h"

#include "tile/Analysis/LoopFacts.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;

/// Replaces what the builder of an op has put into an empty region's block by a
/// block with these arguments.
static Block *makeBlock(OpBuilder &builder, Region &region, TypeRange types,
                        Location loc) {
  region.getBlocks().clear();
  return builder.createBlock(&region, {}, types,
                             SmallVector<Location>(types.size(), loc));
}

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

/// A loop that ends where its next number would leave the type. The distance to
/// the upper bound always fits, as an unsigned number:
///
///     for i = l to u step s   ->   i = l; while (runs) { .. ; i += s }
///                                  runs = l < u at first, then u - i >u s
static LogicalResult lowerWrappingFor(ThreadEmitter &emitter, scf::ForOp op,
                                      ArrayRef<Type> types) {
  OpBuilder &builder = emitter.builder;
  Location loc = op.getLoc();
  Value lower = emitter.getScalar(op.getLowerBound());
  Value upper = emitter.getScalar(op.getUpperBound());
  Value step = emitter.getScalar(op.getStep());
  SmallVector<Type> after = {lower.getType()};
  llvm::append_range(after, types);
  SmallVector<Type> before = {builder.getI1Type()};
  llvm::append_range(before, after);
  auto less = op.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                  : arith::CmpIPredicate::slt;
  SmallVector<Value> inits = {emitter.compare(less, lower, upper), lower};
  llvm::append_range(inits, flatten(emitter, op.getInitArgs()));

  auto loop = scf::WhileOp::create(builder, loc, after, inits);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = makeBlock(builder, loop.getBefore(), before, loc);
  scf::ConditionOp::create(builder, loc, block->getArgument(0),
                           block->getArguments().drop_front());
  block = makeBlock(builder, loop.getAfter(), after, loc);
  Value number = block->getArgument(0);
  emitter.bind(op.getInductionVar(), number);
  bindFlat(emitter, op.getRegionIterArgs(), block->getArguments().drop_front());
  if (failed(emitter.emitBlock(*op.getBody())))
    return failure();
  emitter.loc = loc;
  Value left = builder.createOrFold<arith::SubIOp>(loc, upper, number);
  SmallVector<Value> yielded = {
      emitter.compare(arith::CmpIPredicate::ugt, left, step),
      emitter.add(number, step)};
  llvm::append_range(
      yielded, flatten(emitter, op.getBody()->getTerminator()->getOperands()));
  scf::YieldOp::create(builder, loc, yielded);
  bindFlat(emitter, op.getResults(), loop.getResults().drop_front());
  return success();
}

/// Whether a product stays in flight over an iteration's end.
static bool keepsProductInFlight(scf::ForOp op) {
  return llvm::any_of(op.getResultTypes(), llvm::IsaPred<PendingType>);
}

/// The upper bound of a loop, unknown to LLVM where the loop is to stay one: its
/// unrolling of a few iterations makes ptxas take ten times as long.
static Value getUpperBound(ThreadEmitter &emitter, scf::ForOp op) {
  Value upper = emitter.getScalar(op.getUpperBound());
  if (!keepsProductInFlight(op) || !upper.getType().isInteger(64) ||
      !getConstantIntValue(upper))
    return upper;
  return emitter.emitAssembly("mov.b64 $0, $1;", "=l,l", upper.getType(), upper,
                              /*hasEffects=*/false);
}

/// Whether all numbers of a loop over `index`, the one behind its last included, are
/// known to fit one register as they are.
static bool fitsOneRegister(ThreadEmitter &emitter, scf::ForOp op) {
  auto getMost = [&](Value value) {
    return emitter.facts.getUpperBound(value).value_or(INT64_MAX);
  };
  return op.getInductionVar().getType().isIndex() && !op.getUnsignedCmp() &&
         emitter.facts.getLowerBound(op.getLowerBound()).value_or(-1) >= 0 &&
         getMost(op.getLowerBound()) <= INT32_MAX / 2 &&
         getMost(op.getUpperBound()) <= INT32_MAX / 2 &&
         getMost(op.getStep()) <= INT32_MAX / 2;
}

/// Emits a loop whose numbers fit their type; its results.
static FailureOr<ValueRange> emitFor(ThreadEmitter &emitter, scf::ForOp op) {
  OpBuilder &builder = emitter.builder;
  SmallVector<Value> inits = flatten(emitter, op.getInitArgs());
  Location forLoc = op.getLoc();
  bool isNarrow = fitsOneRegister(emitter, op);
  auto getNumber = [&](Value value) {
    return isNarrow ? builder.createOrFold<arith::TruncIOp>(
                          forLoc, builder.getI32Type(), value)
                    : value;
  };
  auto loop = scf::ForOp::create(
      builder, forLoc, getNumber(emitter.getScalar(op.getLowerBound())),
      getNumber(getUpperBound(emitter, op)),
      getNumber(emitter.getScalar(op.getStep())), inits,
      [](OpBuilder &, Location, Value, ValueRange) {}, op.getUnsignedCmp());
  keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  Value number = loop.getInductionVar();
  emitter.bind(op.getInductionVar(), isNarrow ? emitter.widen(number) : number);
  bindFlat(emitter, op.getRegionIterArgs(), loop.getRegionIterArgs());
  if (keepsProductInFlight(op))
    emitter.emitAssembly(".pragma \"nounroll\";", "", Type(), {}); // for ptxas
  if (failed(emitter.emitBlock(*op.getBody())))
    return failure();
  scf::YieldOp::create(
      builder, forLoc,
      flatten(emitter, op.getBody()->getTerminator()->getOperands()));
  return ValueRange(loop.getResults());
}

/// `condition`, which LLVM is told to expect.
static Value expect(ThreadEmitter &emitter, Value condition) {
  return LLVM::ExpectOp::create(emitter.builder, emitter.loc, condition,
                                emitter.constant(condition.getType(), 1));
}

/// Whether a loop that may make no iteration is emitted under a condition:
///
/// - One that goes on with products in flight: they are waited for on both ways.
///   Where a path with a product in flight meets that from the loop, ptxas finds
///   no end of either and lets all products of the kernel wait for each other
///   (C7514).
/// - In the program of a producer it is expected to go round. LLVM would put the
///   end of a loop around it in front of its beginning, as the shorter way where
///   half of the runs skip this one; from that order ptxas does not see that one
///   thread is there alone, and takes what it carries for different in each lane.
static bool isGuarded(ThreadEmitter &emitter, scf::ForOp op) {
  std::optional<APInt> trips = op.getStaticTripCount();
  bool mayBeSkipped = !trips || trips->isZero();
  return mayBeSkipped &&
         (keepsProductInFlight(op) || emitter.getScope().isOneThread());
}

static FailureOr<ValueRange> emitGuardedFor(ThreadEmitter &emitter,
                                            scf::ForOp op, TypeRange types) {
  OpBuilder &builder = emitter.builder;
  Location loc = op.getLoc();
  auto less = op.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                  : arith::CmpIPredicate::slt;
  Value runs = emitter.compare(less, emitter.getScalar(op.getLowerBound()),
                               emitter.getScalar(op.getUpperBound()));
  if (emitter.getScope().isOneThread())
    runs = expect(emitter, runs);
  auto branch = scf::IfOp::create(builder, loc, types, runs,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  auto finish = [&](ValueRange results) {
    if (keepsProductInFlight(op))
      waitForWarpgroupProducts(emitter, 0);
    scf::YieldOp::create(builder, loc, results);
  };
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(branch.thenBlock());
  FailureOr<ValueRange> results = emitFor(emitter, op);
  if (failed(results))
    return failure();
  finish(*results);
  builder.setInsertionPointToEnd(branch.elseBlock());
  finish(flatten(emitter, op.getInitArgs()));
  return ValueRange(branch.getResults());
}

static LogicalResult lowerFor(ThreadEmitter &emitter, scf::ForOp op) {
  FailureOr<SmallVector<Type>> types =
      flattenTypes(emitter, op.getResultTypes(), op);
  if (failed(types))
    return failure();
  // Upstream's lowering would go on from where the number wraps to.
  if (mayWrapAtEnd(emitter.facts, op))
    return lowerWrappingFor(emitter, op, *types);
  FailureOr<ValueRange> results = isGuarded(emitter, op)
                                      ? emitGuardedFor(emitter, op, *types)
                                      : emitFor(emitter, op);
  if (failed(results))
    return failure();
  bindFlat(emitter, op.getResults(), *results);
  return success();
}

/// The condition of a branch; in the program of a producer one that does nothing
/// otherwise is expected to hold (isGuarded).
static Value getCondition(ThreadEmitter &emitter, scf::IfOp op) {
  Value condition = emitter.getScalar(op.getCondition());
  bool hasElse = !op.getElseRegion().empty() &&
                 !op.elseBlock()->without_terminator().empty();
  return emitter.getScope().isOneThread() && !hasElse
             ? expect(emitter, condition)
             : condition;
}

static LogicalResult lowerIf(ThreadEmitter &emitter, scf::IfOp op) {
  OpBuilder &builder = emitter.builder;
  FailureOr<SmallVector<Type>> types =
      flattenTypes(emitter, op.getResultTypes(), op);
  if (failed(types))
    return failure();
  Location ifLoc = op.getLoc();
  auto branch =
      scf::IfOp::create(builder, ifLoc, *types, getCondition(emitter, op),
                        /*addThenBlock=*/true,
                        /*addElseBlock=*/!op.getElseRegion().empty());
  auto emitRegion = [&](Region &source, Region &destination) -> LogicalResult {
    if (source.empty())
      return success();
    OpBuilder::InsertionGuard guard(builder);
    destination.front().clear();
    builder.setInsertionPointToEnd(&destination.front());
    if (failed(emitter.emitBlock(source.front())))
      return failure();
    scf::YieldOp::create(
        builder, ifLoc,
        flatten(emitter, source.front().getTerminator()->getOperands()));
    return success();
  };
  if (failed(emitRegion(op.getThenRegion(), branch.getThenRegion())) ||
      failed(emitRegion(op.getElseRegion(), branch.getElseRegion())))
    return failure();
  bindFlat(emitter, op.getResults(), branch.getResults());
  return success();
}

static LogicalResult lowerWhile(ThreadEmitter &emitter, scf::WhileOp op) {
  OpBuilder &builder = emitter.builder;
  FailureOr<SmallVector<Type>> before =
      flattenTypes(emitter, op.getBefore().getArgumentTypes(), op);
  FailureOr<SmallVector<Type>> after =
      flattenTypes(emitter, op.getResultTypes(), op);
  if (failed(before) || failed(after))
    return failure();
  Location whileLoc = op.getLoc();
  auto loop = scf::WhileOp::create(builder, whileLoc, *after,
                                   flatten(emitter, op.getInits()));
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = makeBlock(builder, loop.getBefore(), *before, whileLoc);
    bindFlat(emitter, op.getBeforeArguments(), block->getArguments());
    if (failed(emitter.emitBlock(op.getBefore().front())))
      return failure();
    scf::ConditionOp condition = op.getConditionOp();
    scf::ConditionOp::create(builder, whileLoc,
                             emitter.getScalar(condition.getCondition()),
                             flatten(emitter, condition.getArgs()));
    block = makeBlock(builder, loop.getAfter(), *after, whileLoc);
    bindFlat(emitter, op.getAfterArguments(), block->getArguments());
    if (failed(emitter.emitBlock(op.getAfter().front())))
      return failure();
    scf::YieldOp::create(builder, whileLoc,
                         flatten(emitter, op.getYieldOp().getOperands()));
  }
  bindFlat(emitter, op.getResults(), loop.getResults());
  return success();
}

/// A chain of branches: there are few cases, and tables of jumps are slow.
static LogicalResult lowerIndexSwitch(ThreadEmitter &emitter,
                                      scf::IndexSwitchOp op) {
  OpBuilder &builder = emitter.builder;
  FailureOr<SmallVector<Type>> types =
      flattenTypes(emitter, op.getResultTypes(), op);
  if (failed(types))
    return failure();
  Location switchLoc = op.getLoc();
  Value argument = emitter.getScalar(op.getArg());
  scf::IfOp outermost;
  auto emitRegion = [&](Region &region) -> LogicalResult {
    if (failed(emitter.emitBlock(region.front())))
      return failure();
    scf::YieldOp::create(
        builder, switchLoc,
        flatten(emitter, region.front().getTerminator()->getOperands()));
    return success();
  };

  OpBuilder::InsertionGuard guard(builder);
  auto end = builder.saveInsertionPoint();
  if (op.getCases().empty()) {
    Block &block = op.getDefaultRegion().front();
    if (failed(emitter.emitBlock(block)))
      return failure();
    bindFlat(emitter, op.getResults(),
             flatten(emitter, block.getTerminator()->getOperands()));
    return success();
  }
  for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
    emitter.loc = switchLoc;
    Value isCase =
        emitter.compare(arith::CmpIPredicate::eq, argument, emitter.i64(value));
    auto branch = scf::IfOp::create(builder, switchLoc, *types, isCase,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    branch.thenBlock()->clear();
    branch.elseBlock()->clear();
    if (outermost)
      scf::YieldOp::create(builder, switchLoc, branch.getResults());
    else
      outermost = branch;
    builder.setInsertionPointToEnd(branch.thenBlock());
    if (failed(emitRegion(region)))
      return failure();
    builder.setInsertionPointToEnd(branch.elseBlock());
  }
  if (failed(emitRegion(op.getDefaultRegion())))
    return failure();
  bindFlat(emitter, op.getResults(), outermost.getResults());
  builder.restoreInsertionPoint(end);
  return success();
}

void tile::registerControlFlowLowerings(LoweringTable &table) {
  table.add(lowerFor);
  table.add(lowerIf);
  table.add(lowerWhile);
  table.add(lowerIndexSwitch);
}
