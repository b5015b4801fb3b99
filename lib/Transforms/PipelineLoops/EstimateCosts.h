//===- EstimateCosts.h - Cycles and registers of operations -----*- C++ -*-===//
//
// What an operation of a loop body costs its block, from what is in it: the
// bytes it moves, the shape it multiplies, the elements it computes, the
// iterations of loops inside. The rates are those of the multiprocessor
// (Throughput.h); a block is taken to be alone on it.
//
//     issue     the busiest unit is busy for so long, and what comes later in
//               order begins when it is over
//     latency   from the beginning of the issue until the last result is there;
//               what works element by element begins with the first results,
//               so that a short latency hides behind a long issue
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_ESTIMATECOSTS_H
#define TILE_TRANSFORMS_PIPELINELOOPS_ESTIMATECOSTS_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/Throughput.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tile {

struct OperationCost {
  int64_t issueCycles = 0;
  int64_t latencyCycles = 0; ///< at least the cycles of the issue
};

class CostEstimator {
public:
  CostEstimator(LaunchOp launch, const tilec::GpuTarget &target)
      : target(target), row(tilec::getThroughput(target)),
        threads(launch.getThreads()) {}

  /// The cost of a block-level operation, those in its regions included.
  OperationCost estimate(Operation *op) const;
  /// Of the block at a barrier.
  int64_t getBarrierCycles() const {
    return tilec::countBarrierCycles(row, threads);
  }

private:
  OperationCost estimateRegions(Operation *op) const;
  OperationCost estimateBlock(Block &block) const;
  int64_t countElements(Type type) const;
  int64_t countElements(ArrayRef<BlockAccess> accesses) const;
  int64_t addWork(Operation *op, tilec::BlockWork &work) const;
  int64_t addAccesses(Operation *op, tilec::BlockWork &work) const;
  int64_t addProduct(Operation *op, tilec::BlockWork &work) const;
  int64_t addArithmetic(Operation *op, int64_t elements,
                        tilec::BlockWork &work) const;
  int64_t addExchange(Operation *op, tilec::BlockWork &work) const;
  int64_t countCycles(const tilec::BlockWork &work) const;

  const tilec::GpuTarget &target;
  const tilec::Throughput &row;
  int64_t threads;
};

/// Registers that a thread takes when an iteration needs the most.
int64_t countNeededRegisters(scf::ForOp loop);

/// Registers of a thread that no value of the body needs then.
int64_t countFreeRegisters(scf::ForOp loop, const tilec::GpuTarget &target);

/// Why a thread lacks the registers to hold over the products of `loop` what `writers`
/// store through them, with what others of `all` do; empty if it has them, or that is not
/// known.
std::string findLackOfRegisters(scf::ForOp loop, ArrayRef<Operation *> writers,
                                ArrayRef<Operation *> all,
                                const tilec::GpuTarget &target);

/// Whether the next product of the block goes on with the sum of `product`, and nothing
/// else uses it: its operands need not wait.
bool isOnlyAddedTo(MatrixProductOpInterface product);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_ESTIMATECOSTS_H
