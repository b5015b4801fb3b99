//===- Materialized.cpp - Stage `materialized` ----------------------------===//
//
// What goes through shared memory is explicit: from here on the lowering of one
// operation never needs a barrier inside it. So
//
//   - a `tile.convert_layout` at most renames registers,
//   - no reduction or scan crosses warps,
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

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

static InFlightDiagnostic emitBroken(Operation *op) {
  return emitStageError(op, Stage::Materialized);
}

static LogicalResult verifyConversion(ConvertLayoutOp op) {
  if (classifyConversion(getLayout(op.getSource()),
                         getLayout(op.getResult())) ==
      tilec::ConversionKind::None)
    return success();
  return emitBroken(op) << "it moves elements between threads; go through a "
                           "'tile.alloc'";
}

/// Whether warps share the work along one of `dims`.
static bool crossesWarps(Value fragment, ArrayRef<int64_t> dims) {
  tilec::FragmentLayout layout = getLayout(fragment);
  return llvm::any_of(layout.getDigits(tilec::HardwareDim::Warp),
                      [&](const tilec::Digit &digit) {
                        return !digit.replicates() &&
                               llvm::is_contained(dims, digit.dim);
                      });
}

static LogicalResult verifyWithinWarps(Operation *op, ValueRange operands,
                                       ArrayRef<int64_t> dims) {
  for (Value operand : operands)
    if (crossesWarps(operand, dims))
      return emitBroken(op)
             << "it combines across warps; use 'tile.partial_reduce' and go "
                "through a 'tile.alloc'";
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

static LogicalResult verifyPrint(PrintOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getValue().getType());
  if (!type || type.getRank() == 0)
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
        .Case<ConvertLayoutOp>(verifyConversion)
        .Case<ReduceOp>([](ReduceOp op) {
          return verifyWithinWarps(op, op.getOperands_(), op.getDims());
        })
        .Case<ScanOp>([](ScanOp op) {
          return verifyWithinWarps(op, op.getOperands_(),
                                   {static_cast<int64_t>(op.getDim())});
        })
        .Case<tensor::ExtractOp>(verifyExtract)
        .Case<PrintOp>(verifyPrint)
        .Case<memref::StoreOp, memref::AtomicRMWOp>(
            [](auto op) { return verifyActsOnce(op); })
        .Default(success());
  });
}
