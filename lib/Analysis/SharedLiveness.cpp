//===- SharedLiveness.cpp - When shared buffers hold needed data ----------===//

#include "tile/Analysis/SharedLiveness.h"

#include "tile/Analysis/MemoryAccesses.h"
#include "tile/Analysis/StructuredDataflow.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/ADT/DenseMap.h"

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
  explicit LivenessSolver(LaunchOp launch) : launch(launch) {}
  SharedLiveness solve();

private:
  void collectEffects();
  void addAccess(const MemoryAccess &access, BufferEffects &effects);
  void markOccupied(const BufferSet &set, Operation *op,
                    SmallVectorImpl<llvm::BitVector> &table);

  LaunchOp launch;
  SharedLiveness liveness;
  llvm::DenseMap<Operation *, int64_t> pointOf;
  llvm::DenseMap<Value, int64_t> bufferOf;
  SmallVector<BufferEffects> effects;
};
} // namespace

/// Whether `op` writes every element of the buffer `buffer`: the destination is
/// the whole buffer, and outside its source a copy writes the padding.
static bool replacesBuffer(Operation *op, Value buffer) {
  if (auto copy = dyn_cast<CopyOp>(op))
    return copy.getDest() == buffer && copy.getDestSide().isWhole() &&
           !copy.getDestRows();
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getDest() == buffer && store.getDestSide().isWhole() &&
           !store.getDestRows();
  if (auto copy = dyn_cast<Im2ColOp>(op))
    return copy.getDest() == buffer;
  return false;
}

void LivenessSolver::addAccess(const MemoryAccess &access,
                               BufferEffects &effects) {
  if (access.isGlobalOnly)
    return;
  if (!access.memref) {
    // Anything: every buffer may be read and written.
    effects.read.set();
    effects.written.set();
    return;
  }
  if (!isSharedMemory(cast<MemRefType>(access.memref.getType())))
    return;
  Value root = getSharedRoot(access.memref);
  auto buffer = bufferOf.find(root);
  if (buffer == bufferOf.end())
    return;
  if (access.reads)
    effects.read.set(buffer->second);
  if (access.writes)
    effects.written.set(buffer->second);
  if (access.writes && !access.reads && replacesBuffer(access.op, root))
    effects.replaced.set(buffer->second);
}

void LivenessSolver::collectEffects() {
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto alloc = dyn_cast<AllocOp>(op)) {
      bufferOf[alloc.getResult()] = liveness.buffers.size();
      liveness.buffers.push_back(alloc);
    }
    pointOf[op] = liveness.points.size();
    liveness.points.push_back(op);
    // What is inside a tile.parallel or tile.once is not block level.
    return op->getNumRegions() > 0 && !isa<RegionBranchOpInterface>(op)
               ? WalkResult::skip()
               : WalkResult::advance();
  });
  int64_t count = liveness.buffers.size();
  for (Operation *op : liveness.points) {
    BufferEffects own;
    own.read.resize(count);
    own.written.resize(count);
    own.replaced.resize(count);
    if (isa<AllocOp>(op))
      own.replaced.set(bufferOf.lookup(op->getResult(0)));
    for (const MemoryAccess &access : getMemoryAccesses(op))
      addAccess(access, own);
    effects.push_back(std::move(own));
  }
}

void LivenessSolver::markOccupied(const BufferSet &set, Operation *op,
                                  SmallVectorImpl<llvm::BitVector> &table) {
  for (int64_t buffer : set.bits.set_bits())
    table[buffer].set(pointOf.lookup(op));
}

SharedLiveness LivenessSolver::solve() {
  collectEffects();
  int64_t bufferCount = liveness.buffers.size();
  llvm::BitVector none(liveness.points.size());
  // Written before the point and needed at it or after it.
  SmallVector<llvm::BitVector> written(bufferCount, none);
  SmallVector<llvm::BitVector> needed(bufferCount, none);
  liveness.occupied.assign(bufferCount, none);

  BufferSet state{llvm::BitVector(bufferCount)};
  runForward(
      launch.getBody().front(), state,
      [&](Operation *op, BufferSet &set) {
        markOccupied(set, op, written);
        const BufferEffects &own = effects[pointOf.lookup(op)];
        set.bits.reset(own.replaced);
        set.bits |= own.written;
      },
      [](Operation *, BufferSet &) {});

  state.bits = llvm::BitVector(bufferCount);
  runBackward(launch.getBody().front(), state,
              [&](Operation *op, BufferSet &set) {
                const BufferEffects &own = effects[pointOf.lookup(op)];
                set.bits.reset(own.replaced);
                set.bits |= own.read;
                markOccupied(set, op, needed);
              });

  for (int64_t buffer = 0; buffer < bufferCount; ++buffer) {
    liveness.occupied[buffer] = written[buffer];
    liveness.occupied[buffer] &= needed[buffer];
    for (auto [point, own] : llvm::enumerate(effects))
      if (own.read.test(buffer) || own.written.test(buffer))
        liveness.occupied[buffer].set(point);
  }
  return std::move(liveness);
}

SharedLiveness mlir::tile::computeSharedLiveness(LaunchOp launch) {
  return LivenessSolver(launch).solve();
}
