//===- LoopFacts.h - Where the numbers of a loop end ------------*- C++ -*-===//
//
// A loop counts over the integers (docs/Language.md), its type has an end. What
// counts past the last iteration, to start it ahead or to see that there is no
// other, asks here whether the number may leave the type.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_LOOPFACTS_H
#define TILE_ANALYSIS_LOOPFACTS_H

#include "tile/Analysis/IndexFacts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace mlir::tile {

/// Whether `from + steps * step` may leave the type of `loop`, in the
/// signedness in which it compares.
bool mayWrap(IndexFacts &facts, scf::ForOp loop, Value from, int64_t steps);

/// Whether the number of the iteration after the last one, had there been one,
/// may: it is below the upper bound plus the step, and not above the bound
/// where the step divides both bounds.
bool mayWrapAtEnd(IndexFacts &facts, scf::ForOp loop);

/// How often `loop` goes round modulo `modulus`, where the bounds are known modulo
/// so many steps; nothing if that is not known. Conditions around the loop may
/// say that its bounds do not cross.
std::optional<int64_t> getTripCountModulo(IndexFacts &facts, scf::ForOp loop,
                                          int64_t modulus);

/// How often a loop goes round: as is known, else as often as a loop whose end is
/// not known is taken to, for estimates. Once for what is no loop.
int64_t estimateTripCount(Operation *op);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_LOOPFACTS_H
