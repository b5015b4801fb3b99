//===- ExchangeChoice.cpp - How a change of layout is carried out ---------===//

#include "tile/Analysis/ExchangeChoice.h"

#include "tile/Dialect/Tile/LayoutConstraints.h"
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

static int64_t countElements(Operation *slice) {
  return cast<RankedTensorType>(slice->getResult(0).getType()).getNumElements();
}

/// Whether all that is made of `use` is a slice.
static bool isSliced(OpOperand &use) {
  LayoutConstraints constraints = getLayoutConstraints(use.getOwner());
  return llvm::any_of(constraints.given, [&](const GivenLayout &given) {
    auto *source = dyn_cast<OpOperand *>(given.source);
    return source == &use &&
           given.map.getKind() == tilec::LayoutMap::Kind::Slice;
  });
}

SmallVector<OffsetSizeAndStrideOpInterface>
mlir::tile::getMovedSlices(ConvertLayoutOp convert,
                           const tilec::GpuTarget &target) {
  SmallVector<OffsetSizeAndStrideOpInterface> slices;
  int64_t elements = 0;
  for (OpOperand &use : convert->getUses()) {
    auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(use.getOwner());
    if (!slice || !isSliced(use))
      return {};
    slices.push_back(slice);
    elements += countElements(slice);
  }
  if (elements >= convert.getType().getNumElements() ||
      getExchangeCost(convert, target).kind != tilec::ExchangeKind::Memory)
    return {};
  return slices;
}

/// Whether what is converted is a slice that is moved, and so comes converted.
static bool comesConverted(ConvertLayoutOp convert,
                           const tilec::GpuTarget &target) {
  Operation *slice = convert.getSource().getDefiningOp();
  if (!slice || slice->getNumOperands() == 0 || !slice->hasOneUse())
    return false;
  auto source = slice->getOperand(0).getDefiningOp<ConvertLayoutOp>();
  return source && llvm::is_contained(getMovedSlices(source, target), slice);
}

ExchangedData mlir::tile::getExchangedData(ConvertLayoutOp convert,
                                           const tilec::GpuTarget &target) {
  RankedTensorType type = convert.getType();
  ExchangedData data{getExchangeCost(convert, target), type.getNumElements()};
  if (comesConverted(convert, target))
    data.cost.kind = tilec::ExchangeKind::None;
  SmallVector<OffsetSizeAndStrideOpInterface> slices =
      getMovedSlices(convert, target);
  if (!slices.empty())
    data.bytes = 0;
  for (Operation *slice : slices)
    data.bytes += countElements(slice);
  data.bytes =
      llvm::divideCeil(data.bytes * getMemoryBits(type.getElementType()), 8);
  return data;
}
