//===- Problems.h - Layout problems written down ----------------*- C++ -*-===//

#ifndef TILE_TEST_UNIT_LAYOUTSEARCH_PROBLEMS_H
#define TILE_TEST_UNIT_LAYOUTSEARCH_PROBLEMS_H

#include "tile/LayoutSearch/LayoutProblem.h"

#include <gtest/gtest.h>

namespace tilec::test {

inline LayoutProblem makeProblem(int64_t warps, int64_t lanes = 32) {
  LayoutProblem problem;
  problem.lanes = lanes;
  problem.warps = warps;
  return problem;
}

inline NodeId addNode(LayoutProblem &problem, Coordinate shape) {
  problem.nodes.emplace_back(std::move(shape));
  return static_cast<NodeId>(problem.nodes.size()) - 1;
}

inline LayoutSolution solveOrFail(const LayoutProblem &problem) {
  LayoutFailure failure;
  std::optional<LayoutSolution> solution = solve(problem, failure);
  EXPECT_TRUE(solution) << failure.reason;
  EXPECT_EQ(validate(problem, *solution), std::nullopt);
  EXPECT_EQ(solution->search.cost,
            countCosts(problem, *solution).getTotal(problem.weights));
  EXPECT_LE(solution->search.cost, solution->search.greedyCost);
  return *solution;
}

inline FragmentLayout makeLayout(Coordinate shape, Digits registers,
                                 Digits lanes, Digits warps) {
  auto layout = FragmentLayout::get(std::move(shape), std::move(registers),
                                    std::move(lanes), std::move(warps));
  EXPECT_TRUE(layout) << layout.reason();
  return *layout;
}

/// A load or store of node `node` from a row-major memref of global memory with
/// rows of `pitch` elements; along its last dimension, or its first if
/// `isTransposed`.
inline void addGlobalAccess(LayoutProblem &problem, NodeId node, bool isStore,
                            int64_t pitch, bool isTransposed = false) {
  LayoutNode &owner = problem.nodes[node];
  int rank = static_cast<int>(owner.shape.size());
  int dim = isTransposed ? 0 : rank - 1;
  int64_t width = 128 / owner.bits;
  while (owner.shape[dim] % width != 0)
    width /= 2;
  owner.accesses.push_back({dim, width, width * owner.bits / 8, true});
  MemoryAccess access;
  access.isStore = isStore;
  access.width = width;
  access.bits = owner.bits;
  access.times = owner.times;
  access.strides.assign(rank, pitch);
  access.strides[dim] = 1;
  owner.memory.push_back(access);
}

} // namespace tilec::test

#endif // TILE_TEST_UNIT_LAYOUTSEARCH_PROBLEMS_H
