//===- ChooseMemory.cpp - Shared layouts and how copies run ---------------===//
//
// A buffer without a layout of its own gets the row-major one that keeps both
// ldmatrix and 16-byte accesses free of bank conflicts. A copy then moves as
// many elements at once as both of its sides allow, with consecutive threads
// along the contiguous dimension of global memory, asynchronously where nothing
// has to happen to the elements on the way; or one thread names boxes of it
// (ChooseBulkCopy.cpp).
//
//===----------------------------------------------------------------------===//

#include "LaunchLayouts.h"

#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/CopyAddresses.h"
#include "tile/Hardware/Throughput.h"

#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;
using tilec::SharedLayout;

static std::vector<int> getRowMajorOrder(int64_t rank) {
  std::vector<int> order(rank);
  for (int64_t i = 0; i < rank; ++i)
    order[i] = rank - 1 - i;
  return order;
}

FailureOr<tilec::BufferNode> mlir::tile::getBufferNode(AllocOp buffer) {
  MemRefType type = buffer.getType();
  int64_t bits = getMemoryBits(type.getElementType());
  SharedAttr fixed = buffer.getLayoutAttr();
  if (!fixed) {
    tilec::Coordinate shape(type.getShape().begin(), type.getShape().end());
    return tilec::BufferNode{{SharedLayout::conflictFree(
        shape, getRowMajorOrder(type.getRank()), bits)}};
  }
  auto layout = fixed.getLayout(bits);
  if (!layout)
    return buffer.emitOpError("has a layout that does not fit: ")
           << layout.reason();
  return tilec::BufferNode{{*layout}};
}

/// The fastest tile dimension of a copy: the contiguous one of its global side,
/// which is where coalescing matters.
static int getFastestDim(CopyOp copy, ArrayRef<int64_t> shape,
                         const PlannedBuffers &planned) {
  Side source = copy.getSourceSide(), dest = copy.getDestSide();
  const Side &first = source.isShared() && !dest.isShared() ? dest : source;
  const Side &second = source.isShared() && !dest.isShared() ? source : dest;
  if (auto dim = getContiguousTileDim(first, shape, &planned))
    return *dim;
  if (auto dim = getContiguousTileDim(second, shape, &planned))
    return *dim;
  return static_cast<int>(shape.size()) - 1;
}

/// The instruction for accesses of `bits`: an asynchronous one where it does
/// all that the copy asks for, else a load and a store.
static const tilec::CopyInstruction *
chooseInstruction(const tilec::GpuTarget &target, MemRefType source,
                  MemRefType dest, int64_t bits, Value pad) {
  const tilec::CopyInstruction *plain = nullptr;
  for (const tilec::CopyInstruction *row : tilec::findCopyInstructions(
           target, getMemorySpace(source), getMemorySpace(dest))) {
    // Who arrives at an mbarrier is a producer's, which is not known yet.
    if (row->issuer != tilec::Issuer::Thread ||
        row->completion == tilec::Completion::Mbarrier)
      continue;
    if (row->completion == tilec::Completion::Immediate) {
      plain = row;
      continue;
    }
    if (!findObstacle(*row, source, dest, bits) &&
        (row->padding == tilec::Padding::Any || isZeroPad(pad)))
      return row;
  }
  return plain;
}

/// The lanes that read a sector of a row of `vectors` accesses of `bits` together, or the
/// whole row if that is shorter. Of the widest accesses one has half a sector, which no
/// neighbours are worth.
static int64_t getLanesOfSector(int64_t vectors, int64_t bits) {
  if (bits >= 8 * tilec::maxAccessBytes)
    return 1;
  return std::min<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(vectors, 1)),
                           tilec::sectorBytes * 8 / bits);
}

/// All threads on a tile of elements of `bits`, up to `width` of them along
/// `fastest` in one access. Wider accesses must not leave threads without work, nor
/// accesses whose rows no number of threads divides read sectors in parts.
static CopyPlan spreadTile(LayoutContext &context, ArrayRef<int64_t> shape,
                           int fastest, int64_t width, int64_t bits) {
  while (shape[fastest] % width != 0)
    width /= 2;
  int64_t elements = std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                     std::multiplies<>());
  while (width * bits > 32 && width > 1 &&
         elements / width < context.lanes() * context.warps() / 2)
    width /= 2;

  std::vector<int> order = {fastest};
  for (int dim : getRowMajorOrder(shape.size()))
    if (dim != fastest)
      order.push_back(dim);
  return {FragmentLayout::blocked(
              tilec::Coordinate(shape.begin(), shape.end()), order, width,
              context.lanes(), context.warps(),
              std::min(context.lanes(),
                       getLanesOfSector(shape[fastest] / width, width * bits))),
          width, /*instruction=*/nullptr};
}

/// The elements that a thread had better hold together though it cannot read
/// them so: of a word as many as it can store at once. A warp still reads what lies
/// together.
static int64_t getGroup(const Side &dest, int64_t width) {
  constexpr int64_t wordBits = 32;
  int64_t bits = getMemoryBits(dest.getType().getElementType());
  return bits < wordBits ? std::min(width, wordBits / bits) : 1;
}

