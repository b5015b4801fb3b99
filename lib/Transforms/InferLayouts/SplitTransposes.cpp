//===- SplitTransposes.cpp - Transpositions between rows and rows ---------===//
//
// A transposition renames dimensions, so that what is loaded by rows would be stored
// by columns. Where that costs more than a way through shared memory either side has a
// layout of its own and an exchange stands between:
//
//     %x = tile.load %a                 ->   %x = tile.load %a          rows of %a
//     %t = tile.transpose %x [1, 0]          %y = tile.convert_layout %x
//     tile.store %t, %b                      %t = tile.transpose %y     rows of %b
//
// In both a thread has blocks: a vector along the one dimension for each element of one
// along the other, as far as it has elements. It then writes to the buffer in vectors
// along the dimension in which it is read.
//
// Before layouts are chosen, which follow from the two that are fixed here. Only
// elementwise operations may stand between the accesses and the transposition; whatever
// else there is has wishes of its own.
//
//===----------------------------------------------------------------------===//

#include "StageTiles.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/LayoutConstraints.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/ExchangeCost.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::Digit;
using tilec::Digits;
using tilec::FragmentLayout;
using tilec::HardwareDim;

/// By dimension of its result, the dimension of the operand of what permutes them;
/// empty of other operations.
static std::vector<int> getPermutation(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return {};
  LayoutConstraints constraints = getLayoutConstraints(op);
  if (constraints.given.size() != 1 ||
      constraints.given[0].map.getKind() != tilec::LayoutMap::Kind::Permute)
    return {};
  // Dimensions are told apart by their extents.
  Coordinate extents(
      cast<RankedTensorType>(op->getOperand(0).getType()).getRank());
  std::iota(extents.begin(), extents.end(), 1);
  auto permuted = constraints.given[0].map.apply(
      FragmentLayout::replicated(extents, /*lanes=*/1, /*warps=*/1));
  std::vector<int> permutation;
  for (int64_t extent : permuted->getShape())
    permutation.push_back(static_cast<int>(extent) - 1);
  return permutation;
}

//===----------------------------------------------------------------------===//
// What goes together with either side
//===----------------------------------------------------------------------===//

namespace {
/// Fragments of one layout, and how they are accessed in global memory.
struct TileGroup {
  llvm::SetVector<Value> values;
  int dim = -1;      ///< along which accesses are contiguous; -1 for none
  int64_t width = 1; ///< the most elements that one moves
  int64_t bits = 0;  ///< of an element in memory
};
} // namespace

/// Takes in how `op` moves `value`; false where that is not global memory, contiguous
/// along the dimension of the others.
static bool addAccess(LayoutContext &context, Operation *op, Value value,
                      TileGroup &group) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  bool isAccessed = false;
  for (const BlockAccess &access : getBlockAccesses(op)) {
    if (!access.side || access.fragment != value)
      continue;
    isAccessed = true;
    const Side &side = *access.side;
    auto dim = getContiguousTileDim(side, shape);
    if (side.isShared() || !dim || (group.dim >= 0 && group.dim != *dim))
      return false;
    group.dim = *dim;
    group.width =
        std::max(group.width, getAccessWidth(context.facts, side, shape, *dim,
                                             AccessBounds::Ignore));
    group.bits = std::max<int64_t>(
        group.bits, getMemoryBits(side.getType().getElementType()));
  }
  return isAccessed;
}

/// Whether `op` makes a fragment of scalars alone, in any layout.
static bool takesNoFragment(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::none_of(op->getOperandTypes(),
                       [](Type type) { return isa<RankedTensorType>(type); });
}

