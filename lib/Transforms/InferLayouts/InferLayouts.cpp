//===- InferLayouts.cpp - Chooses the layout of everything ----------------===//
//
// Requires logical, establishes laid_out.
//
// Every fragment gets a layout, every buffer a shared layout, every copy and
// `tile.parallel` its threads, every gemm its instruction. The constraints are
// collected in a graph (LayoutGraph.h), solved as plain data (LayoutPlan.h),
// and applied here in one walk: constants are first cloned for each use, so
// that one constant can live in two layouts; then types are set and conversions
// inserted where operands disagree.
//
// Comes before scheduling and shared-memory planning, because instructions,
// bytes and scratch buffers follow from layouts.
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Transforms/Passes.h"
#include "tile/Transforms/StageContract.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

#include <numeric>

#define DEBUG_TYPE "tile-infer-layouts"

namespace mlir::tile {
#define GEN_PASS_DEF_INFERLAYOUTS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Gives every use of a constant fragment its own copy, inside the launch.
static void cloneConstants(LaunchOp launch, IRRewriter &rewriter) {
  SmallVector<OpOperand *> uses;
  launch.getBody().walk([&](Operation *op) {
    for (OpOperand &use : op->getOpOperands())
      if (isa<RankedTensorType>(use.get().getType()) &&
          matchPattern(use.get(), m_Constant()))
        uses.push_back(&use);
  });
  llvm::SetVector<Operation *> originals;
  for (OpOperand *use : uses) {
    Operation *constant = use->get().getDefiningOp();
    Operation *user = use->getOwner();
    // A parallel body sees fragments from outside only.
    while (auto loop = user->getParentOfType<ParallelOp>())
      user = loop;
    originals.insert(constant);
    if (constant->hasOneUse() && launch->isProperAncestor(constant))
      continue;
    rewriter.setInsertionPoint(user);
    use->set(rewriter.clone(*constant)->getResult(0));
  }
  for (Operation *constant : originals)
    if (constant->use_empty() && launch->isProperAncestor(constant))
      rewriter.eraseOp(constant);
}

static void retype(Value value, const FragmentLayout &layout) {
  auto type = withLayout(cast<RankedTensorType>(value.getType()), layout);
  value.setType(type);
  // A constant's value carries the type too.
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    auto elements = cast<ElementsAttr>(constant.getValue());
    if (auto dense = dyn_cast<DenseElementsAttr>(elements))
      constant.setValueAttr(
          dense.isSplat()
              ? dense.resizeSplat(type)
              : DenseElementsAttr::getFromRawBuffer(type, dense.getRawData()));
  }
}

/// The operation of the launch's block-level code that holds `op`.
static Operation *getBlockLevelOp(Operation *op) {
  while (auto loop = op->getParentOfType<ParallelOp>())
    op = loop;
  return op;
}

