//===- StepCount.cpp - Endless loops end with a message -------------------===//
//
// A loop need not end, so that a run is cut off after a number of steps of one
// block or of the host. A step is about the work of a scalar operation: steps
// take about the same time whatever the operations are, and a limit of steps is
// one of time that does not depend on the machine.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "tile/Dialect/Tile/TileOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

/// Elements of arithmetic, or products of a gemm, that take as long as what is
/// done once for each operation; and elements that are moved, combined or given
/// to a function one by one.
constexpr uint64_t fastElementsOfStep = 64, elementsOfStep = 16;

/// M * N * K, from the products M * K, K * N and M * N.
static double getProductCount(MatrixProductOpInterface product) {
  double square =
      static_cast<double>(product.getProductType().getNumElements());
  for (OpOperand *operand : {&product.getAMutable(), &product.getBMutable()}) {
    auto type = dyn_cast<ShapedType>(operand->get().getType());
    if (type && type.hasStaticShape())
      square *= static_cast<double>(type.getNumElements());
  }
  return std::sqrt(square);
}

/// The elements of the largest fragment or shared tile that `op` works on;
/// accesses to single elements of memory work on none.
static uint64_t getWork(Operation *op) {
  if (auto product = dyn_cast<MatrixProductOpInterface>(op))
    return static_cast<uint64_t>(getProductCount(product));
  bool isOfTiles = isa<TileDialect>(op->getDialect());
  int64_t most = 0;
  auto note = [&](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    bool isTile =
        isa<RankedTensorType>(type) || (isOfTiles && isa<MemRefType>(type) &&
                                        isSharedMemory(cast<MemRefType>(type)));
    if (shaped && isTile && shaped.hasStaticShape())
      most = std::max(most, shaped.getNumElements());
  };
  llvm::for_each(op->getOperandTypes(), note);
  llvm::for_each(op->getResultTypes(), note);
  return static_cast<uint64_t>(most);
}

uint64_t Machine::getStepCount(Operation *op) {
  bool isFast = isa<arith::ArithDialect>(op->getDialect()) ||
                isa<MatrixProductOpInterface>(op);
  uint64_t divisor = isFast ? fastElementsOfStep : elementsOfStep;
  if (inParallel)
    return 1 + static_cast<uint64_t>(laneCount) / divisor;
  auto [entry, isNew] = stepCounts.try_emplace(op, 1);
  if (isNew)
    entry->second += getWork(op) / divisor;
  return entry->second;
}

LogicalResult Machine::countSteps(Operation *op, uint64_t count) {
  uint64_t &taken = blockState ? blockState->stepCount : hostStepCount;
  taken += count;
  if (options.interrupt && *options.interrupt)
    return error(op) << "the run was interrupted";
  if (options.maxSteps == 0 || taken <= options.maxSteps)
    return success();
  InFlightDiagnostic diagnostic = error(op);
  for (Operation *loop = op->getParentOp(); loop; loop = loop->getParentOp())
    if (isa<LoopLikeOpInterface>(loop))
      diagnostic.attachNote(loop->getLoc()) << "in this loop";
  return diagnostic
         << (blockState ? "the block" : "the host code")
         << " has not come to its end after " << options.maxSteps
         << " steps, each the work of a scalar operation; if it is in no "
            "endless loop, give --max-steps=N (InterpreterOptions::maxSteps); "
            "0 lifts it";
}
