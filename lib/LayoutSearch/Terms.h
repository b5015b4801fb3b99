//===- Terms.h - A solution's cost as a sum over few classes ----*- C++ -*-===//
//
// What a node, an edge or a product costs depends on the layouts of one to three
// classes, so the cost of a solution is a sum of terms, each over the classes
// that are open to choice ("variables") in its scope:
//
//     cost(solution) = constant + sum over terms t of cost_t(layouts in scope_t)
//
// Terms of one scope are one, and their values are remembered.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_LAYOUTSEARCH_TERMS_H
#define TILE_LIB_LAYOUTSEARCH_TERMS_H

#include "Candidates.h"
#include "CostModel.h"

namespace tilec::detail {

/// More than any solution costs, and far from overflow: there is no layout.
inline constexpr int64_t impossible = int64_t(1) << 50;

class Terms {
public:
  Terms(const LayoutProblem &problem, const GreedyLayouts &greedy,
        const Consequences &consequences,
        const std::vector<std::vector<Candidate>> &candidates,
        std::vector<int> buffers);

  /// The classes with several candidates, and of each how many.
  int getVariableCount() const { return static_cast<int>(variables.size()); }
  NodeId getClassOf(int variable) const { return variables[variable]; }
  int getDomain(int variable) const {
    return static_cast<int>(candidates[variables[variable]].size());
  }
  /// The variable of a class; -1 where it has one candidate.
  int getVariable(NodeId number) const { return variableOf[number]; }

  /// A term: its variables, increasing.
  int getTermCount() const { return static_cast<int>(terms.size()); }
  const std::vector<int> &getScope(int term) const { return terms[term].scope; }
  /// Its cost where variable v has candidate `values[v]`; `impossible` where an
  /// edge has no layout then. Values outside of the scope are not read.
  int64_t getCost(int term, const std::vector<int> &values);
  /// The sum of all; at most `impossible`.
  int64_t getTotal(const std::vector<int> &values);

  /// The layouts that `values` gives the classes. Lives as long as `values`.
  Consequences::LayoutOf getLayouts(const std::vector<int> &values) const;

private:
  enum class Kind { Node, Result, Operand, Product, Demand, Live };
  struct Part {
    Kind kind;
    int number;
  };
  struct Term {
    std::vector<int> scope;
    std::vector<Part> parts;
    std::map<std::vector<int>, int64_t> known;
  };

  void addPart(Part part, std::vector<NodeId> nodes);
  void addNodesOf(NodeId node, std::vector<NodeId> &nodes) const;
  void addParts();
  int64_t count(const Part &part, const Consequences::LayoutOf &layoutOf);
  int64_t countNode(NodeId node, const Consequences::LayoutOf &layoutOf);
  int64_t countProduct(int product, const Consequences::LayoutOf &layoutOf);
  int64_t countExchange(UseId use, NodeId node, const FragmentLayout &taken,
                        const Consequences::LayoutOf &layoutOf);

  const LayoutProblem &problem;
  const GreedyLayouts &greedy;
  const Consequences &consequences;
  const std::vector<std::vector<Candidate>> &candidates;
  CostModel model;
  std::vector<NodeId> variables;
  std::vector<int> variableOf; ///< by class
  std::vector<Term> terms;
};

} // namespace tilec::detail

#endif // TILE_LIB_LAYOUTSEARCH_TERMS_H
