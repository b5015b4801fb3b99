//===- Greedy.cpp - Layouts of classes, greedily --------------------------===//

#include "Greedy.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

using namespace tilec;
using namespace tilec::detail;

namespace {

class GreedySolver {
public:
  explicit GreedySolver(const LayoutProblem &problem)
      : problem(problem), products(chooseProducts(problem)),
        anchors(getAnchors()), classes(problem, anchors),
        reasons(problem.nodes.size()) {}

  GreedyLayouts solve();

private:
  static std::vector<int> chooseProducts(const LayoutProblem &problem);
  std::vector<std::optional<FragmentLayout>> getAnchors() const;
  const GemmPlan &getPlan(size_t product) const {
    return problem.products[product].candidates[products[product]].plan;
  }
  bool hasLayouts(size_t product) const {
    return getPlan(product).instruction->participants != Participants::Thread;
  }

  void setAnchorReasons();
  bool propagateOnce();
  void propagate();
  void suggestOperands();
  void assignFreeClasses();
  LayoutReason getFreeReason(const std::vector<NodeId> &members) const;
  FragmentLayout getFreeLayout(const std::vector<NodeId> &members) const;

  const LayoutProblem &problem;
  std::vector<int> products; ///< the candidate of each
  std::vector<std::optional<FragmentLayout>> anchors;
  Classes classes;
  std::vector<LayoutReason> reasons; ///< by class
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

std::vector<int> GreedySolver::chooseProducts(const LayoutProblem &problem) {
  std::vector<int> chosen;
  for (const ProductNode &product : problem.products)
    chosen.push_back(
        chooseCandidate(product, problem.nodes[product.result].fixed));
  return chosen;
}

std::vector<std::optional<FragmentLayout>> GreedySolver::getAnchors() const {
  std::vector<std::optional<FragmentLayout>> found;
  for (const LayoutNode &node : problem.nodes)
    found.push_back(node.fixed);
  for (size_t i = 0; i < products.size(); ++i) {
    std::optional<FragmentLayout> &anchor = found[problem.products[i].result];
    if (hasLayouts(i) && !anchor)
      anchor = getPlan(i).result;
  }
  return found;
}

void GreedySolver::setAnchorReasons() {
  std::vector<bool> isSet(problem.nodes.size());
  auto set = [&](NodeId node, LayoutAnchor anchor) {
    NodeId number = classes.getClass(node);
    if (!isSet[number])
      reasons[number] = {anchor, node};
    isSet[number] = true;
  };
  for (NodeId node = 0; node < static_cast<NodeId>(anchors.size()); ++node)
    if (problem.nodes[node].fixed)
      set(node, LayoutAnchor::Fixed);
  for (NodeId node = 0; node < static_cast<NodeId>(anchors.size()); ++node)
    if (anchors[node])
      set(node, LayoutAnchor::Product);
}

//===----------------------------------------------------------------------===//
// Implied and free layouts
//===----------------------------------------------------------------------===//

bool GreedySolver::propagateOnce() {
  bool changed = false;
  auto adopt = [&](NodeId node, NodeId from,
                   const Expected<FragmentLayout> &layout) {
    if (!layout)
      return;
    classes.layoutOf(node) = *layout;
    reasons[classes.getClass(node)] = {LayoutAnchor::Implied, from};
    changed = true;
  };
  for (const ResultEdge &edge : problem.resultEdges) {
    const auto &source = classes.layoutOf(edge.source);
    const auto &target = classes.layoutOf(edge.target);
    if (source && !target)
      adopt(edge.target, edge.source, edge.forward.apply(*source));
    else if (edge.backward && target && !source)
      adopt(edge.source, edge.target, edge.backward->apply(*target));
  }
  for (const OperandEdge &edge : problem.operandEdges) {
    const auto &target = classes.layoutOf(edge.target);
    if (target && !classes.layoutOf(edge.source))
      adopt(edge.source, edge.target, edge.map.apply(*target));
  }
  return changed;
}

void GreedySolver::propagate() {
  while (propagateOnce())
    ;
}

FragmentLayout detail::getOperandLayout(const FragmentLayout &layout,
                                        bool isTransposed) {
  return isTransposed ? layout.transpose({1, 0}) : layout;
}

/// Fragment operands of products first take what their instruction wants.
void GreedySolver::suggestOperands() {
  for (size_t i = 0; i < products.size(); ++i) {
    const ProductNode &product = problem.products[i];
    forEachOperand(
        product, getPlan(i),
        [&](const ProductNode::Operand &operand, const FragmentLayout &layout) {
          if (classes.layoutOf(operand.node))
            return;
          classes.layoutOf(operand.node) = layout;
          reasons[classes.getClass(operand.node)] = {LayoutAnchor::Operand,
                                                     product.result};
        });
  }
}

/// The member with the widest access, global before shared, or with a hint where there
/// is none: as `Default.cpp` decides.
LayoutReason
GreedySolver::getFreeReason(const std::vector<NodeId> &members) const {
  LayoutReason reason{LayoutAnchor::Default, members.front()};
  int64_t widest = 0;
  for (NodeId member : members) {
    if (problem.nodes[member].coalescedWidth && widest == 0)
      reason = {LayoutAnchor::Hint, member};
    for (const AccessWish &access : problem.nodes[member].accesses) {
      int64_t rank = 2 * access.bytes + (access.isGlobal ? 1 : 0);
      if (rank <= widest)
        continue;
      widest = rank;
      reason = {LayoutAnchor::Access, member};
    }
  }
  return reason;
}

/// The default of a node of `shape` with the accesses of `members`.
static FragmentLayout getDefaultOfPart(const LayoutProblem &problem,
                                       const Coordinate &shape,
                                       const std::vector<NodeId> &members) {
  LayoutProblem alone = makeProblemOf(problem, shape);
  for (NodeId member : members)
    std::ranges::copy(problem.nodes[member].accesses,
                      std::back_inserter(alone.nodes.front().accesses));
  return getDefaultLayout(alone, {0});
}

/// The default of a class; of one of which a slice is taken that it cannot give, what
/// spreads each part over the threads.
FragmentLayout
GreedySolver::getFreeLayout(const std::vector<NodeId> &members) const {
  FragmentLayout layout = getDefaultLayout(problem, members);
  for (const ResultEdge &edge : problem.resultEdges) {
    if (classes.getClass(edge.source) != classes.getClass(members.front()) ||
        edge.forward.getKind() != LayoutMap::Kind::Slice ||
        edge.forward.apply(layout))
      continue;
    Expected<FragmentLayout> whole = repeatPart(
        getDefaultOfPart(problem, edge.forward.getSliceSizes(), members),
        layout.getShape(), edge.forward);
    if (whole)
      return *whole;
  }
  return layout;
}

void GreedySolver::assignFreeClasses() {
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
    classes.layoutOf(node) = getFreeLayout(members[node]);
    reasons[node] = getFreeReason(members[node]);
    propagate();
  }
}

GreedyLayouts GreedySolver::solve() {
  setAnchorReasons();
  propagate();
  assignFreeClasses();
  return {std::move(classes), std::move(products), std::move(reasons)};
}

GreedyLayouts detail::chooseGreedily(const LayoutProblem &problem) {
  return GreedySolver(problem).solve();
}
