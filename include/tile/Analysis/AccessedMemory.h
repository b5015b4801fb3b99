//===- AccessedMemory.h - Which memory an access may touch ------*- C++ -*-===//
//
// Two accesses are compared by where their memrefs come from (MemRefRoots.h): those in
// shared memory by their buffers, or by the bytes of the arena once buffers are placed,
// those in global memory by their arguments. What that takes is worked out once for an
// access, so that comparing it with many others costs little.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_ACCESSEDMEMORY_H
#define TILE_ANALYSIS_ACCESSEDMEMORY_H

#include "tile/Dialect/Tile/BlockAccess.h"

#include <optional>
#include <vector>

namespace mlir::tile {

class AccessedMemory {
public:
  explicit AccessedMemory(const BlockAccess &access);
  explicit AccessedMemory(Value memref);

  /// Whether the two may have a byte in common.
  bool mayOverlap(const AccessedMemory &other) const;

  /// Two of one memory are alike in what they overlap.
  auto operator<=>(const AccessedMemory &) const = default;

private:
  enum class Kind {
    Any,        ///< shared or global
    GlobalOnly, ///< any global
    Shared,
    Global
  };
  /// Bytes [begin, end) of an arena.
  struct ByteRange {
    const void *arena = nullptr;
    int64_t begin = 0, end = 0;
    auto operator<=>(const ByteRange &) const = default;
  };

  static std::optional<ByteRange> getByteRange(Value root);
  bool mayOverlapShared(const AccessedMemory &other) const;
  bool mayOverlapGlobal(const AccessedMemory &other) const;
  bool isElsewhereThan(const AccessedMemory &other) const;

  Kind kind = Kind::Any;
  /// The copy engine reads it for a load: never what an operation of the launch writes
  /// (ChooseBulkCopy.cpp), so that it is the same before and behind an atomic.
  bool isOfBulkLoad = false;
  /// Shared: an allocation, another buffer than all others.
  bool isAllocation = false;
  /// Global: it may overlap other roots than its own.
  bool mayAlias = false;
  /// Shared: where the buffer is; nothing before buffers are placed.
  std::optional<ByteRange> bytes;
  /// Where it comes from; null or nothing where that is not known.
  std::vector<const void *> roots;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_ACCESSEDMEMORY_H
