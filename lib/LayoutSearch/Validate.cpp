//===- Validate.cpp - Whether a solution satisfies its problem ------------===//
//
// Knows only what the header of the problem says: with its exchanges, every
// operand has the layout that its edge asks for, and every result the one that
// its operation gives.
//
//===----------------------------------------------------------------------===//

#include "tile/LayoutSearch/LayoutProblem.h"

#include <map>

using namespace tilec;

namespace {

class Validator {
public:
  Validator(const LayoutProblem &problem, const LayoutSolution &solution)
      : problem(problem), solution(solution) {
    for (const OperandExchange &exchange : solution.exchanges)
      exchanged[exchange.use] = exchange.layout;
  }

  std::optional<std::string> run();

private:
  using Wrong = std::optional<std::string>;

  /// The layout in which the operation takes operand `use`, a use of `node`.
  const FragmentLayout &getTaken(UseId use, NodeId node) const {
    auto found = exchanged.find(use);
    return found != exchanged.end() ? found->second : solution.nodes[node];
  }
  Wrong checkSizes() const;
  Wrong checkNodes() const;
  Wrong checkEdges() const;
  Wrong checkProducts() const;
  Wrong checkBuffers() const;
  Wrong checkOperand(UseId use, NodeId node, const FragmentLayout &expected,
                     const std::string &why) const;

  const LayoutProblem &problem;
  const LayoutSolution &solution;
  std::map<UseId, FragmentLayout> exchanged;
};

} // namespace

std::optional<std::string> Validator::checkSizes() const {
  size_t nodes = problem.nodes.size();
  if (solution.nodes.size() != nodes || solution.produced.size() != nodes)
    return "not every node has a layout";
  if (solution.products.size() != problem.products.size() ||
      solution.buffers.size() != problem.buffers.size())
    return "not every product and buffer has a candidate";
  for (size_t i = 0; i < solution.products.size(); ++i)
    if (solution.products[i] < 0 ||
        solution.products[i] >=
            static_cast<int>(problem.products[i].candidates.size()))
      return "product " + std::to_string(i) + " has no such candidate";
  for (size_t i = 0; i < solution.buffers.size(); ++i)
    if (solution.buffers[i] < 0 ||
        solution.buffers[i] >=
            static_cast<int>(problem.buffers[i].candidates.size()))
      return "buffer " + std::to_string(i) + " has no such candidate";
  return std::nullopt;
}

std::optional<std::string> Validator::checkNodes() const {
  for (size_t node = 0; node < problem.nodes.size(); ++node)
    for (const FragmentLayout *layout :
         {&solution.nodes[node],
          &solution.getProduced(static_cast<NodeId>(node))}) {
      std::string name = "node " + std::to_string(node);
      if (layout->getShape() != problem.nodes[node].shape)
        return name + " has a layout of another shape: " + layout->toString();
      if (layout->getExtent(HardwareDim::Lane) != problem.lanes ||
          layout->getExtent(HardwareDim::Warp) != problem.warps)
        return name + " has a layout of other threads: " + layout->toString();
    }
  for (size_t node = 0; node < problem.nodes.size(); ++node) {
    const std::optional<FragmentLayout> &fixed = problem.nodes[node].fixed;
    if (fixed && !(solution.nodes[node] == *fixed))
      return "node " + std::to_string(node) + " was fixed to " +
             fixed->toString() + ", not " + solution.nodes[node].toString();
  }
  return std::nullopt;
}

std::optional<std::string>
Validator::checkOperand(UseId use, NodeId node, const FragmentLayout &expected,
                        const std::string &why) const {
  const FragmentLayout &taken = getTaken(use, node);
  if (taken == expected)
    return std::nullopt;
  return "operand " + std::to_string(use) + " has layout " + taken.toString() +
         ", but " + why + " asks for " + expected.toString();
}

std::optional<std::string> Validator::checkEdges() const {
  for (const OperandEdge &edge : problem.operandEdges) {
    auto expected = edge.map.apply(edge.targetIsOperand
                                       ? solution.nodes[edge.target]
                                       : solution.getProduced(edge.target));
    if (!expected)
      return "operand " + std::to_string(edge.use) +
             " has no layout: " + expected.reason();
    if (Wrong wrong =
            checkOperand(edge.use, edge.source, *expected, "its edge"))
      return wrong;
  }
  for (const ResultEdge &edge : problem.resultEdges) {
    auto expected =
        edge.forward.apply(edge.use ? getTaken(*edge.use, edge.source)
                                    : solution.getProduced(edge.source));
    std::string name = "node " + std::to_string(edge.target);
    if (!expected)
      return name + " has no layout: " + expected.reason();
    if (!(solution.getProduced(edge.target) == *expected))
      return name + " is produced in layout " +
             solution.getProduced(edge.target).toString() +
             ", but its operation gives " + expected->toString();
  }
  for (const Demand &demand : problem.demands)
    if (Wrong wrong =
            checkOperand(demand.use, demand.node, demand.layout, "its copy"))
      return wrong;
  return std::nullopt;
}

std::optional<std::string> Validator::checkProducts() const {
  for (size_t i = 0; i < problem.products.size(); ++i) {
    const ProductNode &product = problem.products[i];
    const GemmPlan &plan = product.candidates[solution.products[i]].plan;
    if (plan.instruction->participants == Participants::Thread)
      continue;
    for (auto [operand, layout] :
         {std::pair(&product.a, &plan.a), std::pair(&product.b, &plan.b),
          std::pair(&product.metadata, &plan.metadata),
          std::pair(&product.scaleA, &plan.scaleA),
          std::pair(&product.scaleB, &plan.scaleB)})
      if (*operand)
        if (Wrong wrong = checkOperand(
                (*operand)->use, (*operand)->node,
                (*operand)->isTransposed ? layout->transpose({1, 0}) : *layout,
                "its instruction"))
          return wrong;
    if (!(solution.getProduced(product.result) == plan.result))
      return "product " + std::to_string(i) + " gives " +
             plan.result.toString() + ", not " +
             solution.getProduced(product.result).toString();
  }
  return std::nullopt;
}

std::optional<std::string> Validator::checkBuffers() const {
  for (const BufferEdge &edge : problem.bufferEdges) {
    const SharedLayout &layout =
        problem.buffers[edge.buffer].candidates[solution.buffers[edge.buffer]];
    if (auto obstacle = findObstacle(edge.demand, layout))
      return "operand " + std::to_string(edge.use) +
             " is in a buffer of layout " + layout.toString() +
             ", which its access cannot use: " + *obstacle;
  }
  return std::nullopt;
}

std::optional<std::string> Validator::run() {
  if (Wrong wrong = checkSizes())
    return wrong;
  if (Wrong wrong = checkNodes())
    return wrong;
  if (Wrong wrong = checkEdges())
    return wrong;
  if (Wrong wrong = checkBuffers())
    return wrong;
  return checkProducts();
}

std::optional<std::string> tilec::validate(const LayoutProblem &problem,
                                           const LayoutSolution &solution) {
  return Validator(problem, solution).run();
}
