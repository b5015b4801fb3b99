//===- SharedLiveness.cpp - When shared buffers hold needed data ----------===//

#include "tile/Analysis/SharedLiveness.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/StructuredDataflow.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// A set of buffers.
struct BufferSet {
  llvm::BitVector bits;

  bool join(const BufferSet &other) {
    bool grows = other.bits.test(bits);
    bits |= other.bits;
    return grows;
  }
};

/// Some buffers, by their numbers; few for most operations.
using Numbers = SmallVector<int64_t, 2>;

/// What one block-level operation does to the buffers.
struct BufferEffects {
  Numbers read, written;
  /// Written completely, or made anew: what was there before is not needed.
  Numbers replaced;
};

class LivenessSolver {
public:
  explicit LivenessSolver(LaunchOp launch) : launch(launch), points(launch) {}
  SharedLiveness solve();

private:
  void collectEffects();
  void addAccess(const BlockAccess &access, BufferEffects &effects);
  int64_t getPositionAround(Operation *op) const;
  void holdBuffers(RingOp ring);
  void keepWords();
  void runBackward(Block &block, BufferSet &needed);
  void passBackward(RegionBranchOpInterface op, BufferSet &needed);
  SmallVector<Numbers> solveNeeded();

  LaunchOp launch;
  ProgramPoints points;
  SharedLiveness liveness;
  llvm::DenseMap<Value, int64_t> bufferOf;
  SmallVector<BufferEffects> effects;
};
} // namespace

void LivenessSolver::addAccess(const BlockAccess &access,
                               BufferEffects &effects) {
  if (access.isGlobalOnly)
    return;
  if (!access.memref) {
    // Anything: every buffer may be read and written.
    auto all = llvm::seq<int64_t>(0, liveness.buffers.size());
    llvm::append_range(effects.read, all);
    llvm::append_range(effects.written, all);
    return;
  }
  if (!access.isShared())
    return;
  Value root = getSharedRoot(access.memref);
  auto buffer = bufferOf.find(root);
  if (buffer == bufferOf.end())
    return;
  if (access.reads)
    effects.read.push_back(buffer->second);
  if (access.writes)
    effects.written.push_back(buffer->second);
  if (access.replaces && !access.reads && access.memref == root)
    effects.replaced.push_back(buffer->second);
}

/// The position of the block-level operation that is or has `op`.
int64_t LivenessSolver::getPositionAround(Operation *op) const {
  while (points.getOperations()[points.getPosition(op)] != op)
    op = op->getParentOp();
  return points.getPosition(op);
}

/// What a ring with mbarriers has in its slots may arrive and be read from one
/// of its uses to the next: its buffers hold something from the ring to the last
/// of them.
void LivenessSolver::holdBuffers(RingOp ring) {
  if (!ring.getBarriers())
    return;
  for (Value root : ring.getBuffers()) {
    auto buffer = bufferOf.find(root);
    if (buffer == bufferOf.end())
      continue;
    effects[points.getPosition(ring)].written.push_back(buffer->second);
    for (Operation *use : ring->getUsers()) {
      BufferEffects &own = effects[getPositionAround(use)];
      own.read.push_back(buffer->second);
      own.written.push_back(buffer->second);
    }
  }
}

/// Nothing else may touch the words of mbarriers once they are set.
void LivenessSolver::keepWords() {
  for (auto [position, op] : llvm::enumerate(liveness.points)) {
    auto ring = dyn_cast<RingOp>(op);
    if (!ring || !ring.getBarriers())
      continue;
    auto words = bufferOf.find(ring.getBarriers());
    if (words == bufferOf.end())
      continue;
    for (size_t point = position; point < liveness.points.size(); ++point)
      liveness.occupied[words->second].set(point);
  }
}

void LivenessSolver::collectEffects() {
  for (Operation *op : points.getOperations())
    if (auto alloc = dyn_cast<AllocOp>(op)) {
      bufferOf[alloc.getResult()] = liveness.buffers.size();
      liveness.buffers.push_back(alloc);
    }
  effects.resize(points.getOperations().size());
  for (auto [buffer, alloc] : llvm::enumerate(liveness.buffers))
    effects[points.getPosition(alloc)].replaced.push_back(buffer);
  for (const BlockAccess &access : points.getAccesses())
    addAccess(access, effects[points.getPosition(access.op)]);
  launch.walk([&](RingOp ring) { holdBuffers(ring); });
  llvm::append_range(liveness.points, points.getOperations());
  for (auto [position, op] : llvm::enumerate(liveness.points))
    liveness.positions[op] = position;
}

/// Enters the point at `position` for `buffers` into `table`.
template <typename NumbersT>
static void mark(const NumbersT &buffers, int64_t position,
                 SmallVectorImpl<SharedLiveness::Points> &table) {
  for (int64_t buffer : buffers)
    table[buffer].set(position);
}

