//===- Candidates.cpp - Layouts that a class may have ---------------------===//

#include "Candidates.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::detail;

namespace {

class CandidateList {
public:
  CandidateList(const LayoutProblem &problem, const GreedyLayouts &greedy,
                const Consequences &consequences)
      : problem(problem), greedy(greedy), consequences(consequences),
        members(greedy.classes.getMembers()), candidates(members.size()),
        isClosed(members.size()) {}

  std::vector<std::vector<Candidate>> list();

private:
  bool add(NodeId node, const Expected<FragmentLayout> &layout,
           LayoutReason reason);
  void addGreedy();
  void addProducts();
  void addDefaults(NodeId number);
  void addDefault(NodeId number, NodeId member, const AccessWish &access);
  bool addImplied();

  const LayoutProblem &problem;
  const GreedyLayouts &greedy;
  const Consequences &consequences;
  std::vector<std::vector<NodeId>> members;
  std::vector<std::vector<Candidate>> candidates; ///< by class
  /// By class: whether the user leaves nothing to choose.
  std::vector<bool> isClosed;
};

} // namespace

bool CandidateList::add(NodeId node, const Expected<FragmentLayout> &layout,
                        LayoutReason reason) {
  NodeId number = greedy.classes.getClass(node);
  std::vector<Candidate> &list = candidates[number];
  if (!layout || isClosed[number] || list.size() >= maxCandidates ||
      std::ranges::find(list, *layout, &Candidate::layout) != list.end())
    return false;
  list.push_back({*layout, reason});
  return true;
}

/// What the user fixed, and the width that a loop should have, stays. So does the
/// result of single threads, which read their operands by its layout; and what a
/// warpgroup multiplies or gives, as an exchange there waits for what would run
/// under other work, of which the cost knows nothing; and columns of warps that share a
/// vector, which the cost takes for dearer than they are (decision 0021).
void CandidateList::addGreedy() {
  for (NodeId number = 0; number < static_cast<NodeId>(members.size());
       ++number) {
    if (members[number].empty())
      continue;
    add(number, *greedy.classes.layoutOf(number), greedy.reasons[number]);
    isClosed[number] = std::ranges::any_of(members[number], [&](NodeId member) {
      return problem.nodes[member].fixed ||
             problem.nodes[member].coalescedWidth;
    });
    isClosed[number] =
        isClosed[number] || isSharedVector(problem, members[number],
                                           *greedy.classes.layoutOf(number));
  }
  for (size_t i = 0; i < problem.products.size(); ++i) {
    const ProductNode &product = problem.products[i];
    const GemmPlan &plan = product.candidates[greedy.products[i]].plan;
    if (plan.instruction->participants == Participants::Warp)
      continue;
    isClosed[greedy.classes.getClass(product.result)] = true;
    forEachOperand(
        product, plan,
        [&](const ProductNode::Operand &operand, const FragmentLayout &) {
          isClosed[greedy.classes.getClass(operand.node)] = true;
        });
  }
}

void CandidateList::addProducts() {
  for (size_t i = 0; i < problem.products.size(); ++i) {
    const ProductNode &product = problem.products[i];
    for (int number : consequences.getCandidates(i)) {
      const GemmPlan &plan = product.candidates[number].plan;
      if (plan.instruction->participants == Participants::Thread)
        continue;
      add(product.result, plan.result, {LayoutAnchor::Product, product.result});
      forEachOperand(product, plan,
                     [&](const ProductNode::Operand &operand,
                         const FragmentLayout &layout) {
                       add(operand.node, layout,
                           {LayoutAnchor::Operand, product.result});
                     });
    }
  }
  for (const Demand &demand : problem.demands)
    add(demand.node, demand.layout, {LayoutAnchor::Operand, demand.node});
}

/// The default of one access alone, with warps where the reductions and scans
/// of the class want them, and without.
void CandidateList::addDefault(NodeId number, NodeId member,
                               const AccessWish &access) {
  LayoutProblem alone = makeProblemOf(problem, problem.nodes[member].shape);
  LayoutNode &node = alone.nodes.front();
  node.accesses = {access};
  LayoutReason reason{LayoutAnchor::Access, member};
  for (bool combines : {true, false}) {
    for (NodeId other : members[number])
      for (size_t dim = 0; dim < node.shape.size(); ++dim) {
        node.reduced[dim] = combines && (node.reduced[dim] ||
                                         problem.nodes[other].reduced[dim]);
        node.scanned[dim] = combines && (node.scanned[dim] ||
                                         problem.nodes[other].scanned[dim]);
      }
    add(number, getDefaultLayout(alone, {0}), reason);
    if (combines)
      for (const FragmentLayout &layout : listAlternatives(alone, {0}))
        add(number, layout, reason);
  }
}

void CandidateList::addDefaults(NodeId number) {
  for (NodeId member : members[number])
    for (const AccessWish &access : problem.nodes[member].accesses)
      addDefault(number, member, access);
  if (!members[number].empty())
    add(number, getDefaultLayout(problem, members[number]),
        {LayoutAnchor::Default, number});
}

/// One step along all edges; whether anything is new.
bool CandidateList::addImplied() {
  bool isNew = false;
  auto follow = [&](NodeId from, NodeId to, auto getLayout) {
    NodeId source = greedy.classes.getClass(from);
    if (source == greedy.classes.getClass(to))
      return;
    for (size_t i = 0; i < candidates[source].size(); ++i)
      isNew |= add(to, getLayout(candidates[source][i].layout),
                   {LayoutAnchor::Implied, from});
  };
  auto imply = [&](NodeId from, NodeId to, const LayoutMap &map) {
    follow(from, to,
           [&](const FragmentLayout &layout) { return map.apply(layout); });
  };
  // Of a slice the whole that holds it as it is, so that it need not move.
  auto implyWhole = [&](NodeId part, NodeId whole, const LayoutMap &map) {
    follow(part, whole, [&](const FragmentLayout &layout) {
      return repeatPart(layout, problem.nodes[whole].shape, map);
    });
  };
  for (const SameEdge &edge : problem.sameEdges)
    if (problem.nodes[edge.a].shape == problem.nodes[edge.b].shape) {
      imply(edge.a, edge.b, LayoutMap());
      imply(edge.b, edge.a, LayoutMap());
    }
  for (const ResultEdge &edge : problem.resultEdges) {
    imply(edge.source, edge.target, edge.forward);
    if (edge.backward)
      imply(edge.target, edge.source, *edge.backward);
    implyWhole(edge.target, edge.source, edge.forward);
  }
  for (const OperandEdge &edge : problem.operandEdges) {
    imply(edge.target, edge.source, edge.map);
    implyWhole(edge.source, edge.target, edge.map);
  }
  return isNew;
}

std::vector<std::vector<Candidate>> CandidateList::list() {
  addGreedy();
  addProducts();
  for (NodeId number = 0; number < static_cast<NodeId>(members.size());
       ++number)
    addDefaults(number);
  while (addImplied())
    ;
  return std::move(candidates);
}

std::vector<std::vector<Candidate>>
detail::listCandidates(const LayoutProblem &problem,
                       const GreedyLayouts &greedy,
                       const Consequences &consequences) {
  return CandidateList(problem, greedy, consequences).list();
}
