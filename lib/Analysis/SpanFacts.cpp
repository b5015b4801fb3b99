//===- SpanFacts.cpp - Copies of bytes that lie together ------------------===//

#include "tile/Analysis/SpanFacts.h"
#include "tile/Analysis/Divisors.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

/// A divisor of the places along `dim` at which spans begin, in elements.
static int64_t getPlaceDivisor(IndexFacts &facts, const Side &side, int64_t dim,
                               int64_t extent, int64_t span) {
  int64_t start = side.isWhole() ? IndexFacts::anyDivisor
                                 : facts.getDivisor(side.indices[dim]);
  return span == extent ? start : std::gcd(start, getDivisorOf(span));
}

std::optional<std::string> tile::findSpanObstacle(IndexFacts &facts,
                                                  const Side &side,
                                                  ArrayRef<int64_t> tile,
                                                  const tilec::BulkBoxes &spans,
                                                  int64_t alignBytes) {
  MemRefFacts memref = facts.getMemRefFacts(side.memref);
  int64_t bytes = getMemoryBits(side.getType().getElementType()) / 8;
  if (!memref.isInnermostContiguous)
    return "the innermost stride of its memref is not known to be 1; write it "
           "in the type, or state 'strides' by 'tile.assume'";
  if (memref.alignmentBytes % alignBytes != 0)
    return llvm::formatv("the address of its memref is known to be a multiple "
                         "of {0} bytes, not of {1}; state 'tile.align', or "
                         "'alignment' by 'tile.assume'",
                         memref.alignmentBytes, alignBytes)
        .str();
  SmallVector<int64_t> extents = side.getExtents(tile);
  for (int64_t dim = 0; dim < side.getRank(); ++dim) {
    int64_t places =
        getPlaceDivisor(facts, side, dim, extents[dim], spans.box[dim]);
    int64_t known = multiplyDivisors(
        multiplyDivisors(places, memref.strideDivisors[dim]), bytes);
    if (known % alignBytes != 0)
      return llvm::formatv("along dimension {0} it begins at what is known to "
                           "be a multiple of {1} bytes, not of {2}; state "
                           "'tile.assume_divisible' of the start, or "
                           "'tile.divisible' of the argument",
                           dim, known, alignBytes)
          .str();
  }
  return std::nullopt;
}
