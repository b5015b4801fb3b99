//===- Prints.cpp - Printed fragments -------------------------------------===//
//
// A fragment is spread over threads, which would print in no order. It is put
// into a buffer, from which one thread prints it in row-major order: in a parallel
// loop the one that has the iteration.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

LogicalResult mlir::tile::materializePrints(LaunchOp launch,
                                            RewriterBase &rewriter) {
  SmallVector<PrintOp> prints;
  launch.getBody().walk([&](PrintOp print) {
    auto type = dyn_cast<RankedTensorType>(print.getValue().getType());
    if (type && type.getRank() > 0)
      prints.push_back(print);
  });
  // Pattern: print %fragment  ->  print (store %fragment)
  for (PrintOp print : prints) {
    Value fragment = print.getValue();
    auto type = cast<RankedTensorType>(fragment.getType());
    if (getMemoryBits(type.getElementType()) < 8)
      return print.emitError("not implemented yet: printing fragments of ")
             << type.getElementType() << "; widen the elements first";
    rewriter.setInsertionPoint(getBlockLevelOp(print));
    Value buffer = createScratch(rewriter, print.getLoc(), type.getShape(),
                                 type.getElementType(), getFragment(type),
                                 /*read=*/FragmentAttr());
    storeToScratch(rewriter, print.getLoc(), fragment, buffer);
    rewriter.modifyOpInPlace(print,
                             [&] { print.getValueMutable().assign(buffer); });
  }
  return success();
}
