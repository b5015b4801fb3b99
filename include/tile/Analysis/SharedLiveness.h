//===- SharedLiveness.h - When shared buffers hold needed data --*- C++ -*-===//
//
// A buffer is *occupied* at an operation when the operation touches it, or when
// its contents may have been written before and may be read afterwards. Only
// buffers that are never occupied at the same operation may share bytes.
//
// "May have been written" runs forward from the buffer's `tile.alloc`, "may be
// read" backward from its reads, each to a fixed point around loops:
//
//     %s = alloc        -
//     copy .. to %s     written
//     for {             written  needed       a buffer that is read in the next
//       load %s         written  needed       iteration stays through the loop
//     }
//     ...               written
//
// Two branches of an scf.if are different operations, so buffers of exclusive
// branches never meet.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_SHAREDLIVENESS_H
#define TILE_ANALYSIS_SHAREDLIVENESS_H

#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SparseBitVector.h"

namespace mlir::tile {

struct SharedLiveness {
  /// Program points: a buffer is used at few of those of a long launch.
  using Points = llvm::SparseBitVector<>;

  /// The launch's buffers in program order.
  SmallVector<AllocOp> buffers;
  /// Block-level operations in program order; position = program point.
  SmallVector<Operation *> points;
  llvm::DenseMap<Operation *, int64_t> positions; ///< in `points`
  /// For each buffer the points at which it is occupied.
  SmallVector<Points> occupied;
  /// For each buffer the points in front of which its contents may be read
  /// later, before anything replaces them.
  SmallVector<Points> needed;
  /// For each buffer the points whose operation reads or writes it.
  SmallVector<Points> touched;

  /// The point behind `op`, one that is not the last of its block.
  int64_t getPositionBehind(Operation *op) const;
};

/// Computes when each `tile.alloc` of `launch` is occupied.
SharedLiveness computeSharedLiveness(LaunchOp launch);

/// Whether what is in a buffer behind `op`, which is not the last of its block, may
/// be read there.
bool isNeededBehind(Operation *op, AllocOp buffer,
                    const SharedLiveness &liveness);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_SHAREDLIVENESS_H
