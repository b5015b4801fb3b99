//===- ClusterSharing.h - Slots that several blocks fill --------*- C++ -*-===//
//
// Where blocks of a cluster bring a box together (`multicast` on the copy), the
// slot of one is written by all of them. So its consumers say to each of these
// that it is free, and who fills it waits for the consumers of all whose slots
// it writes. Both sets are the same: sharing is mutual.
//
//     rank 0   producer --part 0--> slot of 0, slot of 1
//              empty word <-------- consumers of 0, consumers of 1
//     rank 1   producer --part 1--> slot of 0, slot of 1
//              empty word <-------- consumers of 0, consumers of 1
//
// A full word stays the block's own: it counts the bytes of the whole box,
// whoever brings them. They may come before the block's own producer says how
// many there are; its arrival is missing until then.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_CLUSTERSHARING_H
#define TILE_LIB_CONVERSION_TILETONVVM_CLUSTERSHARING_H

#include "ThreadEmitter.h"

namespace mlir::tile {

/// Whether blocks of the kernel's cluster write each other's slots.
bool sharesSlots(gpu::GPUFuncOp kernel);

/// For each rank the mask of the blocks that write to slots of `ring` there;
/// empty where each writes its own only.
SmallVector<int64_t> getWriters(RingOp ring);

/// The entry of a table (i32) for the block that runs.
Value getOfRank(ThreadEmitter &emitter, ArrayRef<int64_t> table);

/// All threads of the cluster wait for each other, and see what they did.
void emitClusterBarrier(ThreadEmitter &emitter);

/// The addresses (!llvm.ptr<7>) of a word in the blocks that wait for a release:
/// lane n of each warp speaks to the block of rank n.
struct RemoteWords {
  Value base;       ///< of the ring's first word
  Value isReceiver; ///< whether there is anything to say for this lane
};

/// Where the lanes of a scope arrive for a ring that `writers` fill; computed in
/// the prologue of the scope.
RemoteWords getRemoteWords(ThreadEmitter &emitter, RingOp ring,
                           ArrayRef<int64_t> writers);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_CLUSTERSHARING_H
