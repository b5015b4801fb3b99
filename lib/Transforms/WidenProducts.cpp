//===- WidenProducts.cpp - Products that the chip has no instruction for --===//
//
// Requires and keeps logical.
//
// Matrix instructions take f8 from sm_89 on, and with an f16 accumulator only
// from PTX 8.7 on. Elsewhere both operands are widened to f16, which holds
// every value of either f8 type: fragments by `arith.extf`, buffers by a load
// that converts. What remains is an ordinary f16 product of fragments.
//
// A sparse product of tf32 has no instruction anywhere: the one there is keeps
// one column of two, not two of four. It is multiplied with its zeros.
//
// Comes before layouts are inferred, which chooses among what the chip has.
//
//===----------------------------------------------------------------------===//

#include "ExpandSparse.h"
#include "OperandFragment.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/ProductFacts.h"
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

/// Whether the target has an instruction for products of these types and this K,
/// of a sparse or of a dense `a`.
static bool hasInstruction(MatrixProductOpInterface product,
                           const ProductKinds &kinds,
                           const tilec::GpuTarget &target, bool isSparse) {
  return llvm::any_of(
      tilec::findMatrixInstructions(target, kinds.a, kinds.b, kinds.accumulator,
                                    /*ptxVersion=*/0, tilec::Participants::Warp,
                                    isSparse),
      [&](const auto *row) { return product.getK() % row->k == 0; });
}

/// The kinds of a product that the target has only in another form.
static std::optional<ProductKinds>
getKindsWithoutInstruction(MatrixProductOpInterface product,
                           const tilec::GpuTarget &target) {
  std::optional<ProductKinds> kinds = getProductKinds(product);
  if (!kinds || !product.getScales().empty() || product.getInstructionAttr() ||
      hasInstruction(product, *kinds, target, product.getMetadata()))
    return std::nullopt;
  return kinds;
}

/// "e4m3 x e4m3 -> f32", and what else decides for a sparse one.
static std::string describe(MatrixProductOpInterface product,
                            const ProductKinds &kinds) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << tilec::getName(kinds.a) << " x " << tilec::getName(kinds.b)
         << " -> " << tilec::getName(kinds.accumulator);
  if (product.getMetadata())
    stream << " with two of four columns of a and K = " << product.getK();
  return text;
}

static void report(MatrixProductOpInterface product, remark::RemarkOpts name,
                   const tilec::GpuTarget &target, const ProductKinds &kinds,
                   StringRef remedy) {
  LaunchOp launch = product->getParentOfType<LaunchOp>();
  remark::missed(
      product.getLoc(),
      name.category(DEBUG_TYPE).function(launch.getKernel().value_or("")))
      << remark::reason("{0} has no matrix instruction for {1}; {2}",
                        target.name, describe(product, kinds), remedy);
}

static void widenOperands(MatrixProductOpInterface product) {
  OpBuilder builder(product);
  for (OpOperand *operand : {&product.getAMutable(), &product.getBMutable()}) {
    operand->assign(getOperandFragment(builder, product.getLoc(),
                                       operand->get(), builder.getF16Type()));
    copyScheduleHint(product, operand->get().getDefiningOp());
  }
}

static LogicalResult widenProducts(LaunchOp launch) {
  FailureOr<const tilec::GpuTarget *> target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  launch.getBody().walk([&](MatrixProductOpInterface product) {
    std::optional<ProductKinds> kinds =
        getKindsWithoutInstruction(product, **target);
    if (!kinds)
      return;
    if (isFloat8(kinds->a) && isFloat8(kinds->b)) {
      report(product, remark::RemarkOpts::name("WidenedGemm"), **target, *kinds,
             "the operands are widened to f16");
      widenOperands(product);
    } else if (product.getMetadata() &&
               hasInstruction(product, *kinds, **target, /*isSparse=*/false)) {
      report(product, remark::RemarkOpts::name("ExpandedGemm"), **target,
             *kinds, "a is multiplied with its zeros");
      multiplyDense(product, expandSparse(product));
    }
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
