//===- Consequences.h - What follows from layouts of classes ----*- C++ -*-===//
//
// With a layout for every class everything else is determined: the candidate of
// each product, the layout in which each operation gives its result, and where
// data is exchanged. A solution is completed by it, and the search asks it edge
// by edge.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_LAYOUTSEARCH_CONSEQUENCES_H
#define TILE_LIB_LAYOUTSEARCH_CONSEQUENCES_H

#include "Greedy.h"

#include <functional>

namespace tilec::detail {

class Consequences {
public:
  /// The layout of a node, as its class has it.
  using LayoutOf = std::function<const FragmentLayout &(NodeId)>;

  Consequences(const LayoutProblem &problem, const GreedyLayouts &greedy);

  /// The candidates that may carry out a product: the greedy one, and those of
  /// its instruction that waste as little and share the result as it does.
  const std::vector<int> &getCandidates(size_t product) const {
    return productCandidates[product];
  }
  /// Of these the greedy one where the result has its greedy layout, else one
  /// that gives the result, if one does.
  const GemmPlan &getPlan(size_t product, const LayoutOf &layoutOf) const;

  /// The operation that gives a node; nothing for most.
  const ResultEdge *getEdgeTo(NodeId node) const { return edgesTo[node]; }

  /// The layout in which the operation of `node` gives it.
  Expected<FragmentLayout> getProduced(NodeId node,
                                       const LayoutOf &layoutOf) const;

  /// The layout that the operand of a result's edge is exchanged to so that the
  /// result has one; nothing where it is taken as it is. Fails where there is
  /// none.
  Expected<std::optional<FragmentLayout>>
  getResident(const ResultEdge &edge, const LayoutOf &layoutOf) const;

  /// The layout in which an operand is taken.
  Expected<FragmentLayout> getTaken(const OperandEdge &edge,
                                    const LayoutOf &layoutOf) const;

  /// The whole solution; sets `failure` and returns nothing where an edge has no
  /// layout. Buffers, reasons and the summary are left empty.
  std::optional<LayoutSolution> complete(const LayoutOf &layoutOf,
                                         LayoutFailure &failure) const;

private:
  int chooseProduct(size_t product, const LayoutOf &layoutOf) const;
  bool addProduced(const LayoutOf &layoutOf, LayoutSolution &solution,
                   LayoutFailure &failure) const;
  bool addExchanges(const LayoutOf &layoutOf, LayoutSolution &solution,
                    LayoutFailure &failure) const;

  const LayoutProblem &problem;
  const GreedyLayouts &greedy;
  std::vector<std::vector<int>> productCandidates;
  std::vector<const ResultEdge *> edgesTo; ///< by node
  std::vector<int> productsOf;             ///< by node; -1 for most
};

} // namespace tilec::detail

#endif // TILE_LIB_LAYOUTSEARCH_CONSEQUENCES_H
