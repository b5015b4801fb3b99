//===- Classes.h - Nodes that share a layout --------------------*- C++ -*-===//
//
// Nodes are joined along "same" edges, in program order, if nothing speaks
// against it: two classes with different fixed layouts stay apart, and so does
// what reads copies that the user wrote.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_LAYOUTSEARCH_CLASSES_H
#define TILE_LIB_LAYOUTSEARCH_CLASSES_H

#include "tile/LayoutSearch/LayoutProblem.h"

namespace tilec::detail {

class Classes {
public:
  /// `fixed` has the fixed layouts by node.
  Classes(const LayoutProblem &problem,
          std::vector<std::optional<FragmentLayout>> fixed);

  /// The class of a node: the smallest node in it.
  NodeId getClass(NodeId node) const;
  /// The layout of a node's class, once known.
  std::optional<FragmentLayout> &layoutOf(NodeId node) {
    return layouts[getClass(node)];
  }
  const std::optional<FragmentLayout> &layoutOf(NodeId node) const {
    return layouts[getClass(node)];
  }
  /// The nodes of each class, by its smallest.
  std::vector<std::vector<NodeId>> getMembers() const;

private:
  void join(const LayoutProblem &problem, NodeId a, NodeId b);

  mutable std::vector<NodeId> parents;
  std::vector<std::optional<FragmentLayout>> layouts;
};

/// A problem of one node of `shape` on the threads of `problem`.
LayoutProblem makeProblemOf(const LayoutProblem &problem,
                            const Coordinate &shape);

/// The default layout of a class from what its members want (Default.cpp).
FragmentLayout getDefaultLayout(const LayoutProblem &problem,
                                const std::vector<NodeId> &members);

/// Layouts that hold more registers than the default, for what they save: with more
/// lanes along the fastest dimension, whose rows are then read whole even if nothing
/// divides them; and with neighbours along a scanned dimension in a thread, which then
/// has one partial result for all of them (Default.cpp).
std::vector<FragmentLayout>
listAlternatives(const LayoutProblem &problem,
                 const std::vector<NodeId> &members);

/// Whether `layout` is the default of a class in which warps share the vector that all
/// rows use.
bool isSharedVector(const LayoutProblem &problem,
                    const std::vector<NodeId> &members,
                    const FragmentLayout &layout);

/// A layout that holds the dimensions `resident` whole in every thread that
/// holds any of it, and spreads the others over lanes and warps (Default.cpp).
FragmentLayout getResidentLayout(const LayoutProblem &problem,
                                 const Coordinate &shape,
                                 const std::vector<int> &resident);

/// A layout of a node of shape `whole` of which the slice `map` is `part`: registers go
/// on from slice to slice, so that none of them moves. Fails where `map` is no slice, where
/// `part` has padding or does not divide the whole, and where the slice begins within one
/// (Default.cpp).
Expected<FragmentLayout> repeatPart(const FragmentLayout &part,
                                    const Coordinate &whole,
                                    const LayoutMap &map);

} // namespace tilec::detail

#endif // TILE_LIB_LAYOUTSEARCH_CLASSES_H
