//===- CarryNumber.cpp - A number that goes on through a launch -----------===//

#include "CarryNumber.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
class NumberCarrier {
public:
  NumberCarrier(ArrayRef<Operation *> sites, NumberSite visit,
                RewriterBase &rewriter)
      : sites(sites), visit(visit), rewriter(rewriter) {}

  /// The number behind the operations of a block that gets `number`.
  Value carry(Block &block, Value number);

private:
  bool hasSite(Operation *op) const {
    return llvm::any_of(sites,
                        [&](Operation *site) { return op->isAncestor(site); });
  }
  Value carry(scf::ForOp loop, Value number);
  Value carry(scf::IfOp choice, Value number);
  Value carry(scf::IndexSwitchOp choice, Value number);
  Value carry(scf::WhileOp loop, Value number);
  /// Lets a block that gets `number` hand on what is behind it.
  void handOn(Block &block, Value number);
  Value replace(Operation *op, Operation *wider);

  ArrayRef<Operation *> sites;
  NumberSite visit;
  RewriterBase &rewriter;
};
} // namespace

Value NumberCarrier::carry(Block &block, Value number) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!hasSite(&op))
      continue;
    if (llvm::is_contained(sites, &op))
      number = visit(&op, number);
    else
      number =
          llvm::TypeSwitch<Operation *, Value>(&op)
              .Case<scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(
                  [&](auto around) { return carry(around, number); })
              .Default([](Operation *) -> Value {
                llvm_unreachable("canCarryNumber was asked");
              });
  }
  return number;
}

void NumberCarrier::handOn(Block &block, Value number) {
  Value after = carry(block, number);
  Operation *yield = block.getTerminator();
  rewriter.modifyOpInPlace(
      yield, [&] { yield->insertOperands(yield->getNumOperands(), after); });
}

/// Puts `wider`, which has one result more, in the place of `op`; gives that
/// result.
Value NumberCarrier::replace(Operation *op, Operation *wider) {
  wider->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, wider->getResults().drop_back());
  return wider->getResults().back();
}

static SmallVector<Type> withIndex(Operation *op) {
  SmallVector<Type> types(op->getResultTypes());
  types.push_back(IndexType::get(op->getContext()));
  return types;
}

Value NumberCarrier::carry(scf::ForOp loop, Value number) {
  rewriter.setInsertionPoint(loop);
  DictionaryAttr attributes = loop->getDiscardableAttrDictionary();
  auto keep = [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    return SmallVector<Value>(arguments.begin(), arguments.end());
  };
  auto replaced = loop.replaceWithAdditionalYields(
      rewriter, {number}, /*replaceInitOperandUsesInLoop=*/false, keep);
  auto wider = cast<scf::ForOp>(replaced->getOperation());
  wider->setDiscardableAttrs(attributes);
  Value after = carry(*wider.getBody(), wider.getRegionIterArgs().back());
  Operation *yield = wider.getBody()->getTerminator();
  yield->setOperand(yield->getNumOperands() - 1, after);
  return wider->getResults().back();
}

Value NumberCarrier::carry(scf::IfOp choice, Value number) {
  rewriter.setInsertionPoint(choice);
  auto wider = scf::IfOp::create(rewriter, choice.getLoc(), withIndex(choice),
                                 choice.getCondition(),
                                 /*addThenBlock=*/false,
                                 /*addElseBlock=*/false);
  wider.getThenRegion().takeBody(choice.getThenRegion());
  wider.getElseRegion().takeBody(choice.getElseRegion());
  if (wider.getElseRegion().empty()) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.createBlock(&wider.getElseRegion());
    scf::YieldOp::create(rewriter, choice.getLoc());
  }
  handOn(wider.getThenRegion().front(), number);
  handOn(wider.getElseRegion().front(), number);
  return replace(choice, wider);
}

Value NumberCarrier::carry(scf::IndexSwitchOp choice, Value number) {
  rewriter.setInsertionPoint(choice);
  auto wider = scf::IndexSwitchOp::create(
      rewriter, choice.getLoc(), withIndex(choice), choice.getArg(),
      choice.getCases(), choice.getNumCases());
  for (auto [from, to] : llvm::zip(choice->getRegions(), wider->getRegions())) {
    to.takeBody(from);
    handOn(to.front(), number);
  }
  return replace(choice, wider);
}

Value NumberCarrier::carry(scf::WhileOp loop, Value number) {
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> inits(loop.getInits());
  inits.push_back(number);
  auto wider =
      scf::WhileOp::create(rewriter, loop.getLoc(), withIndex(loop), inits);
  wider.getBefore().takeBody(loop.getBefore());
  wider.getAfter().takeBody(loop.getAfter());
  Type index = rewriter.getIndexType();
  Block &before = wider.getBefore().front(), &after = wider.getAfter().front();
  handOn(before, before.addArgument(index, loop.getLoc()));
  handOn(after, after.addArgument(index, loop.getLoc()));
  return replace(loop, wider);
}

bool tile::canCarryNumber(Operation *site) {
  Operation *launch = site->getParentOfType<LaunchOp>();
  for (Operation *op = site->getParentOp(); op != launch;
       op = op->getParentOp())
    if (!isa<scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(op))
      return false;
  return true;
}

void tile::carryNumber(LaunchOp launch, ArrayRef<Operation *> sites,
                       NumberSite visit, RewriterBase &rewriter) {
  Block &body = launch.getBody().front();
  rewriter.setInsertionPointToStart(&body);
  Value zero = arith::ConstantIndexOp::create(rewriter, launch.getLoc(), 0);
  NumberCarrier(sites, visit, rewriter).carry(body, zero);
}
