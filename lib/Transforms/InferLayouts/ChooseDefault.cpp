//===- ChooseDefault.cpp - Layouts of what nothing else decides -----------===//
//
// A class without an anchor is spread over all threads so that its widest
// access to memory is vectorised and coalesced. If its members are reduced
// along the contiguous dimension and there are rows enough, warps go to the
// rows, so that the reduction stays inside a warp. Where a dimension is
// scanned, warps go to another one, the slowest that they divide.
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::Digit;
using tilec::Digits;
using tilec::FragmentLayout;
using tilec::HardwareDim;

namespace {

/// What the members of a class want from its layout.
struct Wishes {
  int fastestDim;
  int64_t vectorWidth = 1; ///< elements
  int64_t accessBytes = 0; ///< of the access that decided
  /// Per dimension: whether some member is reduced along it.
  SmallVector<bool> reduced;
  /// Per dimension: whether some member is scanned along it.
  SmallVector<bool> scanned;
};

} // namespace

/// Lets an access decide the fastest dimension if it is wider than what decided
/// so far. Global accesses win over shared ones of equal width.
static void consider(LayoutContext &context, const Side &side, Value fragment,
                     Wishes &wishes) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(fragment.getType()).getShape();
  auto dim = getContiguousTileDim(side, shape);
  if (!dim)
    return;
  // Tiles at the edge are checked element by element, all others are not.
  int64_t width =
      getAccessWidth(context.facts, side, shape, *dim, AccessBounds::Ignore);
  int64_t bits = getMemoryBits(side.getType().getElementType());
  int64_t bytes = width * std::max<int64_t>(1, bits / 8);
  int64_t score = 2 * bytes + (side.isShared() ? 0 : 1);
  if (score <= wishes.accessBytes)
    return;
  wishes.accessBytes = score;
  wishes.fastestDim = *dim;
  wishes.vectorWidth = width;
}

/// Memory accesses in a parallel loop are coalesced along the dimension whose
/// induction variable is the last index.
static void considerLoop(ParallelOp loop, Wishes &wishes) {
  if (auto width = loop.getCoalescedWidth())
    wishes.vectorWidth = *width;
  loop.getBody().walk([&](Operation *op) {
    ValueRange indices;
    if (auto load = dyn_cast<memref::LoadOp>(op))
      indices = load.getIndices();
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      indices = store.getIndices();
    if (indices.empty() || wishes.accessBytes > 0)
      return;
    auto variable = dyn_cast<BlockArgument>(indices.back());
    if (variable && variable.getOwner() == &loop.getBody().front()) {
      wishes.fastestDim = variable.getArgNumber();
      wishes.accessBytes = 1;
    }
  });
}

static Wishes collectWishes(LayoutContext &context, const LayoutGraph &graph,
                            ArrayRef<int> members, int rank) {
  Wishes wishes;
  wishes.fastestDim = rank - 1;
  wishes.reduced.assign(rank, false);
  wishes.scanned.assign(rank, false);
  for (int node : members) {
    if (ParallelOp loop = graph.getLoop(node)) {
      considerLoop(loop, wishes);
      continue;
    }
    Value value = graph.getValue(node);
    if (auto load = value.getDefiningOp<LoadOp>())
      consider(context, load.getSourceSide(), value, wishes);
    if (auto scan = value.getDefiningOp<ScanOp>())
      wishes.scanned[scan.getDim()] = true;
    for (Operation *user : value.getUsers()) {
      if (auto store = dyn_cast<StoreOp>(user);
          store && store.getValue() == value)
        consider(context, store.getDestSide(), value, wishes);
      if (auto reduce = dyn_cast<ReduceOp>(user))
        for (int64_t dim : reduce.getDims())
          if (reduce.getSources()[0].getType() == value.getType())
            wishes.reduced[dim] = true;
      if (auto scan = dyn_cast<ScanOp>(user);
          scan && llvm::is_contained(scan.getOperands_(), value))
        wishes.scanned[scan.getDim()] = true;
    }
  }
  return wishes;
}

