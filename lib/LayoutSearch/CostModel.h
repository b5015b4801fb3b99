//===- CostModel.h - The parts of what a solution costs ---------*- C++ -*-===//
//
// Each part is a function of a few layouts, so that the search can add up those
// that it has decided. Exchanges, the dear ones to count, are remembered.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_LAYOUTSEARCH_COSTMODEL_H
#define TILE_LIB_LAYOUTSEARCH_COSTMODEL_H

#include "tile/LayoutSearch/LayoutProblem.h"

#include <map>
#include <tuple>

namespace tilec::detail {

class CostModel {
public:
  /// `buffers` has the chosen candidate of each buffer.
  CostModel(const LayoutProblem &problem, std::vector<int> buffers)
      : problem(problem), buffers(std::move(buffers)) {}

  /// What the operations on node `node` execute if it has `layout`: arithmetic,
  /// accesses to memory, reductions and scans.
  LayoutCost countNode(NodeId node, const FragmentLayout &layout) const;

  /// An exchange of elements of `bits`, `times` as often; nothing where the layouts are
  /// equal.
  LayoutCost countExchange(const FragmentLayout &source,
                           const FragmentLayout &target, int64_t bits,
                           int64_t times);

  /// The operands that a product reads from shared memory.
  LayoutCost countProduct(const ProductNode &product,
                          const GemmPlan &plan) const;

  /// 32-bit registers of a thread for the elements of node `node`.
  int64_t countRegisters(NodeId node, const FragmentLayout &layout) const;

  /// What `registers` live together spill at a point of `set`.
  LayoutCost countSpills(const LiveSet &set, int64_t registers) const;

private:
  const LayoutProblem &problem;
  std::vector<int> buffers;
  std::map<std::tuple<FragmentLayout, FragmentLayout, int64_t, bool>,
           LayoutCost>
      exchanges;
};

} // namespace tilec::detail

#endif // TILE_LIB_LAYOUTSEARCH_COSTMODEL_H
