//===- Materialized.cpp - Stage `materialized` ----------------------------===//
//
// What goes through shared memory is explicit: from here on the lowering of one
// operation never needs a barrier inside it. So
//
//   - a `tile.convert_layout` at most moves elements inside of warps,
//   - no reduction or scan crosses warps,
//   - a loop that must run once and has results is not replicated,
//   - a fragment is read at an iteration's own element, or, at block level, at
//     constant indices where every thread holds it,
//   - a printed fragment stands in a buffer,
//   - a store or atomic of the block stands in a `tile.once`.
//
// Established by tile-materialize-scratch. That slices and bitcasts relabel
// from here on is checked with the other reshapes.
//
//===----------------------------------------------------------------------===//

#include "StagePredicates.h"

#include "tile/Dialect/Tile/OwnElement.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Layout/WarpExchange.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

static InFlightDiagnostic emitBroken(Operation *op) {
  return emitStageError(op, Stage::Materialized);
}

static LogicalResult verifyExchange(ConvertLayoutOp op) {
  tilec::FragmentLayout from = getLayout(op.getSource());
  tilec::FragmentLayout to = getLayout(op.getResult());
  if (from.contains(to))
    return success();
  auto plan = tilec::planWarpExchange(from, to);
  if (plan)
    return success();
  return emitBroken(op) << "it goes by no shuffles: " << plan.reason()
                        << "; go through a 'tile.alloc'";
}

static InFlightDiagnostic emitCrossesWarps(Operation *op) {
  return emitBroken(op) << "it combines across warps; use "
                           "'tile.partial_reduce' and go through a "
                           "'tile.alloc'";
}

/// Results of a reduction are held by every warp along the reduced dimensions,
/// by those too that hold nothing but padding of its operands.
static LogicalResult verifyReduce(ReduceOp op) {
  for (Value operand : op.getOperands_()) {
    tilec::FragmentLayout layout = getLayout(operand);
    for (const tilec::Digit &digit : layout.getDigits(tilec::HardwareDim::Warp))
      if (!digit.replicates() && llvm::is_contained(op.getDims(), digit.dim))
        return emitCrossesWarps(op);
  }
  return success();
}

static LogicalResult verifyScan(ScanOp op) {
  for (Value operand : op.getOperands_())
    if (getLayout(operand).isShared(tilec::HardwareDim::Warp,
                                    static_cast<int>(op.getDim())))
      return emitCrossesWarps(op);
  return success();
}

static LogicalResult verifyExtract(tensor::ExtractOp op) {
  if (auto loop = op->getParentOfType<ParallelOp>())
    return getOwnElementDims(op, loop)
               ? success()
               : emitBroken(op)
                     << "an iteration reads another element than its "
                        "own; go through a 'tile.alloc'";
  tilec::FragmentLayout layout = getLayout(op.getTensor());
  bool isReplicated =
      layout.getReplication() == layout.getExtent(tilec::HardwareDim::Lane) *
                                     layout.getExtent(tilec::HardwareDim::Warp);
  bool isConstant = llvm::all_of(op.getIndices(), [](Value index) {
    return matchPattern(index, m_Constant());
  });
  if (isReplicated && isConstant)
    return success();
  return emitBroken(op)
         << "the element is not one that every thread holds in a "
            "known register; go through a 'tile.alloc'";
}

static LogicalResult verifyParallel(ParallelOp op) {
  if (op.getNumResults() == 0 || !op.getIterationEffects().mustRunOnce() ||
      op.getLayoutAttr().getLayout().getReplication() == 1)
    return success();
  return emitBroken(op)
         << "several threads have the same iteration, which must "
            "run once and gives results; go through a "
            "'tile.alloc'";
}

/// One thread speaks for the block, and no thread has all of a fragment.
static LogicalResult verifyConsole(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> found;
  if (effects)
    effects.getEffectsOnResource(ConsoleResource::get(), found);
  bool takesFragment = llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() > 0;
  });
  if (found.empty() || !takesFragment)
    return success();
  return emitBroken(op) << "it prints a fragment, which is spread over "
                           "threads; go through a 'tile.alloc'";
}

/// At block level one thread acts.
static LogicalResult verifyActsOnce(Operation *op) {
  if (op->getParentOfType<OnceOp>() || op->getParentOfType<ParallelOp>())
    return success();
  return emitBroken(op) << "it acts once for the block; put it into a "
                           "'tile.once'";
}

LogicalResult tile::verifyMaterialized(const StagedCode &code) {
  return code.forEach([](Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<ConvertLayoutOp>(verifyExchange)
        .Case<ReduceOp>(verifyReduce)
        .Case<ScanOp>(verifyScan)
        .Case<tensor::ExtractOp>(verifyExtract)
        .Case<ParallelOp>(verifyParallel)
        .Case<memref::StoreOp, memref::AtomicRMWOp>(
            [](auto op) { return verifyActsOnce(op); })
        .Default(verifyConsole);
  });
}
