//===- Scratch.cpp - Buffers that exchange data between threads -----------===//

#include "Scratch.h"

#include "tile/Analysis/AccessWidth.h"

#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Layout/ExchangeBuffer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::FragmentLayout;
using tilec::SharedLayout;

//===----------------------------------------------------------------------===//
// Elements narrower than a byte
//===----------------------------------------------------------------------===//

/// They travel as bytes: threads that write halves of one would have to take
/// turns.
static Type getTravellingType(Type elementType) {
  return getMemoryBits(elementType) < 8
             ? IntegerType::get(elementType.getContext(), 8)
             : elementType;
}

/// `type`, of a fragment or a scalar, with other elements.
static Type withElementType(Type type, Type element) {
  auto fragment = dyn_cast<RankedTensorType>(type);
  return fragment ? Type(RankedTensorType::get(fragment.getShape(), element,
                                               fragment.getEncoding()))
                  : element;
}

/// The integer of as many bits as a narrow element has.
static Type getBitsType(Type elementType) {
  return IntegerType::get(elementType.getContext(), getMemoryBits(elementType));
}

// Pattern: f4 -> i4 -> i8, bit for bit
Value mlir::tile::widenToScratch(RewriterBase &rewriter, Location loc,
                                 Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  Type travelling = getTravellingType(element), bits = getBitsType(element);
  if (travelling == element)
    return value;
  if (element != bits)
    value = arith::BitcastOp::create(
        rewriter, loc, withElementType(value.getType(), bits), value);
  return arith::ExtUIOp::create(
      rewriter, loc, withElementType(value.getType(), travelling), value);
}

// Pattern: i8 -> i4 -> f4, bit for bit
Value mlir::tile::narrowFromScratch(RewriterBase &rewriter, Location loc,
                                    Value value, Type element) {
  if (getTravellingType(element) == element)
    return value;
  Type bits = getBitsType(element);
  value = arith::TruncIOp::create(
      rewriter, loc, withElementType(value.getType(), bits), value);
  if (element == bits)
    return value;
  return arith::BitcastOp::create(
      rewriter, loc, withElementType(value.getType(), element), value);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Value mlir::tile::createScratch(RewriterBase &rewriter, Location loc,
                                ArrayRef<int64_t> shape, Type elementType,
                                FragmentAttr written, FragmentAttr read) {
  MLIRContext *context = rewriter.getContext();
  elementType = getTravellingType(elementType);
  auto getLayout = [](FragmentAttr access) {
    return access ? std::optional(access.getLayout()) : std::nullopt;
  };
  std::optional<FragmentLayout> from = getLayout(written), to = getLayout(read);
  SharedLayout layout = tilec::getExchangeBuffer(
      Coordinate(shape.begin(), shape.end()), getMemoryBits(elementType),
      from ? &*from : nullptr, to ? &*to : nullptr);
  auto space =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get(shape, elementType, MemRefLayoutAttrInterface(), space);
  return AllocOp::create(rewriter, loc, type, SharedAttr::get(context, layout),
                         /*alignment=*/IntegerAttr());
}

void mlir::tile::storeToScratch(RewriterBase &rewriter, Location loc,
                                Value fragment, Value buffer,
                                ValueRange indices) {
  auto store = StoreOp::create(
      rewriter, loc, widenToScratch(rewriter, loc, fragment), buffer, indices);
  IndexFacts facts;
  recordAccessWidths(facts, store);
}

Value mlir::tile::loadFromScratch(RewriterBase &rewriter, Location loc,
                                  Value buffer, RankedTensorType type) {
  Type element = type.getElementType();
  auto load = LoadOp::create(
      rewriter, loc, withElementType(type, getTravellingType(element)), buffer);
  auto whole = cast<MemRefType>(buffer.getType());
  if (whole.getRank() != type.getRank()) {
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    load.getSourceIndicesMutable().assign(
        SmallVector<Value>(whole.getRank(), zero));
    load.setSourceBoxAttr(rewriter.getDenseI64ArrayAttr(whole.getShape()));
    load->moveAfter(zero.getDefiningOp());
  }
  IndexFacts facts;
  recordAccessWidths(facts, load);
  return narrowFromScratch(rewriter, loc, load, element);
}

Value mlir::tile::moveThroughScratch(RewriterBase &rewriter, Location loc,
                                     Value fragment, RankedTensorType type) {
  Value buffer =
      createScratch(rewriter, loc, type.getShape(), type.getElementType(),
                    getFragment(fragment.getType()), getFragment(type));
  storeToScratch(rewriter, loc, fragment, buffer);
  return loadFromScratch(rewriter, loc, buffer, type);
}

Operation *mlir::tile::getBlockLevelOp(Operation *op) {
  while (auto loop = op->getParentOfType<ParallelOp>())
    op = loop;
  return op;
}
