//===- LayoutPlan.cpp - The layouts of a launch, decided ------------------===//

#include "LayoutPlan.h"

#include "tile/Dialect/Tile/OwnElement.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::FragmentLayout;

namespace {

/// Solves the graph: one layout per class, then what it costs at the edges.
class Planner {
public:
  Planner(LayoutContext &context, LayoutGraph &graph)
      : context(context), graph(graph) {}

  FailureOr<LayoutPlan> plan();

private:
  void anchorUserLayouts();
  LogicalResult anchorGemms();
  void propagate();
  bool propagateOnce();
  void assignFreeClasses();
  LogicalResult chooseProduced();
  LogicalResult chooseConversions();
  void chooseCopies();
  void requireLayout(OpOperand &use, const FragmentLayout &layout);

  std::optional<FragmentLayout> &layoutOf(int node) {
    return classes[graph.getClass(node)];
  }
  /// The layout in which an operation gives its result: what it produces, or
  /// what its users see.
  const FragmentLayout &getProduced(int node) {
    auto it = result.produced.find(graph.getValue(node));
    return it != result.produced.end() ? it->second : *layoutOf(node);
  }

  LayoutContext &context;
  LayoutGraph &graph;
  LayoutPlan result;
  /// Per class (its smallest node): the layout, once known.
  std::vector<std::optional<FragmentLayout>> classes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Strict anchors
//===----------------------------------------------------------------------===//

void Planner::anchorUserLayouts() {
  for (int node = 0; node < graph.getNodeCount(); ++node) {
    Value value = graph.getValue(node);
    if (!value)
      continue;
    if (FragmentAttr encoding = getFragment(value.getType()))
      graph.fix(node, encoding.getLayout());
  }
  context.launch.walk([&](ParallelOp loop) {
    if (FragmentAttr layout = loop.getLayoutAttr())
      graph.fix(graph.getNode(loop), layout.getLayout());
  });
}

LogicalResult Planner::anchorGemms() {
  WalkResult walk = context.launch.walk([&](GemmOp gemm) {
    FailureOr<GemmChoice> choice = chooseGemm(context, gemm);
    if (failed(choice))
      return WalkResult::interrupt();
    result.gemms[gemm] = *choice;
    int node = graph.getNode(gemm.getResult());
    if (choice->plan.atom && !getFragment(gemm.getType()))
      graph.fix(node, choice->plan.result);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Implied and free layouts
//===----------------------------------------------------------------------===//

bool Planner::propagateOnce() {
  bool changed = false;
  auto adopt = [&](int node, tilec::Expected<FragmentLayout> layout) {
    if (!layout)
      return;
    layoutOf(node) = *layout;
    changed = true;
  };
  for (const ResultEdge &edge : graph.getResultEdges()) {
    if (layoutOf(edge.source) && !layoutOf(edge.target))
      adopt(edge.target, edge.forward(*layoutOf(edge.source)));
    else if (edge.backward && layoutOf(edge.target) && !layoutOf(edge.source))
      adopt(edge.source, edge.backward(*layoutOf(edge.target)));
  }
  for (const OperandEdge &edge : graph.getOperandEdges())
    if (layoutOf(edge.target) && !layoutOf(edge.source))
      adopt(edge.source, edge.derive(*layoutOf(edge.target)));
  return changed;
}

void Planner::propagate() {
  while (propagateOnce())
    ;
}

void Planner::assignFreeClasses() {
  // Fragment operands of gemms first take what their instruction wants.
  context.launch.walk([&](GemmOp gemm) {
    const GemmPlan &plan = result.gemms.at(gemm).plan;
    auto suggest = [&](Value operand, const FragmentLayout &layout,
                       bool isTransposed) {
      if (!plan.atom || !graph.hasNode(operand))
        return;
      auto &known = layoutOf(graph.getNode(operand));
      if (!known)
        known = isTransposed ? layout.transpose({1, 0}) : layout;
    };
    suggest(gemm.getA(), plan.a, gemm.getTransposeA());
    suggest(gemm.getB(), plan.b, gemm.getTransposeB());
  });
  propagate();

  std::vector<SmallVector<int>> members(graph.getNodeCount());
  SmallVector<int> open;
  for (int node = 0; node < graph.getNodeCount(); ++node) {
    int classId = graph.getClass(node);
    members[classId].push_back(node);
    if (classId == node)
      open.push_back(node);
  }
  auto countElements = [&](int node) {
    const Coordinate &shape = graph.getShape(node);
    return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                           std::multiplies<>());
  };
  // The largest first: what is smaller follows from it with less replication.
  llvm::sort(open, [&](int a, int b) {
    int64_t sizeA = countElements(a), sizeB = countElements(b);
    return sizeA != sizeB ? sizeA > sizeB : a < b;
  });
  for (int classId : open) {
    if (classes[classId])
      continue;
    classes[classId] = chooseDefault(context, graph, classId, members[classId]);
    propagate();
  }
}

//===----------------------------------------------------------------------===//
// What the edges cost
//===----------------------------------------------------------------------===//

void Planner::requireLayout(OpOperand &use, const FragmentLayout &layout) {
  if (!(*layoutOf(graph.getNode(use.get())) == layout))
    result.conversions.push_back({&use, layout});
}

LogicalResult Planner::chooseProduced() {
  auto produce = [&](int node, const FragmentLayout &layout) {
    if (!(*layoutOf(node) == layout))
      result.produced[graph.getValue(node)] = layout;
  };
  context.launch.walk([&](GemmOp gemm) {
    const GemmPlan &plan = result.gemms.at(gemm).plan;
    if (plan.atom)
      produce(graph.getNode(gemm.getResult()), plan.result);
  });
  context.launch.walk([&](ScanOp scan) {
    const FragmentLayout &layout = *layoutOf(graph.getNode(scan.getResult(0)));
    for (Value value : scan.getResults())
      produce(graph.getNode(value), layout);
  });
  for (const ResultEdge &edge : graph.getResultEdges()) {
    auto layout = edge.forward(*layoutOf(edge.source));
    if (!layout) {
      FragmentLayout resident = getResidentLayout(
          context, graph.getShape(edge.source), edge.residentDims);
      layout = edge.forward(resident);
      Operation *op = edge.use->getOwner();
      if (!layout)
        return op->emitOpError("has no layout that its operand's ")
               << resident.toString() << " gives: " << layout.reason();
      requireLayout(*edge.use, resident);
    }
    produce(edge.target, *layout);
  }
  return success();
}

void Planner::chooseCopies() {
  context.launch.walk([&](CopyOp copy) {
    const CopyPlan &plan = result.copies[copy] = chooseCopy(context, copy);
    SmallVector<int64_t> shape = copy.getTileShape();
    auto require = [&](MutableOperandRange rows, const Side &side) {
      if (rows.empty())
        return;
      if (auto dim = getRowsTileDim(side, shape))
        requireLayout(rows[0], projectLayout(plan.layout, {*dim}));
    };
    require(copy.getSourceRowsMutable(), copy.getSourceSide());
    require(copy.getDestRowsMutable(), copy.getDestSide());
  });
  context.launch.walk(
      [&](Im2ColOp op) { result.copies[op] = chooseIm2Col(context, op); });
}

LogicalResult Planner::chooseConversions() {
  for (const OperandEdge &edge : graph.getOperandEdges()) {
    auto layout = edge.derive(edge.targetIsOperand ? *layoutOf(edge.target)
                                                   : getProduced(edge.target));
    if (!layout)
      return edge.use->getOwner()->emitOpError("has no layout for operand ")
             << edge.use->getOperandNumber() << ": " << layout.reason();
    requireLayout(*edge.use, *layout);
  }
  context.launch.walk([&](GemmOp gemm) {
    const GemmPlan &plan = result.gemms.at(gemm).plan;
    if (!plan.atom)
      return; // fragments go to shared memory when the plan is applied
    if (graph.hasNode(gemm.getA()))
      requireLayout(gemm.getAMutable(),
                    gemm.getTransposeA() ? plan.a.transpose({1, 0}) : plan.a);
    if (graph.hasNode(gemm.getB()))
      requireLayout(gemm.getBMutable(),
                    gemm.getTransposeB() ? plan.b.transpose({1, 0}) : plan.b);
  });
  return success();
}

/// Operations that no later pass takes apart yet are refused here, before they
/// are given a layout that could not be kept.
static LogicalResult refuseUnimplemented(LaunchOp launch) {
  WalkResult walk = launch.walk([](Operation *op) {
    if (!isa<GemmSparseOp, GemmScaledOp>(op))
      return WalkResult::advance();
    op->emitError("not implemented yet: ") << op->getName().getStringRef();
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

FailureOr<LayoutPlan> Planner::plan() {
  if (failed(refuseUnimplemented(context.launch)))
    return failure();
  anchorUserLayouts();
  if (failed(anchorGemms()))
    return failure();
  graph.joinClasses();
  classes.resize(graph.getNodeCount());
  for (int node = 0; node < graph.getNodeCount(); ++node)
    if (graph.getClass(node) == node)
      classes[node] = graph.getFixedLayout(node);
  propagate();
  if (failed(chooseBuffers(context, result)))
    return failure();
  assignFreeClasses();
  if (failed(chooseProduced()) || failed(chooseConversions()))
    return failure();
  chooseCopies();
  for (int node = 0; node < graph.getNodeCount(); ++node)
    result.nodes.push_back(*layoutOf(node));
  return std::move(result);
}

FailureOr<LayoutPlan> tile::planLayouts(LayoutContext &context,
                                        LayoutGraph &graph) {
  return Planner(context, graph).plan();
}
