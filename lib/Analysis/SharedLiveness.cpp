//===- SharedLiveness.cpp - When shared buffers hold needed data ----------===//

#include "tile/Analysis/SharedLiveness.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/StructuredDataflow.h"
#include "tile/Dialect/Tile/TileTypes.h"

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

/// What one block-level operation does to the buffers.
struct BufferEffects {
  llvm::BitVector read, written;
  /// Written completely, or made anew: what was there before is not needed.
  llvm::BitVector replaced;
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
    effects.read.set();
    effects.written.set();
    return;
  }
  if (!access.isShared())
    return;
  Value root = getSharedRoot(access.memref);
  auto buffer = bufferOf.find(root);
  if (buffer == bufferOf.end())
    return;
  if (access.reads)
    effects.read.set(buffer->second);
  if (access.writes)
    effects.written.set(buffer->second);
  if (access.replaces && !access.reads && access.memref == root)
    effects.replaced.set(buffer->second);
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
    effects[points.getPosition(ring)].written.set(buffer->second);
    for (Operation *use : ring->getUsers()) {
      BufferEffects &own = effects[getPositionAround(use)];
      own.read.set(buffer->second);
      own.written.set(buffer->second);
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
    if (words != bufferOf.end())
      liveness.occupied[words->second].set(position, liveness.points.size());
  }
}

void LivenessSolver::collectEffects() {
  for (Operation *op : points.getOperations())
    if (auto alloc = dyn_cast<AllocOp>(op)) {
      bufferOf[alloc.getResult()] = liveness.buffers.size();
      liveness.buffers.push_back(alloc);
    }
  int64_t count = liveness.buffers.size();
  llvm::BitVector none(count);
  effects.assign(points.getOperations().size(), {none, none, none});
  for (auto [buffer, alloc] : llvm::enumerate(liveness.buffers))
    effects[points.getPosition(alloc)].replaced.set(buffer);
  for (const BlockAccess &access : points.getAccesses())
    addAccess(access, effects[points.getPosition(access.op)]);
  launch.walk([&](RingOp ring) { holdBuffers(ring); });
  llvm::append_range(liveness.points, points.getOperations());
}

/// Enters the point at `position` for each of `buffers` into `table`.
static void mark(const llvm::BitVector &buffers, int64_t position,
                 SmallVectorImpl<llvm::BitVector> &table) {
  for (int64_t buffer : buffers.set_bits())
    table[buffer].set(position);
}

SharedLiveness LivenessSolver::solve() {
  collectEffects();
  int64_t bufferCount = liveness.buffers.size();
  llvm::BitVector none(liveness.points.size());
  liveness.needed.assign(bufferCount, none);
  liveness.occupied.assign(bufferCount, none);
  liveness.touched.assign(bufferCount, none);

  BufferSet state{llvm::BitVector(bufferCount)};
  SmallVector<llvm::BitVector> neededAt(liveness.points.size(), state.bits);
  runBackward(launch.getBody().front(), state,
              [&](Operation *op, BufferSet &set) {
                int64_t position = points.getPosition(op);
                const BufferEffects &own = effects[position];
                set.bits.reset(own.replaced);
                set.bits |= own.read;
                neededAt[position] |= set.bits;
                mark(set.bits, position, liveness.needed);
              });

  // Written before the point and needed at it or after it.
  state.bits.reset();
  runForward(
      launch.getBody().front(), state,
      [&](Operation *op, BufferSet &set) {
        int64_t position = points.getPosition(op);
        llvm::BitVector held = set.bits;
        held &= neededAt[position];
        mark(held, position, liveness.occupied);
        const BufferEffects &own = effects[position];
        set.bits.reset(own.replaced);
        set.bits |= own.written;
      },
      [](const RegionEdge &, BufferSet &) {});

  for (auto [point, own] : llvm::enumerate(effects))
    for (const llvm::BitVector *buffers : {&own.read, &own.written}) {
      mark(*buffers, point, liveness.touched);
      mark(*buffers, point, liveness.occupied);
    }
  keepWords();
  return std::move(liveness);
}

SharedLiveness mlir::tile::computeSharedLiveness(LaunchOp launch) {
  return LivenessSolver(launch).solve();
}

bool mlir::tile::isNeededBehind(Operation *op, AllocOp buffer,
                                const SharedLiveness &liveness) {
  auto position = llvm::find(liveness.buffers, buffer);
  auto point = llvm::find(liveness.points, op->getNextNode());
  return liveness.needed[position - liveness.buffers.begin()].test(
      point - liveness.points.begin());
}
