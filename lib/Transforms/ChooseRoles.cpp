//===- ChooseRoles.cpp - Warps and registers of a producer ----------------===//

#include "ChooseRoles.h"

#include "tile/Hardware/Occupancy.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;

/// `setmaxnreg` moves registers between groups of so many warps, in multiples
/// of 8 (PTX ISA, "setmaxnreg").
static constexpr int64_t warpsPerGroup = 4, registerUnit = 8;

namespace {
/// The registers of a thread of each role; 0 where nothing is gained, as every
/// thread can have what a thread may.
struct RoleRegisters {
  int64_t consumer = 0, producer = 0;
};
} // namespace

/// The fewest registers with which threads of a producer do their work.
static int64_t getLeastRegisters(ProducerWork work) {
  return work == ProducerWork::CopiesByThreads ? 64 : 40;
}

static int64_t roundDown(int64_t registers) {
  return registers / registerUnit * registerUnit;
}

static RoleRegisters chooseRegisters(LaunchOp launch,
                                     const tilec::GpuTarget &target,
                                     int64_t consumers, int64_t producers,
                                     ProducerWork work) {
  if (launch.getMaxRegisters() || consumers % warpsPerGroup != 0 ||
      producers % warpsPerGroup != 0)
    return {};
  int64_t all = target.maxRegistersPerBlock /
                static_cast<int64_t>(launch.getMinBlocksPerSm().value_or(1));
  int64_t shared = all / ((consumers + producers) * target.warpSize);
  if (shared >= target.maxRegistersPerThread)
    return {};
  RoleRegisters registers;
  registers.producer = getLeastRegisters(work);
  int64_t left = all - producers * target.warpSize * registers.producer;
  int64_t own = std::min(left / (consumers * target.warpSize),
                         target.maxRegistersPerThread);
  registers.consumer = roundDown(own);
  if (work == ProducerWork::CopiesByThreads) {
    left = all - consumers * target.warpSize * registers.consumer;
    registers.producer =
        roundDown(std::min(left / (producers * target.warpSize), shared));
  }
  return registers.consumer == 0 ? RoleRegisters() : registers;
}

/// Threads that copy take over whole parts of the threads that compute a tile, `own`
/// warps of the `consumers`.
static int64_t chooseProducerWarps(int64_t consumers, int64_t own,
                                   ProducerWork work) {
  if (work == ProducerWork::StartsCopies)
    return consumers > warpsPerGroup && consumers % warpsPerGroup == 0
               ? warpsPerGroup
               : 1;
  int64_t producers = std::min(own, warpsPerGroup);
  while (own % producers != 0)
    --producers;
  return producers;
}

/// Why a block of `threads` threads cannot have what the launch asks for; empty if it
/// can. Without `max_registers` the fewest that a kernel can be given count.
static std::string findMissingRoom(LaunchOp launch,
                                   const tilec::GpuTarget &target,
                                   int64_t threads) {
  if (threads > target.maxThreadsPerBlock)
    return llvm::formatv("{0} threads with a producer are more than the {1} of "
                         "a block",
                         threads, target.maxThreadsPerBlock);
  int64_t blocks = launch.getMinBlocksPerSm().value_or(1);
  tilec::BlockResources block;
  block.threads = threads;
  block.registersPerThread = launch.getMaxRegisters().value_or(1);
  tilec::Occupancy occupancy = tilec::computeOccupancy(target, block);
  if (occupancy.blocksPerMultiprocessor >= blocks)
    return {};
  return llvm::formatv("blocks of {0} threads, a producer's among them, do not "
                       "fit: {1}",
                       threads, occupancy.summary);
}

RolePlan tile::makeRoles(LaunchOp launch, const tilec::GpuTarget &target,
                         ProducerWork work) {
  MLIRContext *context = launch.getContext();
  int64_t own = launch.getWarpCount(target.warpSize);
  int64_t consumers = own * launch.getTeamCount();
  int64_t producers = chooseProducerWarps(consumers, own, work);
  int64_t threads = (consumers + producers) * target.warpSize;
  if (std::string missing = findMissingRoom(launch, target, threads);
      !missing.empty())
    return {{}, missing};
  RoleRegisters registers =
      chooseRegisters(launch, target, consumers, producers, work);
  return {{RoleAttr::get(context, RoleKind::Consumer, own, registers.consumer),
           RoleAttr::get(context, RoleKind::Producer, producers,
                         registers.producer)},
          ""};
}
