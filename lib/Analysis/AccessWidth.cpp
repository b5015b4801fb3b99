//===- AccessWidth.cpp - How many elements one access may move ------------===//

#include "tile/Analysis/AccessWidth.h"
#include "BoxBounds.h"
#include "tile/Analysis/Divisors.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/BufferDemand.h"
#include "tile/Hardware/ExchangeBuffer.h"
#include "tile/Hardware/ScalarInstruction.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

std::optional<tilec::SharedLayout>
tile::getSharedLayout(Value memref, const PlannedBuffers *planned) {
  Value root = getSharedRoot(memref);
  if (!root)
    return std::nullopt;
  if (planned)
    if (auto layout = planned->find(root); layout != planned->end())
      return layout->second;
  SharedAttr attr = getBufferLayout(root);
  if (!attr)
    return std::nullopt;
  auto type = cast<MemRefType>(root.getType());
  auto layout = attr.getLayout(getMemoryBits(type.getElementType()));
  if (!layout)
    return std::nullopt;
  return *layout;
}

/// The memref dimension that tile dimension `tileDim` runs along.
static int64_t getMemRefDim(const Side &side, ArrayRef<int64_t> tileShape,
                            int tileDim) {
  return side.getTileDims(tileShape)[tileDim];
}

static int64_t getStartDivisor(IndexFacts &facts, const Side &side,
                               int64_t dim) {
  return side.isWhole() ? IndexFacts::anyDivisor
                        : facts.getDivisor(side.indices[dim]);
}

bool tile::isKnownInBounds(IndexFacts &facts, const Side &side,
                           ArrayRef<int64_t> tileShape, int64_t dim) {
  if (side.isWhole() || side.isInBounds(dim))
    return true;
  if (side.rowsDim == dim)
    return false;
  MemRefType type = side.getType();
  if (type.isDynamicDim(dim))
    return facts.getLaunch() &&
           isInside(facts, getOwnBox(side, tileShape), dim);
  auto low = facts.getLowerBound(side.indices[dim]);
  auto high = facts.getUpperBound(side.indices[dim]);
  return low && high && *low >= 0 &&
         *high <= type.getDimSize(dim) - side.getExtents(tileShape)[dim];
}

/// Whether bounds along `dim` can cut only at multiples of `width`.
static bool boundsRespect(IndexFacts &facts, const Side &side,
                          ArrayRef<int64_t> tileShape, int64_t dim,
                          int64_t width, AccessBounds bounds) {
  if (bounds == AccessBounds::Ignore ||
      isKnownInBounds(facts, side, tileShape, dim))
    return true;
  return facts.getMemRefFacts(side.memref).sizeDivisors[dim] % width == 0 &&
         getStartDivisor(facts, side, dim) % width == 0;
}

/// The dimension of the root buffer that dimension `dim` of a view runs along,
/// if every view in between keeps groups of `width` elements together and
/// aligned.
static std::optional<int64_t> getGroupedRootDim(IndexFacts &facts, Value memref,
                                                int64_t dim, int64_t width) {
  return getRootDim(memref, dim, [&](OpFoldResult offset) {
    auto constant = getConstantIntValue(offset);
    int64_t divisor = constant ? getDivisorOf(*constant)
                               : facts.getDivisor(cast<Value>(offset));
    return divisor % width == 0;
  });
}

bool tile::isSharedGroupContiguous(IndexFacts &facts, Value memref, int64_t dim,
                                   int64_t count) {
  auto layout = getSharedLayout(memref);
  auto rootDim = getGroupedRootDim(facts, memref, dim, count);
  return layout && rootDim && layout->getVectorWidth(*rootDim) % count == 0;
}

