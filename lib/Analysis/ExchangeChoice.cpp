//===- ExchangeChoice.cpp - How a change of layout is carried out ---------===//

#include "tile/Analysis/ExchangeChoice.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::tile;

tilec::ExchangeCost
mlir::tile::getExchangeCost(ConvertLayoutOp convert,
                            const tilec::GpuTarget &target) {
  Type element = convert.getType().getElementType();
  tilec::FragmentLayout from = getLayout(convert.getSource());
  tilec::FragmentLayout to = getLayout(convert.getResult());
  return tilec::getExchangeCost(
      target,
      {from, to, element.isInteger(1) ? 1 : getMemoryBits(element),
       static_cast<bool>(convert->getParentOfType<LoopLikeOpInterface>())});
}

SmallVector<tensor::ExtractSliceOp>
mlir::tile::getMovedSlices(ConvertLayoutOp convert,
                           const tilec::GpuTarget &target) {
  SmallVector<tensor::ExtractSliceOp> slices;
  int64_t elements = 0;
  for (Operation *user : convert->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice)
      return {};
    slices.push_back(slice);
    elements += slice.getType().getNumElements();
  }
  if (elements >= convert.getType().getNumElements() ||
      getExchangeCost(convert, target).kind != tilec::ExchangeKind::Memory)
    return {};
  return slices;
}

ConvertLayoutOp mlir::tile::getConversionOfSlice(tensor::ExtractSliceOp slice) {
  return slice->hasOneUse() ? dyn_cast<ConvertLayoutOp>(*slice->user_begin())
                            : ConvertLayoutOp();
}

/// Whether what is converted is a slice that is moved, and so comes converted.
static bool comesConverted(ConvertLayoutOp convert,
                           const tilec::GpuTarget &target) {
  auto slice = convert.getSource().getDefiningOp<tensor::ExtractSliceOp>();
  auto source = slice ? slice.getSource().getDefiningOp<ConvertLayoutOp>()
                      : ConvertLayoutOp();
  return source && getConversionOfSlice(slice) == convert &&
         !getMovedSlices(source, target).empty();
}

ExchangedData mlir::tile::getExchangedData(ConvertLayoutOp convert,
                                           const tilec::GpuTarget &target) {
  RankedTensorType type = convert.getType();
  ExchangedData data{getExchangeCost(convert, target), type.getNumElements()};
  if (comesConverted(convert, target))
    data.cost.kind = tilec::ExchangeKind::None;
  SmallVector<tensor::ExtractSliceOp> slices = getMovedSlices(convert, target);
  if (!slices.empty())
    data.bytes = 0;
  for (tensor::ExtractSliceOp slice : slices)
    data.bytes += slice.getType().getNumElements();
  data.bytes =
      llvm::divideCeil(data.bytes * getMemoryBits(type.getElementType()), 8);
  return data;
}
