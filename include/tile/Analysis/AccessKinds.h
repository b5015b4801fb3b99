//===- AccessKinds.h - Accesses that are alike in their places --*- C++ -*-===//
//
// Long launches touch the same places again and again, or places that are a constant
// apart. Accesses that are alike in place and threads are one kind, of which two are
// compared once (ConflictScope.h); kinds that differ by constants alone,
//
//     store A[%x + 0, 0] [1, 128]      store A[%x + 1, 0] [1, 128]
//
// are told apart by these, without comparing them further.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_ACCESSKINDS_H
#define TILE_ANALYSIS_ACCESSKINDS_H

#include "tile/Analysis/AccessPlace.h"

#include <vector>

namespace mlir::tile {

class AccessKinds {
public:
  AccessKinds(ArrayRef<BlockAccess> accesses, ArrayRef<AccessPlace> places);

  int getKind(int64_t access) const { return kindOf[access]; }
  /// Whether constants show that two kinds have no element in common, where values stand
  /// for the same numbers in both.
  bool areApart(int first, int second) const;

private:
  /// The coordinates [begin, begin + range) of a dimension, less what is not constant.
  struct Span {
    int64_t begin = 0, range = 0;
  };
  struct Kind {
    /// Of kinds that differ in constants alone; -1 where constants tell nothing.
    int family = -1;
    SmallVector<Span, 4> spans; ///< by dimension
  };

  SmallVector<int> kindOf; ///< by access
  std::vector<Kind> kinds;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_ACCESSKINDS_H
