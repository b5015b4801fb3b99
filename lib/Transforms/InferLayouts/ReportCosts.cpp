//===- ReportCosts.cpp - Remarks on what layouts cost ---------------------===//

#include "LaunchLayouts.h"

#include "tile/Analysis/ExchangeChoice.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

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
                        "together along K, or, of i8 and 16-bit elements, "
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

/// Whether `side` is of a shared buffer of which its innermost dimension is none.
static bool isRowReshaped(const Side &side) {
  return side.isShared() && side.getRank() != 0 &&
         !getRootDim(side.memref, side.getRank() - 1);
}

static void reportCopy(LaunchOp launch, CopyOp copy) {
  if (isBulkCopy(copy))
    return;
  int64_t bits = int64_t(*copy.getVectorWidth()) *
                 getMemoryBits(copy.getSource().getType().getElementType());
  if (bits >= tilec::maxAccessBytes * 8)
    return;
  bool isReshaped =
      isRowReshaped(copy.getSourceSide()) || isRowReshaped(copy.getDestSide());
  remark::missed(copy.getLoc(), getRemark(launch, "NarrowCopy"))
      << remark::reason(
             "{0} in each access instead of {1}: {2}",
             bits < 8 ? "half a byte" : std::to_string(bits / 8) + " bytes",
             tilec::maxAccessBytes,
             isReshaped
                 ? "rows are those of a reshape of the buffer, not of the "
                   "buffer; allocate it in the shape that is copied"
                 : "start, pitch, size or alignment are not known to be "
                   "multiples");
}

void mlir::tile::reportLayoutCosts(LayoutContext &context,
                                   const LaunchLayouts &layouts) {
  LaunchOp launch = context.launch;
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
        .Case([&](CopyOp copy) { reportCopy(launch, copy); })
        .Case([&](MatrixProductOpInterface product) {
          reportProduct(launch, product);
        });
  });
}
