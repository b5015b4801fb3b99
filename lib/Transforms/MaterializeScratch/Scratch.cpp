//===- Scratch.cpp - Buffers that exchange data between threads -----------===//

#include "Scratch.h"

#include "tile/Analysis/AccessWidth.h"

#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/ExchangeBuffer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

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
                                const SharedLayout &layout) {
  MLIRContext *context = rewriter.getContext();
  auto space =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get(shape, elementType, MemRefLayoutAttrInterface(), space);
  return AllocOp::create(rewriter, loc, type, SharedAttr::get(context, layout),
                         /*alignment=*/IntegerAttr());
}

Value mlir::tile::createScratch(RewriterBase &rewriter, Location loc,
                                ArrayRef<int64_t> shape, Type elementType,
                                FragmentAttr written, FragmentAttr read) {
  elementType = getTravellingType(elementType);
  Coordinate extents(shape.begin(), shape.end());
  int64_t bits = getMemoryBits(elementType);
  FragmentLayout ends[2];
  const FragmentLayout *writer = nullptr, *reader = nullptr;
  if (written)
    writer = &(ends[0] = written.getLayout());
  if (read)
    reader = &(ends[1] = read.getLayout());
  int dim = tilec::chooseExchangeDim(shape.size(), bits, writer, reader);
  // Of a fragment of which only a part is written nothing else is known.
  if (writer && writer->getShape() != extents)
    writer = nullptr;
  return createScratch(
      rewriter, loc, shape, elementType,
      tilec::chooseExchangeBuffer(extents, dim, bits, writer, reader));
}

int64_t mlir::tile::getScratchBytes(RankedTensorType type) {
  Type element = getTravellingType(type.getElementType());
  return type.getNumElements() * getMemoryBits(element) / 8;
}

bool mlir::tile::fitsSharedMemory(RankedTensorType type,
                                  const tilec::GpuTarget &target) {
  return getScratchBytes(type) <= target.maxSharedBytesPerBlock;
}

/// `type` with its registers in the order in which `buffer` is accessed.
static RankedTensorType getAccessedType(RankedTensorType type, Value buffer) {
  std::optional<SharedLayout> layout = getSharedLayout(buffer);
  if (layout->getDigits().empty() || layout->getRank() != type.getRank())
    return type;
  return withLayout(
      type, tilec::orderRegisters(getFragment(type).getLayout(), *layout));
}

/// `fragment` under other names of registers.
static Value rename(RewriterBase &rewriter, Location loc, Value fragment,
                    RankedTensorType type) {
  if (fragment.getType() == type)
    return fragment;
  return ConvertLayoutOp::create(rewriter, loc, type, fragment);
}

void mlir::tile::storeConverted(RewriterBase &rewriter, Location loc,
                                Value fragment, Value buffer,
                                ValueRange indices) {
  auto type = cast<RankedTensorType>(fragment.getType());
  fragment = rename(rewriter, loc, fragment, getAccessedType(type, buffer));
  auto store = StoreOp::create(rewriter, loc, fragment, buffer, indices);
  IndexFacts facts;
  recordAccessWidths(facts, store);
}

void mlir::tile::storeToScratch(RewriterBase &rewriter, Location loc,
                                Value fragment, Value buffer,
                                ValueRange indices) {
  storeConverted(rewriter, loc, widenToScratch(rewriter, loc, fragment), buffer,
                 indices);
}

Value mlir::tile::loadFromScratch(RewriterBase &rewriter, Location loc,
                                  Value buffer, RankedTensorType type) {
  Type element = type.getElementType();
  auto load = LoadOp::create(rewriter, loc,
                             withElementType(getAccessedType(type, buffer),
                                             getTravellingType(element)),
                             buffer);
  auto whole = cast<MemRefType>(buffer.getType());
  if (whole.getRank() != type.getRank()) {
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    load.getSourceIndicesMutable().assign(
        SmallVector<Value>(whole.getRank(), zero));
    load.setSourceBoxAttr(rewriter.getDenseI64ArrayAttr(whole.getShape()));
    load.setSourceInBounds(SmallVector<bool>(whole.getRank(), true));
    load->moveAfter(zero.getDefiningOp());
  }
  IndexFacts facts;
  recordAccessWidths(facts, load);
  return rename(rewriter, loc, narrowFromScratch(rewriter, loc, load, element),
                type);
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

RankedTensorType
mlir::tile::getFragmentType(const tilec::FragmentLayout &layout, Type element) {
  return RankedTensorType::get(ArrayRef<int64_t>(layout.getShape()), element,
                               FragmentAttr::get(element.getContext(), layout));
}
