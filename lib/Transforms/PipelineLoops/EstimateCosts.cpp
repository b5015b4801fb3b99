//===- EstimateCosts.cpp - Cycles of operations ---------------------------===//

#include "EstimateCosts.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/ExchangeChoice.h"
#include "tile/Analysis/LoopFacts.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

using tilec::BlockWork;

int64_t CostEstimator::countCycles(const BlockWork &work) const {
  return tilec::countCycles(target, work,
                            llvm::divideCeil(threads, target.warpSize));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Elements that all threads compute, those held several times counted so.
int64_t CostEstimator::countElements(Type type) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return threads;
  if (FragmentAttr layout = getFragment(type))
    return layout.getLayout().getRegisterCount() * threads;
  return tensor.getNumElements();
}

/// Elements that an operation moves: those of the box of one of its sides, or of
/// a whole memref; at least one.
int64_t CostEstimator::countElements(ArrayRef<BlockAccess> accesses) const {
  int64_t elements = 1;
  for (const BlockAccess &access : accesses) {
    if (access.fragment)
      return countElements(access.fragment.getType());
    if (!access.side)
      continue;
    const Side &side = *access.side;
    if (side.box)
      elements = std::max(elements, llvm::product_of(side.box.asArrayRef()));
    else if (side.isWhole() && side.getType().hasStaticShape())
      elements = std::max(elements, side.getType().getNumElements());
  }
  return elements;
}

//===----------------------------------------------------------------------===//
// Work of one operation; each returns the latency of its last instruction
//===----------------------------------------------------------------------===//

/// Elements that a thread moves by one instruction.
static int64_t countMoved(Operation *op) {
  // One thread names a box.
  if (TensorCopyOpInterface copy = getBulkCopy(op))
    if (auto boxes = getBulkBoxes(copy))
      return std::accumulate(boxes->box.begin(), boxes->box.end(), int64_t(1),
                             std::multiplies<>());
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<CopyOp, LoadOp, StoreOp, Im2ColOp, ParallelOp>([](auto moves) {
        return static_cast<int64_t>(moves.getVectorWidth().value_or(1));
      })
      .Default(int64_t(1));
}

/// Loads, stores, copies, atomics.
int64_t CostEstimator::addAccesses(Operation *op, BlockWork &work) const {
  SmallVector<BlockAccess> accesses = getBlockAccesses(op);
  int64_t elements = countElements(accesses);
  int64_t width = countMoved(op);
  int64_t latency = 0;
  for (const BlockAccess &access : accesses) {
    if (!access.memref)
      continue;
    auto type = cast<MemRefType>(access.memref.getType());
    int64_t bytes =
        llvm::divideCeil(elements * getMemoryBits(type.getElementType()), 8);
    bool isAsync = access.completion != tilec::Completion::Immediate;
    bool isShared = isSharedMemory(type);
    // What writes the shared side of an asynchronous copy is not the block.
    if (!isShared || !isAsync)
      work.accesses += llvm::divideCeil(elements, width);
    if (isShared && !isAsync)
      work.sharedBytes += bytes;
    int64_t arrives =
        isShared ? row.sharedLatency
                 : row.globalLatency + llvm::divideCeil(bytes, row.globalBytes);
    // Nobody waits for a store to global memory.
    if (access.reads || isShared)
      latency = std::max(latency, arrives);
  }
  return latency;
}

bool tile::isOnlyAddedTo(MatrixProductOpInterface product) {
  if (!product->hasOneUse())
    return false;
  auto next = dyn_cast<MatrixProductOpInterface>(*product->user_begin());
  return next && next->getBlock() == product->getBlock() &&
         next.getC() == product->getResult(0);
}

int64_t CostEstimator::addProduct(Operation *op, BlockWork &work) const {
  auto product = cast<MatrixProductOpInterface>(op);
  auto a = cast<ShapedType>(product.getA().getType());
  auto b = cast<ShapedType>(product.getB().getType());
  auto result = product.getProductType();
  int64_t depth = a.getShape()[a.getRank() - (product.getTransposeA() ? 2 : 1)];
  work.multiplyAdds = result.getNumElements() * depth;
  const tilec::MatrixInstruction *instruction = nullptr;
  if (InstructionAttr name = product.getInstructionAttr())
    instruction = name.getMatrix();
  if (!instruction)
    return row.matrixLatency;
  // Of two widths the larger one counts.
  work.kind = tilec::getElementBits(instruction->kindB) >
                      tilec::getElementBits(instruction->kindA)
                  ? instruction->kindB
                  : instruction->kindA;
  work.participants = instruction->participants;
  // Each group along one dimension reads the operand of the other.
  SmallVector<int64_t> grid = {1, 1};
  if (DenseI64ArrayAttr groups = product.getWarpGridAttr())
    grid.assign(groups.asArrayRef().begin(), groups.asArrayRef().end());
  auto addOperand = [&](ShapedType operand, int64_t readers) {
    if (isa<MemRefType>(operand))
      work.sharedBytes += llvm::divideCeil(
          operand.getNumElements() * getMemoryBits(operand.getElementType()) *
              readers,
          8);
  };
  addOperand(a, grid[1]);
  addOperand(b, grid[0]);
  if (OpOperand *metadata = product.getMetadata())
    addOperand(cast<ShapedType>(metadata->get().getType()), grid[1]);
  if (isOnlyAddedTo(product))
    return 0;
  return row.matrixLatency + (work.sharedBytes > 0 ? row.sharedLatency : 0);
}

