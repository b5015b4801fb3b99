//===- DebugOps.cpp - Print and assert ------------------------------------===//
//
// Verification and canonicalization of the operations that tell people about a
// run.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::tile;

LogicalResult PrintOp::verify() {
  if (size_t zero = getLabel().find('\0'); zero != StringRef::npos)
    return emitOpError("has a label whose byte ")
           << zero << " is zero, where the text ends on a GPU; leave it out";
  Type type = getValue().getType();
  if (isa<RankedTensorType>(type) || type.isIntOrIndexOrFloat())
    return success();
  // What a fragment becomes where it goes through a buffer.
  auto buffer = dyn_cast<MemRefType>(type);
  if (buffer && isSharedMemory(buffer) && buffer.hasStaticShape() &&
      buffer.getRank() > 0)
    return success();
  return emitOpError("must print a scalar or a fragment, got ")
         << type << "; load a fragment first";
}

namespace {
/// Pattern: assert true -> nothing
struct EraseTrueAssert final : OpRewritePattern<AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AssertOp op,
                                PatternRewriter &rewriter) const override {
    if (!matchPattern(op.getCondition(), m_One()))
      return rewriter.notifyMatchFailure(op, "the condition is not known");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void AssertOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<EraseTrueAssert>(context);
}

/// Printing touches no memory but the buffer that it prints, if it is one.
void PrintOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  if (isa<MemRefType>(getValue().getType()))
    accesses.push_back(BlockAccess::read(getValue()));
}
