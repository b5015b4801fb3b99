//===- AccessChecker.h - Accesses without an order --------------*- C++ -*-===//
//
// Finds an element that two blocks of a launch, or two iterations of a
// `tile.parallel`, touch without an order while one of them writes it.
//
// Blocks are run one after another, in any order. Two accesses of different
// blocks are ordered only by a chain of block-level atomics: each such atomic
// is acquire-release, so it hands on everything its block did or had received
// before. A block therefore counts its atomics (its *epoch*), an element
// remembers the latest epoch of each block that a chain through it has seen,
// and an access of block X in epoch e happens before block Y's if Y has
// received X's epoch e or a later one.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_REFERENCE_ACCESSCHECKER_H
#define TILE_LIB_REFERENCE_ACCESSCHECKER_H

#include "tile/Reference/Memory.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <array>

namespace mlir::tile::reference {

enum class AccessKind { Read, Write, Atomic };

class AccessChecker {
public:
  using Coordinates = std::array<int64_t, 3>;

  void beginLaunch();
  void beginBlock(Coordinates coordinates);
  void endLaunch() { block = 0; }

  /// Iterations of a parallel loop that touch `buffers` are told apart until
  /// the end of the loop.
  void beginParallel(int64_t iterationCount, llvm::ArrayRef<Buffer *> buffers);
  void endParallel() { tracked.clear(); }

  /// Whether accesses to the buffer have to go through `check` at all.
  bool isWatched(const Buffer &buffer) const {
    return (block != 0 && !buffer.isShared) ||
           (!tracked.empty() && tracked.contains(&buffer));
  }

  /// Records the access of one element by the running block and `iteration`;
  /// fails with a diagnostic where an earlier one is not ordered with it.
  LogicalResult check(Operation *op, const MemRef &memref, int64_t linear,
                      AccessKind kind, int64_t iteration);

  // A block-level atomic on an element acquires before its access and releases
  // after it.
  void acquire(const MemRef &memref, int64_t linear);
  void release(const MemRef &memref, int64_t linear);

private:
  using Clock = llvm::DenseMap<uint32_t, uint16_t>;

  uint16_t getNumber(Operation *op);
  bool isOrderedBefore(const LastAccess &access) const;
  LogicalResult report(Operation *op, const MemRef &memref, int64_t linear,
                       AccessKind kind, const LastAccess &other,
                       bool otherIsWrite, int64_t iteration);

  // Operations by number, from 1.
  std::vector<Operation *> operations{nullptr};
  llvm::DenseMap<Operation *, uint16_t> numbers;

  // Blocks are numbered from 1 over the whole run.
  uint32_t launchBase = 0, block = 0, lastBlock = 0;
  std::vector<Coordinates> blocks;
  uint16_t epoch = 1;
  Clock received;
  llvm::DenseMap<std::pair<const Buffer *, int64_t>, Clock> released;

  // Iterations are numbered over all loops of one generation.
  llvm::DenseSet<const Buffer *> tracked;
  uint64_t iterationBase = 0, nextIterationBase = 0;
  uint32_t generation = 1;
};

} // namespace mlir::tile::reference

#endif // TILE_LIB_REFERENCE_ACCESSCHECKER_H
