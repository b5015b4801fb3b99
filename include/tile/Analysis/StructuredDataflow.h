//===- StructuredDataflow.h - Facts along structured control flow -*- C++ -*-=//
//
// A launch body is straight-line code and operations with regions (scf.for, if,
// while, index_switch), so a dataflow problem is solved by walking it: an
// operation with regions is followed along the edges that its
// RegionBranchOpInterface names until nothing changes.
//
//     in --> region --> out
//             ^ |
//             +-+ back edge
//
// Upstream's DataFlowSolver does the same for arbitrary graphs; it needs
// dead-code and constant analyses beside it and keeps a state per program
// point, which is slower than this walk by far and cannot see which edge is a
// back edge.
//
// A fact that speaks of values changes where control passes from one region to
// another and the values that it hands over get other names: `RegionEdge`.
//
// `State` has `bool join(const State &)`, which returns whether it grew. States
// must only grow when what flows into them grows. `transfer` may be called
// several times for an operation, the last time with its final state; for an
// operation with regions it is what happens before control enters them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_STRUCTUREDDATAFLOW_H
#define TILE_ANALYSIS_STRUCTUREDDATAFLOW_H

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <optional>

namespace mlir::tile {

/// Control goes into a region of `op`, between its regions or out of one. The
/// values `operands` become the values `inputs`.
struct RegionEdge {
  RegionBranchOpInterface op;
  Region *from = nullptr; ///< null: from before the operation
  Region *to = nullptr;   ///< null: to what follows the operation
  SmallVector<Value> operands;
  SmallVector<Value> inputs;

  RegionEdge(RegionBranchOpInterface op, Region *from,
             const RegionSuccessor &successor);
};

/// Where control goes from before `op`; not where constants say it does not.
SmallVector<RegionSuccessor> getEntrySuccessors(RegionBranchOpInterface op);

/// The operands that control flow hands over as `value`; none where an operation
/// or a loop itself makes it.
SmallVector<Value> getHandedOver(Value value);

/// What has flowed through the operations with regions inside of the one that is followed.
/// A loop in another is entered again with more than before or with the same. Where it is
/// walked again only with more, a nest does not take twice as long with each loop.
template <typename State>
struct RegionFlow {
  llvm::MapVector<Region *, State> entries; ///< by region, what holds before it
  std::optional<State> exit;                ///< what holds behind the operation
};
template <typename State>
using RegionFlows = std::map<Operation *, RegionFlow<State>>;

/// Calls `transfer(op, state)` for `op` and the operations in its regions, in the order
/// of control; `state` is what holds before it, on return what holds after.
/// `cross(edge, state)` is called for every edge with what holds at its start, to make
/// of it what holds at its end. `flows`, empty before: for states whose `join` is a union,
/// in any order the same.
template <typename State, typename Transfer, typename Cross>
void passForward(Operation *op, State &state, const Transfer &transfer,
                 const Cross &cross, RegionFlows<State> *flows = nullptr) {
  transfer(op, state);
  // Most operations have no regions, and asking for an interface is a search.
  auto branch = op->getNumRegions() > 0 ? dyn_cast<RegionBranchOpInterface>(op)
                                        : RegionBranchOpInterface();
  if (!branch)
    return;
  RegionFlow<State> own;
  auto &[entries, exit] = flows ? (*flows)[op] : own;
  SmallVector<Region *> worklist;
  auto flowTo = [&](Region *from, const RegionSuccessor &successor,
                    State carried) {
    cross(RegionEdge(branch, from, successor), carried);
    if (successor.isParent()) {
      exit ? void(exit->join(carried)) : void(exit = std::move(carried));
      return;
    }
    Region *region = successor.getSuccessor();
    auto [entry, isNew] = entries.insert({region, carried});
    if (isNew || entry->second.join(carried))
      if (!llvm::is_contained(worklist, region))
        worklist.push_back(region);
  };
  SmallVector<RegionSuccessor> successors = getEntrySuccessors(branch);
  for (const RegionSuccessor &successor : successors)
    flowTo(nullptr, successor, state);
  while (!worklist.empty()) {
    Region *region = worklist.pop_back_val();
    State after = entries.find(region)->second;
    for (Operation &inner : region->front())
      passForward(&inner, after, transfer, cross, flows);
    successors.clear();
    branch.getSuccessorRegions(*region, successors);
    for (const RegionSuccessor &successor : successors)
      flowTo(region, successor, after);
  }
  if (exit)
    state = *exit;
}

/// The same for each operation of `block` in order.
template <typename State, typename Transfer, typename Cross>
void runForward(Block &block, State &state, const Transfer &transfer,
                const Cross &cross) {
  for (Operation &op : block)
    passForward(&op, state, transfer, cross);
}

} // namespace mlir::tile

#endif // TILE_ANALYSIS_STRUCTUREDDATAFLOW_H
