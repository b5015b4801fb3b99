//===- ReusePlan.h - Which buffers share bytes ------------------*- C++ -*-===//
//
// Buffers that are never live together may share bytes, and then the first
// access of one waits for the last of the other: a barrier, which in a loop is
// one an iteration. So sharing has to gain something, and what it gains is
// blocks on a multiprocessor, or outside of loops, where the barrier is one a
// block, many bytes of slots, which the first-level cache then has:
//
//     Always   as few bytes as possible
//     Cold     as many resident blocks as with as few bytes as possible; among
//              those, only dead slots shared, if that fits, else pairs of one loop
//              apart, the innermost loops first, as long as the blocks fit
//     Never    nothing shared
//
// Blocks are counted by threads and shared memory, since registers are not
// known yet.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PLANSHAREDMEMORY_REUSEPLAN_H
#define TILE_TRANSFORMS_PLANSHAREDMEMORY_REUSEPLAN_H

#include "tile/Analysis/ArenaProblem.h"
#include "tile/Hardware/GpuTarget.h"
#include "tile/Transforms/Passes.h"

namespace mlir::tile {

/// Two buffers by their index and the depth of the innermost loop that touches
/// both; 0 where no loop does.
struct BufferPair {
  int first = 0, second = 0;
  int64_t loopDepth = 0;
};

struct ReusePlan {
  /// The launch's problem, with the pairs that are to be apart as conflicts.
  tilec::arena::Problem problem;
  tilec::arena::Solution solution;
  /// What the launch takes where all share that may.
  int64_t packedBytes = 0;
  /// Pairs that could share bytes, would have in some packing, and do not by the
  /// policy; those of the innermost loops first.
  SmallVector<BufferPair> keptApart;
};

/// Packs the buffers of a launch of `threads` threads as `policy` says. A launch
/// that does not fit the chip gets the plan with the fewest bytes, or with
/// `Never` the one without sharing.
ReusePlan planReuse(const ArenaProblem &arena, ReusePolicy policy,
                    int64_t threads, const tilec::GpuTarget &target);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PLANSHAREDMEMORY_REUSEPLAN_H
