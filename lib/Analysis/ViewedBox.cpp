//===- ViewedBox.cpp - The box of a view in what it views -----------------===//
//
// One rule a view takes the box one step outwards. Where the view cuts the memref
// off it has to be proved that the box is inside:
//
//     memref   |---------------------------|
//     view           |-------------|             begins or ends where the memref
//     box              |----|                    does not: the box lies inside
//     view     |---------------------------|
//     box                        |------------|  outside of one is outside of both
//
// Views lie inside of what they view (docs/Language.md), and so do dimensions that
// they drop. Sums of what is not negative may wrap to below zero, which is outside
// as well.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ViewedBox.h"
#include "BoxBounds.h"
#include "tile/Analysis/OperationTable.h"
#include "tile/Dialect/Tile/SubViews.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;

using Obstacle = std::optional<std::string>;

void ViewedBox::add(BoxStart start, int64_t extent, bool isInside) {
  starts.push_back(std::move(start));
  extents.push_back(extent);
  inBounds.push_back(isInside);
}

bool tile::isKnownInside(IndexFacts &facts, const ViewedBox &box) {
  return llvm::all_of(
      llvm::seq<int64_t>(0, static_cast<int64_t>(box.starts.size())),
      [&](int64_t dim) { return isInside(facts, box, dim); });
}

bool tile::isMadeInLaunch(const IndexFacts &facts, Value memref) {
  return facts.getLaunch().getBody().isAncestor(memref.getParentRegion());
}

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

static void add(BoxStart &start, OpFoldResult value, int64_t factor = 1) {
  if (auto constant = getConstantIntValue(value))
    start.constant += *constant * factor;
  else
    start.terms.emplace_back(cast<Value>(value), factor);
}

