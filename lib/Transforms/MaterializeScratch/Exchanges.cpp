//===- Exchanges.cpp - Changes of layout through memory -------------------===//
//
// An exchange in which every thread already has what it needs renames
// registers and stays. Every other one goes through a buffer, those within a
// warp included, so that the lowering needs no shuffle network.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

static bool movesData(ConvertLayoutOp convert) {
  return tilec::classifyExchange(getLayout(convert.getSource()),
                                 getLayout(convert.getResult())) !=
         tilec::ExchangeKind::None;
}

LogicalResult mlir::tile::materializeExchanges(LaunchOp launch,
                                               RewriterBase &rewriter) {
  SmallVector<ConvertLayoutOp> exchanges;
  launch.getBody().walk([&](ConvertLayoutOp convert) {
    if (movesData(convert))
      exchanges.push_back(convert);
  });
  // Pattern: convert_layout %a  ->  load (store %a)   [if data moves]
  for (ConvertLayoutOp convert : exchanges) {
    rewriter.setInsertionPoint(convert);
    rewriter.replaceOp(convert, moveThroughScratch(rewriter, convert.getLoc(),
                                                   convert.getSource(),
                                                   convert.getType()));
  }
  return success();
}