/// Fragments that a gemm without a matrix instruction reads go to shared
/// memory.
static void stageOperand(OpOperand &use, IRRewriter &rewriter) {
  auto type = dyn_cast<RankedTensorType>(use.get().getType());
  if (!type)
    return;
  Operation *gemm = use.getOwner();
  rewriter.setInsertionPoint(gemm);
  auto space = gpu::AddressSpaceAttr::get(gemm->getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto memref = MemRefType::get(type.getShape(), type.getElementType(),
                                MemRefLayoutAttrInterface(), space);
  tilec::Coordinate shape(type.getShape().begin(), type.getShape().end());
  std::vector<int> order = {1, 0};
  auto layout =
      SharedAttr::get(gemm->getContext(),
                      tilec::SharedLayout::conflictFree(
                          shape, order, getMemoryBits(type.getElementType())));
  Value buffer = AllocOp::create(rewriter, gemm->getLoc(), memref, layout,
                                 /*alignment=*/IntegerAttr(),
                                 /*slots=*/IntegerAttr());
  StoreOp::create(rewriter, gemm->getLoc(), use.get(), buffer, ValueRange(),
                  /*dest_rows=*/Value(), /*dest_box=*/DenseI64ArrayAttr(),
                  /*dest_rows_dim=*/IntegerAttr(),
                  /*dest_in_bounds=*/DenseBoolArrayAttr());
  use.set(buffer);
}

/// Consecutive iterations of the last dimension that one thread runs together;
/// a divisor of what the user asks for.
static int64_t getLoopWidth(ParallelOp loop, const FragmentLayout &layout) {
  if (layout.getRank() == 0)
    return 1;
  int64_t width = layout.getVectorWidth(layout.getRank() - 1);
  auto wanted = loop.getCoalescedWidth();
  return wanted ? std::gcd(width, static_cast<int64_t>(*wanted)) : width;
}

static void applyToOperations(LaunchOp launch, const LayoutPlan &plan,
                              const LayoutGraph &graph, IRRewriter &rewriter) {
  MLIRContext *context = launch.getContext();
  launch.walk([&](Operation *op) {
    if (auto gemm = dyn_cast<GemmOp>(op)) {
      const GemmChoice &choice = plan.gemms.at(op);
      gemm.setInstruction(choice.instruction);
      if (!choice.plan.atom) {
        stageOperand(gemm.getAMutable(), rewriter);
        stageOperand(gemm.getBMutable(), rewriter);
      }
    } else if (auto copy = dyn_cast<CopyOp>(op)) {
      const CopyPlan &choice = plan.copies.at(op);
      copy.setLayoutAttr(FragmentAttr::get(context, choice.layout));
      copy.setVectorWidth(choice.vectorWidth);
      copy.setInstruction(choice.instruction);
    } else if (auto im2col = dyn_cast<Im2ColOp>(op)) {
      const CopyPlan &choice = plan.copies.at(op);
      im2col.setLayoutAttr(FragmentAttr::get(context, choice.layout));
      im2col.setVectorWidth(choice.vectorWidth);
      im2col.setInstruction(choice.instruction);
    } else if (auto loop = dyn_cast<ParallelOp>(op)) {
      const FragmentLayout &layout = plan.nodes[graph.getNode(loop)];
      loop.setLayoutAttr(FragmentAttr::get(context, layout));
      if (!loop.getVectorWidth())
        loop.setVectorWidth(getLoopWidth(loop, layout));
    } else if (auto alloc = dyn_cast<AllocOp>(op)) {
      if (!alloc.getLayout())
        alloc.setLayoutAttr(SharedAttr::get(context, plan.buffers.at(op)));
    }
  });
}

static void applyLayouts(LaunchOp launch, const LayoutPlan &plan,
                         const LayoutGraph &graph) {
  IRRewriter rewriter(launch.getContext());
  for (int node = 0; node < graph.getNodeCount(); ++node) {
    Value value = graph.getValue(node);
    if (!value)
      continue;
    auto produced = plan.produced.find(value);
    if (produced == plan.produced.end()) {
      retype(value, plan.nodes[node]);
      continue;
    }
    // The operation gives another layout than its users see.
    retype(value, produced->second);
    rewriter.setInsertionPointAfterValue(value);
    auto convert = ConvertLayoutOp::create(
        rewriter, value.getLoc(),
        withLayout(cast<RankedTensorType>(value.getType()), plan.nodes[node]),
        value);
    value.replaceAllUsesExcept(convert.getResult(), convert);
  }
  for (const auto &[use, layout] : plan.conversions) {
    Operation *user = getBlockLevelOp(use->getOwner());
    rewriter.setInsertionPoint(user);
    auto type =
        withLayout(cast<RankedTensorType>(use->get().getType()), layout);
    if (use->get().getType() != type)
      use->set(
          ConvertLayoutOp::create(rewriter, user->getLoc(), type, use->get()));
  }
  applyToOperations(launch, plan, graph, rewriter);
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static remark::RemarkOpts getRemark(LaunchOp launch, StringRef name) {
  return remark::RemarkOpts::name(name)
      .category(DEBUG_TYPE)
      .function(launch.getKernel().value_or(""));
}

/// Says what the chosen layouts cost: data that moves through shared memory,
/// copies in small accesses, products without a matrix instruction.
static void reportCosts(LaunchOp launch) {
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
      if (bytes < 16)
        remark::missed(op->getLoc(), getRemark(launch, "NarrowCopy"))
            << remark::reason("{0} bytes in each access instead of 16: start, "
                              "pitch, size or alignment are not known to be "
                              "multiples",
                              bytes);
    } else if (auto gemm = dyn_cast<GemmOp>(op)) {
      if (gemm.getInstruction() == fmaInstruction)
        remark::missed(op->getLoc(), getRemark(launch, "NoMatrixInstruction"))
            << remark::reason("{0} operands are multiplied by single threads; "
                              "tf32 precision would use the tensor cores",
                              "f32");
    }
  });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct InferLayouts final : tile::impl::InferLayoutsBase<InferLayouts> {
  void runOnOperation() override {
    auto infer = [](LaunchOp launch) -> LogicalResult {
      auto target = getModuleTarget(launch);
      if (failed(target))
        return failure();
      IRRewriter rewriter(launch.getContext());
      widenGemms(launch, **target);
      cloneConstants(launch, rewriter);
      IndexFacts facts(launch);
      LayoutContext context{launch, **target, facts};
      LayoutGraph graph(launch);
      FailureOr<LayoutPlan> plan = planLayouts(context, graph);
      if (failed(plan))
        return failure();
      applyLayouts(launch, *plan, graph);
      reportCosts(launch);
      return success();
    };
    if (failed(transformLaunches(getOperation(), getArgument(), infer)))
      signalPassFailure();
  }
};

} // namespace
