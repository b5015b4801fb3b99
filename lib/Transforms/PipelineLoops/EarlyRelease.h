//===- EarlyRelease.h - Slots that are filled in the step of their use -*- C++ -*-=//
//
// A slot that is filled n steps ahead is one of n + 1: its last readers were in the
// step before, and one barrier a step orders all. With n slots it is filled behind its
// last readers of the same step, for a second barrier:
//
//     n + 1 slots   wait i; barrier; use i; fill i + n (the slot of i - 1)
//     n slots       wait i; barrier; use i; barrier; fill i + n (the slot of i)
//
// That is worth it where a multiprocessor then holds twice as many blocks.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_EARLYRELEASE_H
#define TILE_TRANSFORMS_PIPELINELOOPS_EARLYRELEASE_H

#include "LoopPlan.h"

namespace mlir::tile {

/// Takes a slot from each of `rings` of a loop with one product where that doubles the
/// blocks that shared memory and registers admit. Rings that bulk copies or threads fill, that are held behind
/// the loop or go on in others keep theirs, and then all do. Returns whether the registers
/// of the launch were asked for.
bool releaseEarly(scf::ForOp loop, const tilec::GpuTarget &target,
                  const ArenaProblem &arena, MutableArrayRef<RingBuffer> rings);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_EARLYRELEASE_H
