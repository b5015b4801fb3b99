//===- Parts.cpp - Fragments larger than shared memory --------------------===//
//
// What no buffer of a block holds moves one part after the other:
//
//     tile.store %a, %s[-64, 0]        of 64 x 256: rows 64 to 127 of %a
//     %p = tile.load %s[-64, 0]        zeros but for these rows
//     %b = arith.ori %before, %p       the bits of all parts
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tile;

/// `fragment` with elements of another type and as many bits.
static Value bitcast(RewriterBase &rewriter, Location loc, Value fragment,
                     Type element) {
  auto type = cast<RankedTensorType>(fragment.getType());
  if (type.getElementType() == element)
    return fragment;
  return arith::BitcastOp::create(rewriter, loc, type.clone(element), fragment);
}

Value mlir::tile::moveInParts(RewriterBase &rewriter, Location loc,
                              Value fragment, RankedTensorType type,
                              const tilec::GpuTarget &target) {
  ArrayRef<int64_t> extents = type.getShape();
  int64_t dim = llvm::max_element(extents) - extents.begin();
  // Half of the memory, so that other buffers fit, too.
  int64_t partExtent =
      std::max<int64_t>(1, target.maxSharedBytesPerBlock / 2 * extents[dim] /
                               getScratchBytes(type));
  Value source = widenToScratch(rewriter, loc, fragment);
  Type element = getElementTypeOrSelf(source), bits = element;
  if (isa<FloatType>(element))
    bits = rewriter.getIntegerType(element.getIntOrFloatBitWidth());
  source = bitcast(rewriter, loc, source, bits);
  SmallVector<int64_t> shape(extents);
  shape[dim] = partExtent;
  Value all;
  for (int64_t start = 0; start < extents[dim]; start += partExtent) {
    SmallVector<Value> indices;
    for (int64_t d = 0; d < type.getRank(); ++d)
      indices.push_back(
          arith::ConstantIndexOp::create(rewriter, loc, d == dim ? -start : 0));
    Value buffer = createScratch(rewriter, loc, shape, bits, FragmentAttr(),
                                 FragmentAttr());
    storeToScratch(rewriter, loc, source, buffer, indices);
    auto load =
        LoadOp::create(rewriter, loc, type.clone(bits), buffer, indices);
    IndexFacts facts;
    recordAccessWidths(facts, load);
    all = all ? arith::OrIOp::create(rewriter, loc, all, load).getResult()
              : load.getResult();
  }
  return narrowFromScratch(rewriter, loc, bitcast(rewriter, loc, all, element),
                           type.getElementType());
}
