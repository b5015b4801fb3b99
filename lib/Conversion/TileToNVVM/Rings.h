//===- Rings.h - The mbarriers of a ring ------------------------*- C++ -*-===//
//
// The words of a ring of S slots, 64 bits each, lie together:
//
//     byte   0        8              8 S       8 S + 8
//            full 0 | full 1 | ..  | empty 0 | empty 1 | ..
//
// Use n of the ring is in slot n mod S; it completes phase n / S of the two
// words there. Of the phase its parity is enough: who waits is at most one
// behind.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_RINGS_H
#define TILE_LIB_CONVERSION_TILETONVVM_RINGS_H

#include "ThreadEmitter.h"

namespace mlir::tile {

/// Where a use of a ring is.
struct RingPosition {
  Value slot;   ///< i32
  Value parity; ///< i32, 0 or 1
};

/// Where the use `number` of a ring is, computed where the emitter stands.
RingPosition getRingPosition(ThreadEmitter &emitter, RingOp ring, Value number);

/// The word (!llvm.ptr<3>) that says that a slot is full, or that it is empty.
Value getFullWord(ThreadEmitter &emitter, RingOp ring, Value slot);
Value getEmptyWord(ThreadEmitter &emitter, RingOp ring, Value slot);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_RINGS_H
