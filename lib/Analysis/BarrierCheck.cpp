//===- BarrierCheck.cpp - Whether barriers cover all pairs ----------------===//

#include "tile/Analysis/BarrierCheck.h"

#include "CopyRounds.h"
#include "StateGraph.h"

#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/RingNumbers.h"
#include "tile/Analysis/RingSlots.h"
#include "tile/Dialect/Tile/TileTarget.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace mlir::tile;

namespace {
/// An access under way: what has happened to it since it was made.
struct Token {
  static constexpr int64_t arrived = -1, noSlot = -1;

  /// Of a copy: the groups closed since; `arrived` once it is complete.
  int64_t groups = arrived;
  /// The number of the ring's slot, if known.
  int64_t slot = noSlot;
  bool hasWarpMet = false;
  /// The slot of a ring with mbarriers that was touched is released.
  bool isReleased = false;
  /// Of a write that the asynchronous proxy may have to see: whether the block
  /// has met, and whether it was shown.
  bool hasBlockMet = false;
  bool isShown = false;
  /// The slot was released before it was shown.
  bool isReleasedHidden = false;
  /// Of a fill by threads: everyone has waited for it at the ring's mbarrier, and
  /// shows it to the proxy by itself.
  bool isWaitedFor = false;
  /// The outermost loop of which another iteration has given its operands other
  /// values, and whether there are some of which none is around the others.
  Operation *movedBy = nullptr;
  bool hasMovedMore = false;
  void move(Operation *loop) {
    if (!movedBy || loop->isAncestor(movedBy))
      movedBy = loop;
    hasMovedMore |= !movedBy->isAncestor(loop);
  }
  auto operator<=>(const Token &) const = default;
};

class BarrierChecker {
public:
  explicit BarrierChecker(LaunchOp launch);
  SmallVector<UncoveredPair> check();

private:
  void walkFrom(int64_t access);
  /// Moves past `op`; nothing if the access is then in order.
  std::optional<Token> pass(int64_t access, Token token,
                            const StateGraph::Node &node) const;
  std::optional<Token> passUse(int64_t access, Token token,
                               const StateGraph::Node &node) const;
  void compare(int64_t access, Token token, const StateGraph::Node &node);
  Token start(int64_t access, const StateGraph::Node &node) const;
  std::optional<ConflictScope> findScope(int64_t access, Token token,
                                         int64_t later,
                                         const StateGraph::Node &node) const;
  int64_t getSlot(int64_t access, const StateGraph::Node &node) const;
  /// Whether an access is a product's, which may read until it is waited for.
  bool isOfProduct(int64_t access) const {
    return accesses[access].completion == tilec::Completion::Group &&
           accesses[access].proxy == tilec::Proxy::Async;
  }

  /// Whether an access is a copy under way that is waited for by its group.
  bool isInGroup(int64_t access, const Token &token) const {
    return token.groups != Token::arrived && !isOfProduct(access) &&
           accesses[access].completion == tilec::Completion::Group;
  }

  ProgramPoints points;
  CopyRounds rounds;
  ArrayRef<BlockAccess> accesses;
  SmallVector<RingSlice> slices;  ///< by access
  SmallVector<Operation *> rings; ///< by access: with mbarriers, or null
  ConflictScopes scopes;
  StateGraph graph;
  /// Nodes by the position of their operation.
  SmallVector<SmallVector<int>> nodesOf;
  int64_t mostGroups = 0;
  /// The writes by threads that others read through the asynchronous proxy.
  llvm::BitVector hidden;
  llvm::MapVector<std::pair<Operation *, Operation *>, UncoveredPair> found;
};
} // namespace

static bool isBlockOneWarp(LaunchOp launch) {
  const tilec::GpuTarget *target = getTarget(launch);
  return target && launch.getThreads() == uint64_t(target->warpSize);
}

/// Whether `reader` may look past what `writer` left in shared memory.
static bool isHiddenFrom(const BlockAccess &writer, const BlockAccess &reader) {
  return writer.writes && writer.proxy != reader.proxy &&
         reader.proxy == tilec::Proxy::Async && mayOverlap(writer, reader);
}

/// Both accesses of a bulk load are followed by the slot that it fills.
static SmallVector<RingSlice> getSlices(ArrayRef<BlockAccess> accesses) {
  SmallVector<RingSlice> slices;
  for (const BlockAccess &access : accesses) {
    slices.push_back(getRingSlice(access));
    if (RingAcquireOp fill = getFill(access))
      slices.back().slot = fill.getSlot();
  }
  return slices;
}

static SmallVector<Operation *> getRings(ArrayRef<BlockAccess> accesses) {
  SmallVector<Operation *> rings;
  for (const BlockAccess &access : accesses) {
    RingAcquireOp fill = getFill(access);
    rings.push_back(fill ? getRing(fill.getRing()) : getMbarrierRing(access));
  }
  return rings;
}

