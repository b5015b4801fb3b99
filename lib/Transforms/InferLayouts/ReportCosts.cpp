//===- ReportCosts.cpp - Remarks on what layouts cost ---------------------===//

#include "LaunchLayouts.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/ExchangeChoice.h"
#include "tile/Analysis/WantedDivisors.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "tile-infer-layouts"

using namespace mlir;
using namespace mlir::tile;

static remark::RemarkOpts getRemark(LaunchOp launch, StringRef name) {
  return remark::RemarkOpts::name(name)
      .category(DEBUG_TYPE)
      .function(launch.getKernel().value_or(""));
}

/// An operand that a matrix load could bring but for where its elements lie.
static void reportOperandLoad(LaunchOp launch, MatrixProductOpInterface product,
                              OperandLoadAttr load, StringRef operand) {
  const tilec::MatrixInstruction &row =
      *product.getInstructionAttr().getMatrix();
  if (!load || row.a.registerBits != 32 ||
      load.getInstruction().getCopy()->issuer != tilec::Issuer::Thread)
    return;
  remark::missed(product.getLoc(), getRemark(launch, "OperandByElements"))
      << remark::reason("operand {0} is loaded {1} elements at a time by each "
                        "thread; ldmatrix needs rows of 16 bytes that lie "
                        "together along K, or, of elements of 8 and 16 bits, "
                        "across it",
                        operand, load.getWidth());
}

static void reportProduct(LaunchOp launch, MatrixProductOpInterface product) {
  if (product.getInstructionAttr().getMatrix()->participants ==
      tilec::Participants::Thread)
    remark::missed(product.getLoc(), getRemark(launch, "NoMatrixInstruction"))
        << remark::reason("{0} operands are multiplied by single threads; "
                          "tf32 precision would use the tensor cores",
                          "f32");
  reportOperandLoad(launch, product, product.getLoadAAttr(), "a");
  reportOperandLoad(launch, product, product.getLoadBAttr(), "b");
}

static void reportConversion(LaunchOp launch, ConvertLayoutOp convert,
                             const tilec::GpuTarget &target) {
  auto [cost, bytes] = getExchangedData(convert, target);
  if (cost.kind == tilec::ExchangeKind::None)
    return;
  std::string way =
      cost.kind == tilec::ExchangeKind::Memory
          ? "threads through shared memory"
          : "lanes by " + std::to_string(cost.shuffles) + " shuffles of each";
  remark::missed(convert.getLoc(), getRemark(launch, "LayoutConversion"))
      << remark::reason("{0} bytes move between {1}, from {2} to {3}", bytes,
                        way, getLayout(convert.getSource()).toString(),
                        getLayout(convert.getResult()).toString());
}

static std::string formatBytes(int64_t bits) {
  return bits < 8 ? "half a byte" : std::to_string(bits / 8) + " bytes";
}

/// Whether `side` is of a shared buffer of which its innermost dimension is none.
static bool isRowReshaped(const Side &side) {
  return side.isShared() && side.getRank() != 0 &&
         !getRootDim(side.memref, side.getRank() - 1);
}

/// How the layout of `buffer`, whose rows run along `dim` of the tile, is in the way of
/// accesses of more than `width` elements; empty where it is not.
static std::string describeBuffer(const Side &buffer, std::optional<int> dim,
                                  std::optional<int> otherDim, int64_t width) {
  if (isRowReshaped(buffer))
    return "rows are those of a reshape of the buffer, not of the buffer; "
           "allocate it in the shape that is copied";
  auto layout = getSharedLayout(buffer.memref);
  if (!layout || layout->getDigits().empty())
    return "";
  if (dim && otherDim && *dim != *otherDim)
    return llvm::formatv("rows of the buffer's layout run along dimension {0} "
                         "of the tile, those of the other side along "
                         "dimension {1}",
                         *dim, *otherDim)
        .str();
  int64_t together = layout->getVectorWidth(layout->getDigits().front().dim);
  if (together > width)
    return "";
  return "the layout of the buffer keeps " +
         formatBytes(together * layout->getElementBits()) + " together";
}

