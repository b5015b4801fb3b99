//===- LayoutGraph.h - The constraints between layouts ----------*- C++ -*-===//
//
// Layout inference sees a launch as a graph. Nodes are the fragments and the
// iteration spaces of `tile.parallel`. Edges say how two nodes' layouts go
// together:
//
//   same      an elementwise operand and its result, a loop-carried value, ...:
//             joined into one class if nothing speaks against it
//   derived   one layout follows from the other: a broadcast's operand from its
//             result, a reduction's result from its operand, a reshape either
//             way
//
// An edge that the chosen layouts do not satisfy costs a `tile.convert_layout`:
// on the operand, where the edge ends at one, or behind the operation, where it
// starts at its result. So nothing here can conflict; anchors only decide where
// the conversions fall.
//
// The graph is built in program order and holds no hashes of pointers in its
// order, so its solution is the same in every run.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_INFERLAYOUTS_LAYOUTGRAPH_H
#define TILE_TRANSFORMS_INFERLAYOUTS_LAYOUTGRAPH_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Layout/FragmentLayout.h"

#include <functional>

namespace mlir::tile {

/// Gives the other end's layout from one end's, or the reason why there is
/// none.
using DeriveLayout = std::function<tilec::Expected<tilec::FragmentLayout>(
    const tilec::FragmentLayout &)>;

/// The operand `use` must have the layout that `derive` gives from node
/// `target`.
struct OperandEdge {
  OpOperand *use;
  int source; ///< the operand's node
  int target;
  DeriveLayout derive; ///< target -> operand
  /// The target is another operand of the same operation, not its result: what
  /// counts is the layout in which the operation sees it.
  bool targetIsOperand = false;
};

/// The result of an operation has the layout that `forward` gives from node
/// `source`, its operand or its iteration space.
struct ResultEdge {
  OpOperand *use; ///< the operand the result is derived from; null for a loop
  int source;
  int target;            ///< the result's node
  DeriveLayout forward;  ///< operand -> result
  DeriveLayout backward; ///< result -> operand, for propagation; may be null
  /// Where `forward` can fail: dimensions that the operand must hold whole in
  /// registers for it to succeed (all of them replicates the operand).
  SmallVector<int> residentDims;
};

class LayoutGraph {
public:
  /// Builds nodes and edges of a launch's body. Gemm results are not joined to
  /// anything yet; see `joinClasses`.
  explicit LayoutGraph(LaunchOp launch);

  int getNode(Value fragment) const;
  int getNode(ParallelOp loop) const;
  bool hasNode(Value value) const { return valueNodes.contains(value); }

  /// A node's fixed layout, if one is: set before `joinClasses`.
  void fix(int node, const tilec::FragmentLayout &layout);

  /// Joins along "same" edges in program order. Two classes with different
  /// fixed layouts stay apart.
  void joinClasses();

  /// The class of a node: the smallest node in it.
  int getClass(int node) const;
  std::optional<tilec::FragmentLayout> getFixedLayout(int classId) const;

  int getNodeCount() const { return static_cast<int>(shapes.size()); }
  /// The shape of a node's fragment or box.
  const tilec::Coordinate &getShape(int node) const { return shapes[node]; }
  /// The fragment of a node; null for an iteration space.
  Value getValue(int node) const { return values[node]; }
  /// The loop of an iteration space; null for a fragment.
  ParallelOp getLoop(int node) const { return loops[node]; }

  ArrayRef<OperandEdge> getOperandEdges() const { return operandEdges; }
  ArrayRef<ResultEdge> getResultEdges() const { return resultEdges; }

private:
  int addNode(Value value, ParallelOp loop, ArrayRef<int64_t> shape);
  void addValues(Operation *op);
  void addEdges(Operation *op);
  void addSame(OpOperand &use, int target, bool targetIsOperand = false);
  void addControlFlowEdges(Operation *op);
  void addParallelEdges(ParallelOp loop);
  void addShapeEdges(Operation *op);
  void addSliceEdges(Operation *op);
  void addBitcastEdges(BitcastOp bitcast);
  void addScanEdges(ScanOp scan);
  void addRowsEdges(Operation *op);
  void join(int a, int b);

  SmallVector<Value> values;
  SmallVector<ParallelOp> loops;
  std::vector<tilec::Coordinate> shapes;
  llvm::DenseMap<Value, int> valueNodes;
  llvm::DenseMap<Operation *, int> loopNodes;

  /// (a, b) to be joined, in program order.
  SmallVector<std::pair<int, int>> sameNodes;
  SmallVector<OperandEdge> operandEdges;
  SmallVector<ResultEdge> resultEdges;

  mutable SmallVector<int> parents;
  std::vector<std::optional<tilec::FragmentLayout>> fixedLayouts;
};

/// The tile dimension that the `rows` of a side run along.
std::optional<int> getRowsTileDim(const Side &side,
                                  ArrayRef<int64_t> tileShape);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_INFERLAYOUTS_LAYOUTGRAPH_H
