// Temporary stubs.
#include "tile/Dialect/Tile/TileOps.h"
using namespace mlir;
using namespace mlir::tile;
#define STUB(OP)                                                               \
  LogicalResult OP::verify() { return success(); }
STUB(LaunchOp)
STUB(AllocOp) STUB(CopyOp) STUB(LoadOp) STUB(StoreOp) STUB(AtomicRMWOp)
    STUB(Im2ColOp) STUB(GemmOp) STUB(GemmSparseOp) STUB(GemmScaledOp)
        STUB(ReduceOp) STUB(ScanOp) STUB(ParallelOp) STUB(BroadcastOp)
            STUB(TransposeOp) STUB(BitcastOp) STUB(PrintOp)
                STUB(AssumeDivisibleOp) STUB(AssumeOp) STUB(ConvertLayoutOp)
                    STUB(PartialReduceOp) STUB(ArenaOp) STUB(ViewOp)
#define RSTUB(OP)                                                              \
  LogicalResult OP::verifyRegions() { return success(); }
                        RSTUB(LaunchOp) RSTUB(ReduceOp) RSTUB(ScanOp)
                            RSTUB(ParallelOp) RSTUB(OnceOp)
#define FSTUB(OP)                                                              \
  OpFoldResult OP::fold(FoldAdaptor) { return {}; }
                                FSTUB(BroadcastOp) FSTUB(TransposeOp)
                                    FSTUB(BitcastOp) FSTUB(AssumeDivisibleOp)
                                        FSTUB(ConvertLayoutOp) void AssertOp::
                                            getCanonicalizationPatterns(
                                                RewritePatternSet &,
                                                MLIRContext *) {
}
LogicalResult TileDialect::verifyOperationAttribute(Operation *,
                                                    NamedAttribute) {
  return success();
}
LogicalResult TileDialect::verifyRegionArgAttribute(Operation *, unsigned,
                                                    unsigned, NamedAttribute) {
  return success();
}
SmallVector<int64_t> CopyOp::getTileShape() {
  Side s = getSourceSide(), d = getDestSide();
  SmallVector<int64_t> a =
      s.isWhole() || s.box ? s.getExtents({}) : d.getExtents({});
  SmallVector<int64_t> b = d.isWhole() || d.box ? d.getExtents({}) : a;
  return a.size() <= b.size() ? a : b;
}
static int64_t dimOf(Value v, int d) {
  return cast<ShapedType>(v.getType()).getDimSize(d);
}
int64_t GemmOp::getM() { return dimOf(getA(), getTransposeA() ? 1 : 0); }
int64_t GemmOp::getK() { return dimOf(getA(), getTransposeA() ? 0 : 1); }
int64_t GemmOp::getN() { return dimOf(getB(), getTransposeB() ? 0 : 1); }
Type GemmOp::getElementTypeA() {
  return cast<ShapedType>(getA().getType()).getElementType();
}
Type GemmOp::getElementTypeB() {
  return cast<ShapedType>(getB().getType()).getElementType();
}
YieldOp ParallelOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}
