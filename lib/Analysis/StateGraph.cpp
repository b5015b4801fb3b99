//===- StateGraph.cpp - Operations with known slot numbers ----------------===//

#include "StateGraph.h"

#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/RingNumbers.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tile;

StateGraph::StateGraph(LaunchOp launch, ArrayRef<Value> values)
    : body(&launch.getBody().front()) {
  collectCarried(values);
  getNode(&body->front(), {});
  for (size_t next = 0; next < nodes.size(); ++next)
    addSuccessors(next);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Finds what carries the numbers that `values` are computed from.
void StateGraph::collectCarried(ArrayRef<Value> values) {
  llvm::SetVector<Value> seen(values.begin(), values.end());
  for (size_t next = 0; next < seen.size(); ++next) {
    Value value = seen[next];
    SmallVector<Value> sources = getHandedOver(value);
    if (!sources.empty())
      carried.insert(value);
    else if (Operation *op = value.getDefiningOp();
             op && op->getNumRegions() == 0)
      llvm::append_range(sources, op->getOperands());
    seen.insert(sources.begin(), sources.end());
  }
}

std::optional<int64_t> StateGraph::evaluate(Value value,
                                            const Numbers &known) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  if (auto place = llvm::find(carried, value); place != carried.end()) {
    auto number = known.find(place - carried.begin());
    return number == known.end() ? std::nullopt : std::optional(number->second);
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() > 0 || op->getNumResults() != 1)
    return std::nullopt;
  // The slot of a use follows from its number.
  if (isMbarrierUse(op)) {
    std::optional<int64_t> number = evaluate(op->getOperand(1), known);
    int64_t slots = getSlotCount(op->getOperand(0).getDefiningOp());
    return number ? std::optional(*number % slots) : std::nullopt;
  }
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> number = evaluate(operand, known);
    operands.push_back(number ? IntegerAttr::get(operand.getType(), *number)
                              : IntegerAttr());
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.empty())
    return std::nullopt;
  if (auto folded = dyn_cast<Value>(results.front()))
    return folded == value ? std::nullopt : evaluate(folded, known);
  return getConstantIntValue(results.front());
}

std::optional<int64_t> StateGraph::evaluate(OpFoldResult value,
                                            const Node &node) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  return evaluate(cast<Value>(value), *numbers[node.numbers]);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

int StateGraph::getNode(Operation *op, const Numbers &known) {
  auto [entry, isNewNumbers] = numbering.try_emplace(known, numbers.size());
  if (isNewNumbers)
    numbers.push_back(&entry->first);
  auto [node, isNew] =
      nodeNumbers.try_emplace({op, entry->second}, nodes.size());
  if (isNew)
    nodes.push_back({op, entry->second, {}});
  return node->second;
}

/// What is known at the end of an edge.
StateGraph::Numbers StateGraph::cross(const RegionEdge &edge,
                                      const Numbers &known) const {
  Operation *op = edge.op;
  Numbers result;
  for (auto [index, number] : known) {
    Value value = carried[index];
    bool isRedefined = value.getDefiningOp() == op ||
                       op->isAncestor(value.getParentBlock()->getParentOp());
    if (!isRedefined)
      result[index] = number;
  }
  for (auto [operand, input] : llvm::zip(edge.operands, edge.inputs)) {
    auto place = llvm::find(carried, input);
    std::optional<int64_t> number =
        place == carried.end() ? std::nullopt : evaluate(operand, known);
    if (number && *number >= 0 && *number <= largestNumber)
      result[place - carried.begin()] = *number;
  }
  return result;
}

/// Adds the edges of `branch` from before it, or from the end of `region`.
void StateGraph::follow(int from, RegionBranchOpInterface branch,
                        Region *region) {
  Numbers known = *numbers[nodes[from].numbers];
  SmallVector<RegionSuccessor> successors;
  if (region)
    branch.getSuccessorRegions(*region, successors);
  else
    successors = getEntrySuccessors(branch);
  for (const RegionSuccessor &successor : successors) {
    RegionEdge edge(branch, region, successor);
    Operation *target =
        edge.to ? &edge.to->front().front() : branch->getNextNode();
    int node = getNode(target, cross(edge, known));
    bool isBackEdge = edge.from && edge.to;
    nodes[from].successors.push_back({node, isBackEdge ? branch : nullptr,
                                      edge.to ? nullptr : branch,
                                      /*isLeftOut=*/!edge.from});
  }
}

void StateGraph::addSuccessors(int from) {
  Operation *op = nodes[from].op;
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return follow(from, branch, nullptr);
  if (Operation *next = op->getNextNode()) {
    Numbers known = *numbers[nodes[from].numbers];
    int node = getNode(next, known);
    nodes[from].successors.push_back({node});
    return;
  }
  if (op->getBlock() != body)
    follow(from, cast<RegionBranchOpInterface>(op->getParentOp()),
           op->getParentRegion());
}
