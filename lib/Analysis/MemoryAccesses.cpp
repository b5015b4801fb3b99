//===- MemoryAccesses.cpp - What block-level operations touch -------------===//

#include "tile/Analysis/MemoryAccesses.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tile;

/// The value of `instruction` of copies that `tile.copy_wait` waits for.
static constexpr StringLiteral asyncCopyInstruction = "cp.async";

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static bool isAsyncCopy(Operation *op) {
  if (auto copy = dyn_cast<CopyOp>(op))
    return copy.getInstruction() == asyncCopyInstruction;
  if (auto copy = dyn_cast<Im2ColOp>(op))
    return copy.getInstruction() == asyncCopyInstruction;
  return false;
}

/// The kind by which `op` combines into memory without looking at what was
/// there.
static std::optional<arith::AtomicRMWKind> getCombiningKind(Operation *op) {
  std::optional<arith::AtomicRMWKind> kind;
  if (auto atomic = dyn_cast<AtomicRMWOp>(op))
    kind = atomic.getKind();
  else if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
    if (atomic.getResult().use_empty())
      kind = atomic.getKind();
  // Assignments do not commute.
  return kind == arith::AtomicRMWKind::assign ? std::nullopt : kind;
}

/// A block-level atomic on global memory releases everything the block did
/// before and acquires everything it does after: it is ordered with all memory.
static bool isBlockAtomic(Operation *op) {
  auto atomic = dyn_cast<memref::AtomicRMWOp>(op);
  return atomic && !isSharedMemory(atomic.getMemRefType()) &&
         !op->getParentOfType<ParallelOp>();
}

/// Adds an access, merged with one of the same memref.
static void addAccess(SmallVectorImpl<MemoryAccess> &accesses,
                      const MemoryAccess &access) {
  for (MemoryAccess &known : accesses) {
    if (known.memref != access.memref ||
        known.isGlobalOnly != access.isGlobalOnly)
      continue;
    known.reads |= access.reads;
    known.writes |= access.writes;
    known.isAsync |= access.isAsync;
    if (known.combines != access.combines)
      known.combines = std::nullopt;
    return;
  }
  accesses.push_back(access);
}

/// Printing touches no memory but the buffer that it prints, if it is one.
static void addPrintedBuffer(PrintOp op, Operation *blockLevelOp,
                             SmallVectorImpl<MemoryAccess> &accesses) {
  if (!isa<MemRefType>(op.getValue().getType()))
    return;
  MemoryAccess access;
  access.op = blockLevelOp;
  access.memref = op.getValue();
  access.reads = true;
  addAccess(accesses, access);
}

/// The accesses of one operation, not looking into its regions.
static void addOwnAccesses(Operation *op, Operation *blockLevelOp,
                           SmallVectorImpl<MemoryAccess> &accesses) {
  MemoryAccess anything;
  anything.op = blockLevelOp;
  anything.reads = anything.writes = true;
  if (isBlockAtomic(op)) {
    anything.isGlobalOnly = true;
    return addAccess(accesses, anything);
  }
  if (auto print = dyn_cast<PrintOp>(op))
    return addPrintedBuffer(print, blockLevelOp, accesses);
  // These have effects that are not accesses of memory.
  if (isa<BarrierOp, CopyCommitOp, CopyWaitOp, AssertOp>(op))
    return;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects) {
    if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      addAccess(accesses, anything);
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances) {
    bool reads = isa<MemoryEffects::Read>(instance.getEffect());
    bool writes = isa<MemoryEffects::Write>(instance.getEffect());
    if (!reads && !writes)
      continue;
    Value value = instance.getValue();
    if (!value) {
      addAccess(accesses, anything);
      continue;
    }
    // A fragment is a value: reading it touches no memory.
    if (!isa<MemRefType>(value.getType()))
      continue;
    MemoryAccess access;
    access.op = blockLevelOp;
    access.memref = value;
    access.reads = reads;
    access.writes = writes;
    access.isAsync = isAsyncCopy(op);
    access.combines = getCombiningKind(op);
    addAccess(accesses, access);
  }
}

SmallVector<MemoryAccess> mlir::tile::getMemoryAccesses(Operation *op) {
  SmallVector<MemoryAccess> accesses;
  if (isa<RegionBranchOpInterface>(op))
    return accesses;
  op->walk([&](Operation *inner) { addOwnAccesses(inner, op, accesses); });
  return accesses;
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// The values that `value` is one of, looking through one operation; empty
/// where `value` is a root.
static SmallVector<Value> getOrigins(Value value) {
  Operation *op = value.getDefiningOp();
  if (op) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      return {view.getViewSource()};
    if (auto assume = dyn_cast<AssumeOp>(op))
      return {assume.getSource()};
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return {select.getTrueValue(), select.getFalseValue()};
  }
  Operation *owner =
      op ? op : cast<BlockArgument>(value).getOwner()->getParentOp();
  auto branch = dyn_cast_or_null<RegionBranchOpInterface>(owner);
  if (!branch)
    return {};
  RegionBranchInverseSuccessorMapping inputs;
  branch.getSuccessorInputOperandMapping(inputs);
  SmallVector<Value> origins;
  for (OpOperand *operand : inputs.lookup(value))
    origins.push_back(operand->get());
  return origins;
}

SmallVector<Value> mlir::tile::getMemRefRoots(Value memref) {
  llvm::SetVector<Value> seen;
  SmallVector<Value> roots;
  seen.insert(memref);
  for (size_t next = 0; next < seen.size(); ++next) {
    SmallVector<Value> origins = getOrigins(seen[next]);
    if (origins.empty())
      roots.push_back(seen[next]);
    seen.insert(origins.begin(), origins.end());
  }
  return roots;
}

bool mlir::tile::mayAliasOthers(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    auto function = dyn_cast_or_null<FunctionOpInterface>(
        argument.getOwner()->getParentOp());
    return !function ||
           function.getArgAttr(argument.getArgNumber(),
                               TileDialect::MayAliasAttrHelper::getNameStr());
  }
  return !isa<memref::AllocOp>(root.getDefiningOp());
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

bool mlir::tile::mayOverlap(const MemoryAccess &lhs, const MemoryAccess &rhs) {
  if (lhs.memref && rhs.memref)
    return mayOverlap(lhs.memref, rhs.memref);
  auto isShared = [](const MemoryAccess &access) {
    return access.memref &&
           isSharedMemory(cast<MemRefType>(access.memref.getType()));
  };
  return !(lhs.isGlobalOnly && isShared(rhs)) &&
         !(rhs.isGlobalOnly && isShared(lhs));
}

bool mlir::tile::mayOverlap(Value lhs, Value rhs) {
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