static int64_t getSharedAccessWidth(IndexFacts &facts, const Side &side,
                                    ArrayRef<int64_t> tileShape, int64_t dim,
                                    int64_t limit, AccessBounds bounds,
                                    const PlannedBuffers *planned) {
  auto layout = getSharedLayout(side.memref, planned);
  if (!layout)
    return 1;
  int64_t width = limit;
  auto fits = [&](int64_t width) {
    auto rootDim = getGroupedRootDim(facts, side.memref, dim, width);
    return rootDim && layout->getVectorWidth(*rootDim) % width == 0 &&
           getStartDivisor(facts, side, dim) % width == 0 &&
           boundsRespect(facts, side, tileShape, dim, width, bounds);
  };
  while (width > 1 && !fits(width))
    width /= 2;
  return width;
}

static int64_t getGlobalAccessWidth(IndexFacts &facts, const Side &side,
                                    ArrayRef<int64_t> tileShape, int64_t dim,
                                    int64_t bits, int64_t limit,
                                    AccessBounds bounds) {
  MemRefFacts memref = facts.getMemRefFacts(side.memref);
  if (!memref.isInnermostContiguous || dim != side.getRank() - 1)
    return 1;
  SmallVector<int64_t> extents = side.getExtents(tileShape);
  // A memref of narrower elements that is aligned to a byte only may begin in
  // the middle of one.
  int64_t alignmentBits = 8 * memref.alignmentBytes;
  if (bits < 8 && alignmentBits == 8)
    return 1;
  auto fits = [&](int64_t width) {
    if (alignmentBits % (width * bits) != 0 ||
        getStartDivisor(facts, side, dim) % width != 0)
      return false;
    for (int64_t other = 0; other < side.getRank(); ++other) {
      if (other == dim)
        continue;
      int64_t divisor = memref.strideDivisors[other];
      // A dimension the tile does not run along contributes its start only.
      if (extents[other] == 1 && side.rowsDim != other)
        divisor =
            multiplyDivisors(divisor, getStartDivisor(facts, side, other));
      if (divisor % width != 0)
        return false;
    }
    return boundsRespect(facts, side, tileShape, dim, width, bounds);
  };
  int64_t width = limit;
  while (width > 1 && !fits(width))
    width /= 2;
  return width;
}

int64_t tile::getAccessWidth(IndexFacts &facts, const Side &side,
                             ArrayRef<int64_t> tileShape, int tileDim,
                             AccessBounds bounds,
                             const PlannedBuffers *planned) {
  int64_t bits = getMemoryBits(side.getType().getElementType());
  int64_t dim = getMemRefDim(side, tileShape, tileDim);
  if (side.rowsDim == dim)
    return 1;
  int64_t limit = tilec::maxAccessBytes * 8 / bits;
  if (side.isShared())
    return getSharedAccessWidth(facts, side, tileShape, dim, limit, bounds,
                                planned);
  return getGlobalAccessWidth(facts, side, tileShape, dim, bits, limit, bounds);
}

/// Registers that lie together in a buffer that is accessed as a whole, along
/// whichever dimensions its layout counts.
static int64_t getGroupWidth(const Side &side,
                             const tilec::FragmentLayout &layout) {
  auto buffer = getSharedLayout(side.memref);
  if (!buffer || !side.isWhole() || side.rows || layout.hasPadding() ||
      getSharedRoot(side.memref) != side.memref ||
      buffer->getRank() != layout.getRank())
    return 1;
  int64_t bits = getMemoryBits(side.getType().getElementType());
  int64_t width = std::gcd(
      buffer->getVectorWidth(layout.getDigits(tilec::HardwareDim::Register)),
      tilec::maxAccessBytes * 8 / bits);
  return tilec::GroupDemand(tilec::getFirstRegisters(layout, width)).getCount();
}

int64_t tile::getAccessWidth(IndexFacts &facts, const Side &side,
                             const tilec::FragmentLayout &layout,
                             AccessBounds bounds) {
  if (int64_t group = getGroupWidth(side, layout); group > 1)
    return group;
  const tilec::Digits &registers =
      layout.getDigits(tilec::HardwareDim::Register);
  if (registers.empty() || registers.front().replicates() ||
      registers.front().step != 1)
    return 1;
  int tileDim = registers.front().dim;
  const tilec::Coordinate &shape = layout.getShape();
  int64_t consecutive = layout.getVectorWidth(tileDim);
  int64_t width = getAccessWidth(facts, side, shape, tileDim, bounds);
  // Padding must not cut through an access.
  while (consecutive % width != 0 ||
         (layout.hasPadding() && shape[tileDim] % width != 0))
    width /= 2;
  return width;
}

