//===- LayoutProblem.h - Choosing layouts, as plain data --------*- C++ -*-===//
//
// A program's fragments and iteration spaces are nodes, what its operations ask
// of their layouts are edges, its matrix products have candidates. A problem is
// built from a launch and written down in tests alike; a solution gives every
// node a layout; a validator that knows nothing of the solver checks it:
//
//     build  ->  LayoutProblem  ->  solve  ->  LayoutSolution  ->  apply
//                                                   |
//                                           validate, countCosts
//
// An edge between fragments that the layouts of its ends do not satisfy costs an
// exchange: of the operand, where the edge ends at one, or behind the
// operation, where it starts at its result. So nothing there can conflict;
// anchors only decide where the exchanges fall. A buffer has one layout for all
// that access it, and none may be left that meets all their demands.
//
// Nodes, edges and products are numbered in program order, so the same program
// has the same solution in every run.
//
// What a solution costs is counted from facts that say nothing of which layout
// is allowed: how often each operation runs, what it does with an element, where
// its elements lie in memory, which values are live together (LayoutCost.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUTSEARCH_LAYOUTPROBLEM_H
#define TILE_LAYOUTSEARCH_LAYOUTPROBLEM_H

#include "tile/Hardware/BufferDemand.h"
#include "tile/Hardware/GemmPlan.h"
#include "tile/Layout/LayoutMap.h"
#include "tile/Layout/SharedLayout.h"
#include "tile/LayoutSearch/LayoutCost.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tilec {

/// The number of a node, and of an operand (what exchanges are put on).
using NodeId = int;
using UseId = int;

/// An access to memory by the elements of a node.
struct AccessWish {
  int dim = 0;       ///< along which the elements are consecutive in memory
  int64_t width = 1; ///< the most elements that one access can move
  int64_t bytes = 1; ///< of such an access
  bool isGlobal = false;
};

/// Where the elements of a node lie that an operation loads or stores: what an
/// access costs is counted by it, under each layout.
struct MemoryAccess {
  bool isStore = false; ///< by one of the threads that hold an element
  int64_t width = 1;    ///< the most elements that one instruction moves
  int64_t bits = 32;    ///< of an element in memory
  int64_t times = 1;    ///< how often it runs
  /// Of shared memory: lanes store in another order where banks would meet.
  bool avoidsConflicts = false;
  /// Of global memory, by dimension of the node: the elements from a coordinate
  /// to the next; 0 where the dimension does not move the access.
  Coordinate strides;
  /// Of shared memory: which buffer, and for each of its dimensions that of the
  /// node which runs along it, or -1.
  std::optional<int> buffer;
  std::vector<int> bufferDims;
};

/// A reduction or a scan of the elements of a node.
struct Combination {
  std::vector<int> dims; ///< increasing
  bool isScan = false;
  int64_t times = 1;
  /// Of a scan: whether warps can scan their parts alone, from what those in front
  /// total.
  bool hasTotals = true;
};

/// A fragment or an iteration space.
struct LayoutNode {
  Coordinate shape;
  /// What the user wrote.
  std::optional<FragmentLayout> fixed;
  /// In the order in which ties are decided.
  std::vector<AccessWish> accesses;
  /// Of a loop: the width that the user wants, and the dimension along which
  /// its iterations touch consecutive elements.
  std::optional<int64_t> coalescedWidth;
  std::optional<int> coalescedDim;
  /// Dimensions along which elements are combined or scanned: cheaper inside a
  /// warp.
  std::vector<bool> reduced, scanned;
  /// Some reduction of it runs as often as what computes it, not only once behind
  /// the loop that accumulates it.
  bool isReducedOften = false;

  // Facts for costs.
  int64_t bits = 32;        ///< of an element
  int64_t times = 1;        ///< how often its operation runs
  int64_t instructions = 0; ///< which that executes for each of its elements
  std::vector<MemoryAccess> memory;
  std::vector<Combination> combinations;

  explicit LayoutNode(Coordinate shape)
      : shape(std::move(shape)), reduced(this->shape.size()),
        scanned(this->shape.size()) {}
};

/// Two nodes that should have one layout.
struct SameEdge {
  NodeId a, b;
};

/// An operand must have the layout `map` of that of node `target`.
struct OperandEdge {
  UseId use;
  NodeId source; ///< the operand's node
  NodeId target;
  LayoutMap map;
  /// The target is another operand of the same operation: what counts is the
  /// layout in which users see it, not the one in which it was produced.
  bool targetIsOperand = false;
};

