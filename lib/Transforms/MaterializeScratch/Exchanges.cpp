//===- Exchanges.cpp - Changes of layout through memory -------------------===//
//
// An exchange in which every thread already has what it needs renames registers, and
// one inside of warps is carried out by shuffles where that is cheaper: both stay.
// Every other one goes through a buffer, or through several one after the other where a
// block has not the memory for one.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Analysis/ExchangeChoice.h"
#include "tile/Analysis/ModuleTarget.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether there are integers of as many bits as elements have.
static bool hasIntegers(Type element) {
  auto floating = dyn_cast<FloatType>(element);
  return !floating || floating.getWidth() != 6;
}

LogicalResult mlir::tile::materializeExchanges(LaunchOp launch,
                                               RewriterBase &rewriter) {
  auto target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  SmallVector<ConvertLayoutOp> exchanges;
  launch.getBody().walk([&](ConvertLayoutOp convert) {
    if (getExchangeCost(convert, **target).kind == tilec::ExchangeKind::Memory)
      exchanges.push_back(convert);
  });
  // Pattern: convert_layout %a  ->  load (store %a)   [if it goes by memory]
  for (ConvertLayoutOp convert : exchanges) {
    rewriter.setInsertionPoint(convert);
    Location loc = convert.getLoc();
    Value source = convert.getSource();
    RankedTensorType type = convert.getType();
    bool inParts =
        !fitsSharedMemory(type, **target) && hasIntegers(type.getElementType());
    rewriter.replaceOp(
        convert, inParts ? moveInParts(rewriter, loc, source, type, **target)
                         : moveThroughScratch(rewriter, loc, source, type));
  }
  return success();
}
