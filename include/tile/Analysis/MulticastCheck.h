//===- MulticastCheck.h - Whether blocks may share copies -------*- C++ -*-===//
//
// `multicast` on a copy says which blocks of a cluster bring it together. Who makes
// threads of it takes each to write to the others' slots, so what it says is proved
// again from the program as it stands (ClusterFacts.h): whoever wrote it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_MULTICASTCHECK_H
#define TILE_ANALYSIS_MULTICASTCHECK_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// An error at each copy that blocks share by its masks without being known to have
/// it in common, with two of these blocks and the operand, or the uses of its ring,
/// that may differ.
LogicalResult verifySharedCopies(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_MULTICASTCHECK_H
