//===- StateGraph.h - Operations with known slot numbers --------*- C++ -*-===//
//
// The control flow of a launch, unfolded by the values of what slot numbers of
// rings are computed from (BarrierCheck.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_STATEGRAPH_H
#define TILE_LIB_ANALYSIS_STATEGRAPH_H

#include "tile/Analysis/StructuredDataflow.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace mlir::tile {

class StateGraph {
public:
  /// Control goes on to a node; through the back edge of `loop` if not null, or to behind
  /// `left` if not null, from its end or, `isLeftOut`, from in front of it.
  struct Edge {
    int target = 0;
    Operation *loop = nullptr;
    Operation *left = nullptr;
    bool isLeftOut = false;
  };
  /// Before `op`, with numbers known.
  struct Node {
    Operation *op = nullptr;
    int numbers = 0;
    SmallVector<Edge, 2> successors;
  };

  /// Unfolds by what `values` are computed from.
  StateGraph(LaunchOp launch, ArrayRef<Value> values);

  ArrayRef<Node> getNodes() const { return nodes; }
  /// What `value` is at a node; nothing if it is not known there.
  std::optional<int64_t> evaluate(OpFoldResult value, const Node &node) const;

private:
  /// Values carried by control flow and what they are; others are not known.
  using Numbers = std::map<unsigned, int64_t>;

  /// Larger numbers count as not known, so that counters without an end do not
  /// unfold without one.
  static constexpr int64_t largestNumber = 64;

  void collectCarried(ArrayRef<Value> values);
  std::optional<int64_t> evaluate(Value value, const Numbers &known) const;
  void addSuccessors(int from);
  void follow(int from, RegionBranchOpInterface branch, Region *region);
  Numbers cross(const RegionEdge &edge, const Numbers &known) const;
  int getNode(Operation *op, const Numbers &known);

  Block *body;
  /// Arguments and results that carry numbers.
  llvm::SetVector<Value> carried;
  SmallVector<Node> nodes;
  std::map<Numbers, int> numbering;
  SmallVector<const Numbers *> numbers;
  llvm::DenseMap<std::pair<Operation *, int>, int> nodeNumbers;
};

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_STATEGRAPH_H
