//===- AddCostFacts.cpp - What costs of layouts are counted by ------------===//
//
// Facts about a problem that is built: none of them changes what layouts are
// allowed, or which are tried. What is not known here, such as an access at an
// index that is computed, is left out: it costs the same under all layouts.
//
//===----------------------------------------------------------------------===//

#include "LaunchLayouts.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/LiveRegisters.h"
#include "tile/Analysis/LoopFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/ScalarInstruction.h"
#include "tile/Hardware/Throughput.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::NodeId;

/// Registers of a thread for addresses, loop variables and what is in flight:
/// about what ptxas takes of a product's loop beside its fragments.
static constexpr int64_t reservedRegisters = 32;

/// Elements between neighbours of which nothing is known but that they are apart.
static constexpr int64_t farElements = int64_t(1) << 20;

namespace {

class CostFacts {
public:
  CostFacts(LayoutContext &context, LaunchLayouts &layouts,
            const PlannedBuffers &planned);
  void add();

private:
  int64_t countTimes(Operation *op) const;
  void addUses();
  void addNode(NodeId number);
  void addValue(tilec::LayoutNode &node, Value value);
  void addAccesses(tilec::LayoutNode &node, Operation *op, Value fragment);
  void addSpace(tilec::LayoutNode &node, ParallelOp loop);
  void addElementAccess(tilec::LayoutNode &node, ParallelOp loop,
                        Operation *op);
  bool isStoredInBulk(int buffer) const;
  bool setPlace(tilec::MemoryAccess &access, Value memref,
                ArrayRef<int> nodeDims, int rank) const;
  void addCombinations(Operation *op);
  void findAroundProducts();
  void addLive(Block &block, const llvm::SetVector<NodeId> &around);
  void addLiveSet(llvm::SetVector<NodeId> nodes, int64_t times);

  LayoutContext &context;
  LaunchLayouts &layouts;
  tilec::LayoutProblem &problem;
  const PlannedBuffers &planned;
  Liveness liveness;
  llvm::DenseSet<Operation *> aroundProducts; ///< what has one in its regions
  llvm::DenseMap<Value, NodeId> nodes;
  llvm::DenseMap<OpOperand *, NodeId> constantNodes;
  llvm::DenseMap<Value, int> buffers;
};

} // namespace

CostFacts::CostFacts(LayoutContext &context, LaunchLayouts &layouts,
                     const PlannedBuffers &planned)
    : context(context), layouts(layouts), problem(layouts.problem),
      planned(planned), liveness(context.launch) {
  for (auto [number, owner] : llvm::enumerate(layouts.owners)) {
    if (owner.value)
      nodes[owner.value] = static_cast<NodeId>(number);
    if (owner.constantUse)
      constantNodes[owner.constantUse] = static_cast<NodeId>(number);
  }
  for (auto [number, buffer] : llvm::enumerate(layouts.buffers))
    buffers[buffer.getResult()] = static_cast<int>(number);
}

/// How often the block-level operation around `op` runs in a launch.
int64_t CostFacts::countTimes(Operation *op) const {
  constexpr int64_t most = int64_t(1) << 24; // sums of costs stay in 64 bits
  int64_t times = 1;
  Operation *launch = context.launch;
  for (Operation *around = op->getParentOp(); around && around != launch;
       around = around->getParentOp())
    if (!isa<IterationSpaceOpInterface>(around))
      times = std::min(most, times * estimateTripCount(around));
  return times;
}

