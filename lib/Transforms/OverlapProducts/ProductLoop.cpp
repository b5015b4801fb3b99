//===- ProductLoop.cpp - Loops whose products overlap --------------------===//

#include "ProductLoop.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

int64_t tile::countProducts(scf::ForOp loop) {
  int64_t products = 0;
  loop.getBody()->walk([&](MatrixProductOpInterface) { ++products; });
  return products;
}

bool tile::isWaitedForLater(MatrixProductOpInterface product) {
  InstructionAttr instruction = product.getInstructionAttr();
  return instruction && product.getScales().empty() &&
         isa<RankedTensorType>(product->getResult(0).getType()) &&
         instruction.getMatrix()->completion == tilec::Completion::Group;
}

bool tile::countsByOne(scf::ForOp loop, Value number) {
  auto argument = dyn_cast<BlockArgument>(number);
  if (!argument || argument.getOwner() != loop.getBody() ||
      argument == loop.getInductionVar())
    return false;
  auto next = loop.getTiedLoopYieldedValue(argument)
                  ->get()
                  .getDefiningOp<arith::AddIOp>();
  return next && next.getLhs() == argument &&
         isConstantIntValue(next.getRhs(), 1);
}

RingOp tile::findRing(Value memref) {
  Value root = getSharedRoot(memref);
  return root ? getRingOfBuffer(root) : RingOp();
}

bool tile::mayOverwrite(Operation *op, Value operand) {
  auto isFill = [](const BlockAccess &access) {
    Value slot = access.memref ? getSlotValue(access.memref) : Value();
    return slot && slot.getDefiningOp<RingAcquireOp>();
  };
  return llvm::any_of(getNestedAccesses(op), [&](const BlockAccess &access) {
    return mayWriteTo(access, operand) && !isFill(access);
  });
}

SmallVector<RingReleaseOp> tile::findReleases(scf::ForOp loop, RingOp ring) {
  SmallVector<RingReleaseOp> releases;
  loop.getBody()->walk([&](RingReleaseOp release) {
    if (release.getRing() == ring.getResult())
      releases.push_back(release);
  });
  return releases;
}

bool tile::isOneBehind(scf::ForOp loop, MatrixProductOpInterface product,
                       ArrayRef<RingReleaseOp> releases) {
  if (releases.size() != 1)
    return false;
  RingReleaseOp release = releases.front();
  return release->getBlock() == loop.getBody() &&
         product->isBeforeInBlock(release) &&
         countsByOne(loop, release.getNumber());
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value tile::getBefore(OpBuilder &builder, Location loc, Value number) {
  Value one = arith::ConstantIndexOp::create(builder, loc, -1);
  return arith::AddIOp::create(builder, loc, number, one);
}

/// Where the second iteration of a loop that runs starts; its end if there is
/// none and the sum might leave a narrow type.
static Value getSecond(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  Value step = loop.getStep();
  Value second = builder.createOrFold<arith::AddIOp>(loc, lower, step);
  if (loop.getStaticTripCount() || lower.getType().isIndex() ||
      lower.getType().isInteger(64))
    return second;
  // The distance fits the type as an unsigned number.
  Value distance = arith::SubIOp::create(builder, loc, upper, lower);
  Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        step, distance);
  return arith::SelectOp::create(builder, loc, isThere, second, upper);
}

scf::ForOp tile::emitRest(OpBuilder &builder, scf::ForOp loop,
                          ValueRange inits) {
  Location loc = loop.getLoc();
  Value second = getSecond(builder, loop);
  auto rest = scf::ForOp::create(
      builder, loc, second, loop.getUpperBound(), loop.getStep(), inits,
      [](OpBuilder &, Location, Value, ValueRange) {}, loop.getUnsignedCmp());
  rest->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block &body = *rest.getBody();
  body.getOperations().splice(body.end(), loop.getBody()->getOperations());
  for (auto [old, argument] :
       llvm::zip(loop.getBody()->getArguments(), body.getArguments()))
    if (old.getType() == argument.getType())
      old.replaceAllUsesWith(argument);
  return rest;
}

void tile::replaceLoop(scf::ForOp loop,
                       function_ref<SmallVector<Value>(OpBuilder &)> emit) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  scf::IfOp guard;
  if (!loop.getStaticTripCount()) {
    auto isLess = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                        : arith::CmpIPredicate::slt;
    Value runs = arith::CmpIOp::create(
        builder, loc, isLess, loop.getLowerBound(), loop.getUpperBound());
    guard = scf::IfOp::create(builder, loc, loop.getResultTypes(), runs,
                              /*withElseRegion=*/true);
    OpBuilder otherwise = guard.getElseBodyBuilder();
    scf::YieldOp::create(otherwise, loc, loop.getInitArgs());
    builder = guard.getThenBodyBuilder();
  }
  SmallVector<Value> results = emit(builder);
  if (guard) {
    scf::YieldOp::create(builder, loc, results);
    results.assign(guard.getResults().begin(), guard.getResults().end());
  }
  loop.replaceAllUsesWith(results);
  loop.erase();
}
