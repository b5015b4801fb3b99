//===- SlotCounter.h - The numbers of a ring's slots ------------*- C++ -*-===//
//
// A loop that walks through the slots of a ring carries the number of the next
// one. It wraps by a comparison, which costs no division:
//
//     scf.for .. iter_args(%slot = %init) {
//       ..
//       %isLast = arith.cmpi eq, %slot, %last       // last = slots - 1
//       %after = arith.addi %slot, %one
//       %next = arith.select %isLast, %zero, %after
//       scf.yield %next
//     }
//
// In iteration t such a counter is `init + t` modulo the number of slots, so
// two counters of one loop differ by a constant. This header is the one home of
// that form: who makes it builds it here, who reasons about slots finds it
// here.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_SLOTCOUNTER_H
#define TILE_ANALYSIS_SLOTCOUNTER_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace mlir::tile {

/// A value that `loop` carries and moves to the next of `slots` slots in every
/// iteration.
struct SlotCounter {
  scf::ForOp loop;
  unsigned argument = 0; ///< its number among the iteration arguments
  int64_t slots = 0;     ///< at least 2
  Value init;
};

/// The slot that `next` follows, if `next` is computed as `buildNextSlot` does;
/// `slots` is then their number.
Value matchNextSlot(Value next, int64_t &slots);

/// The counter that `argument` is, if it is one.
std::optional<SlotCounter> matchSlotCounter(BlockArgument argument);

/// The slot after `slot` in a ring of `slots`.
Value buildNextSlot(OpBuilder &builder, Location loc, Value slot,
                    int64_t slots);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_SLOTCOUNTER_H