/// `needed` is what is needed behind `op`, on return in front of it.
void LivenessSolver::passBackward(RegionBranchOpInterface op,
                                  BufferSet &needed) {
  // What is needed at the start and at the end of each region, grown until nothing
  // changes.
  llvm::MapVector<Region *, BufferSet> starts, ends;
  SmallVector<RegionSuccessor> successors;
  auto joinSuccessors = [&]() {
    std::optional<BufferSet> joined;
    for (const RegionSuccessor &successor : successors) {
      const BufferSet *from = &needed;
      if (!successor.isParent()) {
        auto start = starts.find(successor.getSuccessor());
        if (start == starts.end())
          continue;
        from = &start->second;
      }
      joined ? void(joined->join(*from)) : void(joined = *from);
    }
    return joined;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Region &region : llvm::reverse(op->getRegions())) {
      if (region.empty())
        continue;
      successors.clear();
      op.getSuccessorRegions(region, successors);
      // A region that only leads to regions not reached yet waits for them.
      std::optional<BufferSet> end = joinSuccessors();
      if (!end)
        continue;
      auto [known, isFirst] = ends.insert({&region, *end});
      // Followed again only if more is to be followed: of operations in one another
      // each would double the work of those inside.
      if (!isFirst && !known->second.join(*end))
        continue;
      BufferSet start = known->second;
      runBackward(region.front(), start);
      auto [entry, isNew] = starts.insert({&region, start});
      changed |= isNew || entry->second.join(start);
    }
  }
  successors = getEntrySuccessors(op);
  if (std::optional<BufferSet> before = joinSuccessors())
    needed = std::move(*before);
}

/// Against the direction of control: `needed` is what is needed behind `block`, on
/// return in front of it.
void LivenessSolver::runBackward(Block &block, BufferSet &needed) {
  for (Operation &op : llvm::reverse(block)) {
    // Most operations have no regions, and asking for an interface is a search.
    if (op.getNumRegions() > 0)
      if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
        passBackward(branch, needed);
    int64_t position = points.getPosition(&op);
    const BufferEffects &own = effects[position];
    for (int64_t buffer : own.replaced)
      needed.bits.reset(buffer);
    for (int64_t buffer : own.read)
      needed.bits.set(buffer);
    mark(needed.bits.set_bits(), position, liveness.needed);
  }
}

/// What is needed in front of each point; returns the buffers, by point.
SmallVector<Numbers> LivenessSolver::solveNeeded() {
  SmallVector<Numbers> neededAt(liveness.points.size());
  BufferSet state{llvm::BitVector(liveness.buffers.size())};
  runBackward(launch.getBody().front(), state);
  for (auto [buffer, needed] : llvm::enumerate(liveness.needed))
    for (int64_t point : needed)
      neededAt[point].push_back(buffer);
  return neededAt;
}

SharedLiveness LivenessSolver::solve() {
  collectEffects();
  int64_t bufferCount = liveness.buffers.size();
  liveness.needed.resize(bufferCount);
  liveness.occupied.resize(bufferCount);
  liveness.touched.resize(bufferCount);
  SmallVector<Numbers> neededAt = solveNeeded();

  // Written before the point and needed at it or after it.
  BufferSet state{llvm::BitVector(bufferCount)};
  runForward(
      launch.getBody().front(), state,
      [&](Operation *op, BufferSet &set) {
        int64_t position = points.getPosition(op);
        for (int64_t buffer : neededAt[position])
          if (set.bits.test(buffer))
            liveness.occupied[buffer].set(position);
        const BufferEffects &own = effects[position];
        for (int64_t buffer : own.replaced)
          set.bits.reset(buffer);
        for (int64_t buffer : own.written)
          set.bits.set(buffer);
      },
      [](const RegionEdge &, BufferSet &) {});

  for (auto [point, own] : llvm::enumerate(effects))
    for (const Numbers *buffers : {&own.read, &own.written}) {
      mark(*buffers, point, liveness.touched);
      mark(*buffers, point, liveness.occupied);
    }
  keepWords();
  return std::move(liveness);
}

SharedLiveness mlir::tile::computeSharedLiveness(LaunchOp launch) {
  return LivenessSolver(launch).solve();
}

int64_t SharedLiveness::getPositionBehind(Operation *op) const {
  // What has been made since is no point.
  Operation *next = op->getNextNode();
  while (!positions.contains(next))
    next = next->getNextNode();
  return positions.lookup(next);
}

bool mlir::tile::isNeededBehind(Operation *op, AllocOp buffer,
                                const SharedLiveness &liveness) {
  auto position = llvm::find(liveness.buffers, buffer);
  return liveness.needed[position - liveness.buffers.begin()].test(
      liveness.getPositionBehind(op));
}
