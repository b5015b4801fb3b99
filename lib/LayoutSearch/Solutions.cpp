//===- Solutions.cpp - Solutions by their layouts, and their costs --------===//
//
// Around the search: what it chooses from, what a choice means for the whole and
// costs, which choice would have been next.
//
//===----------------------------------------------------------------------===//

#include "Terms.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::detail;

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

LayoutChoices tilec::listChoices(const LayoutProblem &problem) {
  GreedyLayouts greedy = chooseGreedily(problem);
  Consequences consequences(problem, greedy);
  LayoutChoices choices;
  for (NodeId node = 0; node < static_cast<NodeId>(problem.nodes.size());
       ++node)
    choices.classes.push_back(greedy.classes.getClass(node));
  for (const auto &list : listCandidates(problem, greedy, consequences)) {
    std::vector<FragmentLayout> &layouts = choices.candidates.emplace_back();
    for (const Candidate &candidate : list)
      layouts.push_back(candidate.layout);
  }
  return choices;
}

std::optional<LayoutSolution>
tilec::completeSolution(const LayoutProblem &problem,
                        const std::vector<FragmentLayout> &layouts,
                        LayoutFailure &failure) {
  auto buffers = chooseBuffers(problem, failure);
  if (!buffers)
    return std::nullopt;
  GreedyLayouts greedy = chooseGreedily(problem);
  auto solution = Consequences(problem, greedy)
                      .complete(
                          [&](NodeId node) -> const FragmentLayout & {
                            return layouts[node];
                          },
                          failure);
  if (solution)
    solution->buffers = std::move(*buffers);
  return solution;
}

//===----------------------------------------------------------------------===//
// Costs of whole solutions
//===----------------------------------------------------------------------===//

/// By use: the node that it uses.
static std::map<UseId, NodeId> getUsedNodes(const LayoutProblem &problem) {
  std::map<UseId, NodeId> used;
  for (const OperandEdge &edge : problem.operandEdges)
    used[edge.use] = edge.source;
  for (const ResultEdge &edge : problem.resultEdges)
    if (edge.use)
      used[*edge.use] = edge.source;
  for (const Demand &demand : problem.demands)
    used[demand.use] = demand.node;
  for (const ProductNode &product : problem.products)
    for (const ProductNode::Operand &operand : product.getOperands())
      used[operand.use] = operand.node;
  return used;
}

LayoutCost tilec::countCosts(const LayoutProblem &problem,
                             const LayoutSolution &solution) {
  CostModel model(problem, solution.buffers);
  LayoutCost cost;
  for (NodeId node = 0; node < static_cast<NodeId>(problem.nodes.size());
       ++node) {
    const FragmentLayout &layout = solution.nodes[node];
    cost += model.countNode(node, layout);
    cost += model.countExchange(solution.getProduced(node), layout,
                                problem.nodes[node].bits,
                                problem.nodes[node].times);
  }
  std::map<UseId, NodeId> used = getUsedNodes(problem);
  for (const OperandExchange &exchange : solution.exchanges) {
    NodeId node = used.at(exchange.use);
    cost += model.countExchange(solution.nodes[node], exchange.layout,
                                problem.nodes[node].bits,
                                problem.getTimes(exchange.use));
  }
  for (size_t i = 0; i < problem.products.size(); ++i)
    cost += model.countProduct(
        problem.products[i],
        problem.products[i].candidates[solution.products[i]].plan);
  for (const LiveSet &set : problem.liveSets) {
    int64_t registers = 0;
    for (NodeId node : set.nodes)
      registers += model.countRegisters(node, solution.nodes[node]);
    cost += model.countSpills(set, registers);
  }
  return cost;
}

std::vector<std::optional<RunnerUp>>
tilec::findRunnersUp(const LayoutProblem &problem,
                     const LayoutSolution &solution) {
  GreedyLayouts greedy = chooseGreedily(problem);
  Consequences consequences(problem, greedy);
  auto candidates = listCandidates(problem, greedy, consequences);
  Terms terms(problem, greedy, consequences, candidates, solution.buffers);
  std::vector<int> values(terms.getVariableCount());
  for (int i = 0; i < terms.getVariableCount(); ++i) {
    const std::vector<Candidate> &list = candidates[terms.getClassOf(i)];
    auto chosen = std::ranges::find(list, solution.nodes[terms.getClassOf(i)],
                                    &Candidate::layout);
    values[i] = static_cast<int>(chosen - list.begin());
  }
  std::vector<std::optional<RunnerUp>> ofVariables(terms.getVariableCount());
  for (int i = 0; i < terms.getVariableCount(); ++i) {
    int chosen = values[i];
    for (values[i] = 0; values[i] < terms.getDomain(i); ++values[i]) {
      int64_t cost = values[i] == chosen ? impossible : terms.getTotal(values);
      if (cost < impossible && (!ofVariables[i] || cost < ofVariables[i]->cost))
        ofVariables[i] =
            RunnerUp{candidates[terms.getClassOf(i)][values[i]].layout, cost};
    }
    values[i] = chosen;
  }
  std::vector<std::optional<RunnerUp>> runnersUp(problem.nodes.size());
  for (NodeId node = 0; node < static_cast<NodeId>(problem.nodes.size());
       ++node)
    if (int i = terms.getVariable(greedy.classes.getClass(node)); i >= 0)
      runnersUp[node] = ofVariables[i];
  return runnersUp;
}
