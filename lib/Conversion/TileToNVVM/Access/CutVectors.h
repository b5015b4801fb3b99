//===- CutVectors.h - Vectors where a tile is cut ---------------*- C++ -*-===//
//
// The edge of a memref may cut a tile anywhere along the dimension in which memory is
// consecutive, and so one of the vectors in which a thread accesses its elements. All
// vectors that lie inside are accessed as such, by predicate, in whatever tile; elements of
// the one that is cut are accessed by themselves, under a branch that only threads take of
// which a vector is not whole:
//
//     @p0 ld.global.v4 {a, b, c, d}, [x]         p0: four elements are left
//     if the thread's last vector is not whole:
//       @q0 ld.global a, [x]                     q0: at least one is, but not four
//       @q1 ld.global b, [x + 4]                 ..
//
// Loads that follow each other and end at the same edge share the branch. Elements behind
// the edge are no padding, but undefined: only loads of which nobody observes them are
// made so.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_CUTVECTORS_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_CUTVECTORS_H

#include "SideAccess.h"

namespace mlir::tile {

/// The access of a load or store, as wide as the operation says.
FailureOr<SideAccess> createAccess(ThreadEmitter &emitter, LoadOp op);
FailureOr<SideAccess> createAccess(ThreadEmitter &emitter, StoreOp op);

/// Loads what `op` does, and what those behind it do that end at the same edge. False, and
/// nothing is emitted, where `op` cannot be loaded so.
bool loadCutVectors(ThreadEmitter &emitter, LoadOp op, SideAccess &access);

/// Stores what `op` does, the elements in `registers`, under `guard`, null for always.
/// False, and nothing is emitted, where none of that was loaded so.
bool storeCutVectors(ThreadEmitter &emitter, StoreOp op, SideAccess &access,
                     ArrayRef<Value> registers, Value guard);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_CUTVECTORS_H
