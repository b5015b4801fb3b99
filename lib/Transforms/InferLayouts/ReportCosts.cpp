//===- ReportCosts.cpp - Remarks on what layouts cost ---------------------===//

#include "LaunchLayouts.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-infer-layouts"

using namespace mlir;
using namespace mlir::tile;

static remark::RemarkOpts getRemark(LaunchOp launch, StringRef name) {
  return remark::RemarkOpts::name(name)
      .category(DEBUG_TYPE)
      .function(launch.getKernel().value_or(""));
}

void mlir::tile::reportLayoutCosts(LaunchOp launch) {
  launch.getBody().walk([&](Operation *op) {
    if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
      FragmentAttr source = getFragment(convert.getSource().getType());
      FragmentAttr target = getFragment(convert.getType());
      if (tilec::classifyConversion(source.getLayout(), target.getLayout()) ==
          tilec::ConversionKind::None)
        return;
      RankedTensorType type = convert.getType();
      remark::missed(op->getLoc(), getRemark(launch, "LayoutConversion"))
          << remark::reason("{0} bytes move between threads through shared "
                            "memory, from {1} to {2}",
                            type.getNumElements() *
                                getMemoryBits(type.getElementType()) / 8,
                            source.getLayout().toString(),
                            target.getLayout().toString());
    } else if (auto copy = dyn_cast<CopyOp>(op)) {
      int64_t bytes =
          int64_t(*copy.getVectorWidth()) *
          getMemoryBits(copy.getSource().getType().getElementType()) / 8;
      if (bytes < tilec::maxAccessBytes)
        remark::missed(op->getLoc(), getRemark(launch, "NarrowCopy"))
            << remark::reason("{0} bytes in each access instead of {1}: start, "
                              "pitch, size or alignment are not known to be "
                              "multiples",
                              bytes, tilec::maxAccessBytes);
    } else if (auto product = dyn_cast<MatrixProductOpInterface>(op)) {
      if (product.getInstructionAttr().getMatrix()->participants ==
          tilec::Participants::Thread)
        remark::missed(op->getLoc(), getRemark(launch, "NoMatrixInstruction"))
            << remark::reason("{0} operands are multiplied by single threads; "
                              "tf32 precision would use the tensor cores",
                              "f32");
    }
  });
}
