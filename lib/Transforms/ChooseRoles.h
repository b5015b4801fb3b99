//===- ChooseRoles.h - Warps and registers of a producer --------*- C++ -*-===//
//
// What a producer has follows from what it does:
//
//     starts bulk copies     one thread runs its program: one warp beside up to
//                            four that compute, else a group of four
//     copies by threads      all of its threads do: as many warps as compute, a
//                            group of four at most; a divisor of those that
//                            compute, whose parts of a tile it takes over
//
//     threads(128)   consumer 4 warps, producer 1 warp
//     threads(256)   consumer 8 warps with 232 registers, producer 4 with 40
//     the same, copying by threads: 4 and 4 warps, 224 and 64 registers
//
// Where registers limit a block, those that the producer does not need go to the
// consumers (`setmaxnreg`), which counts in groups of four warps and in multiples of
// 8. A thread that names boxes keeps 40, one that copies at least 64 for the
// addresses and bounds of its elements, and what rounding leaves.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_CHOOSEROLES_H
#define TILE_TRANSFORMS_CHOOSEROLES_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/GpuTarget.h"

namespace mlir::tile {

/// How the warps of a launch are used.
struct RolePlan {
  SmallVector<RoleAttr> roles; ///< empty: all warps compute
  /// Why there is no producer; empty if there is one.
  std::string declined;
  /// There could be one, but it would cost more than it brings.
  bool isCostly = false;
};

/// What the threads of a producer do.
enum class ProducerWork { StartsCopies, CopiesByThreads };

/// The warps that compute in `launch`, and a producer beside them.
RolePlan makeRoles(LaunchOp launch, const tilec::GpuTarget &target,
                   ProducerWork work);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_CHOOSEROLES_H
