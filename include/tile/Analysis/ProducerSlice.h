//===- ProducerSlice.h - What a producer of its own would run ---*- C++ -*-===//
//
// In a launch with a producer role, copies into shared memory whose end mbarriers
// count are started by warps that do nothing else, and everything else is run by
// the consumers. What the producer runs is the *slice* of the launch that these
// copies need:
//
//     those copies, acquire, commit    the producer only
//     loops and conditions around      both roles, each with what it needs
//     scalars, places, conditions      computed in both roles
//     scalars and fragments of places  loaded from global memory in both, where
//                                      nobody writes them
//
// A launch can be split where nothing else is needed, and where nothing that
// the consumers write is what a copy of the producer reads: the two run at their
// own pace, and meet at rings only.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_PRODUCERSLICE_H
#define TILE_ANALYSIS_PRODUCERSLICE_H

#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace mlir::tile {

/// Whether only the producer runs `op`: it starts a copy into shared memory that
/// an mbarrier counts, or says which slot that fills.
bool isProducerOp(Operation *op);

/// Whether `access` of `op` itself may write to `memref`. A block-level atomic is
/// ordered with all of global memory but writes to its own memref alone: what
/// it shows of others has to be written by another operation of the launch.
bool mayWriteItself(Operation *op, const BlockAccess &access, Value memref);

/// What stands in the way of a split.
struct SplitObstacle {
  Operation *op = nullptr;
  std::string reason;
};

struct ProducerSlice {
  /// What the producer runs, loops and conditions among it; not what makes
  /// buffers and rings, which is in front of both roles.
  llvm::DenseSet<Operation *> ops;
  /// What it needs of the arguments and results of loops and conditions.
  llvm::DenseSet<Value> values;
  /// Why it cannot run by itself, if it cannot.
  std::optional<SplitObstacle> obstacle;
};

/// The slice of `launch`; empty where it has no such copy.
ProducerSlice computeProducerSlice(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_PRODUCERSLICE_H