static void add(BoxStart &start, const BoxStart &other, int64_t factor) {
  start.constant += other.constant * factor;
  for (auto [value, count] : other.terms)
    start.terms.emplace_back(value, count * factor);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// What is in the way of a box along dimension `dim` of a view, from `offset` on for
/// `size` elements of `sourceDim` of `source`; nothing where it lies inside
/// of it, or outside of both.
static Obstacle findCutObstacle(IndexFacts &facts, const ViewedBox &box,
                                int64_t dim, OpFoldResult offset,
                                OpFoldResult size,
                                TypedValue<MemRefType> source,
                                int64_t sourceDim) {
  bool beginsTogether =
      getConstantIntValue(offset) == 0 ||
      (box.rowsDim != dim && isNegativeNowhere(facts, box.starts[dim]));
  if ((beginsTogether && endsTogether(offset, size, source, sourceDim)) ||
      isInside(facts, box, dim, size))
    return std::nullopt;
  int64_t extent = box.extents[dim];
  if (box.rowsDim == dim)
    return llvm::formatv("its rows may lie outside of the view, whose memref "
                         "may go on along dimension {0}; view all of it, or "
                         "gather them from the memref",
                         sourceDim)
        .str();
  return llvm::formatv(
             "its box of {0} elements may reach out of the view along "
             "dimension {1}, where the memref may go on; take its size by "
             "'memref.dim' of the memref, state 'in_bounds', or by "
             "'tile.assume_divisible' that {0} divides the start and the size, "
             "up to which a loop or the grid counts",
             extent, dim)
      .str();
}

static Obstacle enterSubView(IndexFacts &facts, ViewedBox &box,
                             memref::SubViewOp view) {
  llvm::SmallBitVector dropped = getDroppedDims(view);
  ViewedBox whole{view.getSource(), {}, {}, {}, std::nullopt};
  int64_t kept = 0;
  for (auto [index, offset, size, step] :
       llvm::enumerate(view.getMixedOffsets(), view.getMixedSizes(),
                       view.getMixedStrides())) {
    auto dim = static_cast<int64_t>(index);
    BoxStart start;
    add(start, offset);
    if (dropped.test(dim)) {
      whole.add(start, 1, /*isInside=*/true);
      continue;
    }
    if (getConstantIntValue(step) != 1)
      return "its view steps over elements, and a box has all; index the "
             "memref that it views";
    if (auto obstacle = findCutObstacle(facts, box, kept, offset, size,
                                        view.getSource(), dim))
      return obstacle;
    if (box.rowsDim == kept)
      whole.rowsDim = dim;
    add(start, box.starts[kept], 1);
    whole.add(start, box.extents[kept], isInside(facts, box, kept, size));
    ++kept;
  }
  box = std::move(whole);
  return std::nullopt;
}

static bool areOne(ArrayRef<int64_t> dims, ArrayRef<int64_t> sizes) {
  return llvm::all_of(dims, [&](int64_t dim) { return sizes[dim] == 1; });
}

namespace {
/// A dimension of the memref that a view splits, as far as it is put together from the
/// innermost of its dimensions out.
struct JoinedDim {
  BoxStart start;
  int64_t extent = 1;
  bool isInside = true;
  bool hasRows = false;
  /// Elements that one step of the next dimension is; nothing where not constant.
  std::optional<int64_t> pitch = 1;
};
} // namespace

/// Whether `start` times `pitch` may leave 64 bits.
static bool mayWrap(IndexFacts &facts, const BoxStart &start, int64_t pitch) {
  constexpr int64_t limit = int64_t(1) << 31;
  return pitch != 1 &&
         (getLowerBound(facts, start).value_or(-limit) <= -limit ||
          getUpperBound(facts, start).value_or(limit) >= limit ||
          pitch >= limit);
}

/// Adds dimension `dim` of the view, of `size`: the box is long along one alone, inside
/// of which there are none. Outside it can be by the first alone, the
/// `isOutermost`; elsewhere the next row begins.
static Obstacle joinDim(IndexFacts &facts, const ViewedBox &box, int64_t dim,
                        int64_t size, bool isOutermost, JoinedDim &joined) {
  bool isSizeKnown = !ShapedType::isDynamic(size);
  bool isIn = isSizeKnown ? isInside(facts, box, dim, size) : box.inBounds[dim];
  if (isIn && size == 1)
    return std::nullopt;
  if (!joined.pitch)
    return "its view splits a dimension by sizes that are not constant; index "
           "the memref that it views";
  if (!isIn && (!isOutermost || mayWrap(facts, box.starts[dim], *joined.pitch)))
    return llvm::formatv("it may reach out of dimension {0} of a view that "
                         "goes on in the next row; state 'in_bounds'",
                         dim)
        .str();
  bool isLong = box.extents[dim] != 1 || box.rowsDim == dim;
  if (isLong && joined.pitch != 1)
    return llvm::formatv("its box has several rows of dimension {0} of a "
                         "view, which are one dimension of the memref; index "
                         "the memref that it views",
                         dim)
        .str();
  joined.isInside &= isIn;
  joined.hasRows |= box.rowsDim == dim;
  joined.extent *= box.extents[dim];
  add(joined.start, box.starts[dim], *joined.pitch);
  joined.pitch =
      isSizeKnown ? std::optional<int64_t>(*joined.pitch * size) : std::nullopt;
  return std::nullopt;
}

static Obstacle enterExpansion(IndexFacts &facts, ViewedBox &box,
                               memref::ExpandShapeOp view) {
  ViewedBox whole{view.getSrc(), {}, {}, {}, std::nullopt};
  ArrayRef<int64_t> sizes = view.getResultType().getShape();
  for (ArrayRef<int64_t> dims : view.getReassociationIndices()) {
    JoinedDim joined;
    for (; !dims.empty(); dims = dims.drop_back())
      if (auto obstacle = joinDim(facts, box, dims.back(), sizes[dims.back()],
                                  areOne(dims.drop_back(), sizes), joined))
        return obstacle;
    if (joined.hasRows)
      whole.rowsDim = static_cast<int64_t>(whole.starts.size());
    whole.add(joined.start, joined.extent, joined.isInside);
  }
  box = std::move(whole);
  return std::nullopt;
}

static Obstacle enterCollapse(IndexFacts &, ViewedBox &box,
                              memref::CollapseShapeOp view) {
  ViewedBox whole{view.getSrc(), {}, {}, {}, std::nullopt};
  ArrayRef<int64_t> sizes = view.getSrcType().getShape();
  for (auto [index, group] : llvm::enumerate(view.getReassociationIndices())) {
    auto viewDim = static_cast<int64_t>(index);
    auto longDims = llvm::make_filter_range(
        group, [&](int64_t dim) { return sizes[dim] != 1; });
    SmallVector<int64_t> dims(longDims.begin(), longDims.end());
    if (dims.size() > 1)
      return llvm::formatv("its view has several dimensions of the memref for "
                           "its dimension {0}; index the memref that it views",
                           viewDim)
          .str();
    int64_t main = dims.empty() ? group.back() : dims.front();
    for (int64_t dim : group) {
      bool isMain = dim == main;
      if (isMain && box.rowsDim == viewDim)
        whole.rowsDim = dim;
      whole.add(isMain ? box.starts[viewDim] : BoxStart(),
                isMain ? box.extents[viewDim] : 1,
                isMain ? box.inBounds[viewDim] : true);
    }
  }
  box = std::move(whole);
  return std::nullopt;
}

static Obstacle enterCast(IndexFacts &, ViewedBox &box, memref::CastOp view) {
  if (!isa<MemRefType>(view.getSource().getType()))
    return "its memref is cast from one of unknown rank in the launch";
  box.memref = view.getSource();
  return std::nullopt;
}

static Obstacle enterAssumption(IndexFacts &facts, ViewedBox &box,
                                AssumeOp op) {
  if (facts.getMemRefFacts(op.getResult()) !=
      facts.getMemRefFacts(op.getSource()))
    return "facts of its memref are stated in the launch, where the host does "
           "not see them; state them by a 'tile.assume' in front of the launch";
  box.memref = op.getSource();
  return std::nullopt;
}

using ViewRules = OperationTable<Obstacle(IndexFacts &, ViewedBox &)>;

static const ViewRules &getViewRules() {
  static const ViewRules rules = [] {
    ViewRules table;
    table.add(enterSubView);
    table.add(enterExpansion);
    table.add(enterCollapse);
    table.add(enterCast);
    table.add(enterAssumption);
    return table;
  }();
  return rules;
}

//===----------------------------------------------------------------------===//
// Sides
//===----------------------------------------------------------------------===//

ViewedBox tile::getOwnBox(const Side &side, ArrayRef<int64_t> tile) {
  ViewedBox box{side.memref, {}, {}, {}, side.rowsDim};
  for (auto [index, extent] : llvm::enumerate(side.getExtents(tile))) {
    auto dim = static_cast<int64_t>(index);
    BoxStart start;
    if (!side.isWhole())
      add(start, getAsOpFoldResult(side.indices[dim]));
    box.add(start, extent, side.isWhole() || side.isInBounds(dim));
  }
  return box;
}

tilec::Expected<ViewedBox> tile::findViewedBox(IndexFacts &facts,
                                               const Side &side,
                                               ArrayRef<int64_t> tile) {
  ViewedBox box = getOwnBox(side, tile);
  if (tile.empty() || llvm::is_contained(box.extents, ShapedType::kDynamic))
    return tilec::Failure{"its box has no constant extents"};
  while (isMadeInLaunch(facts, box.memref)) {
    Operation *op = box.memref.getDefiningOp();
    const ViewRules::Rule *rule = op ? getViewRules().find(op) : nullptr;
    if (!rule)
      return tilec::Failure{
          "its memref is made in the launch and no kernel parameter; make it "
          "in front of the launch, or index the memref that it views"};
    if (Obstacle obstacle = (*rule)(facts, box, op))
      return tilec::Failure{*obstacle};
  }
  if (box.starts.size() < tile.size())
    return tilec::Failure{"the memref that it views has fewer dimensions than "
                          "the tile; drop some of the tile"};
  return box;
}
