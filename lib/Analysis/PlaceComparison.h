//===- PlaceComparison.h - Threads at common places -------------*- C++ -*-===//
//
// Enumerates what two accesses touch, place by place: elements of the space
// that both are in, or bytes of the arena that both spaces are views of.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_PLACECOMPARISON_H
#define TILE_LIB_ANALYSIS_PLACECOMPARISON_H

#include "tile/Analysis/ConflictScope.h"
#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// One of the two accesses.
struct ComparedAccess {
  const BlockAccess *access = nullptr;
  const AccessPlace *place = nullptr;
  /// Where the place starts; the common symbols left out.
  SmallVector<int64_t> starts;
  /// Where coordinates end that exist; kDynamic where that is not known.
  SmallVector<int64_t> ends;
  /// Rows that are gathered alike in both: known by their numbers alone.
  bool hasRows = false;
};

class PlaceComparison {
public:
  PlaceComparison(ComparedAccess first, ComparedAccess second)
      : sides{std::move(first), std::move(second)} {}

  /// The least scope over all common places; nothing where there is none. Fails
  /// where it cannot be enumerated. `inOneSpace` tells elements from bytes.
  FailureOr<std::optional<ConflictScope>> compare(bool inOneSpace);

private:
  /// Who touches a place.
  struct Toucher {
    static constexpr int none = -1, several = -2;
    int warp = none;
    int lane = none;
    void add(Toucher other);
  };
  using Visit = llvm::function_ref<void(int64_t place, Toucher toucher)>;

  LogicalResult setUpElements();
  LogicalResult setUpBytes();
  LogicalResult visit(int side, Visit visit) const;
  LogicalResult visitBox(int side, Visit visit) const;
  void visitElement(int side, ArrayRef<int64_t> coordinate, Toucher toucher,
                    Visit visit) const;

  /// Places and visits beyond which nothing is enumerated: a tile of 256 x 256.
  static constexpr int64_t largestCount = int64_t(1) << 16;

  ComparedAccess sides[2];
  int64_t placeCount = 0;
  /// Of elements: the range of coordinates that the first access spans.
  SmallVector<int64_t> ranges;
  /// Of bytes: the layout of each view, where it begins in the arena, and how
  /// many bytes are one place.
  bool areBytes = false;
  tilec::SharedLayout layouts[2];
  int64_t begins[2] = {0, 0};
  int64_t bytesPerPlace = 1;
  /// Nothing that is left to visit can widen the scope.
  bool isWidest = false;
};

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_PLACECOMPARISON_H
