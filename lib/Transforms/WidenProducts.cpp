//===- WidenProducts.cpp - f8 products on chips without an instruction ----===//
//
// Requires and keeps logical.
//
// Matrix instructions take f8 from sm_89 on, and with an f16 accumulator only
// from PTX 8.7 on. Elsewhere both operands are widened to f16, which holds
// every value of either f8 type: fragments by `arith.extf`, buffers by a load
// that converts. What remains is an ordinary f16 product of fragments.
//
// Comes before layouts are inferred, which chooses among what the chip has.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-widen-products"

namespace mlir::tile {
#define GEN_PASS_DEF_WIDENPRODUCTS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

static bool isFloat8(tilec::ElementKind kind) {
  return kind == tilec::ElementKind::E4M3 || kind == tilec::ElementKind::E5M2;
}

/// The kinds of a product that the target has only in wider types.
static std::optional<ProductKinds>
getKindsToWiden(MatrixProductOpInterface product,
                const tilec::GpuTarget &target) {
  std::optional<ProductKinds> kinds = getProductKinds(product);
  if (!kinds || product.hasExtraOperands() || product.getInstructionAttr() ||
      !isFloat8(kinds->a) || !isFloat8(kinds->b))
    return std::nullopt;
  if (!tilec::findMatrixInstructions(target, kinds->a, kinds->b,
                                     kinds->accumulator)
           .empty())
    return std::nullopt;
  return kinds;
}

/// The fragment of f16 with the elements of `operand`, a fragment or a buffer.
static Value widen(OpBuilder &builder, Location loc, Value operand) {
  Type half = builder.getF16Type();
  if (auto fragment = dyn_cast<RankedTensorType>(operand.getType()))
    return arith::ExtFOp::create(builder, loc, fragment.clone(half), operand);
  auto buffer = cast<MemRefType>(operand.getType());
  return LoadOp::create(
      builder, loc, RankedTensorType::get(buffer.getShape(), half), operand);
}

static LogicalResult widenProducts(LaunchOp launch) {
  FailureOr<const tilec::GpuTarget *> target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  launch.getBody().walk([&](MatrixProductOpInterface product) {
    std::optional<ProductKinds> kinds = getKindsToWiden(product, **target);
    if (!kinds)
      return;
    OpBuilder builder(product);
    for (OpOperand *operand :
         {&product.getAMutable(), &product.getBMutable()}) {
      operand->assign(widen(builder, product.getLoc(), operand->get()));
      copyScheduleHint(product, operand->get().getDefiningOp());
    }
    remark::missed(product.getLoc(),
                   remark::RemarkOpts::name("WidenedGemm")
                       .category(DEBUG_TYPE)
                       .function(launch.getKernel().value_or("")))
        << remark::reason("{0} has no matrix instruction for {1} x {2} -> {3}; "
                          "the operands are widened to f16",
                          (*target)->name, tilec::getName(kinds->a),
                          tilec::getName(kinds->b),
                          tilec::getName(kinds->accumulator));
  });
  return success();
}

namespace {
struct WidenProducts final : tile::impl::WidenProductsBase<WidenProducts> {
  void runOnOperation() override {
    if (failed(transformLaunches(getOperation(), getArgument(), widenProducts)))
      signalPassFailure();
  }
};
} // namespace
