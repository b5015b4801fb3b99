//===- CopyRounds.cpp - Copies that a loop waits for ----------------------===//

#include "CopyRounds.h"
#include "RingConditions.h"

#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// The rounds of `loop` from the one of `number` on, that one included, which `condition`
/// says there are.
static int64_t countFrom(const UseCondition &condition, Value number,
                         scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  bool isUnsigned = loop.getUnsignedCmp();
  if (!step || *step <= 0 || condition.kind != UseCondition::Less ||
      condition.isUnsigned != isUnsigned)
    return 0;
  // `number + distance < upper bound`.
  LinearForm distance =
      condition.form - (LinearForm(number, isUnsigned) -
                        LinearForm(loop.getUpperBound(), isUnsigned));
  return distance.isConstant() && distance.getConstant() >= 0
             ? distance.getConstant() / *step + 1
             : 0;
}

/// The rounds of `loop` that begin behind each run of `copy`, at least; `place` is or has
/// the copy in the block of the loop's body, or of the loop.
static int64_t countRounds(Operation *copy, Operation *place, scf::ForOp loop) {
  bool isInside = loop->isProperAncestor(copy);
  Value number = isInside ? loop.getInductionVar() : loop.getLowerBound();
  int64_t rounds = 0;
  if (std::optional<APInt> trips = loop.getStaticTripCount();
      trips && !isInside)
    rounds = static_cast<int64_t>(trips->getLimitedValue(INT32_MAX));
  for (auto choice = copy->getParentOfType<scf::IfOp>();
       choice && place->isAncestor(choice);
       choice = choice->getParentOfType<scf::IfOp>()) {
    if (!choice.getThenRegion().isAncestor(copy->getParentRegion()))
      continue;
    int64_t from =
        countFrom(getUseCondition(choice.getCondition()), number, loop);
    rounds = std::max(rounds, isInside ? from - 1 : from);
  }
  return rounds;
}

/// The groups that are closed between `from`, or the start of the block, and `to`, or its
/// end.
static int64_t countCommits(Block &block, Operation *from, Operation *to) {
  auto between =
      llvm::make_range(from ? std::next(from->getIterator()) : block.begin(),
                       to ? to->getIterator() : block.end());
  return llvm::count_if(between, llvm::IsaPred<CopyCommitOp>);
}

CopyRounds::Fate CopyRounds::compute(Operation *copy, scf::ForOp loop) {
  bool isInside = loop->isProperAncestor(copy);
  Block &body = *loop.getBody(), &block = isInside ? body : *loop->getBlock();
  Operation *place = block.findAncestorOpInBlock(*copy);
  if (!place || (!isInside && !place->isBeforeInBlock(loop)))
    return {};
  int64_t rounds = countRounds(copy, place, loop);
  if (rounds == 0)
    return {};
  int64_t behind =
      countCommits(block, place, isInside ? nullptr : loop.getOperation()) +
      (rounds - 1) * countCommits(body, nullptr, nullptr);
  bool hasLanded =
      llvm::any_of(body.getOps<CopyWaitOp>(), [&](CopyWaitOp wait) {
        int64_t pending = wait.getPending().value_or(0);
        return behind + countCommits(body, nullptr, wait) > pending;
      });
  return {rounds, hasLanded};
}

bool CopyRounds::hasLanded(Operation *copy, Operation *branch, bool isLeftOut) {
  return llvm::TypeSwitch<Operation *, bool>(branch)
      .Case([&](scf::ForOp loop) {
        Fate fate = get(copy, loop);
        return isLeftOut ? !loop->isProperAncestor(copy) && fate.rounds > 0
                         : fate.hasLanded;
      })
      .Default([](Operation *) { return false; });
}

CopyRounds::Fate CopyRounds::get(Operation *copy, scf::ForOp loop) {
  auto [entry, isNew] = known.try_emplace({copy, loop});
  if (isNew)
    entry->second = compute(copy, loop);
  return entry->second;
}
