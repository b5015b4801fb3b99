//===- CopyRounds.h - Copies that a loop waits for --------------*- C++ -*-===//
//
// A loop that copies ahead copies only for rounds that exist:
//
//     scf.for %i = %lower to %n step %s {
//       copy_wait {pending = 1}
//       scf.if (%i + 2 * %s < %n) { copy }      two more rounds follow
//       copy_commit                             one group each round
//     }
//
// The wait of the last of the rounds that are known to follow finds at least two groups
// closed behind the copy, and lets one be in flight: no copy is in flight where the loop
// ends. The same holds of copies in front of the loop that are made for its rounds.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_COPYROUNDS_H
#define TILE_LIB_ANALYSIS_COPYROUNDS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

namespace mlir::tile {

class CopyRounds {
public:
  /// Whether no run has `copy`, of a group, in flight behind `branch`, where control comes
  /// from its end or, `isLeftOut`, from in front of it.
  bool hasLanded(Operation *copy, Operation *branch, bool isLeftOut);

private:
  /// What the rounds of a loop say of a copy that stands in the loop or in front of it.
  struct Fate {
    /// So many of them begin behind each run of the copy, at least.
    int64_t rounds = 0;
    /// One of these waits until it is complete.
    bool hasLanded = false;
  };

  static Fate compute(Operation *copy, scf::ForOp loop);
  Fate get(Operation *copy, scf::ForOp loop);

  std::map<std::pair<Operation *, Operation *>, Fate> known;
};

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_COPYROUNDS_H
