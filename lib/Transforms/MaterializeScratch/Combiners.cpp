//===- Combiners.cpp - Reductions across warps by a combiner --------------===//
//
// No value stands for what a combiner finds in padding. So each warp reduces what it
// holds by tile.reduce itself, its digits cut off as dimensions, and only one value a
// warp travels:
//
//     64 x 128     64 x 4 x 32          64 x 4          64
//     x -- expand --> y --- reduce ---> p --- buffer --> q --- reduce --> r
//
// What a padded dimension has behind the last whole row of warps is reduced before,
// and travels whole. q, or what does, has a layout in which the lanes that held copies
// of a result share the reduced dimensions and no warp does. The result has the layout
// that it had, so nothing around changes.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::Digit;
using tilec::Digits;
using tilec::FragmentLayout;
using tilec::HardwareDim;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// A layout over `shape` that `dims` dropped gives `result`: copies of a result
/// held by other lanes are used to share the dimensions `dims`, the rest of
/// which every thread holds in registers.
static tilec::Expected<FragmentLayout>
getLayoutWithinWarps(const FragmentLayout &result, ArrayRef<int64_t> shape,
                     ArrayRef<int64_t> dims) {
  // Where each dimension of the result stands in the operand.
  SmallVector<int> kept;
  for (int dim = 0; dim < int(shape.size()); ++dim)
    if (!llvm::is_contained(dims, dim))
      kept.push_back(dim);
  auto place = [&](Digits digits) {
    for (Digit &digit : digits)
      if (!digit.replicates())
        digit.dim = kept[digit.dim];
    return digits;
  };
  SmallVector<int64_t> covered(shape.size(), 1);
  auto nextDim = [&]() -> std::optional<int> {
    for (int64_t dim : llvm::reverse(dims))
      if (covered[dim] < shape[dim])
        return dim;
    return std::nullopt;
  };
  Digits lanes;
  for (const Digit &digit : place(result.getDigits(HardwareDim::Lane))) {
    // One factor at a time, so that a digit may run on into the next dimension.
    int64_t extent = digit.extent;
    while (digit.replicates() && extent % 2 == 0 && nextDim()) {
      int dim = *nextDim();
      lanes.push_back({2, dim, covered[dim]});
      covered[dim] *= 2;
      extent /= 2;
    }
    if (extent > 1)
      lanes.push_back({extent, digit.dim, digit.step});
  }
  Digits registers;
  while (std::optional<int> dim = nextDim()) {
    int64_t extent = llvm::divideCeil(shape[*dim], covered[*dim]);
    registers.push_back({extent, *dim, covered[*dim]});
    covered[*dim] *= extent;
  }
  llvm::append_range(registers, place(result.getDigits(HardwareDim::Register)));
  return FragmentLayout::get(Coordinate(shape.begin(), shape.end()), registers,
                             lanes, place(result.getDigits(HardwareDim::Warp)));
}

namespace {
/// A reduction in two steps: of what a warp holds, then of the warps' results.
struct WarpSplit {
  FragmentLayout expanded; ///< of the operand, its dimensions cut in `groups`
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> inside; ///< dimensions of `expanded` without warps
  SmallVector<int64_t> across; ///< of what is left, those that count warps
};
} // namespace

/// The extents of a dimension of `extent` cut where digits of warps begin and end,
/// outermost first, and whether each is such a digit; nothing if they do not fit.
static std::optional<SmallVector<std::pair<int64_t, bool>>>
cutAtWarps(const FragmentLayout &operand, int dim) {
  SmallVector<Digit> warps;
  for (const Digit &digit : operand.getDigits(HardwareDim::Warp))
    if (!digit.replicates() && digit.dim == dim)
      warps.push_back(digit);
  llvm::sort(warps,
             [](const Digit &a, const Digit &b) { return a.step < b.step; });
  SmallVector<std::pair<int64_t, bool>> parts;
  int64_t begin = 1;
  for (const Digit &digit : warps) {
    if (digit.step > begin)
      parts.push_back({digit.step / begin, false});
    parts.push_back({digit.extent, true});
    begin = digit.step * digit.extent;
  }
  int64_t extent = operand.getShape()[dim];
  if (extent % begin != 0)
    return std::nullopt;
  if (extent > begin || parts.empty())
    parts.push_back({extent / begin, false});
  std::reverse(parts.begin(), parts.end());
  return parts;
}

