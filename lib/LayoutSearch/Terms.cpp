//===- Terms.cpp - A solution's cost as a sum over few classes ------------===//

#include "Terms.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::detail;

Terms::Terms(const LayoutProblem &problem, const GreedyLayouts &greedy,
             const Consequences &consequences,
             const std::vector<std::vector<Candidate>> &candidates,
             std::vector<int> buffers)
    : problem(problem), greedy(greedy), consequences(consequences),
      candidates(candidates), model(problem, std::move(buffers)),
      variableOf(candidates.size(), -1) {
  for (NodeId number = 0; number < static_cast<NodeId>(candidates.size());
       ++number)
    if (candidates[number].size() > 1) {
      variableOf[number] = static_cast<int>(variables.size());
      variables.push_back(number);
    }
  addParts();
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

void Terms::addPart(Part part, std::vector<NodeId> nodes) {
  std::vector<int> scope;
  for (NodeId node : nodes)
    if (int variable = variableOf[greedy.classes.getClass(node)]; variable >= 0)
      scope.push_back(variable);
  std::ranges::sort(scope);
  auto repeated = std::ranges::unique(scope);
  scope.erase(repeated.begin(), repeated.end());
  auto term = std::ranges::find(terms, scope, &Term::scope);
  if (term == terms.end())
    term = terms.insert(terms.end(), {std::move(scope), {}, {}});
  term->parts.push_back(part);
}

/// The nodes on which the layout depends in which `node` is given.
void Terms::addNodesOf(NodeId node, std::vector<NodeId> &nodes) const {
  nodes.push_back(node);
  if (const ResultEdge *edge = consequences.getEdgeTo(node))
    nodes.push_back(edge->source);
}

void Terms::addParts() {
  auto forEach = [&](Kind kind, const auto &list, auto addNodes) {
    for (size_t i = 0; i < list.size(); ++i) {
      std::vector<NodeId> nodes;
      addNodes(i, nodes);
      addPart({kind, static_cast<int>(i)}, nodes);
    }
  };
  forEach(Kind::Node, problem.nodes, [&](size_t i, auto &nodes) {
    addNodesOf(static_cast<NodeId>(i), nodes);
  });
  forEach(Kind::Result, problem.resultEdges, [&](size_t i, auto &nodes) {
    nodes = {problem.resultEdges[i].source};
  });
  forEach(Kind::Operand, problem.operandEdges, [&](size_t i, auto &nodes) {
    const OperandEdge &edge = problem.operandEdges[i];
    nodes = {edge.source};
    if (edge.targetIsOperand)
      nodes.push_back(edge.target);
    else
      addNodesOf(edge.target, nodes);
  });
  forEach(Kind::Product, problem.products, [&](size_t i, auto &nodes) {
    const ProductNode &product = problem.products[i];
    nodes = {product.result};
    for (const ProductNode::Operand &operand : product.getOperands())
      nodes.push_back(operand.node);
  });
  forEach(Kind::Demand, problem.demands,
          [&](size_t i, auto &nodes) { nodes = {problem.demands[i].node}; });
  forEach(Kind::Live, problem.liveSets,
          [&](size_t i, auto &nodes) { nodes = problem.liveSets[i].nodes; });
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

Consequences::LayoutOf Terms::getLayouts(const std::vector<int> &values) const {
  return [this, &values](NodeId node) -> const FragmentLayout & {
    NodeId number = greedy.classes.getClass(node);
    int variable = variableOf[number];
    return candidates[number][variable < 0 ? 0 : values[variable]].layout;
  };
}

int64_t Terms::countExchange(UseId use, NodeId node,
                             const FragmentLayout &taken,
                             const Consequences::LayoutOf &layoutOf) {
  return model
      .countExchange(layoutOf(node), taken, problem.nodes[node].bits,
                     problem.getTimes(use))
      .getTotal(problem.weights);
}

int64_t Terms::countNode(NodeId node, const Consequences::LayoutOf &layoutOf) {
  const FragmentLayout &layout = layoutOf(node);
  auto produced = consequences.getProduced(node, layoutOf);
  if (!produced)
    return impossible;
  return model.countNode(node, layout).getTotal(problem.weights) +
         model
             .countExchange(*produced, layout, problem.nodes[node].bits,
                            problem.nodes[node].times)
             .getTotal(problem.weights);
}

int64_t Terms::countProduct(int number,
                            const Consequences::LayoutOf &layoutOf) {
  const ProductNode &product = problem.products[number];
  const GemmPlan &plan = consequences.getPlan(number, layoutOf);
  int64_t total = model.countProduct(product, plan).getTotal(problem.weights);
  forEachOperand(
      product, plan,
      [&](const ProductNode::Operand &operand, const FragmentLayout &layout) {
        total += countExchange(operand.use, operand.node, layout, layoutOf);
      });
  return total;
}

int64_t Terms::count(const Part &part, const Consequences::LayoutOf &layoutOf) {
  switch (part.kind) {
  case Kind::Node:
    return countNode(part.number, layoutOf);
  case Kind::Result: {
    const ResultEdge &edge = problem.resultEdges[part.number];
    auto resident = consequences.getResident(edge, layoutOf);
    if (!resident)
      return impossible;
    return *resident
               ? countExchange(*edge.use, edge.source, **resident, layoutOf)
               : 0;
  }
  case Kind::Operand: {
    const OperandEdge &edge = problem.operandEdges[part.number];
    auto taken = consequences.getTaken(edge, layoutOf);
    return taken ? countExchange(edge.use, edge.source, *taken, layoutOf)
                 : impossible;
  }
  case Kind::Product:
    return countProduct(part.number, layoutOf);
  case Kind::Demand: {
    const Demand &demand = problem.demands[part.number];
    return countExchange(demand.use, demand.node, demand.layout, layoutOf);
  }
  case Kind::Live: {
    const LiveSet &set = problem.liveSets[part.number];
    int64_t registers = 0;
    for (NodeId node : set.nodes)
      registers += model.countRegisters(node, layoutOf(node));
    return model.countSpills(set, registers).getTotal(problem.weights);
  }
  }
  return 0;
}

int64_t Terms::getCost(int number, const std::vector<int> &values) {
  Term &term = terms[number];
  std::vector<int> key;
  for (int variable : term.scope)
    key.push_back(values[variable]);
  auto [entry, isNew] = term.known.try_emplace(std::move(key), 0);
  if (!isNew)
    return entry->second;
  Consequences::LayoutOf layoutOf = getLayouts(values);
  int64_t total = 0;
  for (const Part &part : term.parts)
    total = std::min(impossible, total + count(part, layoutOf));
  return entry->second = total;
}

int64_t Terms::getTotal(const std::vector<int> &values) {
  int64_t total = 0;
  for (int term = 0; term < getTermCount(); ++term)
    total = std::min(impossible, total + getCost(term, values));
  return total;
}
