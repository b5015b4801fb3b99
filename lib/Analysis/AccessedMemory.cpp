//===- AccessedMemory.cpp - Which memory an access may touch --------------===//

#include "tile/Analysis/AccessedMemory.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

/// The bytes of a shared root; nothing before buffers are placed.
std::optional<AccessedMemory::ByteRange>
AccessedMemory::getByteRange(Value root) {
  if (auto arena = root.getDefiningOp<ArenaOp>())
    return ByteRange{root.getAsOpaquePointer(), 0, int64_t(arena.getSize())};
  auto view = root.getDefiningOp<ViewOp>();
  if (!view)
    return std::nullopt;
  auto type = cast<MemRefType>(view.getResult().getType());
  auto layout =
      view.getLayout().getLayout(getMemoryBits(type.getElementType()));
  if (!layout)
    return std::nullopt;
  int64_t begin = view.getOffset();
  return ByteRange{view.getArena().getAsOpaquePointer(), begin,
                   begin + layout->getSizeBytes()};
}

AccessedMemory::AccessedMemory(Value memref)
    : kind(isSharedMemory(cast<MemRefType>(memref.getType())) ? Kind::Shared
                                                              : Kind::Global) {
  if (kind == Kind::Global) {
    SmallVector<Value> values = getMemRefRoots(memref);
    mayAlias = llvm::any_of(values, mayAliasOthers);
    for (Value root : values)
      roots.push_back(root.getAsOpaquePointer());
  } else if (Value root = getSharedRoot(memref)) {
    roots.push_back(root.getAsOpaquePointer());
    isAllocation = static_cast<bool>(root.getDefiningOp<AllocOp>());
    bytes = getByteRange(root);
  }
}

AccessedMemory::AccessedMemory(const BlockAccess &access) {
  if (access.memref)
    *this = AccessedMemory(access.memref);
  else if (access.isGlobalOnly)
    kind = Kind::GlobalOnly;
  isOfBulkLoad = access.isGlobal() && !access.writes &&
                 access.proxy == tilec::Proxy::Async &&
                 access.completion == tilec::Completion::Mbarrier;
}

bool AccessedMemory::mayOverlapShared(const AccessedMemory &other) const {
  if (roots.empty() || other.roots.empty() || roots == other.roots)
    return true;
  // Before placement, different allocations are different buffers.
  if (!bytes || !other.bytes)
    return !(isAllocation && other.isAllocation);
  return bytes->arena == other.bytes->arena &&
         bytes->begin < other.bytes->end && other.bytes->begin < bytes->end;
}

bool AccessedMemory::mayOverlapGlobal(const AccessedMemory &other) const {
  return mayAlias || other.mayAlias ||
         llvm::any_of(roots, [&](const void *root) {
           return llvm::is_contained(other.roots, root);
         });
}

/// Whether it may be of any global memory, but is not of what `other` is.
bool AccessedMemory::isElsewhereThan(const AccessedMemory &other) const {
  return kind == Kind::GlobalOnly &&
         (other.kind == Kind::Shared || other.isOfBulkLoad);
}

bool AccessedMemory::mayOverlap(const AccessedMemory &other) const {
  auto isOfMemRef = [](Kind kind) {
    return kind == Kind::Shared || kind == Kind::Global;
  };
  if (!isOfMemRef(kind) || !isOfMemRef(other.kind))
    return !isElsewhereThan(other) && !other.isElsewhereThan(*this);
  if (kind != other.kind)
    return false;
  return kind == Kind::Shared ? mayOverlapShared(other)
                              : mayOverlapGlobal(other);
}

bool tile::mayOverlap(const BlockAccess &lhs, const BlockAccess &rhs) {
  return AccessedMemory(lhs).mayOverlap(AccessedMemory(rhs));
}

bool tile::mayOverlap(Value lhs, Value rhs) {
  return AccessedMemory(lhs).mayOverlap(AccessedMemory(rhs));
}
