//===- Solve.cpp - A layout for every node, greedily ----------------------===//

#include "Classes.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace tilec;
using namespace tilec::detail;

namespace {

class Solver {
public:
  Solver(const LayoutProblem &problem, LayoutFailure &failure)
      : problem(problem), failure(failure), products(chooseProducts(problem)),
        classes(problem, getAnchors()) {}

  std::optional<LayoutSolution> solve();

private:
  static std::vector<int> chooseProducts(const LayoutProblem &problem);
  std::vector<std::optional<FragmentLayout>> getAnchors() const;
  const GemmPlan &getPlan(size_t product) const {
    return problem.products[product].candidates[products[product]].plan;
  }
  bool hasLayouts(size_t product) const {
    return getPlan(product).instruction->participants != Participants::Thread;
  }

  bool propagateOnce();
  void propagate();
  void suggestOperands();
  void assignFreeClasses();
  bool chooseProduced(LayoutSolution &solution);
  bool chooseExchanges(LayoutSolution &solution);
  void require(UseId use, NodeId node, const FragmentLayout &layout,
               LayoutSolution &solution) const;

  const LayoutProblem &problem;
  LayoutFailure &failure;
  std::vector<int> products; ///< the candidate of each
  Classes classes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Strict anchors
//===----------------------------------------------------------------------===//

/// The cheapest candidate of the first instruction; if the user fixed the
/// result, the first that gives it, if one does.
static int chooseCandidate(const ProductNode &product,
                           const std::optional<FragmentLayout> &fixed) {
  const std::vector<ProductCandidate> &all = product.candidates;
  int best = 0;
  for (int i = 1; i < static_cast<int>(all.size()); ++i)
    if (all[i].plan.instruction == all[best].plan.instruction &&
        all[i].cost < all[best].cost)
      best = i;
  if (!fixed)
    return best;
  auto gives = std::ranges::find_if(all, [&](const auto &candidate) {
    return candidate.plan.result == *fixed;
  });
  return gives == all.end() ? best : static_cast<int>(gives - all.begin());
}

std::vector<int> Solver::chooseProducts(const LayoutProblem &problem) {
  std::vector<int> chosen;
  for (const ProductNode &product : problem.products)
    chosen.push_back(
        chooseCandidate(product, problem.nodes[product.result].fixed));
  return chosen;
}

std::vector<std::optional<FragmentLayout>> Solver::getAnchors() const {
  std::vector<std::optional<FragmentLayout>> anchors;
  for (const LayoutNode &node : problem.nodes)
    anchors.push_back(node.fixed);
  for (size_t i = 0; i < products.size(); ++i) {
    std::optional<FragmentLayout> &anchor = anchors[problem.products[i].result];
    if (hasLayouts(i) && !anchor)
      anchor = getPlan(i).result;
  }
  return anchors;
}

//===----------------------------------------------------------------------===//
// Implied and free layouts
//===----------------------------------------------------------------------===//

bool Solver::propagateOnce() {
  bool changed = false;
  auto adopt = [&](NodeId node, const Expected<FragmentLayout> &layout) {
    if (!layout)
      return;
    classes.layoutOf(node) = *layout;
    changed = true;
  };
  for (const ResultEdge &edge : problem.resultEdges) {
    const auto &source = classes.layoutOf(edge.source);
    const auto &target = classes.layoutOf(edge.target);
    if (source && !target)
      adopt(edge.target, edge.forward.apply(*source));
    else if (edge.backward && target && !source)
      adopt(edge.source, edge.backward->apply(*target));
  }
  for (const OperandEdge &edge : problem.operandEdges) {
    const auto &target = classes.layoutOf(edge.target);
    if (target && !classes.layoutOf(edge.source))
      adopt(edge.source, edge.map.apply(*target));
  }
  return changed;
}

void Solver::propagate() {
  while (propagateOnce())
    ;
}

static FragmentLayout getOperandLayout(const FragmentLayout &layout,
                                       bool isTransposed) {
  return isTransposed ? layout.transpose({1, 0}) : layout;
}

/// Fragment operands of products first take what their instruction wants.
void Solver::suggestOperands() {
  for (size_t i = 0; i < products.size(); ++i) {
    if (!hasLayouts(i))
      continue;
    const ProductNode &product = problem.products[i];
    auto suggest = [&](const std::optional<ProductNode::Operand> &operand,
                       const FragmentLayout &layout) {
      if (operand && !classes.layoutOf(operand->node))
        classes.layoutOf(operand->node) =
            getOperandLayout(layout, operand->isTransposed);
    };
    suggest(product.a, getPlan(i).a);
    suggest(product.b, getPlan(i).b);
    suggest(product.metadata, getPlan(i).metadata);
    suggest(product.scaleA, getPlan(i).scaleA);
    suggest(product.scaleB, getPlan(i).scaleB);
  }
}

void Solver::assignFreeClasses() {
  suggestOperands();
  propagate();
  std::vector<std::vector<NodeId>> members = classes.getMembers();
  auto countElements = [&](NodeId node) {
    const Coordinate &shape = problem.nodes[node].shape;
    return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                           std::multiplies<>());
  };
  // The largest first: what is smaller follows from it with less replication.
  std::vector<NodeId> open;
  for (NodeId node = 0; node < static_cast<NodeId>(members.size()); ++node)
    if (!members[node].empty())
      open.push_back(node);
  std::ranges::sort(open, [&](NodeId a, NodeId b) {
    int64_t sizeA = countElements(a), sizeB = countElements(b);
    return sizeA != sizeB ? sizeA > sizeB : a < b;
  });
  for (NodeId node : open) {
    if (classes.layoutOf(node))
      continue;
    classes.layoutOf(node) = getDefaultLayout(problem, members[node]);
    propagate();
  }
}

//===----------------------------------------------------------------------===//
// What the edges cost
//===----------------------------------------------------------------------===//

void Solver::require(UseId use, NodeId node, const FragmentLayout &layout,
                     LayoutSolution &solution) const {
  if (!(*classes.layoutOf(node) == layout))
    solution.exchanges.push_back({use, layout});
}

bool Solver::chooseProduced(LayoutSolution &solution) {
  auto produce = [&](NodeId node, const FragmentLayout &layout) {
    if (!(*classes.layoutOf(node) == layout))
      solution.produced[node] = layout;
  };
  for (size_t i = 0; i < products.size(); ++i)
    if (hasLayouts(i))
      produce(problem.products[i].result, getPlan(i).result);
  for (const ResultEdge &edge : problem.resultEdges) {
    auto layout = edge.forward.apply(*classes.layoutOf(edge.source));
    if (!layout) {
      FragmentLayout resident = getResidentLayout(
          problem, problem.nodes[edge.source].shape, edge.residentDims);
      layout = edge.forward.apply(resident);
      if (!layout || !edge.use) {
        failure = {edge.use.value_or(-1), "a result has no layout that " +
                                              resident.toString() +
                                              " gives: " + layout.reason()};
        return false;
      }
      require(*edge.use, edge.source, resident, solution);
    }
    produce(edge.target, *layout);
  }
  return true;
}

bool Solver::chooseExchanges(LayoutSolution &solution) {
  for (const OperandEdge &edge : problem.operandEdges) {
    auto layout = edge.map.apply(edge.targetIsOperand
                                     ? *classes.layoutOf(edge.target)
                                     : solution.getProduced(edge.target));
    if (!layout) {
      failure = {edge.use, "it has no layout: " + layout.reason()};
      return false;
    }
    require(edge.use, edge.source, *layout, solution);
  }
  for (size_t i = 0; i < products.size(); ++i) {
    if (!hasLayouts(i))
      continue;
    const ProductNode &product = problem.products[i];
    auto exchange = [&](const std::optional<ProductNode::Operand> &operand,
                        const FragmentLayout &layout) {
      if (operand)
        require(operand->use, operand->node,
                getOperandLayout(layout, operand->isTransposed), solution);
    };
    exchange(product.a, getPlan(i).a);
    exchange(product.b, getPlan(i).b);
    exchange(product.metadata, getPlan(i).metadata);
    exchange(product.scaleA, getPlan(i).scaleA);
    exchange(product.scaleB, getPlan(i).scaleB);
  }
  for (const Demand &demand : problem.demands)
    require(demand.use, demand.node, demand.layout, solution);
  return true;
}

std::optional<LayoutSolution> Solver::solve() {
  LayoutSolution solution;
  auto buffers = chooseBuffers(problem, failure);
  if (!buffers)
    return std::nullopt;
  solution.buffers = std::move(*buffers);
  propagate();
  assignFreeClasses();
  solution.produced.resize(problem.nodes.size());
  for (NodeId node = 0; node < static_cast<NodeId>(problem.nodes.size());
       ++node)
    solution.nodes.push_back(*classes.layoutOf(node));
  if (!chooseProduced(solution) || !chooseExchanges(solution))
    return std::nullopt;
  solution.products = products;
  return solution;
}

std::optional<LayoutSolution> tilec::solve(const LayoutProblem &problem,
                                           LayoutFailure &failure) {
  return Solver(problem, failure).solve();
}
