//===- BlockAccesses.cpp - What block-level operations touch --------------===//

#include "tile/Analysis/BlockAccesses.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Adds an access, merged with one of the same memref: of what they do not have
/// in common nothing is known.
static void addAccess(SmallVectorImpl<BlockAccess> &accesses,
                      const BlockAccess &access) {
  for (BlockAccess &known : accesses) {
    if (known.memref != access.memref ||
        known.isGlobalOnly != access.isGlobalOnly)
      continue;
    known.reads |= access.reads;
    known.writes |= access.writes;
    known.replaces |= access.replaces;
    known.side = std::nullopt;
    known.threads = FragmentAttr();
    known.byOneThread &= access.byOneThread;
    if (access.completion != tilec::Completion::Immediate)
      known.completion = access.completion;
    if (access.proxy != tilec::Proxy::Generic)
      known.proxy = access.proxy;
    if (known.combines != access.combines)
      known.combines = std::nullopt;
    return;
  }
  accesses.push_back(access);
}

/// What the side effects of an operation say of memory.
static void addEffects(MemoryEffectOpInterface op,
                       SmallVectorImpl<BlockAccess> &accesses) {
  SmallVector<MemoryEffects::EffectInstance> instances;
  op.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances) {
    BlockAccess access;
    access.memref = instance.getValue();
    access.reads = isa<MemoryEffects::Read>(instance.getEffect());
    access.writes = isa<MemoryEffects::Write>(instance.getEffect());
    bool isMemory =
        instance.getResource() == SideEffects::DefaultResource::get();
    if ((!access.reads && !access.writes) || !isMemory)
      continue;
    // A fragment is a value: reading it touches no memory.
    if (access.memref && !isa<MemRefType>(access.memref.getType()))
      continue;
    if (!access.memref)
      access.reads = access.writes = true;
    accesses.push_back(access);
  }
}

/// The accesses of one operation, not looking into its regions.
static void addOwnAccesses(Operation *op,
                           SmallVectorImpl<BlockAccess> &accesses) {
  if (auto statement = dyn_cast<BlockAccessOpInterface>(op))
    return statement.getBlockAccesses(accesses);
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op))
    return addEffects(effects, accesses);
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return;
  BlockAccess anything;
  anything.reads = anything.writes = true;
  accesses.push_back(anything);
}

SmallVector<BlockAccess> tile::getBlockAccesses(Operation *op) {
  SmallVector<BlockAccess> accesses;
  if (isa<RegionBranchOpInterface>(op))
    return accesses;
  op->walk([&](Operation *inner) {
    SmallVector<BlockAccess> own;
    addOwnAccesses(inner, own);
    for (BlockAccess &access : own) {
      access.op = op;
      access.byOneThread |= isa<OnceOp>(op);
      addAccess(accesses, access);
    }
  });
  return accesses;
}

ValueRange tile::getElementIndices(Operation *op) {
  return llvm::TypeSwitch<Operation *, ValueRange>(op)
      .Case<memref::LoadOp, memref::StoreOp>(
          [](auto access) -> ValueRange { return access.getIndices(); })
      .Default(ValueRange());
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

namespace {
/// Bytes [begin, end) of an arena.
struct ByteRange {
  Value arena;
  int64_t begin = 0, end = 0;
};
} // namespace

/// The bytes of a shared root; nothing before buffers are placed.
static std::optional<ByteRange> getByteRange(Value root) {
  if (auto arena = root.getDefiningOp<ArenaOp>())
    return ByteRange{root, 0, int64_t(arena.getSize())};
  auto view = root.getDefiningOp<ViewOp>();
  if (!view)
    return std::nullopt;
  auto type = cast<MemRefType>(view.getResult().getType());
  auto layout =
      view.getLayout().getLayout(getMemoryBits(type.getElementType()));
  if (!layout)
    return std::nullopt;
  int64_t begin = view.getOffset();
  return ByteRange{view.getArena(), begin, begin + layout->getSizeBytes()};
}

static bool mayOverlapShared(Value lhs, Value rhs) {
  Value lhsRoot = getSharedRoot(lhs), rhsRoot = getSharedRoot(rhs);
  if (!lhsRoot || !rhsRoot || lhsRoot == rhsRoot)
    return true;
  std::optional<ByteRange> a = getByteRange(lhsRoot), b = getByteRange(rhsRoot);
  if (!a || !b)
    // Before placement, different allocations are different buffers.
    return !(lhsRoot.getDefiningOp<AllocOp>() &&
             rhsRoot.getDefiningOp<AllocOp>());
  return a->arena == b->arena && a->begin < b->end && b->begin < a->end;
}

/// Whether the copy engine reads for a load: never what an operation of the launch
/// writes (ChooseBulkCopy.cpp), so that it is the same before and behind an atomic.
static bool isSourceOfBulkLoad(const BlockAccess &access) {
  return access.isGlobal() && !access.writes &&
         access.proxy == tilec::Proxy::Async &&
         access.completion == tilec::Completion::Mbarrier;
}

/// Whether `access`, which may be of any global memory, is not of what `other` is.
static bool isElsewhere(const BlockAccess &access, const BlockAccess &other) {
  return access.isGlobalOnly && (other.isShared() || isSourceOfBulkLoad(other));
}

bool tile::mayOverlap(const BlockAccess &lhs, const BlockAccess &rhs) {
  if (lhs.memref && rhs.memref)
    return mayOverlap(lhs.memref, rhs.memref);
  return !isElsewhere(lhs, rhs) && !isElsewhere(rhs, lhs);
}

bool tile::mayOverlap(Value lhs, Value rhs) {
  bool isLhsShared = isSharedMemory(cast<MemRefType>(lhs.getType()));
  bool isRhsShared = isSharedMemory(cast<MemRefType>(rhs.getType()));
  if (isLhsShared != isRhsShared)
    return false;
  if (isLhsShared)
    return mayOverlapShared(lhs, rhs);
  SmallVector<Value> lhsRoots = getMemRefRoots(lhs);
  SmallVector<Value> rhsRoots = getMemRefRoots(rhs);
  return llvm::any_of(lhsRoots, mayAliasOthers) ||
         llvm::any_of(rhsRoots, mayAliasOthers) ||
         llvm::any_of(lhsRoots, [&](Value root) {
           return llvm::is_contained(rhsRoots, root);
         });
}

//===----------------------------------------------------------------------===//
// Program points
//===----------------------------------------------------------------------===//

ProgramPoints::ProgramPoints(LaunchOp launch) {
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    positions[op] = static_cast<int64_t>(operations.size());
    operations.push_back(op);
    firstAccesses.push_back(static_cast<int64_t>(accesses.size()));
    llvm::append_range(accesses, getBlockAccesses(op));
    bool isBlockLevelInside =
        op->getNumRegions() == 0 || isa<RegionBranchOpInterface>(op);
    return isBlockLevelInside ? WalkResult::advance() : WalkResult::skip();
  });
  firstAccesses.push_back(static_cast<int64_t>(accesses.size()));
}

std::pair<int64_t, int64_t> ProgramPoints::getAccessRange(Operation *op) const {
  auto found = positions.find(op);
  if (found == positions.end())
    return {0, 0};
  return {firstAccesses[found->second], firstAccesses[found->second + 1]};
}