/// Everything that has the layout of `start` over elementwise operations, but for
/// `transpose`; nothing where something else is among it.
static std::optional<TileGroup> findGroup(LayoutContext &context, Value start,
                                          Operation *transpose) {
  TileGroup group;
  group.values.insert(start);
  auto addAll = [&](ValueRange values) {
    for (Value value : values)
      if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
        if (type.getShape() !=
                cast<RankedTensorType>(start.getType()).getShape() ||
            type.getEncoding() || isa<BlockArgument>(value))
          return false;
        // A constant is made anew for each use.
        if (!value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
          group.values.insert(value);
      }
    return true;
  };
  for (size_t i = 0; i < group.values.size(); ++i) {
    Value value = group.values[i];
    SmallVector<Operation *> ops(value.getUsers());
    if (!value.getDefiningOp())
      return std::nullopt;
    ops.push_back(value.getDefiningOp());
    for (Operation *op : ops) {
      if (op == transpose || takesNoFragment(op))
        continue;
      bool isElementwise = op->hasTrait<OpTrait::Elementwise>();
      if (isElementwise
              ? !addAll(op->getOperands()) || !addAll(op->getResults())
              : !addAccess(context, op, value, group))
        return std::nullopt;
    }
  }
  if (group.dim < 0 || group.bits < 8)
    return std::nullopt;
  return group;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Blocks of `width` along `dim` times `across` along `other`, spread over the threads
/// along `dim` first. Nothing where they do not divide the shape.
static std::optional<FragmentLayout> getBlocks(LayoutContext &context,
                                               const Coordinate &shape, int dim,
                                               int64_t width, int other,
                                               int64_t across) {
  Coordinate coarse = shape, sizes(shape.size(), 1);
  sizes[dim] = width;
  sizes[other] = across;
  std::vector<int> order = {dim, other};
  for (int rest = static_cast<int>(shape.size()) - 1; rest >= 0; --rest) {
    if (shape[rest] % sizes[rest] != 0)
      return std::nullopt;
    coarse[rest] /= sizes[rest];
    if (rest != dim && rest != other)
      order.push_back(rest);
  }
  FragmentLayout spread = FragmentLayout::blocked(
      coarse, order, 1, context.lanes(), context.warps());
  Digits lists[3];
  lists[0] = {{width, dim, 1}, {across, other, 1}};
  for (int where = 0; where < 3; ++where)
    for (Digit digit : spread.getDigits(static_cast<HardwareDim>(where))) {
      if (!digit.replicates())
        digit.step *= sizes[digit.dim];
      lists[where].push_back(digit);
    }
  auto layout = FragmentLayout::get(shape, lists[0], lists[1], lists[2]);
  return layout ? std::optional<FragmentLayout>(*layout) : std::nullopt;
}

/// Sectors that all accesses of `width` elements along `dim` touch, where
/// rows lie far apart.
static int64_t countSectors(const FragmentLayout &layout, int dim,
                            int64_t width, int64_t bits) {
  constexpr int64_t sectorBits = 8 * tilec::sectorBytes;
  width = std::gcd(width, layout.getVectorWidth(dim));
  int64_t count = 0;
  for (int64_t warp = 0; warp < layout.getExtent(HardwareDim::Warp); ++warp)
    for (int64_t reg = 0; reg < layout.getRegisterCount(); reg += width) {
      std::set<Coordinate> sectors;
      for (int64_t lane = 0; lane < layout.getExtent(HardwareDim::Lane);
           ++lane) {
        Coordinate at = layout.evaluate(reg, lane, warp);
        if (!layout.isInShape(at))
          continue;
        at[dim] = at[dim] * bits / sectorBits;
        sectors.insert(at);
      }
      count += static_cast<int64_t>(sectors.size());
    }
  return count;
}

//===----------------------------------------------------------------------===//
// One transposition
//===----------------------------------------------------------------------===//

namespace {
/// Both sides of a transposition, dimensions as its operand has them.
struct SplitPlan {
  TileGroup source, result;
  FragmentLayout before, behind;
};
} // namespace

/// The layouts of both sides; nothing where they have one already that suits them, or
/// an exchange costs more cycles than the sectors that it saves: bytes through shared
/// memory against bytes of global memory (Throughput.h). Other blocks hide what either
/// waits for.
static std::optional<SplitPlan> planSplit(LayoutContext &context,
                                          Operation *transpose) {
  auto source = findGroup(context, transpose->getOperand(0), transpose);
  auto result = findGroup(context, transpose->getResult(0), transpose);
  if (!source || !result || source->values.contains(transpose->getResult(0)))
    return std::nullopt;
  int dim = source->dim;
  int other = getPermutation(transpose)[result->dim];
  if (dim == other)
    return std::nullopt;
  auto type = cast<RankedTensorType>(transpose->getOperand(0).getType());
  Coordinate shape(type.getShape().begin(), type.getShape().end());
  int64_t share = std::max<int64_t>(1, type.getNumElements() /
                                           (context.lanes() * context.warps()));
  int64_t width = std::gcd(std::gcd(source->width, shape[dim]), share);
  int64_t across = std::gcd(std::gcd(result->width, shape[other]), share);
  auto before = getBlocks(context, shape, dim, width, other,
                          std::gcd(across, share / width));
  auto behind = getBlocks(context, shape, other, across, dim,
                          std::gcd(width, share / across));
  if (!before || !behind)
    return std::nullopt;
  int64_t bits = getMemoryBits(type.getElementType());
  const tilec::Throughput &row = tilec::getThroughput(context.target);
  int64_t wasted = countSectors(*before, other, across, result->bits) -
                   countSectors(*behind, other, across, result->bits);
  int64_t exchanged =
      2 * getBufferBytes(MemRefType::get(shape, type.getElementType()));
  if (bits < 8 || wasted * tilec::sectorBytes * row.sharedBytes <
                      exchanged * row.globalBytes)
    return std::nullopt;
  return SplitPlan{*source, *result, *before, *behind};
}

// Pattern: transpose %x  ->  transpose (convert_layout %x)
static void splitTranspose(LayoutContext &context, Operation *transpose) {
  auto plan = planSplit(context, transpose);
  if (!plan)
    return;
  auto type = cast<RankedTensorType>(transpose->getOperand(0).getType());
  auto memory = MemRefType::get(type.getShape(), type.getElementType());
  if (findRoomObstacle(context, getBufferBytes(memory),
                       [](AllocOp) { return 1; }))
    return;
  for (Value value : plan->source.values) {
    auto fragment = cast<RankedTensorType>(value.getType());
    value.setType(withLayout(fragment, plan->before));
  }
  OpBuilder builder(transpose);
  auto convert = ConvertLayoutOp::create(builder, transpose->getLoc(),
                                         withLayout(type, plan->behind),
                                         transpose->getOperand(0));
  transpose->setOperand(0, convert);
}

void mlir::tile::splitTransposes(LayoutContext &context) {
  SmallVector<Operation *> transposes;
  context.launch.walk([&](Operation *op) {
    if (!getPermutation(op).empty())
      transposes.push_back(op);
  });
  for (Operation *transpose : transposes)
    splitTranspose(context, transpose);
}
