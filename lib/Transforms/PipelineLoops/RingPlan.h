//===- RingPlan.h - Which copies of a loop run ahead ------------*- C++ -*-===//
//
// The classic two-stage schedule: the copies that fill shared buffers from
// global memory run N - 1 iterations ahead of the computation, each buffer
// becoming a ring of N slots. The plan says which copies those are, what has to
// be computed ahead with them, and why the others stay where they are.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_RINGPLAN_H
#define TILE_TRANSFORMS_PIPELINELOOPS_RINGPLAN_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/GpuTarget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tile {

/// A copy that runs ahead and the buffer it fills.
struct RingCopy {
  CopyOp copy;
  AllocOp buffer;
};

struct RingPlan {
  scf::ForOp loop;
  int64_t slots = 1; ///< slots of each ring; 1 leaves the loop as it is
  SmallVector<RingCopy> copies;
  /// Pure operations of the body that the copies' operands need, in program
  /// order.
  llvm::SetVector<Operation *> ahead;
  /// Why some copy, some slots or the whole loop were not taken; empty if
  /// nothing was left out.
  std::string reason;
};

/// Plans the rings of a loop that asks for `stages` slots.
RingPlan planRings(scf::ForOp loop, int64_t stages,
                   const tilec::GpuTarget &target);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_RINGPLAN_H
