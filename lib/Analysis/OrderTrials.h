//===- OrderTrials.h - Plans that change at one operation -------*- C++ -*-===//
//
// Whether a launch is ordered still when a barrier is taken out is seen close to that
// barrier: behind the next ones what is pending is the same as before.
//
//     pending before each operation   a  b  b  c  d  d  e
//     without the barrier at x              b' c' d  =  the rest is as it was
//                                           x
//
// What is pending before the operations of the launch's own block is kept, so that a
// change is looked at from where it is made up to where nothing is left of it, and many
// changes of a long launch cost no more than going through it a few times.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_ORDERTRIALS_H
#define TILE_LIB_ANALYSIS_ORDERTRIALS_H

#include "OrderAnalysis.h"

#include <vector>

namespace mlir::tile {

class OrderTrials {
public:
  /// `table` and `plan` live as long, and whoever has the plan changes it. The pairs
  /// that are found have no points.
  OrderTrials(const ConflictTable &table, const BarrierPlan &plan,
              OrderExtent extent);

  /// The first pair that the program leaves unordered and a barrier or wait would
  /// order; nothing if there is none. The plan may change before its later access and
  /// behind that until the next call.
  std::optional<UnorderedAccesses> findFirst() {
    return findNext(/*staysAtPairs=*/true);
  }

  /// Whether a program in which all was ordered (findFirst) still is, now that the plan
  /// has changed before the operation at `position`. If so the change stays.
  bool accept(int64_t position);

  /// The pairs that nothing orders without `sync`, a barrier or wait of the program, up
  /// to where all is as it is with it.
  SmallVector<UnorderedAccesses> findWithout(Operation *sync);

private:
  /// Operations of the launch's own block, of which only the last one matters.
  struct Step {
    SmallVector<Operation *> ops;
    int64_t position = 0; ///< of the first one
    PendingSet before;
  };

  bool isOfMatter(Operation *op) const;
  size_t findStep(int64_t position) const;
  std::optional<UnorderedAccesses> findNext(bool staysAtPairs);
  SmallVector<UnorderedAccesses> pass(const Step &step, PendingSet &set);

  const ConflictTable &table;
  OrderAnalysis analysis;
  std::vector<Step> steps;
  size_t passed = 0; ///< so many steps, up to the one that findNext stays at
};

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_ORDERTRIALS_H
