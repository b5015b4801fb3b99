//===- SplitFirstProduct.cpp - What copies ahead are issued behind --------===//
//
// Requires and keeps materialized.
//
// Copies that run ahead in a pipelined loop are issued behind the first product of a
// step, so that its operands need not wait for them, and not behind all of it: they
// would have less time to arrive. The product becomes two, which add in the order
// in which it did:
//
//     %sum = gemm %a[:, 0 to 16], %b[0 to 16, :], %c      one step of K
//     %d   = gemm %a[:, 16 to 64], %b[16 to 64, :], %sum  the others
//
// Comes before loops are pipelined, which orders what stands in them.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tile {
#define GEN_PASS_DEF_SPLITFIRSTPRODUCT
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// Part [from, to) of an operand along `dim`; null where its layout cuts that.
static Value getPart(Value operand, int64_t dim, int64_t from, int64_t to,
                     IRRewriter &rewriter) {
  Location loc = operand.getLoc();
  auto type = cast<ShapedType>(operand.getType());
  tilec::Coordinate starts(2, 0), shape(type.getShape());
  starts[dim] = from;
  shape[dim] = to - from;
  auto asResults = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(rewriter.getContext(), numbers);
  };
  auto offsets = asResults(starts), sizes = asResults(shape),
       strides = asResults({1, 1});
  if (isa<MemRefType>(type))
    return memref::SubViewOp::create(rewriter, loc, operand, offsets, sizes,
                                     strides);
  auto layout = getLayout(operand).slice(starts, shape);
  if (!layout)
    return {};
  auto part = withLayout(cast<RankedTensorType>(type.clone(shape)), *layout);
  return tensor::ExtractSliceOp::create(rewriter, loc, part, operand, offsets,
                                        sizes, strides);
}

/// Whether a part of a product has operands and result in the registers in which
/// they are.
static bool fitsRegisters(MatrixProductOpInterface part) {
  auto plan = getProductPlan(part);
  if (!plan || plan->result != getLayout(part->getResult(0)))
    return false;
  auto fits = [](Value operand, const tilec::FragmentLayout &layout) {
    return isa<MemRefType>(operand.getType()) || getLayout(operand) == layout;
  };
  return fits(part.getA(), plan->a) && fits(part.getB(), plan->b);
}

/// Steps [from, to) of K of a product, added to `sum`; null where a layout cuts them.
static MatrixProductOpInterface createPart(MatrixProductOpInterface product,
                                           int64_t from, int64_t to, Value sum,
                                           IRRewriter &rewriter) {
  Value a = getPart(product.getA(), product.getTransposeA() ? 0 : 1, from, to,
                    rewriter);
  Value b = getPart(product.getB(), product.getTransposeB() ? 1 : 0, from, to,
                    rewriter);
  if (!a || !b)
    return {};
  auto part = cast<MatrixProductOpInterface>(rewriter.clone(*product));
  part.getAMutable().assign(a);
  part.getBMutable().assign(b);
  part.getCMutable().clear();
  if (sum)
    part.getCMutable().assign(sum);
  return part;
}

/// Makes a product one of its first step of K and one of the others, unless there
/// is only one step or a layout cuts them.
static void splitProduct(MatrixProductOpInterface product,
                         IRRewriter &rewriter) {
  int64_t step = product.getInstructionAttr().getMatrix()->k;
  int64_t k = product.getK();
  if (k <= step)
    return;
  rewriter.setInsertionPoint(product);
  Operation *before = product->getPrevNode();
  MatrixProductOpInterface first =
      createPart(product, 0, step, product.getC(), rewriter);
  MatrixProductOpInterface others;
  if (first)
    others = createPart(product, step, k, first->getResult(0), rewriter);
  if (others && fitsRegisters(first) && fitsRegisters(others))
    return rewriter.replaceOp(product, others->getResults());
  while (product->getPrevNode() != before)
    rewriter.eraseOp(product->getPrevNode());
}

/// Whether copies that complete in groups may run ahead in a loop.
static bool mayCopyAhead(scf::ForOp loop) {
  TileDialect::StagesAttrHelper stages(loop.getContext());
  IntegerAttr count = stages.getAttr(loop);
  if (!count || count.getInt() < 2 || findScheduled(*loop.getBody()))
    return false;
  return loop
      ->walk([](Operation *op) {
        auto isCopied = [](const BlockAccess &access) {
          return access.writes && access.completion == tilec::Completion::Group;
        };
        return llvm::any_of(getBlockAccesses(op), isCopied)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static LogicalResult splitFirstProducts(LaunchOp launch) {
  IRRewriter rewriter(launch.getContext());
  if (launch.getRoles())
    return success();
  launch.walk([&](scf::ForOp loop) {
    auto products = loop.getBody()->getOps<MatrixProductOpInterface>();
    if (products.empty() || !isOfWarps(*products.begin()))
      return;
    MatrixProductOpInterface first = *products.begin();
    bool isDense = !first.getMetadata() && first.getScales().empty() &&
                   isa<RankedTensorType>(first->getResult(0).getType());
    if (isDense && mayCopyAhead(loop))
      splitProduct(first, rewriter);
  });
  return success();
}

namespace {
struct SplitFirstProduct final
    : tile::impl::SplitFirstProductBase<SplitFirstProduct> {
  void runOnOperation() override {
    if (failed(transformLaunches(getOperation(), getArgument(),
                                 splitFirstProducts)))
      signalPassFailure();
  }
};
} // namespace