/// Why each access of `copy` moves only `width` elements.
static std::string describeNarrow(LayoutContext &context, CopyOp copy,
                                  int64_t width) {
  SmallVector<int64_t> shape = copy.getTileShape();
  const Side sides[] = {copy.getSourceSide(), copy.getDestSide()};
  std::optional<int> dims[] = {getContiguousTileDim(sides[0], shape),
                               getContiguousTileDim(sides[1], shape)};
  for (int own : {0, 1}) {
    if (!sides[own].isShared())
      continue;
    std::string reason =
        describeBuffer(sides[own], dims[own], dims[1 - own], width);
    if (!reason.empty())
      return reason;
  }
  auto isLimit = [&](int own) {
    return !dims[own] || getAccessWidth(context.facts, sides[own], shape,
                                        *dims[own]) <= width;
  };
  if (isLimit(0) || isLimit(1))
    return "start, pitch, size or alignment are not known to be multiples";
  return llvm::formatv(
             "{0} threads share the tile, whose rows have {1} elements",
             context.lanes() * context.warps(), shape[*dims[0]])
      .str();
}

/// The copies of which UnknownDivisor has said what is missing.
static DenseSet<Operation *> findExplained(LaunchOp launch) {
  DenseSet<Operation *> explained;
  for (const WantedDivisor &wanted : findWantedDivisors(launch))
    explained.insert(wanted.accesses.front().op);
  return explained;
}

static void reportNarrowCopies(LayoutContext &context) {
  LaunchOp launch = context.launch;
  std::optional<DenseSet<Operation *>> explained;
  launch.getBody().walk([&](CopyOp copy) {
    if (isBulkCopy(copy))
      return;
    auto width = static_cast<int64_t>(*copy.getVectorWidth());
    int64_t bits =
        width * getMemoryBits(copy.getSource().getType().getElementType());
    if (bits >= tilec::maxAccessBytes * 8)
      return;
    if (!explained)
      explained = findExplained(launch);
    if (explained->contains(copy))
      return;
    remark::missed(copy.getLoc(), getRemark(launch, "NarrowCopy"))
        << remark::reason("{0} in each access instead of {1}: {2}",
                          formatBytes(bits), tilec::maxAccessBytes,
                          describeNarrow(context, copy, width));
  });
}

/// A loop whose threads do not run as many iterations at a time as it asks for, or have
/// more in a row.
static void reportSpace(LaunchOp launch, IterationSpaceOpInterface space) {
  IntegerAttr wanted = space.getCoalescedWidthAttr();
  FragmentAttr layout = space.getLayoutAttr();
  if (!wanted || !layout || layout.getLayout().getShape().empty())
    return;
  tilec::FragmentLayout map = layout.getLayout();
  int dim = map.getRank() - 1;
  int64_t inRow = map.getVectorWidth(dim), extent = map.getShape()[dim];
  if (inRow == wanted.getInt())
    return;
  std::string reason =
      extent % wanted.getInt() != 0
          ? llvm::formatv(
                "the {0} iterations of dimension {1} are no multiple; "
                "write a divisor of {0}",
                extent, dim)
                .str()
          : llvm::formatv("it has {0} in a row along dimension {1}, by the "
                          "layout {2}; write {0}, or fix a layout that has {3}",
                          inRow, dim, map.toString(), wanted.getInt())
                .str();
  remark::missed(space.getLoc(), getRemark(launch, "CoalescedWidth"))
      << remark::reason("'coalesced_width' is {0}, and a thread runs {1} "
                        "iterations together: {2}",
                        wanted.getInt(), space.getVectorWidthAttr().getInt(),
                        reason);
}

void mlir::tile::reportLayoutCosts(LayoutContext &context,
                                   const LaunchLayouts &layouts) {
  LaunchOp launch = context.launch;
  // Much of it is computed for the remarks alone.
  if (!launch.getContext()->getRemarkEngine())
    return;
  for (const auto &[copy, plan] : layouts.copies)
    if (!plan.bulkObstacle.empty())
      remark::missed(copy->getLoc(), getRemark(launch, "CopyByThreads"))
          << remark::reason("{0}", plan.bulkObstacle);
  for (const auto &[product, obstacle] : layouts.notByWarpgroups)
    remark::missed(product->getLoc(), getRemark(launch, "NoWarpgroupProduct"))
        << remark::reason("warps multiply each for themselves, not as "
                          "warpgroups: {0}",
                          obstacle);
  launch.getBody().walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](ConvertLayoutOp convert) {
          reportConversion(launch, convert, context.target);
        })
        .Case([&](MatrixProductOpInterface product) {
          reportProduct(launch, product);
        })
        .Case([&](IterationSpaceOpInterface space) {
          reportSpace(launch, space);
        });
  });
  reportNarrowCopies(context);
}
