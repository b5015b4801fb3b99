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
