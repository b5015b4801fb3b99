//===- TileWalk.cpp - The tiles of a persistent launch --------------------===//

#include "tile/Analysis/TileWalk.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/LoopValue.h"
#include "tile/Analysis/SlotCounter.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<StepGrowth> tile::getStepGrowth(scf::ForOp loop,
                                              unsigned argument) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step <= 0 || loop.getUnsignedCmp())
    return std::nullopt;
  BlockArgument carried = loop.getRegionIterArg(argument);
  if (auto counter = matchSlotCounter(carried))
    return StepGrowth{1, counter->slots};
  Value next = loop.getYieldedValues()[argument];
  if (next == carried)
    return StepGrowth();
  auto sum = next.getDefiningOp<arith::AddIOp>();
  std::optional<int64_t> added =
      sum ? getConstantIntValue(sum.getRhs()) : std::nullopt;
  if (!added || sum.getLhs() != carried)
    return std::nullopt;
  return StepGrowth{*added, 0};
}

scf::ForOp tile::getTileWalk(Region &program) {
  auto loops = llvm::to_vector(program.front().getOps<scf::ForOp>());
  return loops.size() == 1 ? loops.front() : scf::ForOp();
}

//===----------------------------------------------------------------------===//
// What a tile adds to a number
//===----------------------------------------------------------------------===//

namespace {
/// Looks for what keeps a number from being computed for a tile that is skipped.
class NumberFinder {
public:
  explicit NumberFinder(scf::ForOp walk) : walk(walk) {}
  void visit(Value value);

  std::optional<SplitObstacle> obstacle;

private:
  void visitCount(scf::ForOp loop, unsigned argument);
  void refuse(Operation *op, const Twine &reason) {
    if (!obstacle)
      obstacle = SplitObstacle{op, reason.str()};
  }

  scf::ForOp walk;
  llvm::DenseSet<Value> seen;
};
} // namespace

void NumberFinder::visitCount(scf::ForOp loop, unsigned argument) {
  if (!getStepGrowth(loop, argument))
    return refuse(loop,
                  "a team skips a tile without running it, and the uses of "
                  "rings in this loop are not one a step; take inner loops "
                  "with 'tile.stages' out of it");
  visit(loop.getInitArgs()[argument]);
  visit(loop.getLowerBound());
  visit(loop.getUpperBound());
}

void NumberFinder::visit(Value value) {
  if (!walk.getRegion().isAncestor(value.getParentRegion()) ||
      !seen.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (value == walk.getInductionVar())
    return refuse(walk,
                  "the number of its steps differs from tile to tile, and a "
                  "team does not run the tile that it skips");
  if (!op)
    return;
  if (std::optional<LoopValue> carried = getLoopValue(value))
    return visitCount(carried->loop, *carried->carried);
  if (auto branch = value.getDefiningOp<scf::IfOp>()) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    visit(branch.getCondition());
    visit(branch.thenYield().getOperand(number));
    return visit(branch.elseYield().getOperand(number));
  }
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
      !getBlockAccesses(op).empty())
    return refuse(op,
                  "how many uses of rings a tile takes depends on it, and a "
                  "team does not run it for the tile that it skips");
  for (Value operand : op->getOperands())
    visit(operand);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// What stands beside the walk and does something, so that it would be done by each
/// team.
static Operation *findBeside(LaunchOp launch, scf::ForOp walk) {
  for (Operation &op : launch.getBody().front().without_terminator()) {
    // Rings are in front of all roles.
    bool isShared = isMemoryEffectFree(&op) ||
                    llvm::any_of(op.getResultTypes(), llvm::IsaPred<RingType>);
    if (&op != walk && !isShared &&
        (op.getNumRegions() > 0 || !getBlockAccesses(&op).empty()))
      return &op;
  }
  return nullptr;
}

std::optional<SplitObstacle> tile::findWalkObstacle(LaunchOp launch) {
  scf::ForOp walk = getTileWalk(launch.getBody());
  if (!walk)
    return SplitObstacle{launch,
                         "it has no loop over tiles, as a 'persistent' "
                         "launch has, or several loops beside each other"};
  if (walk.getUnsignedCmp() || !walk.getInductionVar().getType().isIndex())
    return SplitObstacle{walk,
                         "the distance between two tiles of a block is no "
                         "signed index"};
  if (Operation *beside = findBeside(launch, walk))
    return SplitObstacle{beside,
                         "both teams would do what stands beside the loop "
                         "over tiles"};
  NumberFinder finder(walk);
  for (Value next : walk.getYieldedValues()) {
    if (!next.getType().isIndex())
      return SplitObstacle{walk, "a tile hands more on to the next one than "
                                 "numbers of uses of rings"};
    finder.visit(next);
  }
  if (!finder.obstacle && !walk.use_empty())
    return SplitObstacle{walk, "what the last tile leaves is used behind it"};
  return finder.obstacle;
}
