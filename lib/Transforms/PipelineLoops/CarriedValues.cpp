//===- CarriedValues.cpp - What steps of a pipelined loop hand on ---------===//

#include "CarriedValues.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::tile;

bool CarriedValues::isInLoop(Value value) const {
  return loop->isAncestor(value.getParentBlock()->getParentOp());
}

std::optional<int64_t> CarriedValues::getLead(Operation *op) const {
  auto found = leads.find(op);
  return found == leads.end() ? std::nullopt : std::optional(found->second);
}

Value CarriedValues::getYielded(BlockArgument argument) const {
  scf::ForOp carrying = loop;
  return carrying.getTiedLoopYieldedValue(argument)->get();
}

void CarriedValues::add(const CarriedValue &value) {
  if (indices.try_emplace({value.value, value.age}, carried.size()).second)
    carried.push_back(value);
}

unsigned CarriedValues::getIndex(const CarriedValue &value) const {
  auto found = indices.find({value.value, value.age});
  assert(found != indices.end() && "not carried");
  return found->second;
}

/// Whether `value` of an iteration with this lead is known when a step ends.
bool CarriedValues::isThereAtEnd(Value value, int64_t lead) const {
  scf::ForOp carrying = loop;
  if (!isInLoop(value) || value == carrying.getInductionVar())
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Value yielded = getYielded(argument);
    return !isScheduled(yielded) || getLeadOf(yielded) + 1 >= lead;
  }
  if (isScheduled(value))
    return getLeadOf(value) >= lead;
  return llvm::all_of(value.getDefiningOp()->getOperands(), [&](Value operand) {
    return isThereAtEnd(operand, lead);
  });
}

bool CarriedValues::isComputedInStep(BlockArgument argument,
                                     int64_t lead) const {
  return !isThereAtEnd(getYielded(argument), lead);
}

/// Notes what `argument` of an iteration with this lead is carried as.
void CarriedValues::needCarried(BlockArgument argument, int64_t lead) {
  Value yielded = getYielded(argument);
  if (isScheduled(yielded)) {
    advanced.insert(argument);
    int64_t age = getLeadOf(yielded) - lead + 1;
    assert(age >= 0 && "used before it is made");
    // Where its iteration does not exist, the value of one step ago stays.
    for (int64_t each = 1; each <= age; ++each)
      add({argument, each});
    if (getLeadOf(yielded) > 0)
      add({argument, 1});
    return;
  }
  if (isComputedInStep(argument, lead))
    return need(yielded, lead - 1);
  if (indices.contains({argument, lead}))
    return;
  add({argument, lead});
  llvm::SaveAndRestore<Operation *> own(user, nullptr);
  need(yielded, lead);
}

void CarriedValues::need(Value value, int64_t lead) {
  if (!isInLoop(value) || value == loop.getInductionVar() ||
      !visited.insert({user, value, lead}).second)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return needCarried(argument, lead);
  Operation *op = value.getDefiningOp();
  std::optional<int64_t> made = getLead(op);
  if (!made) {
    if (lead == 0)
      scalars.insert(op);
    for (Value operand : op->getOperands())
      need(operand, lead);
    return;
  }
  assert(*made >= lead && "used before it is made");
  users[value].insert(*made > lead ? nullptr : user);
  for (int64_t age = 1; age <= *made - lead; ++age)
    add({value, age});
}

/// The loop's own values come first, in their order.
void CarriedValues::addResults() {
  for (auto [argument, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
    if (!result.use_empty())
      needCarried(argument, isScheduled(getYielded(argument))
                                ? getLeadOf(getYielded(argument))
                                : 0);
}

unsigned CarriedValues::getResultIndex(BlockArgument argument) const {
  return getIndex({argument, isScheduled(getYielded(argument)) ? 1 : 0});
}

CarriedValues::CarriedValues(scf::ForOp loop, ArrayRef<ScheduledOp> order)
    : loop(loop) {
  for (const ScheduledOp &entry : order) {
    leads[entry.op] = entry.lead;
    largestLead = std::max(largestLead, entry.lead);
  }
  addResults();
  for (const ScheduledOp &entry : order)
    needOf(entry.op, entry.lead);
}

/// Notes what a scheduled operation needs.
void CarriedValues::needOf(Operation *op, int64_t lead) {
  user = op;
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    need(value, lead);
}

SmallVector<Value> CarriedValues::getLeaving(ArrayRef<Operation *> ops) const {
  SmallVector<Value> leaving;
  for (Operation *op : ops)
    for (Value result : op->getResults()) {
      auto known = users.find(result);
      bool isUsedElsewhere = known != users.end() &&
                             llvm::any_of(known->second, [&](Operation *other) {
                               return !llvm::is_contained(ops, other);
                             });
      if (isUsedElsewhere)
        leaving.push_back(result);
    }
  return leaving;
}

SmallVector<BlockArgument>
CarriedValues::getAdvanced(ArrayRef<Operation *> ops) const {
  SmallVector<BlockArgument> made;
  for (BlockArgument argument : advanced)
    if (llvm::is_contained(ops, getYielded(argument).getDefiningOp()))
      made.push_back(argument);
  return made;
}
