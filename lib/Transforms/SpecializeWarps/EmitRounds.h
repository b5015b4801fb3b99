//===- EmitRounds.h - A loop over rounds of slots ---------------*- C++ -*-===//
//
// Makes of a loop whose steps use one slot after the other one whose iterations
// use all slots, and puts the steps that are no round behind it, each under the
// condition that there is one:
//
//     for n steps, %use = 1 ..        rounds = n / 4, rest = n % 4
//       step of slot %use % 4         for rounds
//                                       steps of slots 1, 2, 3, 0
//                                     if rest > 0
//                                       step of slot 1
//                                       if rest > 1
//                                         step of slot 2
//                                         if rest > 2
//                                           step of slot 3
//
// Where the number of steps is constant, so are the conditions.
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
