//===- Prints.cpp - Printed fragments -------------------------------------===//
//
// A fragment is spread over threads, which would print in no order. It is put
// into a buffer, from which one thread prints it in row-major order: in a parallel
// loop the one that has the iteration. Elements narrower than a byte are widened to
// what prints the same.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tile;

// Pattern: i4 -> i8, f4 -> f32
static Value widen(RewriterBase &rewriter, Location loc, Value fragment) {
  auto type = cast<RankedTensorType>(fragment.getType());
  Type element = type.getElementType();
  if (getMemoryBits(element) >= 8)
    return fragment;
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(
        rewriter, loc, type.clone(Type(rewriter.getF32Type())), fragment);
  return arith::ExtSIOp::create(
      rewriter, loc, type.clone(Type(rewriter.getI8Type())), fragment);
}

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
    rewriter.setInsertionPoint(getBlockLevelOp(print));
    Value fragment = widen(rewriter, print.getLoc(), print.getValue());
    auto type = cast<RankedTensorType>(fragment.getType());
    Value buffer = createScratch(rewriter, print.getLoc(), type.getShape(),
                                 type.getElementType(), getFragment(type),
                                 /*read=*/FragmentAttr());
    storeToScratch(rewriter, print.getLoc(), fragment, buffer);
    rewriter.modifyOpInPlace(print,
                             [&] { print.getValueMutable().assign(buffer); });
  }
  return success();
}
