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

void RingUses::endUses(Operation *ring) {
  next.erase(ring);
  lost.erase(ring);
  for (auto slot = slots.begin(); slot != slots.end(); ++slot)
    if (slot->second.first == ring)
      slots.erase(slot);
}

//===----------------------------------------------------------------------===//
// Paths that meet
//===----------------------------------------------------------------------===//

static constexpr int64_t anyRound = std::numeric_limits<int64_t>::max();

bool PathFacts::isTrue(const UseCondition &condition) const {
  return llvm::any_of(held,
                      [&](const UseCondition &fact) {
                        return isImplied(condition, fact);
                      }) ||
         (entry && rounds != anyRound &&
          entry->evaluate(condition, rounds) == true);
}

bool PathFacts::isFalse(const UseCondition &condition) const {
  return llvm::any_of(failed,
                      [&](const UseCondition &fact) {
                        return isExcluded(condition, fact);
                      }) ||
         (entry && entry->evaluate(condition, leastRounds) == false);
}

void PathFacts::join(const PathFacts &other) {
  auto isElsewhere = [](ArrayRef<UseCondition> conditions) {
    return [conditions](const UseCondition &condition) {
      return !llvm::is_contained(conditions, condition);
    };
  };
  llvm::erase_if(held, isElsewhere(other.held));
  llvm::erase_if(failed, isElsewhere(other.failed));
  // Rounds are counted where a loop has a constant number of them.
  if (entry && !entry->getTrips())
    entry.reset();
}

/// The condition under which a use is in a state on one path, and free on
/// another, or in the same under a condition that only the other knows. What a
/// loop of constant length finds but no iteration brings is there in the first.
static UseCondition findCondition(const UseState &state, const PathFacts &facts,
                                  const UseState &other,
                                  const PathFacts &otherFacts) {
  bool isFree = other.states == Free;
  if (state.condition)
    return (isFree ? otherFacts.isFalse(state.condition)
                   : !other.condition && otherFacts.isTrue(state.condition))
               ? state.condition
               : UseCondition();
  for (const UseCondition &held : facts.held)
    if (isFree && otherFacts.isFalse(held))
      return held;
  bool isEntered = facts.entry && facts.entry->getTrips() && facts.rounds == 0;
  if (isFree && state.states != Free && isEntered)
    return facts.entry->getFirstRound();
  return {};
}

/// Makes of `state` what holds on its path or on that of `other`; whether that
/// is more.
static bool joinStates(UseState &state, const UseState &other,
                       const PathFacts &facts = {},
                       const PathFacts &otherFacts = {}) {
  UseState joined = state.states == Free ? other : state;
  for (auto change :
       {&UseState::acquired, &UseState::committed, &UseState::waited})
    joined.*change = state.*change ? state.*change : other.*change;
  UseCondition condition = findCondition(state, facts, other, otherFacts);
  if (!condition)
    condition = findCondition(other, otherFacts, state, facts);
  if (state.condition == other.condition && !condition) {
    joined.states = state.states | other.states;
  } else if (condition) {
    joined.states = state.states == Free   ? other.states
                    : other.states == Free ? state.states
                                           : state.states | other.states;
    joined.condition = condition;
  } else {
    joined.states = state.getStates() | other.getStates();
    joined.condition = UseCondition();
    for (const auto &[side, known] :
         {std::pair<const UseState *, const PathFacts *>(&state, &facts),
          std::pair<const UseState *, const PathFacts *>(&other, &otherFacts)})
      if (side->condition && !known->entry)
        std::tie(joined.roundCondition, joined.committed) =
            std::tie(side->condition, side->committed);
  }
  bool hasGrown =
      joined.states != state.states || !(joined.condition == state.condition);
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
  if (other.isUnreachable)
    return false;
  if (isUnreachable) {
    *this = other;
    return true;
  }
  bool hasGrown = false;
  PathFacts own = getFactsAtHead(other), others = other.getFactsAtHead(*this);
  for (auto &[use, state] : uses)
    if (!other.uses.count(use))
      hasGrown |= joinStates(state, UseState(), own, others);
  for (const auto &[use, state] : other.uses)
    hasGrown |= joinStates(uses[use], state, own, others);
  for (const auto &[ring, use] : other.next) {
    auto [own, isNew] = next.insert({ring, use});
    hasGrown |= isNew || joinNext(own->second, use);
  }
  for (Operation *ring : other.lost)
    hasGrown |= lost.insert(ring).second;
  hasGrown |= joinSlots(other);
  hasGrown |= joinRounds(other, hasGrown);
  facts.join(other.facts);
  return hasGrown;
}

