//===- EmitRounds.h - A loop over rounds of slots ---------------*- C++ -*-===//
//
// Makes of a loop whose steps use one slot after the other one whose iterations
// use all slots, each step but the first under the condition that there is one:
//
//     for n steps, %use = 1 ..        for ceil(n / 3) rounds, left = n - 3 * i
//       step of slot %use % 3           step of slot 1
//                                       if left > 1
//                                         step of slot 2
//                                         if left > 2
//                                           step of slot 0, in the next phase
//
// So a step is there once for each slot, whatever the number of steps is. Where
// that is known modulo the slots nothing is asked of the steps that every round
// has, and the others, which only the last round may not have, are under one
// condition; there are none where it is a multiple of the slots.
//
// The phase that the first round is in need not be known: what a loop counts on
// from the tile before starts with a slot that is known at most.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_SPECIALIZEWARPS_EMITROUNDS_H
#define TILE_TRANSFORMS_SPECIALIZEWARPS_EMITROUNDS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace mlir::tile {

/// What a number of uses starts with, modulo twice the slots: `number` behind the
/// begin of a round.
struct RoundStart {
  int64_t number = 0;
  /// The number, where only its slot is known; null where `number` is it.
  Value init;
};

/// How a loop goes through the slots of rings.
struct RoundPlan {
  scf::ForOp loop; ///< its step is a positive constant
  int64_t slots = 0;
  /// How often the loop goes round modulo the slots, if that is known.
  std::optional<int64_t> stepsModuloSlots;
  /// Of each iteration argument that counts uses.
  SmallVector<std::optional<RoundStart>> starts;
};

/// Replaces the loop of a plan by one over rounds and the steps behind it.
void emitRounds(const RoundPlan &plan);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_SPECIALIZEWARPS_EMITROUNDS_H
