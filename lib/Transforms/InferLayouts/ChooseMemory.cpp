//===- ChooseMemory.cpp - Shared layouts and how copies run ---------------===//
//
// A buffer without a layout of its own gets the row-major one that keeps both
// ldmatrix and 16-byte accesses free of bank conflicts. A copy then moves as
// many elements at once as both of its sides allow, with consecutive threads
// along the contiguous dimension of global memory, asynchronously where nothing
// has to happen to the elements on the way.
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Dialect/Tile/TileTypes.h"

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

LogicalResult tile::chooseBuffers(LayoutContext &context, LayoutPlan &plan) {
  WalkResult walk = context.launch.walk([&](AllocOp alloc) {
    MemRefType type = alloc.getType();
    int64_t bits = getMemoryBits(type.getElementType());
    if (SharedAttr fixed = alloc.getLayoutAttr()) {
      auto layout = fixed.getLayout(bits);
      if (!layout) {
        alloc.emitOpError("has a layout that does not fit: ")
            << layout.reason();
        return WalkResult::interrupt();
      }
      plan.buffers[alloc] = *layout;
      return WalkResult::advance();
    }
    tilec::Coordinate shape(type.getShape().begin(), type.getShape().end());
    plan.buffers[alloc] = SharedLayout::conflictFree(
        shape, getRowMajorOrder(type.getRank()), bits);
    // Accesses below ask the op for its layout.
    alloc.setLayoutAttr(
        SharedAttr::get(alloc.getContext(), plan.buffers[alloc]));
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// The fastest tile dimension of a copy: the contiguous one of its global side,
/// which is where coalescing matters.
static int getFastestDim(CopyOp copy, ArrayRef<int64_t> shape) {
  Side source = copy.getSourceSide(), dest = copy.getDestSide();
  const Side &first = source.isShared() && !dest.isShared() ? dest : source;
  const Side &second = source.isShared() && !dest.isShared() ? source : dest;
  if (auto dim = getContiguousTileDim(first, shape))
    return *dim;
  if (auto dim = getContiguousTileDim(second, shape))
    return *dim;
  return static_cast<int>(shape.size()) - 1;
}

static bool isAsyncLegal(CopyOp copy, int64_t bytes) {
  Side source = copy.getSourceSide(), dest = copy.getDestSide();
  if (source.isShared() || !dest.isShared())
    return false;
  if (source.getType().getElementType() != dest.getType().getElementType())
    return false;
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return false;
  // cp.async fills what it does not read with zero bits.
  if (!copy.getPad() || matchPattern(copy.getPad(), m_Zero()))
    return true;
  APFloat value(0.0f);
  return matchPattern(copy.getPad(), m_ConstantFloat(&value)) &&
         value.isPosZero();
}

/// All threads on a tile of elements of `bytes`, up to `width` of them along
/// `fastest` in one access. Wider accesses must not leave threads without work.
static CopyPlan spreadTile(LayoutContext &context, ArrayRef<int64_t> shape,
                           int fastest, int64_t width, int64_t bytes) {
  while (shape[fastest] % width != 0)
    width /= 2;
  int64_t elements = std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                     std::multiplies<>());
  while (width * bytes > 4 && width > 1 &&
         elements / width < context.lanes() * context.warps() / 2)
    width /= 2;

  std::vector<int> order = {fastest};
  for (int dim : getRowMajorOrder(shape.size()))
    if (dim != fastest)
      order.push_back(dim);
  return {FragmentLayout::blocked(tilec::Coordinate(shape.begin(), shape.end()),
                                  order, width, context.lanes(),
                                  context.warps()),
          width, "ld.st"};
}

CopyPlan tile::chooseCopy(LayoutContext &context, CopyOp copy) {
  SmallVector<int64_t> shape = copy.getTileShape();
  Side source = copy.getSourceSide(), dest = copy.getDestSide();
  if (shape.empty())
    return {
        FragmentLayout::blocked({}, {}, 1, context.lanes(), context.warps()), 1,
        "ld.st"};
  int fastest = getFastestDim(copy, shape);
  int64_t width =
      std::min(getAccessWidth(context.facts, source, shape, fastest),
               getAccessWidth(context.facts, dest, shape, fastest));
  int64_t bytes = getMemoryBits(source.getType().getElementType()) / 8;
  CopyPlan plan = spreadTile(context, shape, fastest, width, bytes);
  if (isAsyncLegal(copy, plan.vectorWidth * bytes))
    plan.instruction = "cp.async";
  return plan;
}

CopyPlan tile::chooseIm2Col(LayoutContext &context, Im2ColOp op) {
  ArrayRef<int64_t> shape = op.getDest().getType().getShape();
  int64_t width =
      std::min(getImageAccessWidth(context.facts, op),
               getAccessWidth(context.facts, getDestSide(op), shape, 1));
  int64_t bytes = getMemoryBits(op.getDest().getType().getElementType()) / 8;
  CopyPlan plan = spreadTile(context, shape, /*fastest=*/1, width, bytes);
  // Outside of the image cp.async writes zero bits, which is what is wanted.
  if (!isSharedMemory(op.getSource().getType()) &&
      llvm::is_contained({4, 8, 16}, plan.vectorWidth * bytes))
    plan.instruction = "cp.async";
  return plan;
}