void CostFacts::addUses() {
  for (OpOperand *use : layouts.uses)
    problem.useTimes.push_back(countTimes(use->getOwner()));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Where an access of `memref` goes whose dimension d runs along dimension
/// `nodeDims[d]` of the node, or stands still (-1). False where it is not known.
bool CostFacts::setPlace(tilec::MemoryAccess &access, Value memref,
                         ArrayRef<int> nodeDims, int rank) const {
  auto type = cast<MemRefType>(memref.getType());
  access.bits = getMemoryBits(type.getElementType());
  if (isSharedMemory(type)) {
    Value root = getSharedRoot(memref);
    auto buffer = buffers.find(root);
    if (buffer == buffers.end())
      return false;
    access.buffer = buffer->second;
    access.bufferDims.assign(cast<MemRefType>(root.getType()).getRank(), -1);
    for (auto [dim, nodeDim] : llvm::enumerate(nodeDims)) {
      auto rootDim = getRootDim(memref, dim);
      if (!rootDim)
        return false;
      access.bufferDims[*rootDim] = nodeDim;
    }
    return true;
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  access.strides.assign(rank, 0);
  for (auto [dim, nodeDim] : llvm::enumerate(nodeDims))
    if (nodeDim >= 0)
      access.strides[nodeDim] +=
          ShapedType::isDynamic(strides[dim]) ? farElements : strides[dim];
  return true;
}

/// Whether a bulk copy stores what is in a buffer: what is written to it first is
/// (`StaggeredStore`, `MatrixStore` in TileToNVVM/Access).
bool CostFacts::isStoredInBulk(int buffer) const {
  Value root = layouts.buffers[buffer].getResult();
  return llvm::any_of(layouts.copies, [&](const auto &entry) {
    auto copy = dyn_cast<TensorCopyOpInterface>(entry.first);
    return copy && !entry.second.hasThreads() &&
           isSharedMemory(cast<MemRefType>(copy.getSource().getType())) &&
           getSharedRoot(copy.getSource()) == root;
  });
}

/// How `op` moves `fragment` to or from memory.
void CostFacts::addAccesses(tilec::LayoutNode &node, Operation *op,
                            Value fragment) {
  auto statement = dyn_cast<BlockAccessOpInterface>(op);
  if (!statement)
    return;
  SmallVector<BlockAccess> accesses;
  statement.getBlockAccesses(accesses);
  ArrayRef<int64_t> shape = node.shape;
  for (const BlockAccess &access : accesses) {
    if (!access.side || access.fragment != fragment)
      continue;
    const Side &side = *access.side;
    tilec::MemoryAccess memory;
    SmallVector<int> nodeDims(side.getRank(), -1);
    for (auto [tileDim, dim] : llvm::enumerate(side.getTileDims(shape)))
      nodeDims[dim] = static_cast<int>(tileDim);
    if (!setPlace(memory, side.memref, nodeDims, shape.size()))
      continue;
    // Rows that are looked up lie anywhere.
    if (side.rowsDim && !memory.buffer && nodeDims[*side.rowsDim] >= 0)
      memory.strides[nodeDims[*side.rowsDim]] = farElements;
    memory.isStore = access.writes;
    memory.times = countTimes(op);
    memory.avoidsConflicts =
        memory.isStore && memory.buffer && isStoredInBulk(*memory.buffer);
    if (auto dim = getContiguousTileDim(side, shape, &planned))
      memory.width = getAccessWidth(context.facts, side, shape, *dim,
                                    AccessBounds::Ignore, &planned);
    llvm::TypeSwitch<Operation *>(op).Case([&](AtomicRMWOp atomic) {
      memory.width =
          std::min(memory.width, getLargestWidth(atomic, context.target));
    });
    node.memory.push_back(std::move(memory));
  }
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Instructions for one element: about what LLVM makes of an exponential, and of
/// a quotient that is rounded correctly.
static int64_t countInstructions(Operation *op) {
  constexpr int64_t ofFunction = 10, ofDivision = 8;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  bool isFunction = isa<math::MathDialect>(op->getDialect());
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](tensor::ExtractOp) { return 0; })
      .Case<math::AbsFOp, math::AbsIOp, math::FmaOp>([](auto) { return 1; })
      .Case<arith::DivFOp, arith::RemFOp>([&](auto) { return ofDivision; })
      .Default(isFunction ? ofFunction : 1);
}

void CostFacts::addValue(tilec::LayoutNode &node, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  node.bits = getMemoryBits(type.getElementType());
  Operation *op = value.getDefiningOp();
  node.times = countTimes(op ? op : value.getParentBlock()->getTerminator());
  if (op && op->hasTrait<OpTrait::Elementwise>())
    node.instructions = countInstructions(op);
  if (op)
    addAccesses(node, op, value);
  for (Operation *user : value.getUsers())
    addAccesses(node, user, value);
}

/// The dimension of `loop` along which `index` goes in steps of one; -1 if it
/// stands still, nothing where that is not known.
static std::optional<int> getSteppedDim(ParallelOp loop, Value index) {
  auto isOutside = [&](Value value) {
    return !loop.getBody().isAncestor(value.getParentRegion()) ||
           matchPattern(value, m_Constant());
  };
  while (auto sum = index.getDefiningOp<arith::AddIOp>()) {
    if (isOutside(index))
      return -1;
    if (isOutside(sum.getRhs()))
      index = sum.getLhs();
    else if (isOutside(sum.getLhs()))
      index = sum.getRhs();
    else
      return std::nullopt;
  }
  if (isOutside(index))
    return -1;
  auto variable = dyn_cast<BlockArgument>(index);
  if (!variable || variable.getOwner() != &loop.getBody().front())
    return std::nullopt;
  return static_cast<int>(variable.getArgNumber());
}

/// Iterations move single elements.
void CostFacts::addElementAccess(tilec::LayoutNode &node, ParallelOp loop,
                                 Operation *op) {
  SmallVector<int> nodeDims;
  for (Value index : getElementIndices(op)) {
    auto dim = getSteppedDim(loop, index);
    if (!dim)
      return;
    nodeDims.push_back(*dim);
  }
  if (nodeDims.empty())
    return;
  tilec::MemoryAccess memory;
  Value memref =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](memref::StoreOp store) {
            memory.isStore = true;
            return store.getMemRef();
          })
          .Case([](memref::LoadOp load) { return load.getMemRef(); });
  memory.times = node.times;
  if (setPlace(memory, memref, nodeDims, node.shape.size()))
    node.memory.push_back(std::move(memory));
}

