//===- ImageFacts.cpp - Boxes of an image's matrix ------------------------===//

#include "tile/Analysis/ImageFacts.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<std::string>
tile::findImageObstacle(IndexFacts &facts, Im2ColOp op, int64_t channels) {
  int64_t divisor = facts.getMemRefFacts(op.getSource()).sizeDivisors[3];
  if (divisor % channels != 0)
    return llvm::formatv("a box of it has {0} channels, and those of the image "
                         "are known to be a multiple of {1}; state "
                         "'tile.divisible', or make the buffer narrower",
                         channels, divisor)
        .str();
  if (int64_t step = facts.getDivisor(op.getCol()); step % channels != 0)
    return llvm::formatv("a box of it has {0} channels of one element of the "
                         "kernel, and its column is known to be a multiple of "
                         "{1}; step by what divides the channels, or state it "
                         "by 'tile.assume_divisible'",
                         channels, step)
        .str();
  return std::nullopt;
}
