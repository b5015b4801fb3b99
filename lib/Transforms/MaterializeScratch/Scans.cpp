//===- Scans.cpp - Scans across warps -------------------------------------===//
//
// A scan whose operands are spread over warps along the scanned dimension. With
// a kind, each warp scans the boxes of neighbours that it holds, and only what
// a box totals travels, to threads that hold the totals of a whole line:
//
//     4096, 8 warps       8 x 512             8                 8
//     x --- expand ---> y --- reduce ------> t --- buffer ---> u --- scan ---> e
//                       y --- scan --------> s                   before each box
//     r <-- collapse -- combine(broadcast e, s)
//
// With a combiner, or where boxes do not divide the dimension, the operands
// travel whole, to a layout in which the scanned dimension lies in the
// registers and lanes of one warp; there they are scanned, and the results
// travel back. Warps share the other dimensions then; those that find no work
// there compute copies. Neighbours lie in one thread as far as they do not give
// lanes work. Either way the results have the layouts that they had, so nothing
// around changes.
//
// f16 and bf16 travel and combine as f32: each prefix is rounded once.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-materialize-scratch"

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

static bool crossesWarps(ScanOp scan) {
  return getLayout(scan.getOperands_().front())
      .isShared(HardwareDim::Warp, static_cast<int>(scan.getDim()));
}

/// A layout over `shape` in which `lanesAlong` lanes share dimension `dim`,
/// each with as many neighbours as it takes, and the other lanes and all warps
/// share the other dimensions.
static FragmentLayout spread(const Coordinate &shape, int dim,
                             int64_t lanesAlong, int64_t lanes, int64_t warps) {
  Coordinate rest = shape;
  rest[dim] = 1;
  std::vector<int> order;
  for (int other = static_cast<int>(shape.size()) - 1; other >= 0; --other)
    order.push_back(other);
  FragmentLayout others =
      FragmentLayout::blocked(rest, order, 1, lanes / lanesAlong, warps);
  int64_t neighbours = llvm::divideCeil(shape[dim], lanesAlong);
  Digits registers = {{neighbours, dim, 1}};
  llvm::append_range(registers, others.getDigits(HardwareDim::Register));
  Digits laneDigits = {{lanesAlong, dim, neighbours}};
  llvm::append_range(laneDigits, others.getDigits(HardwareDim::Lane));
  auto layout = FragmentLayout::get(shape, registers, laneDigits,
                                    others.getDigits(HardwareDim::Warp));
  return layout ? *layout : FragmentLayout::replicated(shape, lanes, warps);
}

/// The layout of `spread` with the fewest registers, then the fewest lanes
/// along the scanned dimension.
static FragmentLayout chooseLayoutWithinWarps(const FragmentLayout &operand,
                                              int dim) {
  int64_t lanes = operand.getExtent(HardwareDim::Lane);
  int64_t warps = operand.getExtent(HardwareDim::Warp);
  std::optional<FragmentLayout> best;
  for (int64_t lanesAlong = 1; lanesAlong <= lanes; lanesAlong *= 2) {
    FragmentLayout layout =
        spread(operand.getShape(), dim, lanesAlong, lanes, warps);
    if (!best || layout.getRegisterCount() < best->getRegisterCount())
      best = layout;
  }
  return *best;
}

namespace {
/// How a scan with a kind is split at the boxes that one warp holds.
struct BoxPlan {
  int64_t boxCount, boxSize;
  FragmentLayout expanded; ///< the operand's, [.., boxCount, boxSize, ..]
  FragmentLayout totals;   ///< of one value a box
  FragmentLayout lines;    ///< the same, all boxes of a line in each thread
};
} // namespace

/// The totals of a line are combined by every thread that needs one, in
/// registers: more than this many are not worth it.
static constexpr int64_t maxBoxes = 64;

/// `layout` with dimension `dim` held whole in the first registers of every
/// thread.
static tilec::Expected<FragmentLayout> gatherDim(const FragmentLayout &layout,
                                                 int dim) {
  auto without = [&](HardwareDim where) {
    Digits digits;
    for (Digit digit : layout.getDigits(where)) {
      if (digit.dim == dim && where == HardwareDim::Register)
        continue;
      if (digit.dim == dim)
        digit = {digit.extent, Digit::replicated, 0};
      digits.push_back(digit);
    }
    return digits;
  };
  Digits registers = {{layout.getShape()[dim], dim, 1}};
  llvm::append_range(registers, without(HardwareDim::Register));
  return FragmentLayout::get(layout.getShape(), registers,
                             without(HardwareDim::Lane),
                             without(HardwareDim::Warp));
}

