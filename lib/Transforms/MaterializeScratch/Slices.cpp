//===- Slices.cpp - Slices move without the rest --------------------------===//
//
// A slice that cuts what lanes and warps hold is taken from the fragment in another
// layout. Where that one would go through memory, its slices do alone:
//
//     %c = tile.convert_layout %a            tile.store %a, %s[-16, 0]    of 8 x 64
//     %b = tensor.extract_slice          ->  %b = tile.load %s
//            %c[16, 0] [8, 64]
//
// What of %a lies outside of the buffer is not stored.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Analysis/ExchangeChoice.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tile;

// Pattern: extract_slice (convert_layout %a)  ->  load (store %a)
static void moveSlice(OffsetSizeAndStrideOpInterface slice, Value fragment,
                      ConvertLayoutOp convert, RewriterBase &rewriter) {
  Location loc = slice.getLoc();
  Value result = slice->getResult(0);
  if (convert)
    result = convert.getResult();
  auto type = cast<RankedTensorType>(result.getType());
  auto source = cast<RankedTensorType>(fragment.getType());
  rewriter.setInsertionPoint(slice);
  Value buffer = createScratch(
      rewriter, loc, slice.getStaticSizes(), type.getElementType(),
      getFragment(source),
      source.getRank() == type.getRank() ? getFragment(type) : FragmentAttr());
  SmallVector<Value> indices;
  for (int64_t offset : slice.getStaticOffsets())
    indices.push_back(arith::ConstantIndexOp::create(rewriter, loc, -offset));
  storeToScratch(rewriter, loc, fragment, buffer, indices);
  rewriter.replaceAllUsesWith(result,
                              loadFromScratch(rewriter, loc, buffer, type));
  if (convert)
    rewriter.eraseOp(convert);
  rewriter.eraseOp(slice);
}

LogicalResult mlir::tile::materializeSlices(LaunchOp launch,
                                            RewriterBase &rewriter) {
  auto target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  SmallVector<ConvertLayoutOp> converts;
  llvm::DenseMap<Value, ConvertLayoutOp> conversions; ///< by operand
  launch.getBody().walk([&](ConvertLayoutOp convert) {
    converts.push_back(convert);
    if (convert.getSource().hasOneUse())
      conversions[convert.getSource()] = convert;
  });
  llvm::SmallPtrSet<Operation *, 4> replaced;
  for (ConvertLayoutOp convert : converts) {
    if (replaced.contains(convert))
      continue;
    SmallVector<OffsetSizeAndStrideOpInterface> slices =
        getMovedSlices(convert, **target);
    for (OffsetSizeAndStrideOpInterface slice : slices) {
      ConvertLayoutOp behind = conversions.lookup(slice->getResult(0));
      replaced.insert(behind);
      moveSlice(slice, convert.getSource(), behind, rewriter);
    }
    if (!slices.empty())
      rewriter.eraseOp(convert);
  }
  return success();
}
