//===- RingFills.h - Which copies fill which use of a ring ------*- C++ -*-===//
//
// A copy belongs to the use whose acquire gave the slot that it writes:
//
//     %slot = tile.ring_acquire %ring[%n]
//     %view = memref.subview %buffer[%slot, 0, 0] ..
//     tile.copy .. to %view                            of use %n
//     tile.ring_commit %ring[%n]
//
// There is no other link between the two (decision 0008). Who issues the copy,
// who counts its bytes and who orders accesses follow it here.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_RINGFILLS_H
#define TILE_ANALYSIS_RINGFILLS_H

#include "tile/Dialect/Tile/TileOps.h"

#include <optional>

namespace mlir::tile {

/// What an operation on rings says of a use.
enum class RingUseKind { Acquire, Commit, Wait, Release };

/// What `op` says of a use; nothing for operations on something else and null.
std::optional<RingUseKind> getRingUseKind(Operation *op);

/// The ring that is used; null where it comes from a region's argument.
RingOp getRing(Value ring);

/// The ring that has `buffer`, the root of a shared memref; null if none has.
RingOp getRingOfBuffer(Value buffer);

/// Whether `ring` is a ring that mbarriers carry out.
bool isOfMbarriers(Value ring);

/// Whether all uses of `ring`, which stands in the body of its launch, are behind
/// when the program comes to `op`: what it was filled with has arrived, and every
/// thread has waited for it.
bool isBehindRing(Operation *op, Operation *ring);

/// Whether `op` uses a ring that mbarriers carry out.
bool isMbarrierUse(Operation *op);

/// The value that says in which slot of the root of `memref`, a view, it is;
/// null if no value does or the view spans several.
Value getSlotValue(Value memref);

/// Whether `op` writes shared memory by copies whose end is an arrival at an
/// mbarrier: bulk copies, or copies of a producer's threads.
bool isMbarrierFill(Operation *op);

/// Whether threads make the copies of `op`, a fill that mbarriers count, and each
/// arrives.
bool isThreadFill(Operation *op);

/// Whether there is such a fill in a program.
bool hasThreadFill(Region &program);

/// The acquire that gave the slot that a copy writes; null if none did.
RingAcquireOp getAcquire(Operation *copy);

/// The acquire of the use that an access belongs to as one of a fill of a ring
/// with mbarriers; null for others.
RingAcquireOp getFill(const BlockAccess &access);

/// The ring with mbarriers in a slot of which an access is; null for others.
RingOp getMbarrierRing(const BlockAccess &access);

/// The fills that mbarriers count which write the slot of an acquire, in the
/// order of the program; and the bulk copies among them.
SmallVector<Operation *> getFills(RingAcquireOp acquire);
SmallVector<TensorCopyOpInterface> getBulkLoads(RingAcquireOp acquire);

/// Who arrives when a slot of a ring with mbarriers is filled.
struct FillArrivals {
  bool ofElected = false; ///< one thread, for the bytes of bulk copies
  bool ofCopies = false; ///< each thread, when its asynchronous copies are done
  bool ofStores = false; ///< each thread, behind what it stored

  bool areOfThreads() const { return ofCopies || ofStores; }
};
FillArrivals getFillArrivals(RingOp ring);

/// The acquire of the use that `commit` commits, if whoever runs one runs the
/// other and all bulk loads of the use, which stand between: all in one block.
/// Null otherwise.
RingAcquireOp getAcquireWithLoads(RingCommitOp commit);

/// Whether `acquire` is that of some commit, so that one thread knows of all bytes
/// of the use when it begins.
bool isCountedAtOnce(RingAcquireOp acquire);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_RINGFILLS_H
