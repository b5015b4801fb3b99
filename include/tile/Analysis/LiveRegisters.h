//===- LiveRegisters.h - Registers that a thread of a launch wants -*- C++ -*-===//
//
// An estimate from what is known before there are threads: the fragments that are live
// together, elements that are only computed for the next operation left out, operands
// that products of warps load, and scalars by what is accessed.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_LIVEREGISTERS_H
#define TILE_ANALYSIS_LIVEREGISTERS_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/GpuTarget.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::tile {

/// What a thread holds at once.
struct RegisterEstimate {
  int64_t registers = 0;     ///< of 32 bits
  Operation *most = nullptr; ///< where it holds the most
};

/// The registers that a thread of a laid out launch wants. For launches with products
/// of warps: ptxas 13.0 takes up to `registerTolerance` fewer or more.
RegisterEstimate estimateMostLive(LaunchOp launch);
int64_t estimateRegisters(LaunchOp launch);
/// Those that an iteration of a loop wants; what only lives over the loop is not counted.
int64_t estimateRegistersOf(LoopLikeOpInterface loop);
inline constexpr int64_t registerTolerance = 25;

/// The registers that hold `fragment`, of a load from global memory until all of it has
/// come: accesses of less than a register are not packed before, and each has a place
/// of its own where the sizes of the memref are not known.
int64_t countHeldRegisters(Value fragment);

/// The registers that a thread of a launch can have.
int64_t getRegisterLimit(LaunchOp launch, const tilec::GpuTarget &target);

/// Registers that a thread of a product of warpgroups keeps for all but the accumulators.
inline constexpr int64_t registersBesideSums = 32;

/// The registers with which ptxas assembles the threads of a launch whose blocks have
/// `warps` warps, those of producers among them. It refuses an instruction that takes
/// more, also where roles move registers between warps.
int64_t countAssembledRegisters(LaunchOp launch, int64_t warps,
                                const tilec::GpuTarget &target);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_LIVEREGISTERS_H