/// `elements` of what an operation computes of one.
int64_t CostEstimator::addArithmetic(Operation *op, int64_t elements,
                                     BlockWork &work) const {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<CastOpInterface>(op)) {
    work.casts += elements;
    return row.arithmeticLatency;
  }
  if (isa<math::MathDialect>(op->getDialect()) ||
      isa<arith::DivFOp, arith::RemFOp>(op)) {
    work.specials += elements;
    work.floats += elements;
    return row.specialLatency;
  }
  if (type.isF64())
    work.doubles += elements;
  else
    (isa<FloatType>(type) ? work.floats : work.integers) += elements;
  return row.arithmeticLatency;
}

/// What passes between the threads of a warp: a reduction in as many rounds as
/// a warp can be halved.
int64_t CostEstimator::addExchange(Operation *op, BlockWork &work) const {
  if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
    tilec::ExchangeCost cost = getExchangeCost(convert, target);
    work.shuffles += cost.shuffles * threads;
    work.integers += cost.selects * threads;
    return cost.shuffles > 0 ? row.shuffleLatency : 0;
  }
  int64_t results = countElements(op->getResult(0).getType());
  int64_t rounds = 0;
  if (isa<ReduceOp, ScanOp, PartialReduceOp>(op)) {
    rounds = llvm::Log2_64_Ceil(target.warpSize);
    work.floats += countElements(op->getOperand(0).getType());
  }
  work.shuffles += results * rounds;
  return rounds * row.shuffleLatency;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Operations issue in order, each when what it uses is there.
OperationCost CostEstimator::estimateBlock(Block &block) const {
  llvm::DenseMap<Value, int64_t> ready;
  int64_t now = 0, last = 0;
  for (Operation &op : block) {
    llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
    getUsedValuesDefinedAbove(op.getRegions(), used);
    for (Value value : used)
      now = std::max(now, ready.lookup(value));
    OperationCost cost = estimate(&op);
    for (Value result : op.getResults())
      ready[result] = now + cost.latencyCycles;
    last = std::max(last, now + cost.latencyCycles);
    now += cost.issueCycles;
  }
  return {now, std::max(now, last)};
}

/// The longest of the regions, as often as it runs.
OperationCost CostEstimator::estimateRegions(Operation *op) const {
  OperationCost longest;
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      OperationCost cost = estimateBlock(block);
      longest.issueCycles = std::max(longest.issueCycles, cost.issueCycles);
      longest.latencyCycles =
          std::max(longest.latencyCycles, cost.latencyCycles);
    }
  int64_t trips = estimateTripCount(op);
  if (trips == 0)
    return {};
  return {longest.issueCycles * trips,
          longest.issueCycles * (trips - 1) + longest.latencyCycles};
}

/// The work of an operation without block-level regions; returns the latency.
int64_t CostEstimator::addWork(Operation *op, BlockWork &work) const {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  if (isa<MatrixProductOpInterface>(op))
    return addProduct(op, work);
  if (auto space = dyn_cast<IterationSpaceOpInterface>(op)) {
    int64_t elements = std::max(threads, llvm::product_of(space.getShape()));
    int64_t latency = addAccesses(op, work);
    for (Operation &inner : op->getRegion(0).front())
      if (inner.getNumResults() > 0)
        latency += addArithmetic(&inner, elements, work);
    return latency;
  }
  if (!getBlockAccesses(op).empty())
    return addAccesses(op, work);
  if (op->getNumResults() == 0)
    return 0;
  Type result = op->getResult(0).getType();
  if (op->hasTrait<OpTrait::Elementwise>())
    return addArithmetic(op, countElements(result), work);
  return isa<RankedTensorType>(result) ? addExchange(op, work) : 0;
}

/// Whether an operation only ends when what it reads from memory has arrived: it
/// makes no value that could be waited for later.
static bool waitsItself(Operation *op) {
  return op->getNumResults() == 0 &&
         llvm::any_of(getBlockAccesses(op), [](const BlockAccess &access) {
           return access.memref && access.reads &&
                  access.completion == tilec::Completion::Immediate;
         });
}

OperationCost CostEstimator::estimate(Operation *op) const {
  if (isa<RegionBranchOpInterface>(op))
    return estimateRegions(op);
  BlockWork work;
  int64_t latency = addWork(op, work);
  int64_t issue = countCycles(work);
  if (waitsItself(op))
    issue = std::max(issue, latency);
  return {issue, std::max(issue, latency)};
}
