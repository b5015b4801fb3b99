//===- LoweringOps.cpp - Operations that passes introduce -----------------===//
//
// Verification and folding of exchanges between layouts, the arena and its views, and
// what one thread does for its block.
//
//===----------------------------------------------------------------------===//

#include "../Verify/LayoutChecks.h"
#include "../Verify/LegalOperations.h"

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Exchanges between layouts
//===----------------------------------------------------------------------===//

LogicalResult ConvertLayoutOp::verify() {
  // convert_layout_c1
  RankedTensorType source = getSource().getType(), result = getType();
  if (source.getShape() == result.getShape() &&
      source.getElementType() == result.getElementType())
    return success();
  return emitOpError("must change nothing but the layout, got ")
         << source << " and " << result;
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  // Pattern: convert_layout x -> x [if the types agree]
  if (getSource().getType() == getType())
    return getSource();
  // Pattern: convert_layout constant -> constant
  if (auto constant = dyn_cast_or_null<DenseElementsAttr>(adaptor.getSource()))
    return constant.reshape(getType());
  // Pattern: convert_layout (convert_layout x) -> convert_layout x
  auto inner = getSource().getDefiningOp<ConvertLayoutOp>();
  if (!inner || inner.getSource() == getSource())
    return {};
  if (inner.getSource().getType() == getType())
    return inner.getSource();
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

//===----------------------------------------------------------------------===//
// Arena
//===----------------------------------------------------------------------===//

LogicalResult ArenaOp::verify() {
  // arena_c1
  int64_t size = static_cast<int64_t>(getSize());
  MemRefType type = getType();
  if (size < 1)
    return emitOpError("must have a positive size in bytes, got ") << size;
  if (type.getRank() == 1 && type.getDimSize(0) == size &&
      type.getElementType().isInteger(8) && type.getLayout().isIdentity())
    return success();
  return emitOpError("of ")
         << size << " bytes is a memref<" << size << "xi8>, got " << type;
}

LogicalResult ViewOp::verify() {
  MemRefType type = getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      llvm::is_contained(type.getShape(), 0))
    return emitOpError(
               "must be a buffer of static shape, at least one element and "
               "the identity layout map, got ")
           << type;
  if (failed(verifySharedLayout(*this, getLayout(), type)))
    return failure();
  // view_c1
  MemRefType arena = getArena().getType();
  if (arena.getRank() != 1 || !arena.hasStaticShape() ||
      !arena.getElementType().isInteger(8))
    return emitOpError("must be made of a static 1-D memref of i8, got ")
           << arena;
  tilec::SharedLayout layout =
      *getLayout().getLayout(getMemoryBits(type.getElementType()));
  int64_t offset = static_cast<int64_t>(getOffset());
  if (offset < 0 || layout.getSizeBytes() > arena.getDimSize(0) - offset)
    return emitOpError("of ") << layout.getSizeBytes() << " bytes at offset "
                              << offset << " does not lie inside its arena of "
                              << arena.getDimSize(0) << " bytes";
  if (offset % layout.getAlignmentBytes() != 0)
    return emitOpError("at offset ")
           << offset << " is not aligned to the " << layout.getAlignmentBytes()
           << " bytes that its layout asks for";
  return success();
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// What the encoder asks of a map in im2col mode.
static LogicalResult verifyCorners(EncodeTensorMapOp op) {
  // encode_tensor_map_c3
  const tilec::Im2ColRules rules;
  auto type = cast<MemRefType>(op.getSource().getType());
  if (type.getRank() != rules.imageRank)
    return op.emitOpError("in im2col mode describes an image N x H x W x C, "
                          "got ")
           << type;
  auto verifyEntries = [&](StringRef name, ArrayRef<int64_t> entries,
                           int64_t least, int64_t largest) {
    if (entries.size() != 2)
      return LogicalResult(op.emitOpError("must have two entries in '")
                           << name << "', of height and width, got "
                           << entries.size());
    for (int64_t entry : entries)
      if (entry < least || entry > largest)
        return LogicalResult(op.emitOpError("must have entries of '")
                             << name << "' from " << least << " to " << largest
                             << ", got " << entry);
    return success();
  };
  if (failed(verifyEntries("lower", *op.getLower(), rules.leastCorner,
                           rules.largestCorner)) ||
      failed(verifyEntries("upper", *op.getUpper(), rules.leastCorner,
                           rules.largestCorner)))
    return failure();
  return verifyEntries("strides", *op.getStrides(), 1, rules.largestStride);
}

LogicalResult EncodeTensorMapOp::verify() {
  // encode_tensor_map_c1
  auto type = cast<MemRefType>(getSource().getType());
  int64_t bits = getMemoryBits(type.getElementType());
  constexpr int64_t maxRank = 5;
  if (isSharedMemory(type) || type.getRank() < 1 || type.getRank() > maxRank ||
      bits == 0 || (bits != 4 && bits % 8 != 0) || (bits == 4 && isIm2Col()))
    return emitOpError("describes a memref in global memory of rank 1 to ")
           << maxRank
           << " whose elements are whole bytes, or of 4 bits and no image, got "
           << type;
  if (getLower().has_value() != getUpper().has_value() ||
      getLower().has_value() != getStrides().has_value())
    return emitOpError("has 'lower', 'upper' and 'strides' or none of them");
  if (isIm2Col() && failed(verifyCorners(*this)))
    return failure();
  // encode_tensor_map_c2
  int64_t boxRank = isIm2Col() ? 2 : type.getRank();
  if (static_cast<int64_t>(getBox().size()) != boxRank)
    return emitOpError("must have a box with an extent for each of ")
           << (isIm2Col() ? "pixels and channels"
                          : "the " + std::to_string(boxRank) +
                                " dimensions of its memref")
           << ", got " << getBox().size();
  auto layout = tilec::TensorBox{boxRank}.getLayout(
      tilec::Coordinate(getBox().begin(), getBox().end()), getSwizzle(), bits);
  if (!layout)
    return emitOpError("cannot have this box: ") << layout.reason();
  return success();
}

//===----------------------------------------------------------------------===//
// What one thread does
//===----------------------------------------------------------------------===//

LogicalResult OnceOp::verifyRegions() {
  // once_c1
  if (getBody().getNumArguments() != 0)
    return emitOpError("must have no block arguments, got ")
           << getBody().getNumArguments();
  if (!getBody().front().getTerminator()->getOperands().empty())
    return emitOpError("yields no values; store them and load them after it");
  return verifyLegalOperations(getBody(), Place::Once);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// To order accesses is none.
void BarrierOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &) {}
void CopyCommitOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &) {}
void CopyWaitOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &) {}
void ProductWaitOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &) {}
void ProxyFenceOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &) {}

/// One thread sets the mbarriers of a ring.
void RingOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  if (!getBarriers())
    return;
  accesses.push_back(BlockAccess::write(Value(getBarriers())));
  accesses.back().byOneThread = true;
}

/// A use of a ring looks at its mbarriers and arrives at them, in any order with
/// other uses.
static void addRingUse(Value ring, bool byOneThread,
                       SmallVectorImpl<BlockAccess> &accesses) {
  auto op = ring.getDefiningOp<RingOp>();
  if (!op || !op.getBarriers())
    return;
  BlockAccess access = BlockAccess::read(Value(op.getBarriers()));
  access.writes = true;
  access.combines = arith::AtomicRMWKind::addi;
  access.byOneThread = byOneThread;
  accesses.push_back(access);
}

void RingAcquireOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  addRingUse(getRing(), /*byOneThread=*/true, accesses);
}
void RingCommitOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  addRingUse(getRing(), /*byOneThread=*/true, accesses);
}
void RingWaitOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  addRingUse(getRing(), /*byOneThread=*/false, accesses);
}
void RingReleaseOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  addRingUse(getRing(), /*byOneThread=*/false, accesses);
}
