//===- BarrierCheck.h - Whether barriers cover all pairs --------*- C++ -*-===//
//
// A judge of barriers, inserted or written by hand, that shares the facts about
// accesses with who inserts them (which bytes, which threads) but no reasoning
// about paths. Where that carries sets of symbols along the program until they
// no longer change, this walks explicit states:
//
//   - a graph whose nodes are an operation together with the numbers that
//     slots of rings are computed from, evaluated: a loop over a ring of three
//     slots is there three times, once for each value of its counters;
//   - for each access, all nodes that can be reached from it while nothing has
//     ordered it: one node for each age of its group, each scope that has met,
//     and whether it was shown to the asynchronous proxy. A conflicting access reached is an error.
//
//     slot 0        slot 1        slot 2
//     wait          wait          wait
//     barrier       barrier       barrier      the walk from a read of slot 0
//     copy -> 2     copy -> 0     copy -> 1    ends at the next barrier, before
//     read 0    --> read 1    --> read 2       the copy to slot 0
//       ^------------------------------+
//
// Of rings with mbarriers it believes what their verifier has proved: who holds
// a slot is in order with who held it before.
//
// So every path is covered, pairs any number of iterations apart included.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_BARRIERCHECK_H
#define TILE_ANALYSIS_BARRIERCHECK_H

#include "tile/Analysis/ConflictScope.h"
#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Two operations of a launch that conflict and may run in any order.
struct UncoveredPair {
  Operation *earlier = nullptr;
  Operation *later = nullptr;
  /// The earlier one copies, and nothing waits for it.
  bool needsWait = false;
  /// The earlier one is made by a product, and nothing waits for it.
  bool needsProductWait = false;
  /// The later one reads through the asynchronous proxy, to which the earlier
  /// one was not shown.
  bool needsFence = false;
  /// Who has to meet between the two.
  ConflictScope scope = ConflictScope::Block;
};

/// The pairs that the barriers and waits of a launch leave without an order,
/// each once, in program order of the earlier operation.
SmallVector<UncoveredPair> findUncoveredPairs(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_BARRIERCHECK_H
