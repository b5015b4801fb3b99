//===- Roles.h - What runs at the same time in a block ----------*- C++ -*-===//
//
// A block runs as one or more *roles*, each with a stack of frames of its own,
// so that one can stop in the middle of nested loops while another goes on. The
// interpreter switches between roles at operations that have to wait, and at
// random between others.
//
// A ring (`tile.ring`) is the state of its slots; the memrefs of its buffers,
// and all views made from them, lead back to it, so that every access to a slot
// is checked against who may make it. A product in flight (`tile.gemm_async`)
// keeps the list of what it reads, which nobody may write until it is waited
// for.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_REFERENCE_ROLES_H
#define TILE_LIB_REFERENCE_ROLES_H

#include "tile/Reference/Interpreter.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tile::reference {

using Environment = llvm::DenseMap<Value, RuntimeValue>;

/// A block of operations that is being run.
struct Frame {
  Block *block = nullptr;
  Block::iterator next;
  Environment *environment = nullptr; ///< the values of its function
  /// Runs when the block's operations have run, its terminator excepted.
  std::function<LogicalResult()> then;
};

/// Elements of one memref, compared with others by their bytes. Those that are
/// skipped do not count.
struct Elements {
  MemRef memref;
  std::vector<int64_t> linear;
  int64_t firstByte = 0, endByte = 0; ///< around all of them

  Elements(MemRef memref, std::vector<int64_t> linear);
  /// Whether some byte belongs to both.
  bool overlaps(const Elements &other) const;
};

/// What an asynchronous copy has yet to deliver.
struct PendingWrite {
  Operation *op; ///< the copy
  Elements to;
  Array values;
  int64_t group = 0; ///< how many groups were committed before it
};

/// One sequential program of a block.
struct Role {
  std::string name; ///< as messages call it
  int64_t warps = 0;
  SmallVector<Frame> frames;
  std::vector<PendingWrite> pending; ///< in the order they were issued
  int64_t committedGroups = 0;
  /// Set while the role cannot go on: where, what it waits for, and how much
  /// progress there was when it tried last.
  Operation *waitsAt = nullptr;
  std::string waitsFor;
  uint64_t triedAt = 0;
  /// The use of a named barrier that the role has arrived at.
  std::optional<int64_t> barrierUse;
  /// Which of the roles that take turns with each other it is; nothing where it is
  /// none of several.
  std::optional<int64_t> turn;

  /// Whether it is what runs outside of tile.specialize.
  bool isMain() const { return name.empty(); }
};

/// What a `tile.ring` guards.
struct Ring {
  struct Slot {
    enum class State { Free, Filling, Full } state = State::Free;
    int64_t number = -1;               ///< of its present or last use
    Operation *lastChange = nullptr;   ///< what made it so
    const Role *producer = nullptr;    ///< of its present or last use
    SmallVector<const Role *> readers; ///< waited for it, did not release it
    int64_t releases = 0;
    std::vector<PendingWrite> deliveries; ///< what its wait delivers
  };

  Operation *op = nullptr;
  SmallVector<MemRef> buffers; ///< whole, the slots outermost
  int64_t consumers = 1;
  bool isModulo = false;  ///< numbers are given modulo twice the slots
  int64_t nextNumber = 0; ///< that can be acquired
  SmallVector<Slot> slots;

  int64_t getSlotIndex(int64_t number) const {
    return number % static_cast<int64_t>(slots.size());
  }
  /// The use that `number` stands for: of two uses of a slot that follow each
  /// other the numbers differ also modulo twice the slots, and no other can be
  /// meant than its present one and the next.
  int64_t resolve(int64_t number) const {
    auto count = static_cast<int64_t>(slots.size());
    if (!isModulo)
      return number;
    int64_t index = getSlotIndex(number), present = slots[index].number;
    if (present < 0)
      present = index - count;
    bool isPresent = (present - number) % (2 * count) == 0;
    return isPresent ? present : present + count;
  }
};

/// A barrier with an id, at which roles meet.
struct NamedBarrier {
  int64_t warps = 0, arrived = 0;
  int64_t use = 0; ///< how often it was complete
  Operation *first = nullptr;
};

/// A matrix product whose result has not been waited for.
struct Product {
  Operation *op = nullptr;
  const Role *role = nullptr;      ///< that started it
  SmallVector<Elements, 2> reads;  ///< in shared memory
  std::shared_ptr<Product> before; ///< on the same accumulator
};

} // namespace mlir::tile::reference

#endif // TILE_LIB_REFERENCE_ROLES_H
