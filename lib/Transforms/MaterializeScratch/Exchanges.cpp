//===- Exchanges.cpp - Changes of layout through memory -------------------===//
//
// An exchange in which every thread already has what it needs renames registers, and
// one inside of warps is carried out by shuffles where that is cheaper: both stay.
// Every other one goes through a buffer.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Analysis/ExchangeChoice.h"
#include "tile/Analysis/ModuleTarget.h"

using namespace mlir;
using namespace mlir::tile;

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
    rewriter.replaceOp(convert, moveThroughScratch(rewriter, convert.getLoc(),
                                                   convert.getSource(),
                                                   convert.getType()));
  }
  return success();
}
