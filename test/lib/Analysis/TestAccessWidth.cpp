//===- TestAccessWidth.cpp - Prints how wide accesses may be --------------===//

#include "TestAnalyses.h"

#include "tile/Analysis/AccessWidth.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::tile;

/// "width 4, 8 if inside, along 1, inside [no, yes].": elements an access with
/// and without respect for the edge, the contiguous tile dimension, and which
/// dimensions of the memref need no check.
static std::string describe(IndexFacts &facts, const Side &side,
                            ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::optional<int> dim = getContiguousTileDim(side, shape);
  if (!dim)
    return "no contiguous dimension";
  os << "width " << getAccessWidth(facts, side, shape, *dim) << ", "
     << getAccessWidth(facts, side, shape, *dim, AccessBounds::Ignore)
     << " if inside, along " << *dim << ", inside [";
  llvm::interleaveComma(
      llvm::seq<int64_t>(0, side.getRank()), os, [&](int64_t dim) {
        os << (isKnownInBounds(facts, side, shape, dim) ? "yes" : "no");
      });
  os << "].";
  return text;
}

namespace {
/// Remarks on each side of tagged loads, stores and copies.
struct TestAccessWidth : PassWrapper<TestAccessWidth, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestAccessWidth)
  StringRef getArgument() const override { return "test-tile-access-width"; }

  void show(Operation *op) {
    IndexFacts facts(op->getParentOfType<LaunchOp>());
    if (auto load = dyn_cast<LoadOp>(op)) {
      op->emitRemark(describe(facts, load.getSourceSide(),
                              load.getResult().getType().getShape()));
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      op->emitRemark(describe(facts, store.getDestSide(),
                              store.getValue().getType().getShape()));
    } else if (auto copy = dyn_cast<CopyOp>(op)) {
      SmallVector<int64_t> shape = copy.getTileShape();
      op->emitRemark("from: " + describe(facts, copy.getSourceSide(), shape));
      op->emitRemark("to: " + describe(facts, copy.getDestSide(), shape));
    } else if (auto image = dyn_cast<Im2ColOp>(op)) {
      op->emitRemark("image: width ")
          << getImageAccessWidth(facts, image) << ".";
    }
  }

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (test::getTag(op))
        show(op);
    });
  }
};
} // namespace

void test::registerTestAccessWidth() { PassRegistration<TestAccessWidth>(); }
