//===- BuildProblem.cpp - A launch as a layout problem --------------------===//
//
// Operations say what they ask of layouts (LayoutConstraints.h) and what they
// do to memory (BlockAccess.h); this file numbers it.
//
//===----------------------------------------------------------------------===//

#include "LaunchLayouts.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::NodeId;

static bool isFragment(Value value) {
  return isa<RankedTensorType>(value.getType());
}

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

static Coordinate toCoordinate(ArrayRef<int64_t> list) {
  return Coordinate(list.begin(), list.end());
}

namespace {

class ProblemBuilder {
public:
  explicit ProblemBuilder(LayoutContext &context) : context(context) {}
  FailureOr<LaunchLayouts> build();

private:
  // Nodes.
  NodeId addNode(LayoutNodeOwner owner, ArrayRef<int64_t> shape,
                 FragmentAttr fixed);
  void addValue(Value value);
  void addConstantUses(Operation *op);
  void addNodes(Operation *op);
  /// Emits an error, after which the problem is not used, where there is none.
  NodeId getNode(LayoutEnd end);
  tilec::UseId getUse(OpOperand &use);

  // What operations state.
  void addConstraints(Operation *op);
  LogicalResult addProduct(MatrixProductOpInterface product);
  LogicalResult addBuffers();
  bool addBufferEdge(const DemandedBuffer &demanded);
  void offerWarpgroups();
  std::optional<std::string>
  takeWarpgroups(MatrixProductOpInterface product,
                 const tilec::ProductCandidate &candidate);
  void planBuffers();
  void addCopies();
  void addAccesses(NodeId node);
  void addAccesses(NodeId node, Operation *op, Value fragment);
  void addSpaceAccesses(NodeId node, IterationSpaceOpInterface space);

  LayoutContext &context;
  LaunchLayouts result;
  tilec::LayoutProblem &problem = result.problem;
  PlannedBuffers planned;
  SmallVector<DemandedBuffer> demandedBuffers; ///< of all operations
  llvm::DenseMap<Value, NodeId> valueNodes;
  llvm::DenseMap<OpOperand *, NodeId> constantNodes;
  llvm::DenseMap<Operation *, NodeId> spaceNodes;
  llvm::DenseMap<Value, int> bufferNumbers;
  llvm::DenseMap<OpOperand *, tilec::UseId> useNumbers;
  bool isWrong = false; ///< some operation states what makes no sense
};

} // namespace

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

NodeId ProblemBuilder::addNode(LayoutNodeOwner owner, ArrayRef<int64_t> shape,
                               FragmentAttr fixed) {
  result.owners.push_back(owner);
  tilec::LayoutNode &node = problem.nodes.emplace_back(toCoordinate(shape));
  if (fixed)
    node.fixed = fixed.getLayout();
  return static_cast<NodeId>(problem.nodes.size()) - 1;
}

void ProblemBuilder::addValue(Value value) {
  if (!isFragment(value))
    return;
  bool isCloned = isConstant(value) && !value.use_empty() && !value.hasOneUse();
  if (isCloned)
    return;
  valueNodes[value] =
      addNode({value}, cast<RankedTensorType>(value.getType()).getShape(),
              getFragment(value.getType()));
}

/// A node for each use of a constant by `op`, or for one by an iteration in it.
void ProblemBuilder::addConstantUses(Operation *op) {
  for (OpOperand &use : op->getOpOperands()) {
    Value value = use.get();
    if (!isFragment(value) || !isConstant(value))
      continue;
    if (value.hasOneUse() &&
        context.launch->isProperAncestor(value.getDefiningOp()))
      continue;
    constantNodes[&use] = addNode(
        {Value(), {}, &use}, cast<RankedTensorType>(value.getType()).getShape(),
        getFragment(value.getType()));
  }
}

void ProblemBuilder::addNodes(Operation *op) {
  if (op->getParentOfType<ParallelOp>())
    return; // what iterations use is a node in front of their loop
  auto loop = dyn_cast<ParallelOp>(op);
  if (loop)
    loop.getBody().walk([&](Operation *inner) { addConstantUses(inner); });
  addConstantUses(op);
  if (auto space = dyn_cast<IterationSpaceOpInterface>(op))
    spaceNodes[op] =
        addNode({Value(), space}, space.getShape(), space.getLayoutAttr());
  llvm::for_each(op->getResults(), [&](Value value) { addValue(value); });
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::for_each(block.getArguments(),
                     [&](Value value) { addValue(value); });
}

/// The operation that states something about `end`.
static Operation *getOwner(LayoutEnd end) {
  if (auto *use = dyn_cast<OpOperand *>(end))
    return use->getOwner();
  if (auto *op = dyn_cast<Operation *>(end))
    return op;
  Value value = cast<Value>(end);
  Operation *op = value.getDefiningOp();
  return op ? op : value.getParentBlock()->getParentOp();
}

