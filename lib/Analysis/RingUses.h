//===- RingUses.h - The states that uses of rings may be in -----*- C++ -*-===//
//
// The state of the dataflow of RingProtocol.h: for each use that may not be
// free, what it may be, under which condition, and since when; which use a ring
// may be acquired for next; and of which use a slot is.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_RINGUSES_H
#define TILE_LIB_ANALYSIS_RINGUSES_H

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
  /// Where this does not hold the use is free; null: `states` hold everywhere.
  Value condition;
  /// By which it was acquired, committed and waited for, on some path.
  Operation *acquired = nullptr, *committed = nullptr, *waited = nullptr;

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

/// The rings at a program point.
struct RingUses {
  std::map<UseName, UseState> uses; ///< those that may be other than free
  std::map<Operation *, NextUse> next;
  /// Rings with a use that has no name any more.
  std::set<Operation *> lost;
  /// Conditions that did not hold on the way here; known until paths meet.
  llvm::SetVector<Value> failed;
  /// Values that are the slot of a use.
  llvm::DenseMap<Value, UseName> slots;

  bool join(const RingUses &other);
  UseState get(const UseName &use) const;
  void set(const UseName &use, const UseState &state);
  /// Forgets all of a ring.
  void reset(Operation *ring);
  /// Follows an edge of control; `bases` are those of each ring's numbers.
  void cross(const RegionEdge &edge,
             const llvm::DenseMap<Operation *, llvm::SetVector<Value>> &bases);

private:
  bool joinSlots(const RingUses &other);
  void crossCondition(const RegionEdge &edge);
};

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_RINGUSES_H
