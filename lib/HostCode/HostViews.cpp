//===- HostViews.cpp - Views that lack dimensions -------------------------===//
//
// Upstream's lowering of a subview takes another dimension of size 1 for the one that
// is gone, or ends the process where the view steps over elements.
//
//===----------------------------------------------------------------------===//

#include "LowerHost.h"

#include "tile/Dialect/Tile/SubViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Numbers of a view where the type says them, else computed.
class ViewNumbers {
public:
  explicit ViewNumbers(memref::SubViewOp view)
      : builder(view), loc(view.getLoc()) {}

  Value getValue(OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  }
  OpFoldResult getNumber(int64_t known, OpFoldResult computed) {
    return ShapedType::isDynamic(known) ? computed
                                        : builder.getIndexAttr(known);
  }
  Value multiply(Value number, OpFoldResult factor) {
    return arith::MulIOp::create(builder, loc, number, getValue(factor));
  }
  Value add(Value sum, Value number) {
    return arith::AddIOp::create(builder, loc, sum, number);
  }

  OpBuilder builder;
  Location loc;
};
} // namespace

// Pattern: subview %m[%i, %j] [1, %n] [%s, %t] to memref<?x..>
//       -> %base, %offset, %sizes, %strides = extract_strided_metadata %m
//          reinterpret_cast %base to offset: %offset + %i * %strides#0 + %j * %strides#1,
//              sizes: [%n], strides: [%t * %strides#1]
static void lowerView(memref::SubViewOp view) {
  ViewNumbers numbers(view);
  auto source = memref::ExtractStridedMetadataOp::create(
      numbers.builder, view.getLoc(), view.getSource());
  llvm::SmallBitVector dropped = getDroppedDims(view);
  auto [knownStrides, knownOffset] = view.getType().getStridesAndOffset();
  Value offset = source.getOffset();
  SmallVector<OpFoldResult> sizes, strides;
  for (auto [dim, start, size, step] :
       llvm::enumerate(view.getMixedOffsets(), view.getMixedSizes(),
                       view.getMixedStrides())) {
    Value stride = source.getStrides()[dim];
    offset = numbers.add(offset, numbers.multiply(stride, start));
    if (dropped.test(dim))
      continue;
    strides.push_back(numbers.getNumber(knownStrides[sizes.size()],
                                        numbers.multiply(stride, step)));
    sizes.push_back(size);
  }
  auto lowered = memref::ReinterpretCastOp::create(
      numbers.builder, view.getLoc(), view.getType(), source.getBaseBuffer(),
      numbers.getNumber(knownOffset, offset), sizes, strides);
  view.replaceAllUsesWith(lowered.getResult());
  view.erase();
}

void tile::lowerViewsOfFewerDims(ModuleOp module) {
  module.walk([](memref::SubViewOp view) {
    if (view.getType().getRank() != view.getSourceType().getRank())
      lowerView(view);
  });
}