/// Rows to warps, columns to lanes: `blocked` for one warp's share of the rows,
/// repeated by the warps. Nothing if the rows do not split evenly.
static std::optional<FragmentLayout>
distributeRows(LayoutContext &context, const Coordinate &shape,
               const std::vector<int> &order, int64_t width, int rowDim) {
  int64_t warps = context.warps();
  if (warps == 1 || shape[rowDim] < warps || shape[rowDim] % warps != 0)
    return std::nullopt;
  Coordinate share = shape;
  share[rowDim] /= warps;
  FragmentLayout one =
      FragmentLayout::blocked(share, order, width, context.lanes(), 1);
  if (one.hasPadding())
    return std::nullopt;
  auto layout =
      FragmentLayout::tile(one, shape, {{HardwareDim::Warp, rowDim, warps}});
  if (!layout)
    return std::nullopt;
  return *layout;
}

FragmentLayout tile::chooseDefault(LayoutContext &context,
                                   const LayoutGraph &graph, int classId,
                                   ArrayRef<int> members) {
  const Coordinate &shape = graph.getShape(classId);
  int rank = static_cast<int>(shape.size());
  if (rank == 0)
    return FragmentLayout::blocked(shape, {}, 1, context.lanes(),
                                   context.warps());
  Wishes wishes = collectWishes(context, graph, members, rank);
  // Every thread gets work before any gets wide accesses.
  int64_t elements = std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                     std::multiplies<>());
  int64_t threads = context.lanes() * context.warps();
  int64_t width = std::min<int64_t>(
      wishes.vectorWidth,
      std::max<int64_t>(1, llvm::bit_floor<uint64_t>(elements / threads)));
  while (shape[wishes.fastestDim] % width != 0)
    width /= 2;

  std::vector<int> order = {wishes.fastestDim};
  for (int dim = rank - 1; dim >= 0; --dim)
    if (dim != wishes.fastestDim)
      order.push_back(dim);
  if (wishes.reduced[wishes.fastestDim])
    for (int dim : order)
      if (!wishes.reduced[dim])
        if (auto rows = distributeRows(context, shape, order, width, dim))
          return *rows;
  if (llvm::is_contained(wishes.scanned, true))
    for (int dim : llvm::reverse(order))
      if (!wishes.scanned[dim])
        if (auto rows = distributeRows(context, shape, order, width, dim))
          return *rows;
  return FragmentLayout::blocked(shape, order, width, context.lanes(),
                                 context.warps());
}

FragmentLayout tile::getResidentLayout(LayoutContext &context,
                                       const Coordinate &shape,
                                       ArrayRef<int> resident) {
  // Spread the other dimensions as if the resident ones had extent 1 ...
  Coordinate rest = shape;
  for (int dim : resident)
    rest[dim] = 1;
  std::vector<int> order;
  for (int dim = static_cast<int>(shape.size()) - 1; dim >= 0; --dim)
    order.push_back(dim);
  FragmentLayout spread =
      FragmentLayout::blocked(rest, order, 1, context.lanes(), context.warps());
  // ... then let registers run through them, first of all.
  Digits registers;
  for (int dim : llvm::reverse(resident))
    registers.push_back(Digit{shape[dim], dim, 1});
  llvm::append_range(registers, spread.getDigits(HardwareDim::Register));
  auto drop = [&](Digits digits) {
    for (Digit &digit : digits)
      if (!digit.replicates() && llvm::is_contained(resident, digit.dim))
        digit = Digit{digit.extent, Digit::replicated, 0};
    return digits;
  };
  auto layout = FragmentLayout::get(shape, registers,
                                    drop(spread.getDigits(HardwareDim::Lane)),
                                    drop(spread.getDigits(HardwareDim::Warp)));
  return layout ? *layout
                : FragmentLayout::replicated(shape, context.lanes(),
                                             context.warps());
}