void CostFacts::addSpace(tilec::LayoutNode &node, ParallelOp loop) {
  loop.getBody().walk([&](Operation *op) {
    if (op->getNumResults() > 0)
      node.instructions += countInstructions(op);
    addElementAccess(node, loop, op);
  });
}

void CostFacts::addNode(NodeId number) {
  const LayoutNodeOwner &owner = layouts.owners[number];
  tilec::LayoutNode &node = problem.nodes[number];
  if (OpOperand *use = owner.constantUse) {
    auto type = cast<RankedTensorType>(use->get().getType());
    node.bits = getMemoryBits(type.getElementType());
    node.times = countTimes(use->getOwner());
    addAccesses(node, use->getOwner(), use->get());
  } else if (IterationSpaceOpInterface space = owner.space) {
    node.times = countTimes(space.getOperation());
    llvm::TypeSwitch<Operation *>(space.getOperation())
        .Case([&](ParallelOp loop) { addSpace(node, loop); });
  } else {
    addValue(node, owner.value);
  }
}

/// Reductions and scans of operands.
void CostFacts::addCombinations(Operation *op) {
  for (const CombinedDims &combined : getLayoutConstraints(op).combined) {
    auto *use = dyn_cast<OpOperand *>(combined.end);
    if (!use)
      continue;
    auto constant = constantNodes.find(use);
    NodeId number = constant != constantNodes.end() ? constant->second
                                                    : nodes.lookup(use->get());
    problem.nodes[number].combinations.push_back(
        {std::vector<int>(combined.dims.begin(), combined.dims.end()),
         combined.isScan, countTimes(op), combined.hasTotals});
  }
}

//===----------------------------------------------------------------------===//
// What is live together
//===----------------------------------------------------------------------===//

/// Keeps the largest sets only: what is live at a point is at most as much.
void CostFacts::addLiveSet(llvm::SetVector<NodeId> live, int64_t times) {
  tilec::LiveSet set{std::vector<NodeId>(live.begin(), live.end()), times};
  llvm::sort(set.nodes);
  for (const tilec::LiveSet &other : problem.liveSets)
    if (llvm::includes(other.nodes, set.nodes))
      return;
  llvm::erase_if(problem.liveSets, [&](const tilec::LiveSet &other) {
    return llvm::includes(set.nodes, other.nodes);
  });
  if (!set.nodes.empty())
    problem.liveSets.push_back(std::move(set));
}

void CostFacts::findAroundProducts() {
  context.launch.getBody().walk([&](MatrixProductOpInterface product) {
    for (Operation *around = product->getParentOp();
         around != context.launch && aroundProducts.insert(around).second;)
      around = around->getParentOp();
  });
}

/// What is live behind matrix products: elsewhere elements come and go one by
/// one, since operations on registers are reordered. `around` is live behind the
/// operation that has `block`, and not defined in it.
void CostFacts::addLive(Block &block, const llvm::SetVector<NodeId> &around) {
  const LivenessBlockInfo *info = liveness.getLiveness(&block);
  if (!info)
    return;
  for (Operation &op : block) {
    bool isProduct = isa<MatrixProductOpInterface>(op);
    if (!isProduct && !aroundProducts.contains(&op))
      continue;
    llvm::SetVector<NodeId> live = around;
    for (Value value : info->currentlyLiveValues(&op)) {
      auto node = nodes.find(value);
      bool isOwnResult = value.getDefiningOp() == &op;
      // What a loop gives is live in it under other names.
      if (node != nodes.end() && !matchPattern(value, m_Constant()) &&
          (isOwnResult ? isProduct : !liveness.isDeadAfter(value, &op)))
        live.insert(node->second);
    }
    if (isProduct)
      addLiveSet(std::move(live), countTimes(&op));
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        addLive(inner, live);
  }
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

void CostFacts::add() {
  addUses();
  for (NodeId node = 0; node < static_cast<NodeId>(problem.nodes.size());
       ++node)
    addNode(node);
  context.launch.getBody().walk([&](Operation *op) { addCombinations(op); });
  findAroundProducts();
  addLive(context.launch.getBody().front(), {});
  const tilec::GpuTarget &target = context.target;
  int64_t threads = context.launch.getThreads();
  problem.registerBudget =
      getRegisterLimit(context.launch, target) - reservedRegisters;
  problem.target = &target;
  problem.weights =
      tilec::CostWeights::get(tilec::getThroughput(target), threads);
}

void mlir::tile::addCostFacts(LayoutContext &context, LaunchLayouts &layouts,
                              const PlannedBuffers &planned) {
  CostFacts(context, layouts, planned).add();
}
