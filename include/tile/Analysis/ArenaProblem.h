//===- ArenaProblem.h - A launch's buffers as a packing problem -*- C++ -*-===//
//
// What the Arena library packs: every `tile.alloc` of a launch with its bytes
// and alignment, from its layout, and the program points at which it is
// occupied (SharedLiveness.h).
//
// The problem of a launch also answers for programs that do not exist yet. A
// loop that is to be pipelined turns a buffer into a ring of slots, which is
// live in the whole loop, since each iteration fills a slot for a later one:
//
//     point            0  1  2  for[3  4  5]  6
//     buffer                        x  x            x: occupied
//     ring of slots             #[#  #  #]
//
// So a number of stages is packed as it would be, with rings beside buffers
// that share bytes, before anything is rewritten. One problem is built for a
// launch and asked once for every number of stages; loops behind one another are
// planned with one, to which the rings of each are added before the next.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_ARENAPROBLEM_H
#define TILE_ANALYSIS_ARENAPROBLEM_H

#include "tile/Analysis/SharedLiveness.h"
#include "tile/Arena/Arena.h"

namespace mlir::tile {

struct ArenaProblem {
  SharedLiveness liveness;
  /// One buffer for each of `liveness.buffers`; a lifetime is a span of
  /// positions in `liveness.points`.
  tilec::arena::Problem packing;

  ArrayRef<AllocOp> getBuffers() const { return liveness.buffers; }
  /// The program points of `op`, one of them: its own and those of everything inside.
  tilec::arena::Lifetime getSpan(Operation *op) const;
};

/// The packing problem of `launch`, which passes tilec::arena::checkProblem. A
/// buffer without a layout or with one that does not fit its type, and sizes
/// beyond any chip's, are errors at their place.
FailureOr<ArenaProblem> buildArenaProblem(LaunchOp launch);

/// That `buffer` becomes a ring of `slots` slots, live in `loop` or, by bulk, around it.
struct SlotCandidate {
  AllocOp buffer;
  int64_t slots = 1;
  Operation *loop = nullptr;
};

/// The problem with `candidates` as rings. Each ring has its slots at multiples
/// of the layout's period and stays live where its buffer was. A buffer with
/// several candidates has the most slots of any and lives in all their loops.
tilec::arena::Problem applyCandidates(const ArenaProblem &problem,
                                      ArrayRef<SlotCandidate> candidates);

/// The bytes that the arena of the launch would take with `candidates` as rings.
/// Nothing where a ring is beyond any chip's memory.
std::optional<int64_t> packCandidates(const ArenaProblem &problem,
                                      ArrayRef<SlotCandidate> candidates,
                                      int64_t limitBytes);

/// Makes the ring of each of `candidates` a buffer of `problem`, live in all of its
/// loop, where the buffer that it comes from then holds nothing.
void addRings(ArenaProblem &problem, ArrayRef<SlotCandidate> candidates);

/// Whether `buffer` has slots, if only one: it is only seen slice by slice along its
/// outermost dimension.
bool hasSlots(AllocOp buffer);

/// How many slots `buffer` has, where any is seen by a number that moves; else 1.
int64_t getSlotCount(AllocOp buffer);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_ARENAPROBLEM_H
