//===- Scans.cpp - Scans across warps -------------------------------------===//
//
// A scan whose operands are spread over warps along the scanned dimension. The
// operands travel to a layout in which the scanned dimension lies in the
// registers and lanes of one warp, are scanned there, and the results travel
// back, so nothing around changes.
//
//     scan %x  ->  load (store (scan (load (store %x))))
//
// Warps share the other dimensions; those that find no work there compute
// copies. Neighbours lie in one thread as far as they do not give lanes work,
// so that few totals travel between lanes.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Dialect/Tile/TileTypes.h"

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
  FragmentLayout layout = getLayout(scan.getOperands_().front());
  int dim = static_cast<int>(scan.getDim());
  return llvm::any_of(layout.getDigits(HardwareDim::Warp),
                      [&](const Digit &digit) { return digit.dim == dim; });
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
  auto inside = ScanOp::create(rewriter, loc, types, operands, inits,
                               scan.getKindAttr(), scan.getDimAttr(),
                               scan.getReverseAttr(), scan.getExclusiveAttr());
  if (!scan.getCombiner().empty()) {
    IRMapping mapping;
    scan.getCombiner().cloneInto(&inside.getCombiner(), mapping);
  }
  for (auto [result, old] : llvm::zip(inside.getResults(), scan.getResults()))
    results.push_back(move(result, getLayout(old)));
  rewriter.replaceOp(scan, results);
}

LogicalResult mlir::tile::materializeScans(LaunchOp launch,
                                           RewriterBase &rewriter) {
  SmallVector<ScanOp> scans;
  launch.getBody().walk([&](ScanOp scan) {
    if (crossesWarps(scan))
      scans.push_back(scan);
  });
  for (ScanOp scan : scans)
    materializeScan(scan, rewriter);
  return success();
}
