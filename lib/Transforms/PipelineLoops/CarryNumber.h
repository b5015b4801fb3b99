//===- CarryNumber.h - A number that goes on through a launch ---*- C++ -*-===//
//
// The uses of a ring with mbarriers are numbered from the beginning of the launch
// to its end: its words are set once, and their phases go on from one round of an
// outer loop to the next. Where uses stand inside of loops and conditions, these
// carry the number of the next use:
//
//     scf.for %o .. {                 %all = scf.for %o .. iter_args(%n = %c0) {
//       site: uses 0 .. k - 1    =>     site: uses %n .. %n + k - 1
//     }                                 scf.yield %n + k
//                                     }
//
// A condition yields what it was given where its region has no site.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_CARRYNUMBER_H
#define TILE_TRANSFORMS_PIPELINELOOPS_CARRYNUMBER_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::tile {

/// What a site makes of the number that comes to it: the one that goes on. Builds
/// nothing in front of the site.
using NumberSite = llvm::function_ref<Value(Operation *site, Value number)>;

/// Whether everything around `site` in its launch can carry a number.
bool canCarryNumber(Operation *site);

/// Carries a number, first 0, through the launch from one of `sites` to the next,
/// in the order in which the program comes to them. Operations around sites are
/// replaced; sites and all else stay.
void carryNumber(LaunchOp launch, ArrayRef<Operation *> sites, NumberSite visit,
                 RewriterBase &rewriter);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_CARRYNUMBER_H