/// The result of an operation has the layout `forward` of that of `source`.
struct ResultEdge {
  std::optional<UseId> use; ///< the operand it is derived from, if one
  NodeId source;
  NodeId target; ///< the result's node
  LayoutMap forward;
  /// result -> operand, for propagation.
  std::optional<LayoutMap> backward;
  /// Where `forward` can fail: dimensions that the operand must hold whole in
  /// registers for it to succeed.
  std::vector<int> residentDims;
};

/// An operand must have this layout, which is no reason to choose it elsewhere.
struct Demand {
  UseId use;
  NodeId node;
  FragmentLayout layout;
};

/// One way to carry out a product. Compared as `cost` among those of one
/// instruction; instructions in the order of the list.
struct ProductCandidate {
  GemmPlan plan;
  /// Padded elements of the result, distance from the way in which warps are
  /// wanted to share it, elements of A and B that a warp reads a step of K.
  std::array<int64_t, 3> cost = {};
};

/// A matrix product. Operands in shared memory have no node.
struct ProductNode {
  struct Operand {
    UseId use;
    NodeId node;
    bool isTransposed = false;
  };
  std::optional<Operand> a, b, metadata;
  std::optional<Operand> scaleA, scaleB; ///< of blocks
  NodeId result;
  /// Not empty. Products by single threads have one, without layouts.
  std::vector<ProductCandidate> candidates;

  /// Those that are in registers.
  std::vector<Operand> getOperands() const {
    std::vector<Operand> operands;
    for (const auto *operand : {&a, &b, &metadata, &scaleA, &scaleB})
      if (*operand)
        operands.push_back(**operand);
    return operands;
  }
};

/// A buffer in shared memory: the layouts that it may have, in the order in
/// which they are wanted.
struct BufferNode {
  std::vector<SharedLayout> candidates; ///< not empty
};

/// The operation of operand `use` asks something of a buffer's layout.
struct BufferEdge {
  UseId use;
  int buffer;
  BufferDemand demand;
  /// An edge before it demands the same of the buffer (isDemanded).
  bool isRepeated = false;
};

/// Nodes whose values are held at one point of the program.
struct LiveSet {
  std::vector<NodeId> nodes;
  int64_t times = 1; ///< how often the point is passed
};

struct LayoutProblem {
  int64_t lanes = 0, warps = 0;
  std::vector<LayoutNode> nodes;
  std::vector<BufferNode> buffers;
  std::vector<SameEdge> sameEdges;
  std::vector<OperandEdge> operandEdges;
  std::vector<ResultEdge> resultEdges;
  std::vector<ProductNode> products;
  std::vector<Demand> demands;
  std::vector<BufferEdge> bufferEdges;

  // Facts for costs.
  /// By use: how often its operation runs; once where it is not listed.
  std::vector<int64_t> useTimes;
  std::vector<LiveSet> liveSets;
  /// 32-bit registers that a thread can have for fragments.
  int64_t registerBudget = 255;
  CostWeights weights;
  /// What the weights are of; not null.
  const GpuTarget *target = &getKnownTargets().front();

  int64_t getTimes(UseId use) const {
    return use < static_cast<UseId>(useTimes.size()) ? useTimes[use] : 1;
  }
  /// Whether some edge demands this of `buffer`.
  bool isDemanded(int buffer, const BufferDemand &demand) const;
};

/// An operand whose data is exchanged before its operation, into this layout.
struct OperandExchange {
  UseId use;
  FragmentLayout layout;
};

/// What decided the layout of a node.
enum class LayoutAnchor {
  Fixed,   ///< the user wrote it
  Product, ///< a product gives it
  Operand, ///< a product, or a copy by rows, takes it
  Implied, ///< it follows from that of another node
  Access,  ///< an access to memory is widest so
  Hint,    ///< a loop's `coalesced_width` is asked for
  Default, ///< nothing else: it is spread over all threads
};

struct LayoutReason {
  LayoutAnchor anchor = LayoutAnchor::Default;
  /// The node with the fixed or known layout or the access; of an operand the
  /// product's result.
  NodeId from = 0;
};

/// How a solution was found. Nodes that share a layout are one class.
struct SearchSummary {
  int classes = 0;        ///< with more than one candidate
  int64_t steps = 0;      ///< layouts of classes that were tried
  bool isExact = false;   ///< no combination of candidates costs less
  int64_t greedyCost = 0; ///< of what is found greedily
  int64_t cost = 0;       ///< of this solution
};