/// How to reduce `dims` in two steps; nothing where they cannot be cut at warps, or
/// have nothing besides.
static std::optional<WarpSplit> splitAtWarps(const FragmentLayout &operand,
                                             ArrayRef<int64_t> dims) {
  WarpSplit split;
  Coordinate shape;
  int64_t left = 0;
  for (int dim = 0; dim < operand.getRank(); ++dim) {
    split.groups.emplace_back();
    bool isReduced = llvm::is_contained(dims, dim);
    auto parts = isReduced ? cutAtWarps(operand, dim)
                           : SmallVector<std::pair<int64_t, bool>>{
                                 {operand.getShape()[dim], false}};
    if (!parts)
      return std::nullopt;
    for (auto [extent, countsWarps] : *parts) {
      int64_t place = shape.size();
      split.groups.back().push_back(place);
      shape.push_back(extent);
      if (isReduced && !countsWarps) {
        split.inside.push_back(place);
        continue;
      }
      if (countsWarps)
        split.across.push_back(left);
      ++left;
    }
  }
  auto expanded = operand.reshape(shape);
  if (!expanded || split.inside.empty())
    return std::nullopt;
  split.expanded = *expanded;
  return split;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// `sources` reduced in each warp as `split` says.
static SmallVector<Value> reduceInside(RewriterBase &rewriter, ReduceOp reduce,
                                       const WarpSplit &split) {
  FragmentLayout layout = split.expanded.dropDims(
      std::vector<int>(split.inside.begin(), split.inside.end()));
  SmallVector<Value> boxes;
  SmallVector<Type> types;
  for (Value source : reduce.getSources()) {
    Type element = cast<RankedTensorType>(source.getType()).getElementType();
    boxes.push_back(tensor::ExpandShapeOp::create(
        rewriter, reduce.getLoc(), getFragmentType(split.expanded, element),
        source, split.groups));
    types.push_back(getFragmentType(layout, element));
  }
  return createReduce(rewriter, reduce, types, boxes, {}, split.inside)
      .getResults();
}

/// How many of the coordinates along `dim` whole rows of warps hold, if these are not
/// all and can be sliced off.
static std::optional<int64_t> getWholeRows(const FragmentLayout &operand,
                                           int dim) {
  int64_t row = 1;
  for (const Digit &digit : operand.getDigits(HardwareDim::Warp))
    if (!digit.replicates() && digit.dim == dim)
      row = std::max(row, digit.step * digit.extent);
  int64_t extent = operand.getShape()[dim];
  int64_t whole = extent / row * row;
  if (whole == 0 || whole == extent)
    return std::nullopt;
  Coordinate offsets(operand.getRank(), 0), sizes = operand.getShape();
  sizes[dim] = whole;
  bool isCut = static_cast<bool>(operand.slice(offsets, sizes));
  offsets[dim] = whole;
  sizes[dim] = extent - whole;
  return isCut && operand.slice(offsets, sizes) ? std::optional(whole)
                                                : std::nullopt;
}

/// `reduce` of the part [begin, end) along `dim`, going on with `inits`.
static ReduceOp reducePart(RewriterBase &rewriter, ReduceOp reduce, int dim,
                           int64_t begin, int64_t end, ValueRange inits) {
  SmallVector<Value> parts;
  for (Value source : reduce.getSources()) {
    FragmentLayout layout = getLayout(source);
    Coordinate offsets(layout.getRank(), 0), sizes = layout.getShape();
    offsets[dim] = begin;
    sizes[dim] = end - begin;
    Type element = cast<RankedTensorType>(source.getType()).getElementType();
    SmallVector<OpFoldResult> strides(layout.getRank(),
                                      rewriter.getIndexAttr(1));
    parts.push_back(tensor::ExtractSliceOp::create(
        rewriter, reduce.getLoc(),
        getFragmentType(*layout.slice(offsets, sizes), element), source,
        getAsIndexOpFoldResult(rewriter.getContext(), offsets),
        getAsIndexOpFoldResult(rewriter.getContext(), sizes), strides));
  }
  return createReduce(rewriter, reduce, reduce.getResultTypes(), parts, inits,
                      reduce.getDims());
}

// Pattern: reduce (%x, ..) {f}  ->  reduce (slice %x, ..) init(reduce ..) {f}
static LogicalResult materializeParts(ReduceOp reduce, RewriterBase &rewriter,
                                      int dim, int64_t whole) {
  int64_t extent = getLayout(reduce.getSources().front()).getShape()[dim];
  ReduceOp rest =
      reducePart(rewriter, reduce, dim, whole, extent, reduce.getInits());
  ReduceOp rows =
      reducePart(rewriter, reduce, dim, 0, whole, rest.getResults());
  rewriter.replaceOp(reduce, rows);
  if (failed(materializeCombiner(rest, rewriter)))
    return failure();
  return materializeCombiner(rows, rewriter);
}

// Pattern: reduce (%x, ..) {f}  ->  reduce (load (store %x), ..) {f}
//          with  reduce (expand %x, ..) {f}  for %x if that is cut at warps
LogicalResult mlir::tile::materializeCombiner(ReduceOp reduce,
                                              RewriterBase &rewriter) {
  rewriter.setInsertionPoint(reduce);
  SmallVector<Value> sources(reduce.getSources());
  SmallVector<int64_t> dims(reduce.getDims());
  for (int64_t dim : dims)
    if (auto whole = getWholeRows(getLayout(sources.front()), dim))
      return materializeParts(reduce, rewriter, dim, *whole);
  if (auto split = splitAtWarps(getLayout(sources.front()), dims)) {
    sources = reduceInside(rewriter, reduce, *split);
    dims = split->across;
  }
  auto shape = cast<RankedTensorType>(sources.front().getType()).getShape();
  auto layout =
      getLayoutWithinWarps(getLayout(reduce.getResult(0)), shape, dims);
  if (!layout)
    return refuseReduction(reduce, layout.reason());
  SmallVector<Value> moved;
  for (Value source : sources) {
    Type element = cast<RankedTensorType>(source.getType()).getElementType();
    moved.push_back(moveThroughScratch(rewriter, reduce.getLoc(), source,
                                       getFragmentType(*layout, element)));
  }
  rewriter.replaceOp(reduce,
                     createReduce(rewriter, reduce, reduce.getResultTypes(),
                                  moved, reduce.getInits(), dims));
  return success();
}
