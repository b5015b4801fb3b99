//===- ResidentBlocks.cpp - How many registers a kernel is to have --------===//

#include "ResidentBlocks.h"

#include "tile/Analysis/LiveRegisters.h"
#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/Occupancy.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-outline-kernels"

using namespace mlir;
using namespace mlir::tile;

/// Of more warps of a multiprocessor ptxas may choose the registers by itself.
static constexpr int64_t mostWarps = 24;
/// It gives them in such steps.
static constexpr int64_t registerStep = 8;

static int64_t getSharedBytes(LaunchOp launch) {
  for (auto arena : launch.getBody().getOps<ArenaOp>())
    return arena.getSize();
  return 0;
}

/// The registers, beyond those of its fragments, that hold what a loop loads until all
/// of it has come: of the loop that takes most.
static int64_t countLoadRegisters(LaunchOp launch) {
  int64_t most = 0;
  launch.walk([&](scf::ForOp loop) {
    int64_t registers = 0;
    for (Operation &op : *loop.getBody())
      for (Value result : op.getResults())
        registers +=
            countHeldRegisters(result) - countRegisters(result.getType());
    most = std::max(most, registers);
  });
  return most;
}

std::optional<int64_t> tile::getResidentBlocks(LaunchOp launch,
                                               const tilec::GpuTarget &target) {
  if (launch.getMinBlocksPerSm() || launch.getMaxRegisters() ||
      launch.getRoles())
    return std::nullopt;
  int64_t estimate = estimateRegisters(launch);
  if (estimate > getRegisterLimit(launch, target))
    return 1;
  bool multiplies = false;
  launch.walk([&](MatrixProductOpInterface product) {
    multiplies |= isOfWarps(product);
  });
  if (!multiplies)
    return std::nullopt;
  tilec::BlockResources block;
  block.threads = static_cast<int64_t>(launch.getThreads());
  block.sharedBytes = getSharedBytes(launch);
  block.registersPerThread = registerStep;
  tilec::Occupancy byMemory = computeOccupancy(target, block);
  // The estimate is not so good that less than a step would count.
  block.registersPerThread = std::min<int64_t>(
      llvm::alignDown(estimate + countLoadRegisters(launch), registerStep),
      target.maxRegistersPerThread);
  tilec::Occupancy byRegisters = computeOccupancy(target, block);
  if (byMemory.limit != tilec::OccupancyLimit::SharedMemory ||
      byMemory.warpsPerMultiprocessor > mostWarps ||
      byRegisters.blocksPerMultiprocessor < byMemory.blocksPerMultiprocessor)
    return std::nullopt;
  return byMemory.blocksPerMultiprocessor;
}

void tile::reportRegisters(LaunchOp launch, const tilec::GpuTarget &target) {
  if (launch.getRoles())
    return;
  RegisterEstimate estimate = estimateMostLive(launch);
  int64_t limit = getRegisterLimit(launch, target);
  if (estimate.registers <= limit)
    return;
  remark::missed(estimate.most->getLoc(),
                 remark::RemarkOpts::name("RegistersExceeded")
                     .category(DEBUG_TYPE)
                     .function(launch.getKernel().value_or("")))
      << remark::reason(
             "fragments take some {0} registers of a thread here, of {1} that "
             "it can have; what does not fit is loaded again or spilled. "
             "Smaller tiles, or more threads, take fewer",
             estimate.registers, limit);
}
