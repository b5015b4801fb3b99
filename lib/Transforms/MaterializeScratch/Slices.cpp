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
static void moveSlice(tensor::ExtractSliceOp slice, Value fragment,
                      RewriterBase &rewriter) {
  Location loc = slice.getLoc();
  ConvertLayoutOp convert = getConversionOfSlice(slice);
  RankedTensorType type = convert ? convert.getType() : slice.getType();
  rewriter.setInsertionPoint(slice);
  bool hasAllDims = slice.getSourceType().getRank() == type.getRank();
  Value buffer =
      createScratch(rewriter, loc, slice.getStaticSizes(),
                    type.getElementType(), getFragment(fragment.getType()),
                    hasAllDims ? getFragment(type) : FragmentAttr());
  SmallVector<Value> indices;
  for (int64_t offset : slice.getStaticOffsets())
    indices.push_back(arith::ConstantIndexOp::create(rewriter, loc, -offset));
  storeToScratch(rewriter, loc, fragment, buffer, indices);
  Value moved = loadFromScratch(rewriter, loc, buffer, type);
  if (convert)
    rewriter.replaceOp(convert, moved);
  else
    rewriter.replaceAllUsesWith(slice.getResult(), moved);
  rewriter.eraseOp(slice);
}

LogicalResult mlir::tile::materializeSlices(LaunchOp launch,
                                            RewriterBase &rewriter) {
  auto target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  SmallVector<ConvertLayoutOp> converts;
  launch.getBody().walk(
      [&](ConvertLayoutOp convert) { converts.push_back(convert); });
  llvm::SmallPtrSet<Operation *, 4> replaced;
  for (ConvertLayoutOp convert : converts) {
    if (replaced.contains(convert))
      continue;
    SmallVector<tensor::ExtractSliceOp> slices =
        getMovedSlices(convert, **target);
    for (tensor::ExtractSliceOp slice : slices) {
      replaced.insert(getConversionOfSlice(slice));
      moveSlice(slice, convert.getSource(), rewriter);
    }
    if (!slices.empty())
      rewriter.eraseOp(convert);
  }
  return success();
}
