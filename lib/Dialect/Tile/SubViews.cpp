//===- SubViews.cpp - Dimensions of subviews ------------------------------===//
//
// The type of a view with all dimensions is known from its operands; the
// result's type is that type without some dimensions of size 1. Which ones is
// found by matching both from the front.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/SubViews.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

/// Sizes and strides of a view, with all dimensions or those of its result.
struct Dimensions {
  explicit Dimensions(MemRefType type) : sizes(type.getShape()) {
    int64_t offset;
    hasStrides = succeeded(type.getStridesAndOffset(strides, offset));
  }

  SmallVector<int64_t> sizes, strides;
  bool hasStrides;
};

class Matching {
public:
  Matching(const Dimensions &whole, const Dimensions &kept, bool byStrides)
      : whole(whole), kept(kept), byStrides(byStrides),
        dropped(whole.sizes.size()) {}

  /// Whether the dimensions from `dim` on are those of the result from `place`
  /// on and dropped ones of size 1, which are then set.
  bool match(size_t dim = 0, size_t place = 0) {
    if (dim == whole.sizes.size())
      return place == kept.sizes.size();
    if (whole.sizes[dim] == 1) {
      dropped.set(dim);
      if (match(dim + 1, place))
        return true;
      dropped.reset(dim);
    }
    return place < kept.sizes.size() && isSame(dim, place) &&
           match(dim + 1, place + 1);
  }

  const llvm::SmallBitVector &getDropped() const { return dropped; }

private:
  bool isSame(size_t dim, size_t place) const {
    return whole.sizes[dim] == kept.sizes[place] &&
           (!byStrides || whole.strides[dim] == kept.strides[place]);
  }

  const Dimensions &whole, &kept;
  bool byStrides;
  llvm::SmallBitVector dropped;
};

} // namespace

llvm::SmallBitVector tile::getDroppedDims(memref::SubViewOp view) {
  Dimensions whole(memref::SubViewOp::inferResultType(
      view.getSourceType(), view.getMixedOffsets(), view.getMixedSizes(),
      view.getMixedStrides()));
  Dimensions kept(view.getType());
  if (whole.hasStrides && kept.hasStrides) {
    Matching matching(whole, kept, /*byStrides=*/true);
    if (matching.match())
      return matching.getDropped();
  }
  // A layout that is not strided, or strides that only one of the types knows.
  Matching matching(whole, kept, /*byStrides=*/false);
  [[maybe_unused]] bool isMatched = matching.match();
  assert(isMatched && "the verifier compares the shapes");
  return matching.getDropped();
}