struct LayoutSolution {
  /// By node: the layout that users see.
  std::vector<FragmentLayout> nodes;
  /// By node: the layout in which its operation gives it, where that is another
  /// one.
  std::vector<std::optional<FragmentLayout>> produced;
  std::vector<OperandExchange> exchanges;
  /// By product and by buffer: the number of the candidate.
  std::vector<int> products;
  std::vector<int> buffers;
  /// By node.
  std::vector<LayoutReason> reasons;
  SearchSummary search;

  const FragmentLayout &getProduced(NodeId node) const {
    return produced[node] ? *produced[node] : nodes[node];
  }
};

/// Why a problem has no solution, and where.
struct LayoutFailure {
  UseId use; ///< the operand for which no layout exists
  std::string reason;
};

/// For each buffer the number of the first candidate that meets all that is
/// demanded of it. Buffers depend on nothing else in the problem, and how wide
/// an access can be follows from them, so this may be asked before the rest of
/// the problem is known. Sets `failure` and returns nothing where no candidate
/// does.
std::optional<std::vector<int>> chooseBuffers(const LayoutProblem &problem,
                                              LayoutFailure &failure);

/// Limits of the exact search: classes with several candidates, steps.
struct SearchLimits {
  int classes = 10;
  int64_t steps = 20000;
};

/// A layout for every node. Found greedily first, in three strengths of anchor:
///
///   strict   what the user fixed, and the results of products
///   implied  what follows from a known layout along the edges
///   free     the largest class still open gets a default from its accesses to
///            memory (vectorised along the contiguous dimension, coalesced,
///            spread over all threads); then what it implies, and so on
///
/// Then the cheapest (`countCosts`) combination of candidates is searched for by
/// branch and bound. The greedy one stays where nothing costs less, and where
/// more classes have several candidates than `limits` allow; out of steps it is
/// the cheapest found until then. Candidates of a class, few (`maxCandidates` in
/// lib/LayoutSearch/Candidates.h), the greedy layout first:
///
///   fixed     what the user wrote, alone; as is the greedy layout of a loop that
///             has a `coalesced_width`, of the result of a product by single
///             threads, of operands and result of one by warpgroups
///   product   results of the ways to carry out a product that waste as little
///             and share the result between warps as the greedy one; what
///             products and copies ask their operands to be
///   access    the default of each access to memory of a member, with warps
///             where its reductions and scans want them and without that; the
///             default of all members together
///   implied   what follows along an edge from a candidate of another class
///
/// Buffers are chosen as `chooseBuffers` does. Sets `failure` and returns
/// nothing where an edge has no layout at all.
std::optional<LayoutSolution> solve(const LayoutProblem &problem,
                                    LayoutFailure &failure,
                                    const SearchLimits &limits = {});

/// What `solve` chooses from.
struct LayoutChoices {
  std::vector<NodeId> classes; ///< by node: the smallest that shares its layout
  /// By class, the greedy layout first; empty for other nodes.
  std::vector<std::vector<FragmentLayout>> candidates;
};
LayoutChoices listChoices(const LayoutProblem &problem);

/// The solution in which node n has `layouts[n]`; sets `failure` and returns
/// nothing where an edge has no layout then.
std::optional<LayoutSolution>
completeSolution(const LayoutProblem &problem,
                 const std::vector<FragmentLayout> &layouts,
                 LayoutFailure &failure);

/// What a solution costs a block, by the weights of the problem.
LayoutCost countCosts(const LayoutProblem &problem,
                      const LayoutSolution &solution);

/// Another layout for a node, and what the whole costs with it, all other
/// classes as they are.
struct RunnerUp {
  FragmentLayout layout;
  int64_t cost = 0;
};

/// By node: the cheapest candidate but the chosen one; nothing where there is
/// none that the edges allow.
std::vector<std::optional<RunnerUp>>
findRunnersUp(const LayoutProblem &problem, const LayoutSolution &solution);

/// Checks that with its exchanges a solution satisfies every edge, demand
/// and fixed layout, and that its layouts fit shapes and threads. Returns what is
/// wrong; nothing if all is well.
std::optional<std::string> validate(const LayoutProblem &problem,
                                    const LayoutSolution &solution);

} // namespace tilec

#endif // TILE_LAYOUTSEARCH_LAYOUTPROBLEM_H
