//===- ContinueRing.h - A second loop on the ring of a first ----*- C++ -*-===//
//
// What a loop leaves in a buffer is in the slot of its last use, which is held
// behind it (MakeRings.h). A second loop that fills the buffer again, and may run no
// iteration before it is read, goes on with the numbers of the first:
//
//     loop 1                       uses 1 .. n       use n is held behind it
//     reads of the buffer          see slot of use n
//     loop 2                       uses n + 1 .. n + m
//     reads of the buffer          see slot of use n + m
//     release of use n + m
//
// The ring has the slots of the loop that asks for most, each loop runs ahead as
// far as it asks itself. While the second loop is planned, a buffer of its own
// stands for the slot that is held when it begins.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_CONTINUERING_H
#define TILE_TRANSFORMS_PIPELINELOOPS_CONTINUERING_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tile {

/// The most iterations of a loop that are under way at once, however many are asked
/// for: more hide no latency, and each is a step in front of the loop.
inline constexpr int64_t maxStages = 32;

/// A ring one use of which is held when a loop begins, and released behind it.
struct ContinuedRing {
  RingOp ring;
  AllocOp slots;
  memref::SubViewOp held; ///< the slot of the use that is held
  RingReleaseOp release;  ///< of that use
  /// Instead of `held` while the loop is planned; null before.
  AllocOp buffer;

  int64_t getSlotCount() const { return RingOp(ring).getType().getSlots(); }
  Value getHeldSlot() const {
    return memref::SubViewOp(held).getOffsets().front();
  }
};

/// The held rings whose slot `loop` fills again; operations see buffers for the
/// slots that are held.
SmallVector<ContinuedRing> openHeldSlots(scf::ForOp loop);

/// Whether `user`, which has the number of the last use, only hands it on, or a sum
/// with it, to the next time that the loops run.
bool countsOn(Operation *user);

/// Lets operations see the slot again.
void closeHeldSlot(ContinuedRing &ring);

/// The most stages that loops behind `loop`, in its block, ask for and that fill
/// `buffer` themselves, up to `maxStages`; 0 if there is none.
int64_t countStagesBehind(scf::ForOp loop, AllocOp buffer);

/// Whether `writers` fill the buffer of `ring` by bulk copies if others do, and only
/// then.
bool isFilledAlike(const ContinuedRing &ring, ArrayRef<Operation *> writers);

/// Why `filler` runs only `lead` iterations ahead.
std::string explainLead(const ContinuedRing &ring, Operation *filler,
                        int64_t lead);

/// Why a buffer whose slots are those of `ring` gets no others.
std::string explainOtherRing(RingOp ring);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_CONTINUERING_H
