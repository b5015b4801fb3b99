//===- RoundNumbers.h - Numbers of uses whose slot is known -----*- C++ -*-===//
//
// Numbers of uses are modulo twice the slots: [0, slots) is one round through
// the ring, [slots, 2 slots) the next one. A loop over rounds carries which of
// them it is in, and each of its uses has a slot that is constant and the phase
// of the round:
//
//     for .. iter_args(%isSecond = %false) {                slot    phase
//       %round = select %isSecond, slots, 0
//       ring_wait %ring[%round + 1]                         1       %isSecond
//       ring_wait %ring[%round + 2]                         2       %isSecond
//       %other = select %isSecond, 0, slots
//       ring_wait %ring[%other]                             0       not
//       yield not %isSecond
//     }
//
// This header is the one home of that form: who makes it builds it here, who
// reasons about slots finds it here.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_ROUNDNUMBERS_H
#define TILE_ANALYSIS_ROUNDNUMBERS_H

#include "mlir/IR/Builders.h"

#include <optional>

namespace mlir::tile {

/// A number of a use, `round + slot`.
struct RoundNumber {
  Value round;      ///< 0 or the number of slots
  int64_t slot = 0; ///< in [0, slots)
};

/// The parts of `number`, of a use of a ring of `slots`, if it has that form.
std::optional<RoundNumber> matchRoundNumber(Value number, int64_t slots);

/// Where the round begins that is the second one where `isSecond`.
Value buildRound(OpBuilder &builder, Location loc, Value isSecond,
                 int64_t slots);

/// Where the round behind that begins.
Value buildOtherRound(OpBuilder &builder, Location loc, Value isSecond,
                      int64_t slots);

/// Whether `number`, in [0, 2 slots), is in the second round.
Value buildIsSecond(OpBuilder &builder, Location loc, Value number,
                    int64_t slots);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_ROUNDNUMBERS_H
