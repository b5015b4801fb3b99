//===- FoldViews.cpp - Subviews of what is known --------------------------===//

#include "FoldViews.h"

#include "tile/Dialect/Tile/SubViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::tile;

/// `whole` without the dimensions that are set in `dropped`.
static MemRefType dropDims(MemRefType whole,
                           const llvm::SmallBitVector &dropped) {
  if (dropped.none())
    return whole;
  auto [strides, offset] = whole.getStridesAndOffset();
  SmallVector<int64_t> keptSizes, keptStrides;
  for (auto [dim, size, stride] : llvm::enumerate(whole.getShape(), strides))
    if (!dropped.test(dim)) {
      keptSizes.push_back(size);
      keptStrides.push_back(stride);
    }
  return MemRefType::get(
      keptSizes, whole.getElementType(),
      StridedLayoutAttr::get(whole.getContext(), offset, keptStrides),
      whole.getMemorySpace());
}

/// The type of `view` where it is of `source` and its operands are those given.
static MemRefType getKnownType(memref::SubViewOp view, MemRefType source,
                               ArrayRef<OpFoldResult> offsets,
                               ArrayRef<OpFoldResult> sizes,
                               ArrayRef<OpFoldResult> strides) {
  return dropDims(
      memref::SubViewOp::inferResultType(source, offsets, sizes, strides),
      getDroppedDims(view));
}

namespace {

struct GetTypeOfConstants {
  MemRefType operator()(memref::SubViewOp view, ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        ArrayRef<OpFoldResult> strides) const {
    return getKnownType(view, view.getSourceType(), offsets, sizes, strides);
  }
};

struct CastToOldType {
  void operator()(PatternRewriter &rewriter, memref::SubViewOp view,
                  memref::SubViewOp folded) const {
    rewriter.replaceOpWithNewOp<memref::CastOp>(view, view.getType(), folded);
  }
};

/// Pattern: subview %x[.. %constant ..] -> cast (subview %x[.. 4 ..])
using FoldConstants = OpWithOffsetSizesAndStridesConstantArgumentFolder<
    memref::SubViewOp, GetTypeOfConstants, CastToOldType>;

/// Pattern: subview (cast %x) -> cast (subview %x)
/// where the cast hides something of the type of %x and no operand is constant.
struct FoldCast : OpRewritePattern<memref::SubViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::SubViewOp view,
                                PatternRewriter &rewriter) const override {
    auto cast = view.getSource().getDefiningOp<memref::CastOp>();
    bool hasConstant = llvm::any_of(view.getOperands(), [](Value operand) {
      return matchPattern(operand, m_Constant());
    });
    if (!cast || hasConstant || !memref::CastOp::canFoldIntoConsumerOp(cast))
      return failure();
    auto source = llvm::cast<MemRefType>(cast.getSource().getType());
    SmallVector<OpFoldResult> offsets = view.getMixedOffsets(),
                              sizes = view.getMixedSizes(),
                              strides = view.getMixedStrides();
    if (!verifyInBoundsSlice(source.getShape(), offsets, sizes, strides)
             .isValid)
      return failure();
    MemRefType known = getKnownType(view, source, offsets, sizes, strides);
    Value folded =
        memref::SubViewOp::create(rewriter, view.getLoc(), known,
                                  cast.getSource(), offsets, sizes, strides);
    rewriter.replaceOpWithNewOp<memref::CastOp>(view, view.getType(), folded);
    return success();
  }
};

} // namespace

ArrayRef<StringRef> tile::getWrongViewPatterns() {
  static constexpr StringRef names[] = {
      "mlir::OpWithOffsetSizesAndStridesConstantArgumentFolder<mlir::memref::"
      "SubViewOp, SubViewReturnTypeCanonicalizer, SubViewCanonicalizer>",
      "(anonymous namespace)::SubViewOpMemRefCastFolder",
      "{anonymous}::SubViewOpMemRefCastFolder"};
  return names;
}

void tile::populateFoldViewPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldConstants, FoldCast>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The sizes of the dimensions that `view` has.
static SmallVector<OpFoldResult> getSizes(memref::SubViewOp view) {
  llvm::SmallBitVector dropped = getDroppedDims(view);
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(view.getMixedSizes()))
    if (!dropped.test(dim))
      sizes.push_back(size);
  return sizes;
}

/// The view that `dim` asks for a size of, casts looked through.
static memref::SubViewOp getView(memref::DimOp dim) {
  Value memref = dim.getSource();
  while (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  return memref.getDefiningOp<memref::SubViewOp>();
}

/// The entry of `sizes`, of which there are some, that `dim` asks for.
static Value selectSize(memref::DimOp dim, ArrayRef<OpFoldResult> sizes) {
  OpBuilder builder(dim);
  Location loc = dim.getLoc();
  auto getValue = [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(builder, loc, size);
  };
  std::optional<int64_t> known = dim.getConstantIndex();
  if (known && *known >= 0 && *known < static_cast<int64_t>(sizes.size()))
    return getValue(sizes[*known]);
  Value selected = getValue(sizes.back());
  for (int64_t place = sizes.size() - 1; place-- > 0;) {
    Value number = arith::ConstantIndexOp::create(builder, loc, place);
    Value isThis = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         dim.getIndex(), number);
    selected = arith::SelectOp::create(builder, loc, isThis,
                                       getValue(sizes[place]), selected);
  }
  return selected;
}

void tile::replaceSizesOfViews(Operation *root) {
  root->walk([](memref::DimOp dim) {
    memref::SubViewOp view = getView(dim);
    if (!view || view.getType().getRank() == 0)
      return;
    dim.replaceAllUsesWith(selectSize(dim, getSizes(view)));
    dim.erase();
  });
}
