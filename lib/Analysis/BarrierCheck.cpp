//===- BarrierCheck.cpp - Whether barriers cover all pairs ----------------===//

#include "tile/Analysis/BarrierCheck.h"

#include "StateGraph.h"

#include "tile/Analysis/RingSlots.h"
#include "tile/Dialect/Tile/TileTarget.h"
#include "tile/Dialect/Tile/TileTypes.h"

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
  /// Iterations of which loops have given its operands other values.
  Operation *movedBy = nullptr;
  bool hasMovedMore = false;
  auto operator<=>(const Token &) const = default;
};

class BarrierChecker {
public:
  explicit BarrierChecker(LaunchOp launch);
  SmallVector<UncoveredPair> check();

private:
  void walkFrom(int64_t access);
  /// Moves past `op`; nothing if the access is then in order.
  std::optional<Token> pass(Token token, Operation *op) const;
  void compare(int64_t access, Token token, const StateGraph::Node &node);
  Token start(int64_t access, const StateGraph::Node &node) const;
  std::optional<ConflictScope> findScope(int64_t access, Token token,
                                         int64_t later,
                                         const StateGraph::Node &node) const;
  int64_t getSlot(int64_t access, const StateGraph::Node &node) const;

  ProgramPoints points;
  ArrayRef<BlockAccess> accesses;
  SmallVector<RingSlice> slices; ///< by access
  ConflictScopes scopes;
  StateGraph graph;
  /// Nodes by the position of their operation.
  SmallVector<SmallVector<int>> nodesOf;
  int64_t mostGroups = 0;
  llvm::MapVector<std::pair<Operation *, Operation *>, UncoveredPair> found;
};
} // namespace

static bool isBlockOneWarp(LaunchOp launch) {
  const tilec::GpuTarget *target = getTarget(launch);
  return target && launch.getThreads() == uint64_t(target->warpSize);
}

static SmallVector<RingSlice> getSlices(ArrayRef<BlockAccess> accesses) {
  SmallVector<RingSlice> slices;
  for (const BlockAccess &access : accesses)
    slices.push_back(getRingSlice(access));
  return slices;
}

/// The values that name slots.
static SmallVector<Value> getSlotValues(ArrayRef<RingSlice> slices) {
  SmallVector<Value> values;
  for (const RingSlice &slice : slices)
    if (auto value = dyn_cast_if_present<Value>(slice.slot))
      values.push_back(value);
  return values;
}

BarrierChecker::BarrierChecker(LaunchOp launch)
    : points(launch), accesses(points.getAccesses()),
      slices(getSlices(accesses)), scopes(accesses, isBlockOneWarp(launch)),
      graph(launch, getSlotValues(slices)),
      nodesOf(points.getOperations().size()) {
  for (auto [number, node] : llvm::enumerate(graph.getNodes()))
    nodesOf[points.getPosition(node.op)].push_back(number);
  launch.walk([&](CopyWaitOp wait) {
    mostGroups = std::max<int64_t>(mostGroups, wait.getPending().value_or(0));
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

std::optional<Token> BarrierChecker::pass(Token token, Operation *op) const {
  bool isUnderWay = token.groups != Token::arrived;
  return llvm::TypeSwitch<Operation *, std::optional<Token>>(op)
      .Case([&](CopyCommitOp) {
        if (isUnderWay)
          token.groups = std::min(token.groups + 1, mostGroups + 1);
        return token;
      })
      .Case([&](CopyWaitOp wait) {
        // Without a number it waits for copies outside of groups as well.
        bool arrives =
            !wait.getPending() || token.groups > int64_t(*wait.getPending());
        if (arrives)
          token.groups = Token::arrived;
        return token;
      })
      .Case([&](BarrierOp barrier) -> std::optional<Token> {
        if (isUnderWay)
          return token;
        if (!barrier.isWithinWarp())
          return std::nullopt;
        token.hasWarpMet = true;
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
  if (canSwap)
    return std::nullopt;
  bool isSameSlot = false;
  if (slices[access].ring && slices[access].ring == slices[later].ring) {
    int64_t slot = getSlot(later, node);
    bool areKnown = slot != Token::noSlot && token.slot != Token::noSlot;
    if (areKnown && slot != token.slot)
      return std::nullopt;
    isSameSlot = areKnown;
  }
  std::optional<ConflictScope> scope =
      scopes.find(access, later,
                  {!token.movedBy, token.hasMovedMore ? nullptr : token.movedBy,
                   isSameSlot});
  bool isUnderWay = token.groups != Token::arrived;
  bool isInOrder = scope == ConflictScope::Thread ||
                   (scope == ConflictScope::Warp && token.hasWarpMet);
  return scope && isInOrder && !isUnderWay ? std::nullopt : scope;
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
    pair.needsWait |= token.groups != Token::arrived;
    pair.scope = isNew ? *scope : std::max(pair.scope, *scope);
  }
}

void BarrierChecker::walkFrom(int64_t access) {
  std::set<std::pair<int, Token>> seen;
  SmallVector<std::pair<int, Token>> worklist;
  auto reach = [&](const StateGraph::Node &node, Token token) {
    for (const StateGraph::Edge &edge : node.successors) {
      Token next = token;
      if (edge.loop && scopes.movesWith(edge.loop, access)) {
        next.hasMovedMore |= next.movedBy && next.movedBy != edge.loop;
        next.movedBy = edge.loop;
      }
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
    if (std::optional<Token> after = pass(token, node.op))
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
