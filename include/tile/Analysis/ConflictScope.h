//===- ConflictScope.h - Whose accesses conflict ----------------*- C++ -*-===//
//
// Two accesses of a block that touch a common byte, one of them writing, have
// to happen in the program's order. How much that takes depends on which
// threads touch the byte:
//
//     Thread   in both accesses one and the same thread: its own order is enough
//     Warp     threads of one warp: they have to meet
//     Block    any others: the block has to meet
//
// Layouts say which thread touches which element, places which element is
// where (AccessPlace.h), shared layouts and the arena at which bytes; all of
// that is enumerated:
//
//     store, lane l: element l      load, lane l: elements 2l, 2l + 1
//
//     element   0    1    2    3    4  ..
//     store     0    1    2    3    4          lanes
//     load      0    0    1    1    2
//                    ^ other lanes of one warp: Warp
//
// Two accesses that start at one unknown place of one memref are compared by
// elements from there; boxes whose starts are known to be further from each other than
// they are long have none in common, a box that a loop moves on included. Where a
// place or a thread is not known, any thread may touch any byte of the memref.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_CONFLICTSCOPE_H
#define TILE_ANALYSIS_CONFLICTSCOPE_H

#include "tile/Analysis/AccessKinds.h"
#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/IndexFacts.h"

#include <map>
#include <optional>

namespace mlir::tile {

/// Among whom an order has to be made, weakest first.
enum class ConflictScope { Thread, Warp, Block };

/// What is known of the places of two accesses.
struct PlaceFacts {
  /// Values that both accesses use stand for the same number in both.
  bool hasSameValues = false;
  /// Where they do not: the later access is made one or more iterations of this
  /// loop after the earlier one, and nothing outside of it has changed. Null where
  /// anything may have.
  Operation *advancedLoop = nullptr;
  /// Both are in the same slot of a ring, the outermost dimension of a buffer.
  bool isSameSlot = false;
  auto operator<=>(const PlaceFacts &) const = default;
};

/// The scopes of the accesses of one launch, computed when asked for.
class ConflictScopes {
public:
  /// `accesses`, of `launch`, lives as long; `isOneWarp`: the block is one warp.
  ConflictScopes(LaunchOp launch, ArrayRef<BlockAccess> accesses,
                 bool isOneWarp);

  /// The least scope that orders access `later` after access `earlier`, of
  /// which one writes and whose memrefs may overlap; nothing where they have no
  /// byte in common.
  std::optional<ConflictScope> find(int64_t earlier, int64_t later,
                                    PlaceFacts facts) const;
  /// The scope of all threads of the block, which orders any two accesses.
  ConflictScope getWidest() const { return widest; }
  /// Whether it takes more than each thread's own order to do `later` after `earlier`
  /// where values stand for the same numbers in both.
  bool mayBeOfOthers(int64_t earlier, int64_t later) const;
  /// Accesses of one kind have the same scopes.
  const AccessKinds &getKinds() const { return kinds; }
  /// Whether a value that says where an access is may be another when a region
  /// of `loop` runs again.
  bool movesWith(Operation *loop, int64_t access) const;

private:
  std::optional<ConflictScope> compute(int64_t earlier, int64_t later,
                                       PlaceFacts facts) const;

  ArrayRef<BlockAccess> accesses;
  mutable IndexFacts indices;
  SmallVector<AccessPlace> places; ///< without a space: any memory
  AccessKinds kinds;
  ConflictScope widest;
  /// By kinds.
  mutable std::map<std::tuple<int, int, PlaceFacts>,
                   std::optional<ConflictScope>>
      known;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_CONFLICTSCOPE_H