/// The values that name slots, and the numbers of uses.
static SmallVector<Value> getSlotValues(ArrayRef<BlockAccess> accesses,
                                        ArrayRef<RingSlice> slices) {
  SmallVector<Value> values;
  for (const BlockAccess &access : accesses)
    if (isMbarrierUse(access.op))
      values.push_back(access.op->getOperand(1));
  for (const RingSlice &slice : slices)
    if (auto value = dyn_cast_if_present<Value>(slice.slot))
      values.push_back(value);
  return values;
}

BarrierChecker::BarrierChecker(LaunchOp launch)
    : points(launch), accesses(points.getAccesses()),
      slices(getSlices(accesses)), rings(getRings(accesses)),
      scopes(launch, accesses, isBlockOneWarp(launch)),
      graph(launch, getSlotValues(accesses, slices)),
      nodesOf(points.getOperations().size()) {
  for (auto [number, node] : llvm::enumerate(graph.getNodes()))
    nodesOf[points.getPosition(node.op)].push_back(number);
  hidden.resize(accesses.size());
  for (auto [number, access] : llvm::enumerate(accesses))
    hidden[number] = llvm::any_of(accesses, [&, &access = access](auto &other) {
      return isHiddenFrom(access, other);
    });
  launch.walk([&](CopyWaitOp wait) {
    mostGroups = std::max<int64_t>(mostGroups, wait.getPending().value_or(0));
  });
  launch.walk([&](ProductWaitOp wait) {
    mostGroups = std::max<int64_t>(mostGroups, wait.getPending());
  });
}

int64_t BarrierChecker::getSlot(int64_t access,
                                const StateGraph::Node &node) const {
  if (!slices[access].slot)
    return Token::noSlot;
  return graph.evaluate(slices[access].slot, node).value_or(Token::noSlot);
}

//===----------------------------------------------------------------------===//
// One access
//===----------------------------------------------------------------------===//

Token BarrierChecker::start(int64_t access,
                            const StateGraph::Node &node) const {
  Token token;
  if (accesses[access].completion != tilec::Completion::Immediate)
    token.groups = 0;
  token.slot = getSlot(access, node);
  return token;
}

/// Past a use of a ring with mbarriers: what is waited for has arrived for every
/// thread, what is released is in order with who comes to the slot later.
std::optional<Token>
BarrierChecker::passUse(int64_t access, Token token,
                        const StateGraph::Node &node) const {
  Operation *ring = getRing(node.op->getOperand(0));
  if (rings[access] != ring)
    return token;
  std::optional<int64_t> number = graph.evaluate(node.op->getOperand(1), node);
  bool areKnown = number && token.slot != Token::noSlot;
  bool isSame = areKnown && *number % getSlotCount(ring) == token.slot;
  bool isMbarrierFill =
      accesses[access].completion == tilec::Completion::Mbarrier;
  std::optional<RingUseKind> kind = getRingUseKind(node.op);
  if (kind == RingUseKind::Wait && isMbarrierFill && (isSame || !areKnown)) {
    if (!hidden[access])
      return std::nullopt;
    token.isWaitedFor = true;
    token.groups = Token::arrived;
  }
  if (kind == RingUseKind::Release && token.isWaitedFor &&
      (isSame || !areKnown))
    return std::nullopt;
  if (kind == RingUseKind::Release && !isMbarrierFill && isSame) {
    token.isReleased = true;
    token.isReleasedHidden |= hidden[access] && !token.isShown;
  }
  return token;
}

std::optional<Token> BarrierChecker::pass(int64_t access, Token token,
                                          const StateGraph::Node &node) const {
  Operation *op = node.op;
  if (isMbarrierUse(op))
    return passUse(access, token, node);
  bool isMbarrierFill =
      accesses[access].completion == tilec::Completion::Mbarrier;
  if (isMbarrierFill && isa<CopyCommitOp, CopyWaitOp>(op))
    return token;
  bool isUnderWay = token.groups != Token::arrived;
  return llvm::TypeSwitch<Operation *, std::optional<Token>>(op)
      .Case([&](GemmAsyncOp) {
        if (isUnderWay && isOfProduct(access))
          token.groups = std::min(token.groups + 1, mostGroups + 1);
        return token;
      })
      .Case([&](ProductWaitOp wait) {
        if (isOfProduct(access) && token.groups >= int64_t(wait.getPending()))
          token.groups = Token::arrived;
        return token;
      })
      .Case([&](CopyCommitOp) {
        if (isUnderWay && !isOfProduct(access))
          token.groups = std::min(token.groups + 1, mostGroups + 1);
        return token;
      })
      .Case([&](CopyWaitOp wait) {
        // Without a number it waits for copies outside of groups as well.
        bool arrives =
            !wait.getPending() || token.groups > int64_t(*wait.getPending());
        if (arrives && !isOfProduct(access))
          token.groups = Token::arrived;
        return token;
      })
      .Case([&](BarrierOp barrier) -> std::optional<Token> {
        if (isUnderWay)
          return token;
        if (!barrier.isWithinWarp() && (!hidden[access] || token.isShown))
          return std::nullopt;
        token.hasWarpMet = true;
        token.hasBlockMet |= !barrier.isWithinWarp();
        return token;
      })
      .Case([&](ProxyFenceOp) -> std::optional<Token> {
        if (token.isWaitedFor)
          return std::nullopt;
        token.isShown |= !isUnderWay;
        return token;
      })
      .Default([&](Operation *) { return token; });
}

