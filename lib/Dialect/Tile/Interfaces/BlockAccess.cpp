//===- BlockAccess.cpp - What an operation does to memory -----------------===//

#include "tile/Dialect/Tile/BlockAccess.h"
#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

bool BlockAccess::isShared() const {
  return memref && isSharedMemory(cast<MemRefType>(memref.getType()));
}

BlockAccess BlockAccess::read(Value memref) {
  BlockAccess access;
  access.memref = memref;
  access.reads = true;
  return access;
}

BlockAccess BlockAccess::write(Value memref) {
  BlockAccess access;
  access.memref = memref;
  access.writes = true;
  return access;
}

/// Which thread touches which element of a gathered side depends on the rows.
static void setSide(BlockAccess &access, const Side &side, Value fragment) {
  access.side = side;
  access.fragment = fragment;
  if (fragment && !side.rows)
    access.threads = getFragment(fragment.getType());
}

BlockAccess BlockAccess::read(const Side &side, Value fragment) {
  BlockAccess access = read(Value(side.memref));
  setSide(access, side, fragment);
  return access;
}

BlockAccess BlockAccess::write(const Side &side, Value fragment) {
  BlockAccess access = write(Value(side.memref));
  setSide(access, side, fragment);
  access.replaces = side.isWhole() && !side.rows;
  return access;
}

std::optional<arith::AtomicRMWKind>
tile::getCommutingKind(arith::AtomicRMWKind kind) {
  if (kind == arith::AtomicRMWKind::assign)
    return std::nullopt;
  return kind;
}