NodeId ProblemBuilder::getNode(LayoutEnd end) {
  auto find = [](const auto &nodes, auto key) -> std::optional<NodeId> {
    auto node = nodes.find(key);
    return node == nodes.end() ? std::nullopt
                               : std::optional<NodeId>(node->second);
  };
  std::optional<NodeId> node;
  if (auto *use = dyn_cast<OpOperand *>(end)) {
    node = find(constantNodes, use);
    if (!node)
      node = find(valueNodes, use->get());
  } else if (auto value = dyn_cast<Value>(end)) {
    node = find(valueNodes, value);
  } else {
    node = find(spaceNodes, cast<Operation *>(end));
  }
  if (node)
    return *node;
  getOwner(end)->emitOpError("states a layout of what is neither a fragment of "
                             "its launch nor an iteration space");
  isWrong = true;
  return 0;
}

tilec::UseId ProblemBuilder::getUse(OpOperand &use) {
  auto [entry, isNew] = useNumbers.try_emplace(
      &use, static_cast<tilec::UseId>(result.uses.size()));
  if (isNew)
    result.uses.push_back(&use);
  return entry->second;
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

void ProblemBuilder::addConstraints(Operation *op) {
  LayoutConstraints constraints = getLayoutConstraints(op);
  for (const SameLayout &same : constraints.same)
    problem.sameEdges.push_back({getNode(same.a), getNode(same.b)});
  for (const TakenLayout &taken : constraints.taken)
    problem.operandEdges.push_back({getUse(*taken.use), getNode(taken.use),
                                    getNode(taken.source), taken.map,
                                    isa<OpOperand *>(taken.source)});
  for (const GivenLayout &given : constraints.given) {
    tilec::ResultEdge edge;
    if (auto *use = dyn_cast<OpOperand *>(given.source))
      edge.use = getUse(*use);
    edge.source = getNode(given.source);
    edge.target = getNode(given.result);
    edge.forward = given.map;
    edge.backward = given.inverse;
    edge.residentDims.assign(given.residentDims.begin(),
                             given.residentDims.end());
    problem.resultEdges.push_back(std::move(edge));
  }
  for (const CombinedDims &combined : constraints.combined) {
    NodeId number = getNode(combined.end);
    if (isWrong)
      return;
    tilec::LayoutNode &node = problem.nodes[number];
    auto *use = dyn_cast<OpOperand *>(combined.end);
    node.isReducedOften |=
        use && !use->get().getDefiningOp<LoopLikeOpInterface>();
    for (int64_t dim : combined.dims)
      (combined.isScan ? node.scanned : node.reduced)[dim] = true;
  }
  llvm::append_range(demandedBuffers, constraints.buffers);
}

LogicalResult ProblemBuilder::addProduct(MatrixProductOpInterface product) {
  auto candidates = getProductCandidates(context, product);
  if (failed(candidates))
    return failure();
  tilec::ProductNode node;
  auto getOperand =
      [&](OpOperand &use,
          bool isTransposed) -> std::optional<tilec::ProductNode::Operand> {
    if (!isFragment(use.get()))
      return std::nullopt;
    return tilec::ProductNode::Operand{getUse(use), getNode(&use),
                                       isTransposed};
  };
  node.a = getOperand(product.getAMutable(), product.getTransposeA());
  node.b = getOperand(product.getBMutable(), product.getTransposeB());
  if (OpOperand *metadata = product.getMetadata())
    node.metadata = getOperand(*metadata, /*isTransposed=*/false);
  SmallVector<OpOperand *, 2> scales = product.getScales();
  if (!scales.empty()) {
    node.scaleA = getOperand(*scales[0], /*isTransposed=*/false);
    node.scaleB = getOperand(*scales[1], /*isTransposed=*/false);
  }
  node.result = getNode(Value(product->getResult(0)));
  node.candidates = std::move(*candidates);
  problem.products.push_back(std::move(node));
  result.products.push_back(product);
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LogicalResult ProblemBuilder::addBuffers() {
  WalkResult walk = context.launch.walk([&](AllocOp buffer) {
    FailureOr<tilec::BufferNode> node = getBufferNode(buffer);
    if (failed(node))
      return WalkResult::interrupt();
    bufferNumbers[buffer.getResult()] =
        static_cast<int>(problem.buffers.size());
    problem.buffers.push_back(std::move(*node));
    result.buffers.push_back(buffer);
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  for (const DemandedBuffer &demanded : demandedBuffers) {
    if (addBufferEdge(demanded))
      continue;
    demanded.use->getOwner()->emitOpError("asks for a layout of operand ")
        << demanded.use->getOperandNumber()
        << ", which is no view, an element a step, of a 'tile.alloc' of its "
           "launch";
    isWrong = true;
  }
  if (!isWrong)
    offerWarpgroups();
  planBuffers();
  return failure(isWrong);
}

/// What an operation demands of a buffer, which may then have the layouts that
/// meet it. False where it is not known which buffer, or which part, that is.
bool ProblemBuilder::addBufferEdge(const DemandedBuffer &demanded) {
  auto buffer = bufferNumbers.find(getSharedRoot(demanded.use->get()));
  auto demand = getDemandOnRoot(demanded);
  if (buffer == bufferNumbers.end() || !demand)
    return false;
  int number = buffer->second;
  bool isRepeated = problem.isDemanded(number, *demand);
  std::vector<tilec::SharedLayout> &candidates =
      problem.buffers[number].candidates;
  const tilec::SharedLayout first = candidates.front();
  if (!isRepeated && !result.buffers[number].getLayoutAttr())
    for (tilec::SharedLayout &layout :
         tilec::getLayouts(*demand, first.getShape(), first.getElementBits()))
      if (!llvm::is_contained(candidates, layout))
        candidates.push_back(std::move(layout));
  problem.bufferEdges.push_back(
      {getUse(*demanded.use), number, std::move(*demand), isRepeated});
  return true;
}

/// The bytes that one access can move along the rows of a buffer that had the
/// layout `before`.
static int64_t getRowAccessBytes(const tilec::SharedLayout &layout,
                                 const tilec::SharedLayout &before) {
  if (before.getDigits().empty())
    return 0;
  int64_t width = layout.getVectorWidth(before.getDigits().front().dim);
  return std::min(tilec::maxAccessBytes, width * layout.getElementBits() / 8);
}

/// Which operand a buffer holds, and, of elements that descriptors find along K
/// alone, that it lies across: it is the memory that has to change then.
static std::string describeOperand(MatrixProductOpInterface product,
                                   const tilec::MatrixInstruction &row,
                                   Value buffer) {
  auto describe = [&](const char *name, bool isAlongK, const char *outer) {
    std::string operand = std::string("operand ") + name;
    if (isAlongK || tilec::getElementBits(row.kindA) == 16)
      return operand + ": ";
    return operand + " lies along " + outer +
           ", and elements that have not 16 bits are read along K: ";
  };
  if (getSharedRoot(product.getA()) == buffer)
    return describe("a", !product.getTransposeA(), "M");
  if (getSharedRoot(product.getB()) == buffer)
    return describe("b", product.getTransposeB(), "N");
  return "";
}

/// Lets warpgroups carry out a product if buffers can have layouts for it that
/// leave copies as wide as they were; else says why not.
std::optional<std::string>
ProblemBuilder::takeWarpgroups(MatrixProductOpInterface product,
                               const tilec::ProductCandidate &candidate) {
  tilec::LayoutFailure failure;
  auto before = tilec::chooseBuffers(problem, failure);
  if (!before)
    return failure.reason;
  for (const DemandedBuffer &demanded :
       getDescriptorDemands(product, *candidate.plan.instruction))
    if (!addBufferEdge(demanded))
      return "an operand is no view, an element a step, of a 'tile.alloc'";
  auto after = tilec::chooseBuffers(problem, failure);
  if (!after)
    return failure.reason;
  for (auto [number, buffer] : llvm::enumerate(problem.buffers)) {
    const tilec::SharedLayout &old = buffer.candidates[(*before)[number]];
    int64_t oldBytes = getRowAccessBytes(old, old);
    int64_t bytes = getRowAccessBytes(buffer.candidates[(*after)[number]], old);
    if (bytes < oldBytes)
      return describeOperand(product, *candidate.plan.instruction,
                             result.buffers[number].getResult()) +
             "rows of its buffer would be accessed by " +
             std::to_string(bytes) + " bytes instead of " +
             std::to_string(oldBytes);
  }
  return std::nullopt;
}

/// Warpgroups multiply where the chip has instructions for them and nothing is
/// in the way: a candidate in front of the others.
void ProblemBuilder::offerWarpgroups() {
  for (auto [product, node] : llvm::zip(result.products, problem.products)) {
    auto choice = chooseWarpgroupProduct(context, product);
    if (!choice)
      continue;
    std::vector<tilec::BufferNode> buffers = problem.buffers;
    size_t edges = problem.bufferEdges.size();
    const auto &fixed = problem.nodes[node.result].fixed;
    std::optional<std::string> obstacle;
    if (!*choice)
      obstacle = choice->reason();
    else if (fixed && !(*fixed == (*choice)->plan.result))
      obstacle = "its result has another layout";
    else
      obstacle = takeWarpgroups(product, **choice);
    if (!obstacle) {
      node.candidates.insert(node.candidates.begin(), **choice);
      continue;
    }
    problem.buffers = std::move(buffers);
    problem.bufferEdges.resize(edges);
    result.notByWarpgroups.insert({product, *obstacle});
  }
}

/// How wide accesses are follows from the layouts of buffers. Where there are
/// none, the solver says so.
void ProblemBuilder::planBuffers() {
  tilec::LayoutFailure failure;
  auto chosen = tilec::chooseBuffers(problem, failure);
  for (auto [number, buffer] : llvm::enumerate(result.buffers))
    planned.try_emplace(
        buffer.getResult(),
        problem.buffers[number].candidates[chosen ? (*chosen)[number] : 0]);
}

void ProblemBuilder::addCopies() {
  context.launch.walk([&](CopyOp copy) {
    const CopyPlan &plan =
        result.copies.insert({copy, chooseCopy(context, copy, planned)})
            .first->second;
    for (DemandedLayout &demanded : copy.getDemandedLayouts(plan.layout)) {
      auto *use = cast<OpOperand *>(demanded.end);
      problem.demands.push_back(
          {getUse(*use), getNode(use), std::move(demanded.layout)});
    }
  });
  context.launch.walk([&](Im2ColOp copy) {
    result.copies.insert({copy, chooseCopy(context, copy, planned)});
  });
}

/// How `op` moves `fragment` to or from memory.
void ProblemBuilder::addAccesses(NodeId node, Operation *op, Value fragment) {
  auto statement = dyn_cast<BlockAccessOpInterface>(op);
  if (!statement)
    return;
  SmallVector<BlockAccess> accesses;
  statement.getBlockAccesses(accesses);
  ArrayRef<int64_t> shape = problem.nodes[node].shape;
  for (const BlockAccess &access : accesses) {
    if (!access.side || access.fragment != fragment)
      continue;
    const Side &side = *access.side;
    auto dim = getContiguousTileDim(side, shape, &planned);
    if (!dim)
      continue;
    // Tiles at the edge are checked element by element, all others are not.
    int64_t width = getAccessWidth(context.facts, side, shape, *dim,
                                   AccessBounds::Ignore, &planned);
    int64_t bits = getMemoryBits(side.getType().getElementType());
    problem.nodes[node].accesses.push_back(
        {*dim, width, static_cast<int64_t>(llvm::divideCeil(width * bits, 8)),
         !side.isShared()});
  }
}

/// Memory accesses in a parallel loop are coalesced along the dimension whose
/// induction variable is the last index.
void ProblemBuilder::addSpaceAccesses(NodeId node,
                                      IterationSpaceOpInterface space) {
  if (IntegerAttr width = space.getCoalescedWidthAttr())
    problem.nodes[node].coalescedWidth = width.getInt();
  auto loop = dyn_cast<ParallelOp>(space.getOperation());
  if (!loop)
    return;
  loop.getBody().walk([&](Operation *op) {
    ValueRange indices = getElementIndices(op);
    if (indices.empty() || problem.nodes[node].coalescedDim)
      return;
    auto variable = dyn_cast<BlockArgument>(indices.back());
    if (variable && variable.getOwner() == &loop.getBody().front())
      problem.nodes[node].coalescedDim =
          static_cast<int>(variable.getArgNumber());
  });
}

void ProblemBuilder::addAccesses(NodeId node) {
  const LayoutNodeOwner &owner = result.owners[node];
  if (owner.space)
    return addSpaceAccesses(node, owner.space);
  if (OpOperand *use = owner.constantUse)
    return addAccesses(node, use->getOwner(), use->get());
  if (Operation *op = owner.value.getDefiningOp())
    addAccesses(node, op, owner.value);
  for (Operation *user : owner.value.getUsers())
    addAccesses(node, user, owner.value);
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

FailureOr<LaunchLayouts> ProblemBuilder::build() {
  problem.lanes = context.lanes();
  problem.warps = context.warps();
  Region &body = context.launch.getBody();
  body.walk<WalkOrder::PreOrder>([&](Operation *op) { addNodes(op); });
  body.walk<WalkOrder::PreOrder>([&](Operation *op) { addConstraints(op); });
  WalkResult walk = body.walk([&](MatrixProductOpInterface product) {
    return WalkResult(addProduct(product));
  });
  if (isWrong || walk.wasInterrupted() || failed(addBuffers()))
    return failure();
  for (NodeId node = 0; node < static_cast<NodeId>(problem.nodes.size());
       ++node)
    addAccesses(node);
  addCopies();
  if (isWrong)
    return failure();
  addCostFacts(context, result, planned);
  return std::move(result);
}

FailureOr<LaunchLayouts>
mlir::tile::buildLayoutProblem(LayoutContext &context) {
  return ProblemBuilder(context).build();
}
