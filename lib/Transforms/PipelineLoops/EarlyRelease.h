//===- EarlyRelease.h - Slots that are filled in the step of their use -*- C++ -*-=//
//
// A slot that is filled n steps ahead is one of n + 1: its last readers were in the
// step before, and one barrier a step orders all. With n slots it is filled behind its
// last readers of the same step, for a second barrier:
//
//     n + 1 slots   wait i; barrier; use i; fill i + n (the slot of i - 1)
//     n slots       wait i; barrier; use i; barrier; fill i + n (the slot of i)
//
// That is worth it where a multiprocessor then holds twice as many blocks, and where it
// holds several anyhow, of which others work while one waits: at its second barrier, and
// for copies that have a step less to arrive.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_EARLYRELEASE_H
#define TILE_TRANSFORMS_PIPELINELOOPS_EARLYRELEASE_H

#include "LoopPlan.h"

namespace mlir::tile {

struct EarlyRelease {
  /// Other blocks fill the waits, so that no schedule without them is better.
  bool isHidden = false;
  /// The registers of the launch were asked for.
  bool asksRegisters = false;
};

/// Takes a slot from each of `rings` of a loop with one product where other blocks of the
/// multiprocessor hide what that costs, or where it doubles the blocks that shared memory
/// and registers admit. Rings that bulk copies or threads fill, that are held behind the
/// loop or go on in others keep theirs, and then all do.
EarlyRelease releaseEarly(scf::ForOp loop, const tilec::GpuTarget &target,
                          const ArenaProblem &arena,
                          MutableArrayRef<RingBuffer> rings);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_EARLYRELEASE_H
