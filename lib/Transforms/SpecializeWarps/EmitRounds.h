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
// that is a multiple of the slots, nothing is asked.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_SPECIALIZEWARPS_EMITROUNDS_H
#define TILE_TRANSFORMS_SPECIALIZEWARPS_EMITROUNDS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace mlir::tile {

/// How a loop goes through the slots of rings.
struct RoundPlan {
  scf::ForOp loop; ///< its step is a positive constant
  int64_t slots = 0;
  /// Of each iteration argument that counts uses, modulo twice the slots, the
  /// number that it starts with.
  SmallVector<std::optional<int64_t>> starts;
};

/// Replaces the loop of a plan by one over rounds and the steps behind it.
void emitRounds(const RoundPlan &plan);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_SPECIALIZEWARPS_EMITROUNDS_H