/// What the addresses of a copy to shared memory are computed from; nothing where the
/// buffer's layout or global strides are not known.
static std::optional<tilec::CopiedTile>
getCopiedTile(LayoutContext &context, CopyOp copy, int fastest, int64_t width,
              const PlannedBuffers &planned) {
  // Elements between neighbours of which only that is known that they are far apart.
  constexpr int64_t farElements = int64_t(1) << 20;
  SmallVector<int64_t> shape = copy.getTileShape(), strides;
  int64_t offset;
  Side source = copy.getSourceSide(), dest = copy.getDestSide();
  auto buffer = getSharedLayout(dest.memref, &planned);
  if (!buffer || failed(source.getType().getStridesAndOffset(strides, offset)))
    return std::nullopt;
  tilec::CopiedTile tile;
  tile.fastest = fastest;
  tile.width = width;
  for (int64_t dim : source.getTileDims(shape)) {
    bool isFar = ShapedType::isDynamic(strides[dim]) || source.rowsDim == dim;
    tile.strides.push_back(isFar ? farElements : strides[dim]);
    tile.isMasked.push_back(
        !isKnownInBounds(context.facts, source, shape, dim));
  }
  tile.bufferDims.assign(buffer->getRank(), -1);
  for (auto [tileDim, dim] : llvm::enumerate(dest.getTileDims(shape))) {
    auto rootDim = getRootDim(dest.memref, dim);
    if (!rootDim)
      return std::nullopt;
    tile.bufferDims[*rootDim] = static_cast<int>(tileDim);
  }
  tile.buffer = std::move(*buffer);
  return tile;
}

/// Lets the copies of a thread that pass its registers take few addresses.
static void arrange(LayoutContext &context, CopyOp copy, int fastest,
                    const PlannedBuffers &planned, CopyPlan &plan) {
  if (plan.instruction->completion != tilec::Completion::Group)
    return;
  if (auto tile =
          getCopiedTile(context, copy, fastest, plan.vectorWidth, planned))
    plan.layout = tilec::arrangeCopies(plan.layout, *tile);
}

CopyPlan mlir::tile::chooseCopy(LayoutContext &context, CopyOp copy,
                                const PlannedBuffers &planned) {
  SmallVector<int64_t> shape = copy.getTileShape();
  Side source = copy.getSourceSide(), dest = copy.getDestSide();
  int64_t bits = getMemoryBits(source.getType().getElementType());
  CopyPlan plan{
      FragmentLayout::blocked({}, {}, 1, context.lanes(), context.warps()), 1,
      nullptr};
  auto bulk = chooseBulkCopy(context, copy, planned);
  if (bulk && *bulk) {
    plan.instruction = *bulk;
    return plan;
  }
  // Nothing else means the same; stage laid_out says what is in the way.
  if (getCombination(copy)) {
    plan.instruction = copy.getInstructionAttr().getCopy();
    return plan;
  }
  int fastest = 0;
  if (!shape.empty()) {
    fastest = getFastestDim(copy, shape, planned);
    auto getWidth = [&](const Side &side) {
      return getAccessWidth(context.facts, side, shape, fastest,
                            AccessBounds::Respect, &planned);
    };
    int64_t destWidth = getWidth(dest);
    int64_t width = std::min(getWidth(source), destWidth);
    plan = spreadTile(context, shape, fastest,
                      std::max(width, getGroup(dest, destWidth)), bits);
    plan.vectorWidth = std::min(plan.vectorWidth, width);
  }
  // A single element is not worth a wait.
  int64_t accessBits = shape.empty() ? 0 : plan.vectorWidth * bits;
  plan.instruction =
      chooseInstruction(context.target, source.getType(), dest.getType(),
                        accessBits, copy.getPad());
  arrange(context, copy, fastest, planned, plan);
  plan.bulkObstacle = bulk.reason();
  return plan;
}

CopyPlan mlir::tile::chooseCopy(LayoutContext &context, Im2ColOp op,
                                const PlannedBuffers &planned) {
  ArrayRef<int64_t> shape = op.getDest().getType().getShape();
  auto bulk = chooseBulkCopy(context, op, planned);
  if (bulk && *bulk)
    return {
        FragmentLayout::blocked({}, {}, 1, context.lanes(), context.warps()), 1,
        *bulk};
  int64_t width =
      std::min(getImageAccessWidth(context.facts, op),
               getAccessWidth(context.facts, op.getDestSide(), shape, 1,
                              AccessBounds::Respect, &planned));
  int64_t bits = getMemoryBits(op.getDest().getType().getElementType());
  CopyPlan plan = spreadTile(context, shape, /*fastest=*/1, width, bits);
  plan.instruction = chooseInstruction(
      context.target, op.getSource().getType(), op.getDest().getType(),
      plan.vectorWidth * bits, /*pad=*/Value());
  plan.bulkObstacle = bulk.reason();
  return plan;
}
