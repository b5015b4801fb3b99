//===- RingUses.h - The states that uses of rings may be in -----*- C++ -*-===//
//
// The state of the dataflow of RingProtocol.h: for each use that may not be
// free, what it may be, under which condition, and since when; which use a ring
// may be acquired for next; and of which use a slot is.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_RINGUSES_H
#define TILE_LIB_ANALYSIS_RINGUSES_H

#include "RingConditions.h"

#include "tile/Analysis/RingNumbers.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>

namespace mlir::tile {

/// A set of states.
enum UseStates : unsigned {
  None = 0,
  Free = 1,    ///< not acquired yet, or released
  Filling = 2, ///< acquired
  Full = 4,    ///< committed
  Reading = 8  ///< waited for
};

/// What a use may be.
struct UseState {
  unsigned states = Free;
  /// Where this does not hold the use is free.
  UseCondition condition;
  /// Where it does not hold, the use is free on a path that has gone round a
  /// loop, though not on another, so that `condition` cannot say it.
  UseCondition roundCondition;
  /// By which it was acquired, committed and waited for, on some path.
  Operation *acquired = nullptr, *committed = nullptr, *waited = nullptr;

  /// Follows an edge, into a loop that carries the use's number or another.
  void cross(const ConditionEdge &conditions, bool entersLoop);
  /// By which it got to the latest of `among`; null if that is free.
  Operation *getChange(unsigned among) const {
    return among & Reading   ? waited
           : among & Full    ? committed
           : among & Filling ? acquired
                             : nullptr;
  }
  /// The states where nothing is known of conditions.
  unsigned getStates() const { return condition ? states | Free : states; }
};

/// A use of a ring.
using UseName = std::pair<Operation *, RingNumber>;

/// Which use a ring may be acquired for next.
struct NextUse {
  std::optional<RingNumber> most;  ///< nothing: not known
  std::optional<RingNumber> least; ///< nothing: any before `most`
  bool operator==(const NextUse &) const = default;
};

/// What is known of conditions on the last edge of a path, until paths meet.
struct PathFacts {
  SmallVector<UseCondition> held, failed;
  /// The edge into a loop, where the path has gone round it so many times.
  std::optional<ConditionEdge> entry;
  int64_t leastRounds = 0, rounds = 0;

  bool isTrue(const UseCondition &condition) const;
  bool isFalse(const UseCondition &condition) const;
  PathFacts cross(const ConditionEdge &conditions) const;
  /// Makes them what is known on both paths.
  void join(const PathFacts &other);
};

/// The rings at a program point.
struct RingUses {
  std::map<UseName, UseState> uses; ///< those that may be other than free
  std::map<Operation *, NextUse> next;
  /// Rings with a use that has no name any more.
  std::set<Operation *> lost;
  PathFacts facts;
  /// How often loops with a constant number of iterations may have gone round,
  /// at most: nothing that is so in the first iteration only leaves them.
  std::map<Operation *, int64_t> rounds;
  /// No run comes here.
  bool isUnreachable = false;
  /// Values that are the slot of a use.
  llvm::DenseMap<Value, UseName> slots;

  bool join(const RingUses &other);
  UseState get(const UseName &use) const;
  void set(const UseName &use, const UseState &state);
  /// Forgets all of a ring.
  void reset(Operation *ring);
  /// Forgets what is asked of a ring at its uses and accesses to its buffers: there are
  /// none any more.
  void endUses(Operation *ring);
  /// Follows an edge of control; `bases` are those of each ring's numbers.
  void cross(const RegionEdge &edge,
             const llvm::DenseMap<Operation *, llvm::SetVector<Value>> &bases);

private:
  bool joinSlots(const RingUses &other);
  PathFacts getFactsAtHead(const RingUses &other) const;
  bool joinRounds(const RingUses &other, bool hasGrown);
  bool crossRounds(const RegionEdge &edge, const ConditionEdge &conditions);
  void freeUnacquired(const UseName &use);
  void crossConditions(const ConditionEdge &conditions);
};

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_RINGUSES_H
