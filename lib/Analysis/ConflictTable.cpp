//===- ConflictTable.cpp - Which accesses need an order -------------------===//

#include "tile/Analysis/ConflictTable.h"

#include "tile/Analysis/AccessedMemory.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Dialect/Tile/TileTarget.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether the block is one warp; false where no chip says how large that is.
static bool hasOneWarp(LaunchOp launch) {
  const tilec::GpuTarget *target = getTarget(launch);
  return target && launch.getWarpCount(target->warpSize) == 1;
}

ConflictTable::ConflictTable(LaunchOp launch)
    : launch(launch), points(launch), slots(points.getAccesses()),
      scopes(launch, points.getAccesses(), hasOneWarp(launch)) {
  addGroups();
  addRings();
  launch.walk([&](CopyWaitOp wait) {
    int64_t pending = wait.getPending().value_or(0);
    largestAge = std::max(largestAge, pending + 1);
  });
  launch.walk([&](ProductWaitOp wait) {
    int64_t pending = wait.getPending();
    largestAge = std::max(largestAge, pending + 1);
  });
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Whether two accesses, to memory that may be the same, may not be exchanged, apart
/// from who makes them.
static bool needOrder(const BlockAccess &a, const BlockAccess &b) {
  if (!a.writes && !b.writes)
    return false;
  if (a.combines && a.combines == b.combines)
    return false;
  return true;
}

bool tile::needsProxyFence(const BlockAccess &earlier,
                           const BlockAccess &later) {
  return earlier.writes && earlier.proxy == tilec::Proxy::Generic &&
         later.proxy == tilec::Proxy::Async;
}

void ConflictTable::addGroups() {
  using Likeness = std::tuple<AccessedMemory, bool, tilec::Proxy,
                              std::optional<arith::AtomicRMWKind>>;
  std::map<Likeness, int> numbers;
  std::vector<const AccessedMemory *> memories;
  for (auto [index, access] : llvm::enumerate(points.getAccesses())) {
    auto [known, isNew] = numbers.try_emplace(
        {AccessedMemory(access), access.writes, access.proxy, access.combines},
        groups.size());
    if (isNew) {
      groups.emplace_back().example = index;
      memories.push_back(&std::get<AccessedMemory>(known->first));
    }
    groupOf.push_back(known->second);
    groups[known->second].last = index;
  }
  for (Group &group : groups)
    group.overlaps.resize(groups.size());
  for (size_t a = 0; a < groups.size(); ++a)
    for (size_t b = a; b < groups.size(); ++b)
      if (needOrder(get(groups[a].example), get(groups[b].example)) &&
          memories[a]->mayOverlap(*memories[b])) {
        addConflict(groups[a], groups[b]);
        addConflict(groups[b], groups[a]);
      }
}

void ConflictTable::addConflict(Group &earlier, const Group &later) {
  earlier.overlaps.set(groupOf[later.example]);
  earlier.lastConflict = std::max(earlier.lastConflict, later.last);
  if (crossesProxies(earlier.example, later.example))
    earlier.lastCrossing = std::max(earlier.lastCrossing, later.last);
}

/// Whether access `index` is complete at once, and whatever comes behind it is compared
/// with the values that it had.
bool ConflictTable::isPlain(int64_t index) const {
  const BlockAccess &access = get(index);
  if (access.completion != tilec::Completion::Immediate || rings[index] ||
      slots.getSlot(index).symbol != RingSlot::unknown)
    return false;
  for (Operation *parent = access.op->getParentOp(); parent != launch;
       parent = parent->getParentOp())
    if (auto branch = dyn_cast<RegionBranchOpInterface>(parent);
        !branch || branch.hasLoop())
      return false;
  return true;
}

/// The last access that may need an order with access `index`; -1 if there is none.
int64_t ConflictTable::getLastConflict(int64_t index) const {
  const Group &group = getGroup(index);
  if (group.lastConflict < 0 || !isPlain(index))
    return group.lastConflict;
  auto [known, isNew] = lastConflicts.try_emplace(
      {groupOf[index], scopes.getKinds().getKind(index)}, -1);
  if (!isNew)
    return known->second;
  int64_t later = group.lastConflict;
  while (later >= 0 && !(group.overlaps.test(groupOf[later]) &&
                         (crossesProxies(index, later) ||
                          scopes.mayBeOfOthers(index, later))))
    --later;
  known->second = later;
  return later;
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

void ConflictTable::addRings() {
  for (const BlockAccess &access : points.getAccesses()) {
    RingAcquireOp fill = getFill(access);
    rings.push_back(fill ? tile::getRing(fill.getRing())
                         : getMbarrierRing(access));
  }
  Block &body = launch.getBody().front();
  for (auto ring : body.getOps<RingOp>()) {
    int64_t end = 0;
    for (Operation *use : ring->getUsers())
      end = std::max(end, points.getPosition(body.findAncestorOpInBlock(*use)));
    ringEnds[ring] = end;
  }
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

bool ConflictTable::mayConflictFrom(const PendingAccess &earlier,
                                    Operation *op) const {
  const Group &group = getGroup(earlier.index);
  bool isOrdered = earlier.isBlockOrdered || earlier.hasArrived;
  int64_t last =
      isOrdered ? group.lastCrossing : getLastConflict(earlier.index);
  if (last < points.getAccessRange(op).first)
    return false;
  if (!isMbarrierFill(earlier.index) || earlier.hasArrived)
    return true;
  // Behind its ring nothing conflicts with what has filled it.
  auto end = ringEnds.find(rings[earlier.index]);
  return end == ringEnds.end() || points.getPosition(op) <= end->second;
}

std::optional<ConflictScope>
ConflictTable::findConflict(const PendingAccess &earlier, int64_t later) const {
  ++comparisons;
  bool isCrossing = crossesProxies(earlier.index, later);
  if (!getGroup(earlier.index).overlaps.test(groupOf[later]) ||
      (earlier.isBlockOrdered && !isCrossing))
    return std::nullopt;
  bool isOrderedByRing = rings[later] && rings[earlier.index] == rings[later] &&
                         (earlier.isReleased || isMbarrierFill(earlier.index) ||
                          isMbarrierFill(later));
  bool hasArrived = isMbarrierFill(earlier.index) && rings[earlier.index] &&
                    isBehindRing(get(later).op, rings[earlier.index]);
  if (earlier.hasArrived ? !isCrossing : isOrderedByRing || hasArrived)
    return std::nullopt;
  RingSlot slot = slots.getSlot(later);
  if (slots.areDifferent(earlier.index, earlier.slot, later, slot))
    return std::nullopt;
  if (earlier.hasArrived)
    return ConflictScope::Thread;
  PlaceFacts facts;
  facts.hasSameValues = earlier.movedBy == PendingAccess::nowhere;
  if (earlier.movedBy >= 0)
    facts.advancedLoop = points.getOperations()[earlier.movedBy];
  facts.isSameSlot = slots.areSame(earlier.index, earlier.slot, later, slot);
  std::optional<ConflictScope> scope = scopes.find(earlier.index, later, facts);
  if (!scope)
    return std::nullopt;
  bool isOrdered = scope == ConflictScope::Thread ||
                   (scope == ConflictScope::Warp && earlier.isWarpOrdered);
  bool needsFence = isCrossing && !earlier.isFenced;
  if (isOrdered && !needsFence && !earlier.isInFlight())
    return std::nullopt;
  return scope;
}
