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
// Boxes that pass the end of the dimension are filled up with what is neutral.
//
// Without totals (a combiner), or where there are too many, the operands travel
// whole, to a layout in which the scanned dimension lies in the registers and
// lanes of one warp, or in one box a warp; there they are scanned, and the
// results travel back. Warps share the other dimensions then as far as they find
// work there; those that find none and cannot have a box compute copies.
// Neighbours lie in one thread as far as they do not give lanes work. Either way
// the results have the layouts that they had, so nothing around changes.
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

/// A layout over the shape of `operand` in which `lanesAlong` lanes of `warpsAlong`
/// warps share dimension `dim`, each with as many neighbours as it takes, and the
/// other lanes and warps share the other dimensions.
static FragmentLayout spread(const FragmentLayout &operand, int dim,
                             int64_t lanesAlong, int64_t warpsAlong) {
  const Coordinate &shape = operand.getShape();
  int64_t lanes = operand.getExtent(HardwareDim::Lane);
  int64_t warps = operand.getExtent(HardwareDim::Warp);
  Coordinate rest = shape;
  rest[dim] = 1;
  std::vector<int> order;
  for (int other = static_cast<int>(shape.size()) - 1; other >= 0; --other)
    order.push_back(other);
  FragmentLayout others = FragmentLayout::blocked(
      rest, order, 1, lanes / lanesAlong, warps / warpsAlong);
  int64_t neighbours = llvm::divideCeil(shape[dim], lanesAlong * warpsAlong);
  Digits registers = {{neighbours, dim, 1}};
  llvm::append_range(registers, others.getDigits(HardwareDim::Register));
  Digits laneDigits = {{lanesAlong, dim, neighbours}};
  llvm::append_range(laneDigits, others.getDigits(HardwareDim::Lane));
  Digits warpDigits = others.getDigits(HardwareDim::Warp);
  warpDigits.push_back({warpsAlong, dim, neighbours * lanesAlong});
  auto layout = FragmentLayout::get(shape, registers, laneDigits, warpDigits);
  return layout ? *layout : FragmentLayout::replicated(shape, lanes, warps);
}

/// The layout of `spread` with the fewest registers, then the fewest warps, then
/// the fewest lanes along the scanned dimension; more than one warp only where
/// there are totals.
static FragmentLayout chooseLayoutWithinWarps(ScanOp scan) {
  FragmentLayout operand = getLayout(scan.getOperands_().front());
  auto dim = static_cast<int>(scan.getDim());
  int64_t lanes = operand.getExtent(HardwareDim::Lane);
  int64_t warps = operand.getExtent(HardwareDim::Warp);
  std::optional<FragmentLayout> best;
  for (int64_t warpsAlong = 1; warpsAlong <= (scan.hasTotals() ? warps : 1);
       ++warpsAlong)
    for (int64_t lanesAlong = 1; warps % warpsAlong == 0 && lanesAlong <= lanes;
         lanesAlong *= 2) {
      FragmentLayout layout = spread(operand, dim, lanesAlong, warpsAlong);
      if (!best || layout.getRegisterCount() < best->getRegisterCount())
        best = layout;
    }
  return *best;
}

