//===- GemmFacts.cpp - Effects and layouts of matrix products -------------===//
//
// The layouts of a product's result and of its operands in registers follow
// from its instruction and the grid of warps, once those are chosen. What is
// demanded of a buffer follows from how the instruction reads it: through a
// descriptor itself, or after a load (`load_a`, `load_b`) of rows.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Operands in shared memory are read; a product of fragments is pure.
static void getOperandEffects(Operation *op, Effects &effects) {
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

void GemmOp::getEffects(Effects &effects) { getOperandEffects(*this, effects); }
/// Each starts a product of its own: two equal ones are not one.
void GemmAsyncOp::getEffects(Effects &effects) {
  getOperandEffects(*this, effects);
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0));
}
void GemmSparseOp::getEffects(Effects &effects) {
  getOperandEffects(*this, effects);
}
void GemmScaledOp::getEffects(Effects &effects) {
  getOperandEffects(*this, effects);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

SmallVector<DemandedLayout>
tile::getDemandedLayouts(MatrixProductOpInterface product,
                         const tilec::GemmPlan &plan) {
  SmallVector<DemandedLayout> demanded;
  auto demand = [&](OpOperand &use, const tilec::FragmentLayout &layout,
                    bool isTransposed) {
    if (isa<RankedTensorType>(use.get().getType()) && layout.getRank() != 0)
      demanded.push_back(
          {&use, isTransposed ? layout.transpose({1, 0}) : layout});
  };
  demand(product.getAMutable(), plan.a, product.getTransposeA());
  demand(product.getBMutable(), plan.b, product.getTransposeB());
  if (OpOperand *metadata = product.getMetadata())
    demand(*metadata, plan.metadata, /*isTransposed=*/false);
  SmallVector<OpOperand *, 2> scales = product.getScales();
  if (!scales.empty()) {
    demand(*scales[0], plan.scaleA, /*isTransposed=*/false);
    demand(*scales[1], plan.scaleB, /*isTransposed=*/false);
  }
  Value result = product->getResult(0);
  if (isa<RankedTensorType>(result.getType()))
    demanded.push_back({result, plan.result});
  return demanded;
}

/// The dimensions of an operand's memref that are its (M, K) or (K, N).
static std::vector<int> getOperandDims(bool isTransposed) {
  return isTransposed ? std::vector{1, 0} : std::vector{0, 1};
}

SmallVector<DemandedBuffer>
tile::getDescriptorDemands(MatrixProductOpInterface product,
                           const tilec::MatrixInstruction &row) {
  SmallVector<DemandedBuffer> demands;
  auto demand = [&](OpOperand &use, const tilec::MatrixOperand &traits,
                    bool isTransposed, const tilec::Coordinate &tile) {
    if (isa<MemRefType>(use.get().getType()) &&
        traits.space == tilec::OperandSpace::SharedByDescriptor)
      demands.push_back(
          {&use, tilec::PatternDemand{
                     {traits.sharedLayouts.begin(), traits.sharedLayouts.end()},
                     getOperandDims(isTransposed),
                     tile}});
  };
  demand(product.getAMutable(), row.a, product.getTransposeA(),
         {row.m, row.getStoredColumns(row.k)});
  demand(product.getBMutable(), row.b, product.getTransposeB(), {row.k, row.n});
  return demands;
}

/// What a load asks of the buffer of an operand whose memref has K along
/// `dimOfK`.
static void demandGroups(OpOperand &use, OperandLoadAttr load, int dimOfK,
                         LayoutConstraints &constraints) {
  if (!load || !isa<MemRefType>(use.get().getType()))
    return;
  // The rows of matrices that are transposed on their way lie across K.
  bool isAcross = load.getInstruction().getCopy()->isTransposed;
  constraints.demandGroups(use, isAcross ? 1 - dimOfK : dimOfK,
                           load.getWidth());
}

static void demandBuffers(MatrixProductOpInterface product,
                          LayoutConstraints &constraints) {
  InstructionAttr instruction = product.getInstructionAttr();
  const tilec::MatrixInstruction *row =
      instruction ? instruction.getMatrix() : nullptr;
  if (!row)
    return;
  llvm::append_range(constraints.buffers, getDescriptorDemands(product, *row));
  auto isLoaded = [](const tilec::MatrixOperand &operand) {
    return operand.space != tilec::OperandSpace::SharedByDescriptor;
  };
  if (isLoaded(row->a))
    demandGroups(product.getAMutable(), product.getLoadAAttr(),
                 product.getTransposeA() ? 0 : 1, constraints);
  if (isLoaded(row->b))
    demandGroups(product.getBMutable(), product.getLoadBAttr(),
                 product.getTransposeB() ? 1 : 0, constraints);
}

static void addProduct(MatrixProductOpInterface product,
                       LayoutConstraints &constraints) {
  auto isFragment = [](Value value) {
    return isa<RankedTensorType>(value.getType());
  };
  Value result = product->getResult(0);
  for (OpOperand &use : product.getCMutable())
    if (isFragment(use.get()) && isFragment(result))
      constraints.takeSame(use, result);
  if (auto plan = getProductPlan(product))
    llvm::append_range(constraints.demanded,
                       getDemandedLayouts(product, *plan));
  demandBuffers(product, constraints);
}

void GemmOp::getLayoutConstraints(LayoutConstraints &constraints) {
  addProduct(*this, constraints);
}
void GemmAsyncOp::getLayoutConstraints(LayoutConstraints &constraints) {
  addProduct(*this, constraints);
}
void GemmSparseOp::getLayoutConstraints(LayoutConstraints &constraints) {
  addProduct(*this, constraints);
}
void GemmScaledOp::getLayoutConstraints(LayoutConstraints &constraints) {
  addProduct(*this, constraints);
}

//===----------------------------------------------------------------------===//
// Other products
//===----------------------------------------------------------------------===//

void tile::multiplyDense(MatrixProductOpInterface product, Value a) {
  OpBuilder builder(product);
  SmallVector<Value> operands = {a, product.getB()};
  if (Value c = product.getC())
    operands.push_back(c);
  auto dense =
      GemmOp::create(builder, product.getLoc(), product->getResultTypes(),
                     operands, product->getAttrs());
  dense.setTransposeA(false);
  product->replaceAllUsesWith(dense);
  product->erase();
}
