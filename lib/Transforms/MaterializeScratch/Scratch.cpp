//===- Scratch.cpp - Buffers that exchange data between threads -----------===//

#include "Scratch.h"

#include "tile/Analysis/AccessWidth.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::FragmentLayout;
using tilec::SharedLayout;

/// The dimension whose neighbours a thread holds most of, in both layouts
/// together; the last among equals.
static int chooseFastestDim(int rank, FragmentAttr written, FragmentAttr read) {
  int best = rank - 1;
  int64_t bestWidth = 0;
  for (int dim = rank - 1; dim >= 0; --dim) {
    int64_t width = 0;
    for (FragmentAttr access : {written, read})
      if (access)
        width += access.getLayout().getVectorWidth(dim);
    if (width > bestWidth) {
      best = dim;
      bestWidth = width;
    }
  }
  return best;
}

Value mlir::tile::createScratch(RewriterBase &rewriter, Location loc,
                                ArrayRef<int64_t> shape, Type elementType,
                                FragmentAttr written, FragmentAttr read) {
  MLIRContext *context = rewriter.getContext();
  int rank = shape.size();
  std::vector<int> order;
  if (rank > 0) {
    int fastest = chooseFastestDim(rank, written, read);
    order.push_back(fastest);
    for (int dim = rank - 1; dim >= 0; --dim)
      if (dim != fastest)
        order.push_back(dim);
  }
  SharedLayout layout =
      SharedLayout::conflictFree(Coordinate(shape.begin(), shape.end()), order,
                                 getMemoryBits(elementType));
  auto space =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get(shape, elementType, MemRefLayoutAttrInterface(), space);
  return AllocOp::create(rewriter, loc, type, SharedAttr::get(context, layout),
                         /*alignment=*/IntegerAttr());
}

void mlir::tile::storeToScratch(RewriterBase &rewriter, Location loc,
                                Value fragment, Value buffer) {
  auto store = StoreOp::create(rewriter, loc, fragment, buffer);
  IndexFacts facts;
  recordAccessWidths(facts, store);
}

Value mlir::tile::loadFromScratch(RewriterBase &rewriter, Location loc,
                                  Value buffer, RankedTensorType type) {
  auto load = LoadOp::create(rewriter, loc, type, buffer);
  IndexFacts facts;
  recordAccessWidths(facts, load);
  return load;
}

/// Elements narrower than a byte travel as bytes: two threads must not write
/// halves of one.
static Type getTravellingType(Type elementType) {
  return getMemoryBits(elementType) < 8
             ? IntegerType::get(elementType.getContext(), 8)
             : elementType;
}

static RankedTensorType withElementType(RankedTensorType type, Type element) {
  return RankedTensorType::get(type.getShape(), element, type.getEncoding());
}

// Pattern: f4 -> i4 -> i8, bit for bit
static Value widen(RewriterBase &rewriter, Location loc, Value fragment) {
  auto type = cast<RankedTensorType>(fragment.getType());
  Type bits = rewriter.getIntegerType(getMemoryBits(type.getElementType()));
  if (type.getElementType() != bits)
    fragment = arith::BitcastOp::create(rewriter, loc,
                                        withElementType(type, bits), fragment);
  return arith::ExtUIOp::create(
      rewriter, loc, withElementType(type, rewriter.getI8Type()), fragment);
}

// Pattern: i8 -> i4 -> f4, bit for bit
static Value narrow(RewriterBase &rewriter, Location loc, Value fragment,
                    RankedTensorType type) {
  Type bits = rewriter.getIntegerType(getMemoryBits(type.getElementType()));
  Value narrow = arith::TruncIOp::create(rewriter, loc,
                                         withElementType(type, bits), fragment);
  if (type.getElementType() == bits)
    return narrow;
  return arith::BitcastOp::create(rewriter, loc, type, narrow);
}

Value mlir::tile::moveThroughScratch(RewriterBase &rewriter, Location loc,
                                     Value fragment, RankedTensorType type) {
  Type travelling = getTravellingType(type.getElementType());
  bool isWidened = travelling != type.getElementType();
  Value sent = isWidened ? widen(rewriter, loc, fragment) : fragment;
  Value buffer =
      createScratch(rewriter, loc, type.getShape(), travelling,
                    getFragment(fragment.getType()), getFragment(type));
  storeToScratch(rewriter, loc, sent, buffer);
  Value received =
      loadFromScratch(rewriter, loc, buffer, withElementType(type, travelling));
  return isWidened ? narrow(rewriter, loc, received, type) : received;
}

Operation *mlir::tile::getBlockLevelOp(Operation *op) {
  while (auto loop = op->getParentOfType<ParallelOp>())
    op = loop;
  return op;
}
