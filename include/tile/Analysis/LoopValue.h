//===- LoopValue.h - The loop that a value belongs to -----------*- C++ -*-===//
//
// What `scf.for` carries from one iteration to the next has a name before, in
// and behind the loop. Who follows a number through loops asks here which loop
// has given it, and under which index the loop carries it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_LOOPVALUE_H
#define TILE_ANALYSIS_LOOPVALUE_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace mlir::tile {

/// An argument or a result of `loop`.
struct LoopValue {
  scf::ForOp loop;
  /// Its index among the iteration arguments, and among the results; nothing
  /// for the induction variable.
  std::optional<unsigned> carried;
};

/// What `value` is of the loop that it is an argument or a result of, if any.
std::optional<LoopValue> getLoopValue(Value value);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_LOOPVALUE_H
