//===- TensorCopyFacts.cpp - Copies as the copy engine makes them ---------===//
//
// Which boxes of a tensor `tile.copy` and `tile.im2col` are, and which of the rows
// of bulk tensor copies carries them out.
//
// In im2col mode the tensor is an image N x H x W x C. The engine is told where the
// kernel begins, an output position, and which of the kernel's elements is meant; the
// box has the pixels of the positions that follow, and channels of each:
//
//     -padding                                    the first position
//     size + padding - dilation * (kernel - 1)    where positions end
//
// The positions are those of the matrix's rows, in their order, on to the next image.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

/// What no bulk tensor copy between these memories does to these elements.
static std::optional<std::string>
findElementObstacle(const tilec::CopyInstruction &row, MemRefType source,
                    MemRefType dest) {
  if (auto obstacle =
          findObstacle(row, source, dest, row.accessBytes.front() * 8))
    return obstacle;
  int64_t bits = getMemoryBits(source.getElementType());
  if (llvm::is_contained({8, 16, 32, 64}, bits) || (bits == 4 && !row.im2col))
    return std::nullopt;
  std::string reason;
  llvm::raw_string_ostream(reason)
      << "moves elements of 1, 2, 4 or 8 bytes, and those of type "
      << source.getElementType() << " have " << bits << " bits";
  return reason;
}

//===----------------------------------------------------------------------===//
// tile.copy
//===----------------------------------------------------------------------===//

Side CopyOp::getSharedSide() {
  Side dest = getDestSide();
  return dest.isShared() ? dest : getSourceSide();
}

std::vector<tilec::TensorAxis> CopyOp::getTensorAxes() {
  Side shared = getSharedSide();
  Side global = getDestSide().isShared() ? getSourceSide() : getDestSide();
  SmallVector<int64_t> tile = getTileShape();
  std::vector<tilec::TensorAxis> axes;
  for (int64_t extent : global.getExtents(tile))
    axes.push_back({extent, std::nullopt});
  for (auto [globalDim, sharedDim] :
       llvm::zip_equal(global.getTileDims(tile), shared.getTileDims(tile)))
    axes[globalDim].bufferDim = static_cast<int>(sharedDim);
  return axes;
}

/// What no copy of bytes does, which knows no bounds.
static std::optional<std::string> findBoundsObstacle(CopyOp op) {
  if (op.getMulticastAttr())
    return "moves bytes for one block, and the copy has 'multicast'";
  Side side =
      op.getDestSide().isShared() ? op.getSourceSide() : op.getDestSide();
  for (int64_t dim = 0; dim < side.getRank() && !side.isWhole(); ++dim)
    if (!side.isInBounds(dim))
      return "knows no bounds, and the copy is not known to lie inside of its "
             "memref along dimension " +
             std::to_string(dim) + "; state 'in_bounds'";
  return std::nullopt;
}

std::optional<std::string>
CopyOp::findRowObstacle(const tilec::CopyInstruction &row) {
  MemRefType source = getSource().getType(), dest = getDest().getType();
  if (auto obstacle = findElementObstacle(row, source, dest))
    return obstacle;
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  MemRefType tensor = isSharedMemory(source) ? dest : source;
  if (row.im2col)
    stream << "moves pixels of an image, and this is a 'tile.copy'";
  else if (row.box && row.box->rank != tensor.getRank())
    stream << "is of rank " << row.box->rank << ", and the tensor is "
           << tensor;
  else if (tilec::getReduction(row) &&
           !getCombination(row, source.getElementType()))
    stream << "does not combine elements of type " << source.getElementType();
  else if (getSourceRows() || getDestRows())
    stream << "moves boxes, and the copy has rows of its own choice";
  else if (!isZeroPad(getPad()))
    stream << "pads with zeros, and the copy with something else";
  else
    return row.box ? std::nullopt : findBoundsObstacle(*this);
  return reason;
}

//===----------------------------------------------------------------------===//
// tile.im2col
//===----------------------------------------------------------------------===//

SmallVector<int64_t> Im2ColOp::getTileShape() {
  return llvm::to_vector(getDest().getType().getShape());
}

Side Im2ColOp::getSharedSide() { return getDestSide(); }

/// Pixels and channels.
std::vector<tilec::TensorAxis> Im2ColOp::getTensorAxes() {
  std::vector<tilec::TensorAxis> axes;
  for (auto [dim, extent] : llvm::enumerate(getTileShape()))
    axes.push_back({extent, static_cast<int>(dim)});
  return axes;
}

static int64_t getEntry(ArrayAttr list, size_t index) {
  return cast<IntegerAttr>(list[index]).getInt();
}

/// How far the kernel's last element is from its first.
static int64_t getReach(Im2ColOp op, size_t dim) {
  return getEntry(op.getDilations(), dim) * (getEntry(op.getKernel(), dim) - 1);
}

SmallVector<int64_t> Im2ColOp::getLowerCorner() {
  return {-getEntry(getPadding(), 0), -getEntry(getPadding(), 1)};
}

SmallVector<int64_t> Im2ColOp::getUpperCorner() {
  return {getEntry(getPadding(), 0) - getReach(*this, 0),
          getEntry(getPadding(), 1) - getReach(*this, 1)};
}

std::optional<std::string>
Im2ColOp::findRowObstacle(const tilec::CopyInstruction &row) {
  if (auto obstacle =
          findElementObstacle(row, getSource().getType(), getDest().getType()))
    return obstacle;
  if (!row.im2col)
    return "moves boxes of a tensor, and this is a 'tile.im2col'";
  const tilec::Im2ColRules &rules = *row.im2col;
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  for (size_t dim = 0; dim < 2; ++dim) {
    int64_t reach = getReach(*this, dim);
    int64_t stride = getEntry(getStrides(), dim);
    for (int64_t corner : {getLowerCorner()[dim], getUpperCorner()[dim]})
      if (corner < rules.leastCorner || corner > rules.largestCorner)
        stream << "has corners from " << rules.leastCorner << " to "
               << rules.largestCorner << ", and padding of "
               << getEntry(getPadding(), dim) << " with a kernel that reaches "
               << reach << " elements far makes one of " << corner;
    if (reason.empty() && reach > rules.largestOffset)
      stream << "reaches at most " << rules.largestOffset
             << " elements from the kernel's first, and its last is " << reach
             << " away";
    if (reason.empty() && stride > rules.largestStride)
      stream << "has strides of at most " << rules.largestStride << ", got "
             << stride;
    if (!reason.empty())
      return reason;
  }
  return std::nullopt;
}