/// What is known on this path where it meets another, maybe at the head of a loop
/// that the other has entered.
PathFacts RingUses::getFactsAtHead(const RingUses &other) const {
  PathFacts known = facts;
  if (!known.entry && other.facts.entry && other.facts.entry->getTrips()) {
    known.entry = other.facts.entry;
    known.leastRounds = 1;
  }
  if (known.entry)
    if (auto count = rounds.find(known.entry->getBranch());
        count != rounds.end())
      known.rounds = count->second;
  return known;
}

/// While there is more to be known of the uses with each round, they are counted.
bool RingUses::joinRounds(const RingUses &other, bool hasGrown) {
  bool hasMore = false;
  for (auto [loop, count] : other.rounds) {
    int64_t &own = rounds[loop];
    if (count > own) {
      own = hasGrown ? count : anyRound;
      hasMore = true;
    }
  }
  return hasMore;
}

/// A value stays the slot of a use where it is on both paths, or where it is
/// that on one and the use is under a condition that the other does not meet.
bool RingUses::joinSlots(const RingUses &other) {
  auto isExplained = [&](const UseName &use, const RingUses &without) {
    const UseCondition condition = get(use).condition;
    return condition && without.facts.isFalse(condition);
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

/// What is known at the start of an edge, in the terms of its end.
PathFacts PathFacts::cross(const ConditionEdge &conditions) const {
  PathFacts behind;
  auto crossAll = [&](ArrayRef<UseCondition> from,
                      SmallVector<UseCondition> &to) {
    for (const UseCondition &fact : from)
      if (auto known = conditions.cross(fact, /*entersLoop=*/true))
        to.push_back(*known);
  };
  crossAll(held, behind.held);
  crossAll(failed, behind.failed);
  return behind;
}

void UseState::cross(const ConditionEdge &conditions, bool entersLoop) {
  if (auto behind = conditions.cross(condition, entersLoop)) {
    condition = *behind;
  } else {
    states = getStates();
    condition = UseCondition();
  }
  roundCondition =
      conditions.cross(roundCondition, entersLoop).value_or(UseCondition());
}

/// A use whose condition does not hold was not acquired, and none behind it.
void RingUses::freeUnacquired(const UseName &use) {
  uses.erase(use);
  std::optional<RingNumber> &most = next[use.first].most;
  if (most && most->base == use.second.base && most->offset > use.second.offset)
    most = use.second;
}

/// What an edge says of the conditions of uses.
void RingUses::crossConditions(const ConditionEdge &conditions) {
  facts = PathFacts();
  if (conditions.getHeld())
    facts.held.push_back(conditions.getHeld());
  if (conditions.getFailed())
    facts.failed.push_back(conditions.getFailed());
  SmallVector<UseName> freed;
  for (auto &[use, state] : uses) {
    if (state.condition && facts.isTrue(state.condition))
      state.condition = UseCondition();
    else if (state.condition && facts.isFalse(state.condition))
      freed.push_back(use);
  }
  for (const UseName &use : freed)
    freeUnacquired(use);
}

/// Counts rounds; whether the edge leaves a loop before its last one.
bool RingUses::crossRounds(const RegionEdge &edge,
                           const ConditionEdge &conditions) {
  RegionBranchOpInterface branch = edge.op;
  std::optional<int64_t> trips = conditions.getTrips();
  if (!trips)
    return false;
  int64_t &count = rounds[branch.getOperation()];
  if (!edge.from)
    count = 0;
  else if (edge.to && count != anyRound)
    ++count;
  if (edge.to)
    return false;
  bool isEarly = edge.from && count < *trips - 1;
  rounds.erase(branch.getOperation());
  return isEarly;
}

void RingUses::cross(
    const RegionEdge &edge,
    const llvm::DenseMap<Operation *, llvm::SetVector<Value>> &bases) {
  ConditionEdge conditions(edge);
  crossConditions(conditions);
  bool isEarly = crossRounds(edge, conditions);
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
  behind.isUnreachable = isUnreachable || isEarly || conditions.isNever();
  behind.rounds = rounds;
  behind.lost = lost;
  behind.facts = facts.cross(conditions);
  if (!edge.from && edge.to)
    behind.facts.entry = conditions;
  for (auto [use, state] : uses) {
    auto number = rename(use.first, use.second);
    state.cross(conditions, number && !(*number == use.second));
    if (number) {
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
