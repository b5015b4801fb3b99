//===- NumberResidues.h - Numbers of uses modulo the slots ------*- C++ -*-===//
//
// A number of a use of a ring is often not known, and its slot is: uses that are
// counted on over tiles start each tile with slot 0 where every tile takes a
// multiple of the slots.
//
//     scf.for %tile = .. iter_args(%first = %c0) {          0       modulo 4
//       %last = scf.for %k = %c0 to %n step %c64
//           iter_args(%use = %first) {                      0, 1, 2, ..
//         yield %use + 1
//       }                                                   0 + %n / 64
//       yield %last                                         0  if 256 divides %n
//     }
//
// What a loop carries has one residue in all iterations where it starts with it
// and an iteration that begins with it ends with it: an induction. What grows by
// a constant ends with as many times that as the loop goes round, which facts may
// know modulo the slots alone (LoopFacts.h).
//
// As everywhere numbers of uses are taken not to wrap: they count from small
// constants, by ones.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_NUMBERRESIDUES_H
#define TILE_ANALYSIS_NUMBERRESIDUES_H

#include "tile/Analysis/IndexFacts.h"
#include "tile/Analysis/RingNumbers.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlir::tile {

class NumberResidues {
public:
  NumberResidues(IndexFacts &facts, int64_t modulus)
      : facts(facts), modulus(modulus) {}

  /// What `number`, not negative, is modulo the modulus; nothing if that is not
  /// known.
  std::optional<int64_t> get(Value number) {
    return get(getRingNumber(number));
  }

private:
  std::optional<int64_t> get(RingNumber number);
  std::optional<int64_t> compute(Value base);
  std::optional<int64_t> computeHandedOver(Value base);
  std::optional<int64_t> computeGrown(Value base);

  IndexFacts &facts;
  int64_t modulus;
  /// What is proved, and what an induction that goes on assumes.
  llvm::DenseMap<Value, int64_t> known;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_NUMBERRESIDUES_H
