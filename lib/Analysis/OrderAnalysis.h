//===- OrderAnalysis.h - Pairs that nothing orders --------------*- C++ -*-===//
//
// Goes through a launch with what is pending (AccessOrder.h), one operation of the
// launch's own block after the other. What nothing behind an operation may conflict
// with is not carried on: what is pending does not grow with the launch.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_ORDERANALYSIS_H
#define TILE_LIB_ANALYSIS_ORDERANALYSIS_H

#include "CopyRounds.h"
#include "PendingAccesses.h"

#include <set>

namespace mlir::tile {

class OrderAnalysis {
public:
  /// `table` and `plan` live as long; the plan may change between two operations.
  /// `withPoints`: the pairs that are found have their points.
  OrderAnalysis(const ConflictTable &table, const BarrierPlan &plan,
                OrderExtent extent, bool withPoints)
      : table(table), plan(plan), extent(extent), withPoints(withPoints) {}

  /// A barrier or wait of the program that counts as nothing; null for none.
  void ignore(Operation *op) { ignored = op; }

  /// Passes `op`, of the launch's own block; `set` is what is pending before it, on
  /// return what is pending after it.
  void pass(Operation *op, PendingSet &set);

  /// The pairs that are found since the last call, sorted by the later and the earlier
  /// operation.
  SmallVector<UnorderedAccesses> takeFound();

private:
  void transfer(Operation *op, PendingSet &set);
  void compare(Operation *op, PendingSet &set);
  void add(PendingAccess entry, PendingSet &set);
  int64_t joinLoops(int64_t before, int64_t now) const;
  void cross(const RegionEdge &edge, PendingSet &set);
  void dropLanded(const RegionEdge &edge, PendingSet &set);
  bool settles(const UnorderedAccesses &pair) const;
  void countSettlement(UnorderedAccesses &pair, const PendingAccess &entry);
  void dropSettled(const std::set<PendingAccess> &settled, PendingSet &set);

  const ConflictTable &table;
  const BarrierPlan &plan;
  OrderExtent extent;
  bool withPoints;
  Operation *ignored = nullptr;
  CopyRounds rounds;
  /// By how many later accesses a pending one was settled; counted where the pairs are to
  /// be covered, which have points.
  std::map<PendingAccess, int64_t> settlements;
  /// By the number of the later access and the pending one.
  std::map<std::pair<int64_t, PendingAccess>, UnorderedAccesses> found;
};

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_ORDERANALYSIS_H
