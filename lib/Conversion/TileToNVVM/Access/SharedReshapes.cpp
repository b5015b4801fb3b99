//===- SharedReshapes.cpp - Shared memory in another shape ----------------===//
//
// A reshape redistributes the layout's digits over the new dimensions:
//
//     64x64, row r at 64 * r            x = 64 * r + c of 4096: row x / 64
//     32x128 of it, (i, j)              row 2 * i + j / 64, column j % 64
//
// What a subview has cut out begins at a base of its own first, as far as the XOR
// allows. Where a digit would end inside of a new dimension, as rows of 48 in ones
// of 32, no digits are the answer: the view keeps what it reshapes, and an address
// is computed from the number of the element (SharedAddresses.cpp).
//
//===----------------------------------------------------------------------===//

#include "SharedViews.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::tile;
using tilec::OffsetDigit;

/// `view` before it has dimensions.
static SharedView withoutDims(SharedView view) {
  view.digits.clear();
  view.layoutDims.clear();
  view.dims.clear();
  return view;
}

/// Gives `view` one more dimension, which is one of the layout.
static void addDim(SharedView &view, int64_t extent) {
  view.dims.push_back(view.layoutDims.size());
  view.layoutDims.emplace_back().extent = extent;
}

/// Moves the base of `result` to where its dimension `along` begins, `stepBits` a
/// coordinate. Fails where the XOR would not move along, or bytes would be cut.
static LogicalResult moveBase(ThreadEmitter &emitter, SharedView &result,
                              const SharedView::LayoutDim &along,
                              int64_t stepBits) {
  int64_t period = result.swizzle.getPeriodBytes();
  int64_t stepBytes = stepBits / 8, startBytes = along.start * stepBytes;
  int64_t dynamicBytes =
      along.dynamicStart ? along.startDivisor * stepBytes : 0;
  if (stepBits % 8 != 0 || startBytes % period != 0 ||
      dynamicBytes % period != 0)
    return failure();
  result.base = emitter.advance(result.base, startBytes);
  if (startBytes != 0)
    result.rootSteps.push_back({emitter.i32(along.start), stepBytes});
  if (!along.dynamicStart)
    return success();
  result.base = emitter.advance(
      result.base, emitter.multiply(along.dynamicStart, stepBytes));
  result.rootSteps.push_back({along.dynamicStart, stepBytes});
  return success();
}

