//===- RingUses.cpp - The states that uses of rings may be in -------------===//

#include "RingUses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

UseState RingUses::get(const UseName &use) const {
  auto found = uses.find(use);
  return found == uses.end() ? UseState() : found->second;
}

void RingUses::set(const UseName &use, const UseState &state) {
  if (state.states == Free)
    uses.erase(use);
  else
    uses[use] = state;
}

void RingUses::reset(Operation *ring) {
  std::erase_if(uses,
                [&](const auto &entry) { return entry.first.first == ring; });
  lost.erase(ring);
  next[ring] = {RingNumber(), RingNumber()};
}

//===----------------------------------------------------------------------===//
// Paths that meet
//===----------------------------------------------------------------------===//

/// Makes of `state` what holds on its path or on that of `other`; whether that
/// is more. `failed` and `otherFailed` are the conditions that do not hold there.
static bool joinStates(UseState &state, const UseState &other,
                       const llvm::SetVector<Value> &failed = {},
                       const llvm::SetVector<Value> &otherFailed = {}) {
  UseState joined = state.states == Free ? other : state;
  for (auto change :
       {&UseState::acquired, &UseState::committed, &UseState::waited})
    joined.*change = state.*change ? state.*change : other.*change;
  bool isExplained =
      (state.states == Free && failed.contains(other.condition)) ||
      (other.states == Free && otherFailed.contains(state.condition));
  if (state.condition == other.condition) {
    joined.states = state.states | other.states;
  } else if (!isExplained) {
    joined.states = state.getStates() | other.getStates();
    joined.condition = Value();
  }
  bool hasGrown =
      joined.states != state.states || joined.condition != state.condition;
  state = joined;
  return hasGrown;
}

/// The same for the next use of a ring.
static bool joinNext(NextUse &next, const NextUse &other) {
  NextUse joined = next;
  bool isRelated =
      next.most && other.most && next.most->base == other.most->base;
  if (!isRelated) {
    joined = NextUse();
  } else {
    if (other.most->offset > next.most->offset)
      joined.most = other.most;
    // What gets less in a loop does so without end.
    if (!next.least || !other.least || next.least->base != other.least->base ||
        other.least->offset < next.least->offset)
      joined.least = std::nullopt;
  }
  bool hasGrown = joined != next;
  next = joined;
  return hasGrown;
}

bool RingUses::join(const RingUses &other) {
  bool hasGrown = false;
  for (auto &[use, state] : uses)
    if (!other.uses.count(use))
      hasGrown |= joinStates(state, UseState(), failed, other.failed);
  for (const auto &[use, state] : other.uses)
    hasGrown |= joinStates(uses[use], state, failed, other.failed);
  for (const auto &[ring, use] : other.next) {
    auto [own, isNew] = next.insert({ring, use});
    hasGrown |= isNew || joinNext(own->second, use);
  }
  for (Operation *ring : other.lost)
    hasGrown |= lost.insert(ring).second;
  hasGrown |= joinSlots(other);
  failed.remove_if(
      [&](Value condition) { return !other.failed.contains(condition); });
  return hasGrown;
}

/// A value stays the slot of a use where it is on both paths, or where it is
/// that on one and the use is under a condition that the other does not meet.
bool RingUses::joinSlots(const RingUses &other) {
  auto isExplained = [&](const UseName &use, const RingUses &without) {
    Value condition = get(use).condition;
    return condition && without.failed.contains(condition);
  };
  SmallVector<Value> differing;
  for (const auto &[slot, use] : slots) {
    auto found = other.slots.find(slot);
    bool isSame = found != other.slots.end() && found->second == use;
    bool isOnlyHere = found == other.slots.end() && isExplained(use, other);
    if (!isSame && !isOnlyHere)
      differing.push_back(slot);
  }
  for (const auto &[slot, use] : other.slots)
    if (!slots.count(slot) && isExplained(use, *this))
      slots[slot] = use;
  for (Value slot : differing)
    slots.erase(slot);
  return !differing.empty();
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

/// What entering and leaving an `scf.if` says of its condition.
void RingUses::crossCondition(const RegionEdge &edge) {
  RegionBranchOpInterface branch = edge.op;
  auto choice = dyn_cast<scf::IfOp>(branch.getOperation());
  if (!choice)
    return;
  Value condition = choice.getCondition();
  Region *then = &choice.getThenRegion();
  if (!edge.to && edge.from != then)
    failed.insert(condition);
  SmallVector<UseName> freed;
  for (auto &[use, state] : uses) {
    if (!edge.from && state.condition == condition) {
      if (edge.to == then)
        state.condition = Value();
      else
        freed.push_back(use);
      continue;
    }
    if (edge.from != then || !state.acquired ||
        !choice->isProperAncestor(state.acquired))
      continue;
    // Acquired in the region that is left: free where it was not entered.
    state.states = state.getStates();
    state.condition = condition;
  }
  for (const UseName &use : freed)
    uses.erase(use);
}

void RingUses::cross(
    const RegionEdge &edge,
    const llvm::DenseMap<Operation *, llvm::SetVector<Value>> &bases) {
  failed.clear();
  crossCondition(edge);
  NumberEdge numbers(edge);
  auto rename = [&](Operation *ring, RingNumber number) {
    return numbers.cross(number, bases.lookup(ring));
  };
  // What nobody asks for any more drifts away from its base without end.
  auto isFar = [&](Operation *ring, const RingNumber &number) {
    int64_t farthest = 64 + getSlotCount(ring);
    return number.base && std::abs(number.offset) > farthest;
  };
  auto isLeft = [&](Value value) {
    return value && edge.from && edge.from->isAncestor(value.getParentRegion());
  };
  RingUses behind;
  behind.lost = lost;
  behind.failed = failed;
  for (auto [use, state] : uses) {
    if (isLeft(state.condition)) {
      state.states = state.getStates();
      state.condition = Value();
    }
    if (auto number = rename(use.first, use.second)) {
      if (isFar(use.first, *number))
        continue;
      UseName name(use.first, *number);
      if (auto [entry, isNew] = behind.uses.insert({name, state}); !isNew)
        joinStates(entry->second, state);
    } else {
      behind.lost.insert(use.first);
    }
  }
  for (const auto &[ring, use] : next) {
    auto cross = [&, ring = ring](std::optional<RingNumber> number) {
      if (number)
        number = rename(ring, *number);
      return number && isFar(ring, *number) ? std::nullopt : number;
    };
    behind.next[ring] = {cross(use.most), cross(use.least)};
  }
  auto addSlot = [&](Value slot, const UseName &use) {
    if (auto number = rename(use.first, use.second))
      behind.slots[slot] = {use.first, *number};
  };
  for (const auto &[slot, use] : slots)
    if (!isLeft(slot))
      addSlot(slot, use);
  for (auto [operand, input] : llvm::zip_equal(edge.operands, edge.inputs))
    if (auto use = slots.find(operand); use != slots.end())
      addSlot(input, use->second);
  *this = std::move(behind);
}
