//===- ApplyLayouts.cpp - Writes chosen layouts on the program ------------===//

#include "LaunchLayouts.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The operation of the launch's block-level code that holds `op`.
static Operation *getBlockLevelOp(Operation *op) {
  while (auto loop = op->getParentOfType<ParallelOp>())
    op = loop;
  return op;
}

/// Gives each use of a constant that is a node its own copy, inside the launch.
static void cloneConstants(LaunchOp launch, LaunchLayouts &layouts,
                           IRRewriter &rewriter) {
  llvm::SetVector<Operation *> originals;
  for (LayoutNodeOwner &owner : layouts.owners) {
    if (!owner.constantUse)
      continue;
    Operation *constant = owner.constantUse->get().getDefiningOp();
    originals.insert(constant);
    rewriter.setInsertionPoint(getBlockLevelOp(owner.constantUse->getOwner()));
    owner.value = rewriter.clone(*constant)->getResult(0);
    owner.constantUse->set(owner.value);
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

/// Types every fragment as its operation gives it, with an exchange behind it
/// where its users see another layout.
static void applyToValues(const LaunchLayouts &layouts,
                          const tilec::LayoutSolution &solution,
                          IRRewriter &rewriter) {
  for (auto [node, owner] : llvm::enumerate(layouts.owners)) {
    Value value = owner.value;
    if (!value)
      continue;
    retype(value, solution.getProduced(static_cast<tilec::NodeId>(node)));
    if (!solution.produced[node])
      continue;
    rewriter.setInsertionPointAfterValue(value);
    auto convert = ConvertLayoutOp::create(
        rewriter, value.getLoc(),
        withLayout(cast<RankedTensorType>(value.getType()),
                   solution.nodes[node]),
        value);
    value.replaceAllUsesExcept(convert.getResult(), convert);
  }
}

/// Converts the operands that their operations take in other layouts.
static void applyToOperands(const LaunchLayouts &layouts,
                            const tilec::LayoutSolution &solution,
                            IRRewriter &rewriter) {
  for (const auto &[number, layout] : solution.exchanges) {
    OpOperand *use = layouts.uses[number];
    Operation *user = getBlockLevelOp(use->getOwner());
    rewriter.setInsertionPoint(user);
    auto type =
        withLayout(cast<RankedTensorType>(use->get().getType()), layout);
    if (use->get().getType() != type)
      use->set(
          ConvertLayoutOp::create(rewriter, user->getLoc(), type, use->get()));
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Fragments that a product by single threads reads go to shared memory.
static void stageOperand(OpOperand &use, IRRewriter &rewriter) {
  auto type = dyn_cast<RankedTensorType>(use.get().getType());
  if (!type)
    return;
  Operation *product = use.getOwner();
  rewriter.setInsertionPoint(product);
  auto space = gpu::AddressSpaceAttr::get(product->getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto memref = MemRefType::get(type.getShape(), type.getElementType(),
                                MemRefLayoutAttrInterface(), space);
  tilec::Coordinate shape(type.getShape().begin(), type.getShape().end());
  auto layout =
      SharedAttr::get(product->getContext(),
                      tilec::SharedLayout::conflictFree(
                          shape, {1, 0}, getMemoryBits(type.getElementType())));
  Value buffer = AllocOp::create(rewriter, product->getLoc(), memref, layout,
                                 /*alignment=*/IntegerAttr());
  StoreOp::create(rewriter, product->getLoc(), use.get(), buffer);
  use.set(buffer);
}

/// The copy engine takes tiles from and puts them to aligned places only.
static void alignBuffer(Value memref, const tilec::CopyInstruction &row) {
  Value root = isSharedMemory(cast<MemRefType>(memref.getType()))
                   ? getSharedRoot(memref)
                   : Value();
  auto buffer = root ? root.getDefiningOp<AllocOp>() : AllocOp();
  if (buffer)
    buffer.setAlignment(
        std::max<int64_t>(buffer.getAlignment().value_or(1), row.alignBytes));
}

static void applyToProduct(LayoutContext &layoutContext,
                           MatrixProductOpInterface product,
                           const tilec::GemmPlan &plan, IRRewriter &rewriter) {
  MLIRContext *context = product.getContext();
  product.setInstructionAttr(InstructionAttr::get(context, *plan.instruction));
  if (plan.instruction->participants == tilec::Participants::Thread) {
    stageOperand(product.getAMutable(), rewriter);
    stageOperand(product.getBMutable(), rewriter);
    return;
  }
  product.setWarpGridAttr(
      DenseI64ArrayAttr::get(context, {plan.warpsM, plan.warpsN}));
  applyOperandLoads(layoutContext, product, plan);
}

template <typename CopyT>
static void applyToCopy(CopyT copy, const CopyPlan &plan) {
  MLIRContext *context = copy.getContext();
  copy.setInstructionAttr(InstructionAttr::get(context, *plan.instruction));
  if (!plan.hasThreads()) {
    alignBuffer(copy.getSource(), *plan.instruction);
    alignBuffer(copy.getDest(), *plan.instruction);
    return;
  }
  copy.setLayoutAttr(FragmentAttr::get(context, plan.layout));
  copy.setVectorWidth(plan.vectorWidth);
}

/// Consecutive iterations of the last dimension that one thread runs together;
/// a divisor of what the user asks for.
static int64_t getSpaceWidth(IterationSpaceOpInterface space,
                             const FragmentLayout &layout) {
  if (layout.getRank() == 0)
    return 1;
  int64_t width = layout.getVectorWidth(layout.getRank() - 1);
  IntegerAttr wanted = space.getCoalescedWidthAttr();
  return wanted ? std::gcd(width, wanted.getInt()) : width;
}

static void applyToSpace(IterationSpaceOpInterface space,
                         const FragmentLayout &layout) {
  Builder builder(space.getContext());
  space.setLayoutAttr(FragmentAttr::get(builder.getContext(), layout));
  if (!space.getVectorWidthAttr())
    space.setVectorWidthAttr(
        builder.getI64IntegerAttr(getSpaceWidth(space, layout)));
}

static void applyToOperations(LayoutContext &context, LaunchLayouts &layouts,
                              const tilec::LayoutSolution &solution,
                              IRRewriter &rewriter) {
  const tilec::LayoutProblem &problem = layouts.problem;
  for (auto [number, buffer] : llvm::enumerate(layouts.buffers))
    if (!buffer.getLayoutAttr())
      buffer.setLayoutAttr(SharedAttr::get(
          buffer.getContext(),
          problem.buffers[number].candidates[solution.buffers[number]]));
  for (auto [number, product] : llvm::enumerate(layouts.products))
    applyToProduct(
        context, product,
        problem.products[number].candidates[solution.products[number]].plan,
        rewriter);
  for (const auto &entry : layouts.copies)
    llvm::TypeSwitch<Operation *>(entry.first)
        .Case<CopyOp, Im2ColOp>(
            [&](auto copy) { applyToCopy(copy, entry.second); });
  context.launch.walk(
      [&](LoadOp op) { recordAccessWidths(context.facts, op); });
  context.launch.walk(
      [&](StoreOp op) { recordAccessWidths(context.facts, op); });
  context.launch.walk([&](AtomicRMWOp op) {
    recordAccessWidths(context.facts, op, context.target);
  });
  for (auto [node, owner] : llvm::enumerate(layouts.owners))
    if (owner.space)
      applyToSpace(owner.space, solution.nodes[node]);
}

void mlir::tile::applyLayouts(LayoutContext &context, LaunchLayouts &layouts,
                              const tilec::LayoutSolution &solution) {
  IRRewriter rewriter(context.launch.getContext());
  cloneConstants(context.launch, layouts, rewriter);
  applyToValues(layouts, solution, rewriter);
  applyToOperands(layouts, solution, rewriter);
  applyToOperations(context, layouts, solution, rewriter);
}
