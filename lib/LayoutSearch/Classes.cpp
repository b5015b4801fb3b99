//===- Classes.cpp - Nodes that share a layout ----------------------------===//

#include "Classes.h"

#include <algorithm>
#include <numeric>

using namespace tilec;
using namespace tilec::detail;

/// Whether `fixed` has copies, by the user's wish, that `reader` need not have:
/// to forget copies moves no data.
static bool isCopied(const LayoutProblem &problem, NodeId fixed,
                     NodeId reader) {
  const std::optional<FragmentLayout> &layout = problem.nodes[fixed].fixed;
  return layout && layout->getReplication() > 1 &&
         !problem.nodes[reader].fixed &&
         std::ranges::any_of(problem.operandEdges, [&](const auto &edge) {
           return edge.source == fixed && edge.target == reader &&
                  edge.map.isIdentity();
         });
}

Classes::Classes(const LayoutProblem &problem,
                 std::vector<std::optional<FragmentLayout>> fixed)
    : parents(problem.nodes.size()), layouts(std::move(fixed)) {
  std::iota(parents.begin(), parents.end(), 0);
  for (const SameEdge &edge : problem.sameEdges)
    if (!isCopied(problem, edge.a, edge.b) &&
        !isCopied(problem, edge.b, edge.a))
      join(problem, edge.a, edge.b);
}

NodeId Classes::getClass(NodeId node) const {
  while (parents[node] != node)
    node = parents[node] = parents[parents[node]];
  return node;
}

void Classes::join(const LayoutProblem &problem, NodeId a, NodeId b) {
  a = getClass(a);
  b = getClass(b);
  if (a == b || problem.nodes[a].shape != problem.nodes[b].shape)
    return;
  if (layouts[a] && layouts[b] && !(*layouts[a] == *layouts[b]))
    return;
  if (b < a)
    std::swap(a, b);
  if (!layouts[a])
    layouts[a] = layouts[b];
  parents[b] = a;
}

std::vector<std::vector<NodeId>> Classes::getMembers() const {
  std::vector<std::vector<NodeId>> members(parents.size());
  for (NodeId node = 0; node < static_cast<NodeId>(parents.size()); ++node)
    members[getClass(node)].push_back(node);
  return members;
}
