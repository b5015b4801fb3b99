//===- MakeRings.h - Buffers with slots and who may use them ----*- C++ -*-===//
//
// Gives each buffer of a plan a slot for every iteration under way, and the
// body the operations that say who uses which slot when (decision 0005). The
// use of iteration i has number i:
//
//     acquire   before the first operation that fills the slot
//     commit    behind the last one
//     wait      before the first operation that uses what is in it
//     release   behind the last one
//
// Buffers that are filled at the same time by the same number of slots share a
// ring.
//
// A buffer that is read behind the loop has a ring of its own, in which use 0
// is what was there before the loop, and iteration i has number i + 1. One use
// is always held: the next one is waited for before it is released, and the
// last one is released behind its last reader.
//
// Bulk copies have rings of their own. These stand in the body of the launch,
// in front of everything around the loop, and number their uses from the start
// of the launch to its end (CarryNumber.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_MAKERINGS_H
#define TILE_TRANSFORMS_PIPELINELOOPS_MAKERINGS_H

#include "LoopPlan.h"

namespace mlir::tile {

/// Puts rings before the plan's loop and their uses into its body and order.
/// The body is in no order that it could run in until it is expanded. Returns
/// the loop, which counts its iterations now. Operations around it may be
/// replaced.
scf::ForOp makeRings(scf::ForOp loop, LoopPlan &plan, IRRewriter &rewriter);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_MAKERINGS_H
