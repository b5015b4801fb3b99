//===- Consequences.cpp - What follows from layouts of classes ------------===//

#include "Consequences.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::detail;

static bool hasLayouts(const GemmPlan &plan) {
  return plan.instruction->participants != Participants::Thread;
}

Consequences::Consequences(const LayoutProblem &problem,
                           const GreedyLayouts &greedy)
    : problem(problem), greedy(greedy), edgesTo(problem.nodes.size()),
      productsOf(problem.nodes.size(), -1) {
  for (const ResultEdge &edge : problem.resultEdges)
    edgesTo[edge.target] = &edge;
  for (size_t i = 0; i < problem.products.size(); ++i) {
    const ProductNode &product = problem.products[i];
    productsOf[product.result] = static_cast<int>(i);
    const ProductCandidate &chosen = product.candidates[greedy.products[i]];
    std::vector<int> &numbers = productCandidates.emplace_back();
    numbers.push_back(greedy.products[i]);
    for (int j = 0; j < static_cast<int>(product.candidates.size()); ++j) {
      const ProductCandidate &other = product.candidates[j];
      if (j != greedy.products[i] &&
          other.plan.instruction == chosen.plan.instruction &&
          other.cost[0] == chosen.cost[0] && other.cost[1] == chosen.cost[1])
        numbers.push_back(j);
    }
  }
}

//===----------------------------------------------------------------------===//
// Single edges
//===----------------------------------------------------------------------===//

int Consequences::chooseProduct(size_t product,
                                const LayoutOf &layoutOf) const {
  const ProductNode &node = problem.products[product];
  const FragmentLayout &layout = layoutOf(node.result);
  if (layout == *greedy.classes.layoutOf(node.result))
    return greedy.products[product];
  for (int number : productCandidates[product])
    if (hasLayouts(node.candidates[number].plan) &&
        node.candidates[number].plan.result == layout)
      return number;
  return greedy.products[product];
}

const GemmPlan &Consequences::getPlan(size_t product,
                                      const LayoutOf &layoutOf) const {
  return problem.products[product]
      .candidates[chooseProduct(product, layoutOf)]
      .plan;
}

Expected<std::optional<FragmentLayout>>
Consequences::getResident(const ResultEdge &edge,
                          const LayoutOf &layoutOf) const {
  if (edge.forward.apply(layoutOf(edge.source)))
    return std::optional<FragmentLayout>();
  FragmentLayout resident = getResidentLayout(
      problem, problem.nodes[edge.source].shape, edge.residentDims);
  auto layout = edge.forward.apply(resident);
  if (!layout || !edge.use)
    return Failure{"a result has no layout that " + resident.toString() +
                   " gives: " + (layout ? "no operand" : layout.reason())};
  return std::optional(resident);
}

Expected<FragmentLayout>
Consequences::getProduced(NodeId node, const LayoutOf &layoutOf) const {
  if (const ResultEdge *edge = edgesTo[node]) {
    auto resident = getResident(*edge, layoutOf);
    if (!resident)
      return Failure{resident.reason()};
    return edge->forward.apply(*resident ? **resident : layoutOf(edge->source));
  }
  if (productsOf[node] >= 0) {
    const GemmPlan &plan = getPlan(productsOf[node], layoutOf);
    if (hasLayouts(plan))
      return plan.result;
  }
  return layoutOf(node);
}

Expected<FragmentLayout>
Consequences::getTaken(const OperandEdge &edge,
                       const LayoutOf &layoutOf) const {
  if (edge.targetIsOperand)
    return edge.map.apply(layoutOf(edge.target));
  auto produced = getProduced(edge.target, layoutOf);
  if (!produced)
    return produced;
  return edge.map.apply(*produced);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static void require(UseId use, const FragmentLayout &held,
                    const FragmentLayout &taken, LayoutSolution &solution) {
  if (!(held == taken))
    solution.exchanges.push_back({use, taken});
}

bool Consequences::addProduced(const LayoutOf &layoutOf,
                               LayoutSolution &solution,
                               LayoutFailure &failure) const {
  for (const ResultEdge &edge : problem.resultEdges) {
    auto resident = getResident(edge, layoutOf);
    if (!resident) {
      failure = {edge.use.value_or(-1), resident.reason()};
      return false;
    }
    if (*resident)
      require(*edge.use, layoutOf(edge.source), **resident, solution);
  }
  for (NodeId node = 0; node < static_cast<NodeId>(problem.nodes.size());
       ++node) {
    auto produced = getProduced(node, layoutOf);
    if (!(*produced == layoutOf(node)))
      solution.produced[node] = *produced;
  }
  return true;
}

bool Consequences::addExchanges(const LayoutOf &layoutOf,
                                LayoutSolution &solution,
                                LayoutFailure &failure) const {
  for (const OperandEdge &edge : problem.operandEdges) {
    auto taken = getTaken(edge, layoutOf);
    if (!taken) {
      failure = {edge.use, "it has no layout: " + taken.reason()};
      return false;
    }
    require(edge.use, layoutOf(edge.source), *taken, solution);
  }
  for (size_t i = 0; i < problem.products.size(); ++i)
    forEachOperand(
        problem.products[i], getPlan(i, layoutOf),
        [&](const ProductNode::Operand &operand, const FragmentLayout &layout) {
          require(operand.use, layoutOf(operand.node), layout, solution);
        });
  for (const Demand &demand : problem.demands)
    require(demand.use, layoutOf(demand.node), demand.layout, solution);
  return true;
}

std::optional<LayoutSolution>
Consequences::complete(const LayoutOf &layoutOf, LayoutFailure &failure) const {
  LayoutSolution solution;
  for (NodeId node = 0; node < static_cast<NodeId>(problem.nodes.size());
       ++node)
    solution.nodes.push_back(layoutOf(node));
  solution.produced.resize(problem.nodes.size());
  for (size_t i = 0; i < problem.products.size(); ++i)
    solution.products.push_back(chooseProduct(i, layoutOf));
  if (!addProduced(layoutOf, solution, failure) ||
      !addExchanges(layoutOf, solution, failure))
    return std::nullopt;
  return solution;
}