namespace {
/// How a scan with a kind is split at the boxes that one warp holds.
struct BoxPlan {
  FragmentLayout whole;    ///< the operand's, of whole boxes
  FragmentLayout expanded; ///< the same, [.., box, element of the box, ..]
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
  if (!scan.hasTotals())
    return std::nullopt;
  FragmentLayout layout = getLayout(scan.getOperands_().front());
  int dim = static_cast<int>(scan.getDim());
  Coordinate shape = layout.getShape();
  shape[dim] = layout.getBox()[dim];
  auto whole = FragmentLayout::get(
      shape, layout.getDigits(HardwareDim::Register),
      layout.getDigits(HardwareDim::Lane), layout.getDigits(HardwareDim::Warp));
  int64_t boxSize = shape[dim];
  for (const Digit &digit : layout.getDigits(HardwareDim::Warp))
    if (digit.dim == dim)
      boxSize = std::min(boxSize, digit.step);
  int64_t boxCount = shape[dim] / boxSize;
  if (!whole || boxCount > maxBoxes)
    return std::nullopt;
  // Registers that are padding in every thread are no part of the boxes.
  auto filled = whole->slice(Coordinate(shape.size(), 0), layout.getShape());
  if (!filled || *filled != layout)
    return std::nullopt;
  shape[dim] = boxSize;
  shape.insert(shape.begin() + dim, boxCount);
  auto expanded = whole->reshape(shape);
  if (!expanded)
    return std::nullopt;
  FragmentLayout totals = expanded->dropDims({dim + 1});
  auto lines = gatherDim(totals, dim);
  if (!lines)
    return std::nullopt;
  return BoxPlan{*whole, *expanded, totals, *lines};
}

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

/// The atomic operation that combines as `kind` does.
static arith::AtomicRMWKind getAtomicKind(vector::CombiningKind kind,
                                          bool isFloat) {
  using Kind = vector::CombiningKind;
  using Atomic = arith::AtomicRMWKind;
  switch (kind) {
  case Kind::ADD:
    return isFloat ? Atomic::addf : Atomic::addi;
  case Kind::MUL:
    return isFloat ? Atomic::mulf : Atomic::muli;
  case Kind::MINUI:
    return Atomic::minu;
  case Kind::MINSI:
    return Atomic::mins;
  case Kind::MAXUI:
    return Atomic::maxu;
  case Kind::MAXSI:
    return Atomic::maxs;
  case Kind::AND:
    return Atomic::andi;
  case Kind::OR:
    return Atomic::ori;
  case Kind::XOR:
    return Atomic::xori;
  case Kind::MINNUMF:
    return Atomic::minnumf;
  case Kind::MAXNUMF:
    return Atomic::maxnumf;
  case Kind::MINIMUMF:
    return Atomic::minimumf;
  case Kind::MAXIMUMF:
    return Atomic::maximumf;
  }
  llvm_unreachable("all kinds are above");
}

/// What changes nothing that it is combined with.
static TypedAttr getNeutral(RewriterBase &rewriter, Location loc,
                            vector::CombiningKind kind, Type type) {
  bool isIndex = type.isIndex();
  TypedAttr neutral = arith::getIdentityValueAttr(
      getAtomicKind(kind, isa<FloatType>(type)),
      isIndex ? rewriter.getI64Type() : type, rewriter, loc);
  return isIndex ? rewriter.getIndexAttr(cast<IntegerAttr>(neutral).getInt())
                 : neutral;
}

/// The sizes of a fragment of `layout`.
static SmallVector<OpFoldResult> getSizes(RewriterBase &rewriter,
                                          const FragmentLayout &layout) {
  return getAsIndexOpFoldResult(rewriter.getContext(), layout.getShape());
}

/// `source` with what is neutral behind it, as far as `whole` goes.
static Value fillBoxes(RewriterBase &rewriter, ScanOp scan, Value source,
                       const FragmentLayout &whole) {
  FragmentLayout layout = getLayout(source);
  if (whole == layout)
    return source;
  Location loc = scan.getLoc();
  Type element = cast<RankedTensorType>(source.getType()).getElementType();
  Attribute neutral = getNeutral(rewriter, loc, *scan.getKind(), element);
  Value filling = arith::ConstantOp::create(
      rewriter, loc,
      DenseElementsAttr::get(getFragmentType(whole, element), neutral));
  return tensor::InsertSliceOp::create(rewriter, loc, source, filling,
                                       getSizes(rewriter, layout));
}

/// What of `filled` lies in a fragment of `layout`.
static Value dropFilling(RewriterBase &rewriter, Location loc, Value filled,
                         const FragmentLayout &layout) {
  if (getLayout(filled) == layout)
    return filled;
  Type element = cast<RankedTensorType>(filled.getType()).getElementType();
  return tensor::ExtractSliceOp::create(rewriter, loc,
                                        getFragmentType(layout, element),
                                        filled, getSizes(rewriter, layout));
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
  source = fillBoxes(rewriter, scan, source, plan.whole);

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
      rewriter, loc, getFragmentType(plan.whole, wide), prefixes, groups);
  prefixes = dropFilling(rewriter, loc, prefixes, getLayout(result));
  if (isWidened)
    prefixes =
        arith::TruncFOp::create(rewriter, loc, result.getType(), prefixes);
  rewriter.replaceOp(scan, prefixes);
}

//===----------------------------------------------------------------------===//
// Moves
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
  FragmentLayout layout = chooseLayoutWithinWarps(scan);
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
  if (std::optional<BoxPlan> plan = planBoxes(inside); crossesWarps(inside))
    materializeBoxes(inside, *plan, rewriter);
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