/// Who has to meet between an access under way and access `later` at `node`;
/// nothing where nobody has to.
std::optional<ConflictScope>
BarrierChecker::findScope(int64_t access, Token token, int64_t later,
                          const StateGraph::Node &node) const {
  const BlockAccess &first = accesses[access], &second = accesses[later];
  bool canSwap = (!first.writes && !second.writes) ||
                 (first.combines && first.combines == second.combines) ||
                 !mayOverlap(first, second);
  bool isHidden = isHiddenFrom(first, second);
  if (canSwap || (token.hasBlockMet && !isHidden))
    return std::nullopt;
  bool areOfOneRing = rings[later] && rings[access] == rings[later];
  bool isByRing = token.isReleased ||
                  first.completion == tilec::Completion::Mbarrier ||
                  second.completion == tilec::Completion::Mbarrier;
  bool hasArrived = first.completion == tilec::Completion::Mbarrier &&
                    rings[access] && isBehindRing(second.op, rings[access]);
  if (token.isWaitedFor && !isHidden)
    return std::nullopt;
  if (areOfOneRing && isHidden && token.isReleasedHidden)
    return ConflictScope::Thread;
  if (!token.isWaitedFor && ((areOfOneRing && isByRing) || hasArrived))
    return std::nullopt;
  bool isSameSlot = false;
  if (slices[access].ring && slices[access].ring == slices[later].ring) {
    int64_t slot = getSlot(later, node);
    bool areKnown = slot != Token::noSlot && token.slot != Token::noSlot;
    if (areKnown && slot != token.slot)
      return std::nullopt;
    isSameSlot = areKnown;
  }
  if (token.isWaitedFor)
    return ConflictScope::Thread;
  std::optional<ConflictScope> scope =
      scopes.find(access, later,
                  {!token.movedBy, token.hasMovedMore ? nullptr : token.movedBy,
                   isSameSlot});
  bool isUnderWay = token.groups != Token::arrived;
  bool isInOrder = scope == ConflictScope::Thread ||
                   (scope == ConflictScope::Warp && token.hasWarpMet);
  bool mustBeShown = isHidden && !token.isShown;
  return isInOrder && !isUnderWay && !mustBeShown ? std::nullopt : scope;
}

void BarrierChecker::compare(int64_t access, Token token,
                             const StateGraph::Node &node) {
  auto [first, last] = points.getAccessRange(node.op);
  for (int64_t later : llvm::seq(first, last)) {
    std::optional<ConflictScope> scope = findScope(access, token, later, node);
    if (!scope)
      continue;
    Operation *earlier = accesses[access].op;
    UncoveredPair &pair = found[{earlier, node.op}];
    bool isNew = !pair.earlier;
    pair.earlier = earlier;
    pair.later = node.op;
    bool isUnderWay = token.groups != Token::arrived;
    (isOfProduct(access) ? pair.needsProductWait : pair.needsWait) |=
        isUnderWay;
    pair.needsFence |= (!token.isShown || token.isReleasedHidden) &&
                       isHiddenFrom(accesses[access], accesses[later]);
    pair.scope = isNew ? *scope : std::max(pair.scope, *scope);
  }
}

void BarrierChecker::walkFrom(int64_t access) {
  std::set<std::pair<int, Token>> seen;
  SmallVector<std::pair<int, Token>> worklist;
  auto reach = [&](const StateGraph::Node &node, Token token) {
    for (const StateGraph::Edge &edge : node.successors) {
      if (edge.left && isInGroup(access, token) &&
          rounds.hasLanded(accesses[access].op, edge.left, edge.isLeftOut))
        continue;
      Token next = token;
      if (edge.loop && scopes.movesWith(edge.loop, access))
        next.move(edge.loop);
      if (seen.insert({edge.target, next}).second)
        worklist.push_back({edge.target, next});
    }
  };
  ArrayRef<StateGraph::Node> nodes = graph.getNodes();
  for (int node : nodesOf[points.getPosition(accesses[access].op)])
    reach(nodes[node], start(access, nodes[node]));
  while (!worklist.empty()) {
    auto [number, token] = worklist.pop_back_val();
    const StateGraph::Node &node = nodes[number];
    compare(access, token, node);
    if (std::optional<Token> after = pass(access, token, node))
      reach(node, *after);
  }
}

SmallVector<UncoveredPair> BarrierChecker::check() {
  for (int64_t access : llvm::seq<int64_t>(0, accesses.size()))
    walkFrom(access);
  return llvm::to_vector(llvm::make_second_range(found));
}

SmallVector<UncoveredPair> tile::findUncoveredPairs(LaunchOp launch) {
  return BarrierChecker(launch).check();
}
