//===- PendingAccesses.h - What is pending at a point -----------*- C++ -*-===//
//
// The accesses that may not be in order yet with what comes next (AccessOrder.h), and
// what barriers, fences, waits, commits and releases make of them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_PENDINGACCESSES_H
#define TILE_LIB_ANALYSIS_PENDINGACCESSES_H

#include "tile/Analysis/AccessOrder.h"

#include <map>
#include <optional>

namespace mlir::tile {

/// What is pending at a point, each with the positions passed on every path
/// since; without, where nobody asks for them.
struct PendingSet {
  std::map<PendingAccess, PointSet> entries;

  void insert(const PendingAccess &entry, const PointSet &points);
  /// Adds what is pending on another path; whether there is more than before.
  bool join(const PendingSet &other);
  /// Applies `change` to every entry and restores the order.
  void transform(llvm::function_ref<void(PendingAccess &, PointSet &)> change);
  template <typename Predicate>
  void drop(const Predicate &isDropped) {
    std::erase_if(entries,
                  [&](const auto &known) { return isDropped(known.first); });
  }
  bool operator==(const PendingSet &other) const = default;
};

/// What stands at a point happens: first the waits, then the fence, then the barrier.
void synchronize(const ConflictTable &table, const SyncPoint &point,
                 PendingSet &set);

/// One more group of copies is closed, or one more product started.
void age(const ConflictTable &table, bool ofProducts, PendingSet &set);

/// Whether `op` is one that orders others.
bool isOrdering(Operation *op);

/// What `op`, one that orders others, makes of what is pending.
void order(const ConflictTable &table, Operation *op, PendingSet &set);

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_PENDINGACCESSES_H