/// `view` with its own dimensions for those of the layout, each from coordinate 0 on
/// in steps of one.
static FailureOr<SharedView> rebase(ThreadEmitter &emitter,
                                    const SharedView &view) {
  if (view.source)
    return failure();
  SharedView result = withoutDims(view);
  for (auto [layoutDim, along] : llvm::enumerate(view.layoutDims)) {
    const OffsetDigit *linear = findLinearDigit(view, layoutDim);
    int64_t stepBits = linear ? linear->weight * view.elementBits : 0;
    bool isMoved = along.start != 0 || along.dynamicStart;
    if ((isMoved || along.stride != 1) && !linear)
      return failure();
    if (isMoved && failed(moveBase(emitter, result, along, stepBits)))
      return failure();
  }
  for (auto [dim, layoutDim] : llvm::enumerate(view.dims)) {
    const SharedView::LayoutDim &along = view.layoutDims[layoutDim];
    for (OffsetDigit digit : view.digits)
      if (digit.dim == layoutDim)
        result.digits.push_back({digit.extent, static_cast<int>(dim),
                                 digit.step, digit.weight * along.stride});
    addDim(result, along.extent);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

/// Distributes `digit` over dimensions of `sizes` (outermost first), numbered
/// from `firstDim`. Fails where it would straddle a boundary unevenly.
static LogicalResult splitDigit(OffsetDigit digit, ArrayRef<int64_t> sizes,
                                int firstDim, tilec::OffsetDigits &result) {
  int64_t inner = 1;
  for (int j = sizes.size() - 1; j >= 0 && digit.extent > 1; --j) {
    int64_t end =
        j == 0 ? std::numeric_limits<int64_t>::max() : inner * sizes[j];
    if (digit.step < end) {
      if (digit.step % inner != 0)
        return failure();
      int64_t extent = digit.extent;
      if (j != 0 && digit.step * digit.extent > end) {
        extent = end / digit.step;
        if (end % digit.step != 0 || digit.extent % extent != 0)
          return failure();
      }
      result.push_back(
          {extent, firstDim + j, digit.step / inner, digit.weight});
      digit.step *= extent;
      digit.weight *= extent;
      digit.extent /= extent;
    }
    inner *= sizes[j];
  }
  return success();
}

/// `view`, whose dimensions are the layout's, after dimension i becomes the
/// dimensions `groups[i]` of `shape`.
static FailureOr<SharedView> expandView(const SharedView &view,
                                        ArrayRef<ReassociationIndices> groups,
                                        ArrayRef<int64_t> shape) {
  SharedView result = withoutDims(view);
  for (auto [dim, group] : llvm::enumerate(groups)) {
    ArrayRef<int64_t> sizes = shape.slice(group.front(), group.size());
    int firstDim = result.layoutDims.size();
    for (int64_t size : sizes)
      addDim(result, size);
    for (const OffsetDigit &digit : view.digits)
      if (digit.dim == static_cast<int>(dim) &&
          failed(splitDigit(digit, sizes, firstDim, result.digits)))
        return failure();
  }
  return result;
}

/// `view`, whose dimensions are the layout's, after the dimensions `groups[i]` of
/// `shape` become dimension i.
static FailureOr<SharedView> collapseView(const SharedView &view,
                                          ArrayRef<ReassociationIndices> groups,
                                          ArrayRef<int64_t> shape) {
  SharedView result = withoutDims(view);
  for (auto [dim, group] : llvm::enumerate(groups)) {
    int64_t inner = 1;
    for (int64_t source : llvm::reverse(group)) {
      bool isOutermost = source == group.front();
      int64_t covered = 1;
      for (OffsetDigit digit : view.digits)
        if (digit.dim == source) {
          covered *= digit.extent;
          digit.dim = dim;
          digit.step *= inner;
          result.digits.push_back(digit);
        }
      // Inside, a dimension must be whole: its digits wrap where it ends.
      if (!isOutermost && covered != shape[source])
        return failure();
      inner *= shape[source];
    }
    addDim(result, inner);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// A view of `shape` of the elements of `source`, which has `sourceShape`, in
/// row-major order.
static SharedView renumber(const SharedView &source,
                           ArrayRef<int64_t> sourceShape,
                           ArrayRef<int64_t> shape) {
  SharedView result;
  result.base = source.base;
  result.elementBits = source.elementBits;
  for (int64_t extent : shape)
    addDim(result, extent);
  result.sourceShape.assign(sourceShape.begin(), sourceShape.end());
  result.source = std::make_shared<const SharedView>(source);
  return result;
}

/// `view` if it is one, its digits innermost first, else by numbers.
static SharedView finish(ThreadEmitter &emitter, FailureOr<SharedView> view,
                         const SharedView &source, MemRefType sourceType,
                         MemRefType type) {
  if (failed(view)) {
    remark::missed(emitter.loc, remark::RemarkOpts::name("ReshapedByNumber")
                                    .category("convert-tile-to-nvvm")
                                    .function(emitter.kernel.getName()))
        << remark::reason("the new shape cuts rows of the buffer's layout, so "
                          "that an address is computed by divisions for each "
                          "element; allocate the buffer in the shape that most "
                          "accesses have, or give it a layout without swizzle");
    return renumber(source, sourceType.getShape(), type.getShape());
  }
  llvm::sort(view->digits, [](const OffsetDigit &a, const OffsetDigit &b) {
    return std::tuple(a.weight, -a.extent, a.dim) <
           std::tuple(b.weight, -b.extent, b.dim);
  });
  return std::move(*view);
}

FailureOr<SharedView> tile::takeShared(ThreadEmitter &emitter,
                                       memref::ExpandShapeOp op,
                                       SharedView source) {
  FailureOr<SharedView> view = rebase(emitter, source);
  if (succeeded(view))
    view = expandView(*view, op.getReassociationIndices(),
                      op.getResultType().getShape());
  return finish(emitter, view, source, op.getSrcType(), op.getResultType());
}

FailureOr<SharedView> tile::takeShared(ThreadEmitter &emitter,
                                       memref::CollapseShapeOp op,
                                       SharedView source) {
  FailureOr<SharedView> view = rebase(emitter, source);
  if (succeeded(view))
    view = collapseView(*view, op.getReassociationIndices(),
                        op.getSrcType().getShape());
  return finish(emitter, view, source, op.getSrcType(), op.getResultType());
}