/// Boxes end where the first warp digit begins.
static std::optional<BoxPlan> planBoxes(ScanOp scan) {
  using Kind = vector::CombiningKind;
  // A kind that passes over NaN has no element that is neutral to NaN.
  if (!scan.getKind() || *scan.getKind() == Kind::MAXNUMF ||
      *scan.getKind() == Kind::MINNUMF)
    return std::nullopt;
  FragmentLayout layout = getLayout(scan.getOperands_().front());
  int dim = static_cast<int>(scan.getDim());
  Coordinate shape = layout.getShape();
  int64_t boxSize = shape[dim];
  for (const Digit &digit : layout.getDigits(HardwareDim::Warp))
    if (digit.dim == dim)
      boxSize = std::min(boxSize, digit.step);
  int64_t boxCount = shape[dim] / boxSize;
  if (boxCount * boxSize != shape[dim] || boxCount > maxBoxes)
    return std::nullopt;
  shape[dim] = boxSize;
  shape.insert(shape.begin() + dim, boxCount);
  auto expanded = layout.reshape(shape);
  if (!expanded)
    return std::nullopt;
  FragmentLayout totals = expanded->dropDims({dim + 1});
  auto lines = gatherDim(totals, dim);
  if (!lines)
    return std::nullopt;
  return BoxPlan{boxCount, boxSize, *expanded, totals, *lines};
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void reportMove(ScanOp scan, const FragmentLayout &layout) {
  remark::missed(
      scan.getLoc(),
      remark::RemarkOpts::name("ScanAcrossWarps")
          .category(DEBUG_TYPE)
          .function(scan->getParentOfType<LaunchOp>().getKernel().value_or("")))
      << remark::reason("operands and results move through shared memory, "
                        "because warps share the scanned dimension; scanned "
                        "as {0}",
                        layout.toString());
}

// Pattern: scan (%x, ..)  ->  load (store (scan (load (store %x)), ..))
static void materializeScan(ScanOp scan, RewriterBase &rewriter) {
  Location loc = scan.getLoc();
  int dim = static_cast<int>(scan.getDim());
  FragmentLayout layout =
      chooseLayoutWithinWarps(getLayout(scan.getOperands_().front()), dim);
  reportMove(scan, layout);
  rewriter.setInsertionPoint(scan);
  auto move = [&](Value value, const FragmentLayout &to) {
    auto type = cast<RankedTensorType>(value.getType());
    return moveThroughScratch(rewriter, loc, value, withLayout(type, to));
  };
  SmallVector<Value> operands, inits, results;
  SmallVector<Type> types;
  for (Value operand : scan.getOperands_()) {
    operands.push_back(move(operand, layout));
    types.push_back(operands.back().getType());
  }
  for (Value init : scan.getInits())
    inits.push_back(move(init, layout.dropDims({dim})));
  auto inside =
      ScanOp::create(rewriter, loc, types, operands, inits, scan.getKindAttr(),
                     scan.getDimAttr(), scan.getReverseAttr(),
                     scan.getExclusiveAttr(), scan.getFastmathAttr());
  if (!scan.getCombiner().empty()) {
    IRMapping mapping;
    scan.getCombiner().cloneInto(&inside.getCombiner(), mapping);
  }
  for (auto [result, old] : llvm::zip(inside.getResults(), scan.getResults()))
    results.push_back(move(result, getLayout(old)));
  rewriter.replaceOp(scan, results);
}

// Pattern: scan<kind> %x  ->  combine (broadcast (scan (load (store
//                             (reduce %y)))), scan %y), %y the boxes of %x
static void materializeBoxes(ScanOp scan, const BoxPlan &plan,
                             RewriterBase &rewriter) {
  Location loc = scan.getLoc();
  int64_t dim = scan.getDim();
  Value source = scan.getOperands_().front(), result = scan.getResult(0);
  Type element = cast<RankedTensorType>(source.getType()).getElementType();
  bool isWidened = element.isF16() || element.isBF16();
  Type wide = isWidened ? Type(rewriter.getF32Type()) : element;
  rewriter.setInsertionPoint(scan);
  if (isWidened)
    source = arith::ExtFOp::create(
        rewriter, loc, getFragmentType(getLayout(source), wide), source);

  SmallVector<ReassociationIndices> groups;
  for (int64_t d = 0, next = 0; d < getLayout(source).getRank(); ++d) {
    groups.push_back({next++});
    if (d == dim)
      groups.back().push_back(next++);
  }
  auto scanAlong = [&](Value value, int64_t along, UnitAttr exclusive) {
    return ScanOp::create(rewriter, loc, TypeRange(value.getType()),
                          ValueRange(value), ValueRange(), scan.getKindAttr(),
                          rewriter.getI64IntegerAttr(along),
                          scan.getReverseAttr(), exclusive,
                          scan.getFastmathAttr())
        .getResult(0);
  };
  Value boxes = tensor::ExpandShapeOp::create(
      rewriter, loc, getFragmentType(plan.expanded, wide), source, groups);
  Value inside = scanAlong(boxes, dim + 1, scan.getExclusiveAttr());
  Value totals =
      ReduceOp::create(
          rewriter, loc, TypeRange(getFragmentType(plan.totals, wide)),
          ValueRange(boxes), ValueRange(), scan.getKindAttr(),
          rewriter.getDenseI64ArrayAttr({dim + 1}), scan.getFastmathAttr())
          .getResult(0);
  Value lines = moveThroughScratch(rewriter, loc, totals,
                                   getFragmentType(plan.lines, wide));
  Value before =
      ConvertLayoutOp::create(rewriter, loc, getFragmentType(plan.totals, wide),
                              scanAlong(lines, dim, rewriter.getUnitAttr()));
  before =
      BroadcastOp::create(rewriter, loc, getFragmentType(plan.expanded, wide),
                          before, rewriter.getDenseI64ArrayAttr({dim + 1}));
  Value prefixes = vector::makeArithReduction(rewriter, loc, *scan.getKind(),
                                              before, inside);
  prefixes = tensor::CollapseShapeOp::create(
      rewriter, loc, getFragmentType(getLayout(result), wide), prefixes,
      groups);
  if (isWidened)
    prefixes =
        arith::TruncFOp::create(rewriter, loc, result.getType(), prefixes);
  rewriter.replaceOp(scan, prefixes);
}

LogicalResult mlir::tile::materializeScans(LaunchOp launch,
                                           RewriterBase &rewriter) {
  SmallVector<ScanOp> scans;
  launch.getBody().walk([&](ScanOp scan) {
    if (crossesWarps(scan))
      scans.push_back(scan);
  });
  for (ScanOp scan : scans) {
    if (std::optional<BoxPlan> plan = planBoxes(scan))
      materializeBoxes(scan, *plan, rewriter);
    else
      materializeScan(scan, rewriter);
  }
  return success();
}
