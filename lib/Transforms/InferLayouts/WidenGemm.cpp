//===- WidenGemm.cpp - f8 products on chips without an instruction --------===//
//
// Matrix instructions take f8 from sm_89 on, and with an f16 accumulator only
// from PTX 8.7 on. Elsewhere both operands are widened to f16, which holds
// every value of either f8 type: fragments by `arith.extf`, buffers by a load
// that converts. What remains is an ordinary f16 gemm of fragments.
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::tile;

static bool isFloat8(tilec::ElementKind kind) {
  return kind == tilec::ElementKind::E4M3 || kind == tilec::ElementKind::E5M2;
}

/// The fragment of f16 with the elements of `operand`, a fragment or a buffer.
static Value widen(OpBuilder &builder, Location loc, Value operand) {
  Type half = builder.getF16Type();
  if (auto fragment = dyn_cast<RankedTensorType>(operand.getType()))
    return arith::ExtFOp::create(builder, loc, fragment.clone(half), operand);
  auto buffer = cast<MemRefType>(operand.getType());
  auto type = RankedTensorType::get(buffer.getShape(), half);
  return LoadOp::create(builder, loc, type, operand,
                        /*source_indices=*/ValueRange(),
                        /*source_rows=*/Value(), /*pad=*/Value(),
                        /*source_box=*/DenseI64ArrayAttr(),
                        /*source_rows_dim=*/IntegerAttr(),
                        /*source_in_bounds=*/DenseBoolArrayAttr());
}

void tile::widenGemms(LaunchOp launch, const tilec::GpuTarget &target) {
  launch.getBody().walk([&](GemmOp gemm) {
    std::optional<GemmKinds> kinds = getGemmKinds(gemm);
    if (!kinds || !isFloat8(kinds->a) || !isFloat8(kinds->b) ||
        !tilec::findMmaAtoms(target, kinds->a, kinds->b, kinds->accumulator)
             .empty())
      return;
    OpBuilder builder(gemm);
    gemm.getAMutable().assign(widen(builder, gemm.getLoc(), gemm.getA()));
    gemm.getBMutable().assign(widen(builder, gemm.getLoc(), gemm.getB()));
    remark::missed(gemm.getLoc(),
                   remark::RemarkOpts::name("WidenedGemm")
                       .category("tile-infer-layouts")
                       .function(launch.getKernel().value_or("")))
        << remark::reason("{0} has no matrix instruction for {1} x {2} -> {3}; "
                          "the operands are widened to f16",
                          target.name, tilec::getName(kinds->a),
                          tilec::getName(kinds->b),
                          tilec::getName(kinds->accumulator));
  });
}