template <typename Op>
static void recordWidths(IndexFacts &facts, Op op, const Side &side,
                         Value fragment) {
  tilec::FragmentLayout layout = getLayout(fragment);
  int64_t width = getAccessWidth(facts, side, layout, AccessBounds::Respect);
  int64_t inner = getAccessWidth(facts, side, layout, AccessBounds::Ignore);
  // Without attributes elements are moved one by one.
  if (width > 1)
    op.setVectorWidth(width);
  if (inner > width)
    op.setInnerWidth(inner);
}

void tile::recordAccessWidths(IndexFacts &facts, LoadOp op) {
  recordWidths(facts, op, op.getSourceSide(), op.getResult());
}

void tile::recordAccessWidths(IndexFacts &facts, StoreOp op) {
  recordWidths(facts, op, op.getDestSide(), op.getValue());
}

int64_t tile::getLargestWidth(AtomicRMWOp op, const tilec::GpuTarget &target) {
  constexpr int64_t pairBits = 8 * tilec::atomicPairBytes;
  int64_t widest = op.getLargestWidth();
  if (tilec::vectorAtomicAdd.isAvailable(target, /*ptxVersion=*/0))
    return widest;
  Type type = op.getDestSide().getType().getElementType();
  return std::min(widest, pairBits / getMemoryBits(type));
}

void tile::recordAccessWidths(IndexFacts &facts, AtomicRMWOp op,
                              const tilec::GpuTarget &target) {
  int64_t largest = getLargestWidth(op, target);
  if (largest == 1)
    return;
  int64_t together =
      getAccessWidth(facts, op.getDestSide(), getLayout(op.getValue()));
  int64_t width = std::min(together, largest);
  if (width > 1)
    op.setVectorWidth(width);
}

int64_t tile::getImageAccessWidth(IndexFacts &facts, Im2ColOp op) {
  MemRefType type = op.getSource().getType();
  int64_t bits = getMemoryBits(type.getElementType());
  if (isSharedMemory(type))
    return 1;
  MemRefFacts image = facts.getMemRefFacts(op.getSource());
  if (!image.isInnermostContiguous)
    return 1;
  // Neither a position's channels nor the box end in the middle of a group.
  int64_t divisor =
      std::gcd(image.sizeDivisors[3], facts.getDivisor(op.getCol()));
  divisor = std::gcd(divisor, op.getDest().getType().getDimSize(1));
  for (int dim = 0; dim < 3; ++dim)
    divisor = std::gcd(divisor, image.strideDivisors[dim]);
  int64_t width = tilec::maxAccessBytes * 8 / bits;
  while (width > 1 && (divisor % width != 0 ||
                       8 * image.alignmentBytes % (width * bits) != 0))
    width /= 2;
  return width;
}

std::optional<int> tile::getContiguousTileDim(const Side &side,
                                              ArrayRef<int64_t> tileShape,
                                              const PlannedBuffers *planned) {
  SmallVector<int64_t> dims = side.getTileDims(tileShape);
  int64_t contiguous = side.getRank() - 1;
  if (side.isShared()) {
    if (auto layout = getSharedLayout(side.memref, planned))
      if (layout->getRank() == side.getRank() && !layout->getDigits().empty())
        contiguous = layout->getDigits().front().dim;
  } else {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(side.getType().getStridesAndOffset(strides, offset)))
      return std::nullopt;
    for (auto [dim, stride] : llvm::enumerate(strides))
      if (stride == 1 && side.getExtents(tileShape)[dim] != 1)
        contiguous = dim;
  }
  auto it = llvm::find(dims, contiguous);
  if (it == dims.end())
    return std::nullopt;
  return static_cast<int>(it - dims.begin());
}
