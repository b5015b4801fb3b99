//===- RingSlots.h - Which slot of a ring an access touches -----*- C++ -*-===//
//
// A slice of a shared buffer along its outermost dimension is a *slot*:
//
//     memref.subview %ring[%slot, 0, 0] [1, 64, 32] [1, 1, 1]
//
// Its number is a constant or `symbol + number` modulo the buffer's slots,
// where the symbol is an SSA value such as the slot counter of a loop. Two
// slots of one ring with one symbol and different numbers have no byte in
// common, whatever the symbol is.
//
// A symbol has its meaning where it is visible. Where control goes into a
// loop, around it or out of it, the values that are handed over get new names,
// and a slot that was named by the old ones is named by the new ones; with a
// counter that starts at 2 in a ring of 3:
//
//     before the loop     slot 0                    constant
//     in iteration 0      slot %counter + 1         since %counter is 2
//     in iteration 1      slot %counter + 0         since %counter advanced
//
// All counters of a loop that start a constant apart are named by the first.
//
// The slot that a use of a ring with mbarriers gives is named by its number: that
// counts modulo twice the slots, which is as good modulo the slots.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_RINGSLOTS_H
#define TILE_ANALYSIS_RINGSLOTS_H

#include "tile/Analysis/StructuredDataflow.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tile {

/// A slot, named by what is visible at a program point.
struct RingSlot {
  static constexpr int unknown = -1, constant = 0;

  /// What `number` is added to: nothing (a constant), the value of that number
  /// in RingSlots, or it is not known which slot this is.
  int symbol = unknown;
  int64_t number = 0; ///< in [0, slots)
  auto operator<=>(const RingSlot &) const = default;
};

/// Where in a shared buffer an access is, along the outermost dimension.
struct RingSlice {
  Value ring; ///< the buffer; null outside of shared memory
  int64_t slots = 0;
  OpFoldResult slot; ///< null where it may touch several
};

/// The slice that an access stays in.
RingSlice getRingSlice(const BlockAccess &access);

class RingSlots {
public:
  explicit RingSlots(ArrayRef<BlockAccess> accesses);

  /// The slot that an access touches, at the place of its operation. Both
  /// accesses of a bulk load have the slot that it fills.
  RingSlot getSlot(int64_t access) const { return accesses[access].slot; }

  /// The slot that an operation on a ring with mbarriers is about.
  RingSlot getSlotOfUse(Operation *use) const { return uses.lookup(use); }

  /// The same slot of the ring of `access` behind `edge`.
  RingSlot cross(const RegionEdge &edge, int64_t access, RingSlot slot) const;

  /// Whether the slots of two accesses, named at one point, are known to be
  /// different slots of one ring.
  bool areDifferent(int64_t first, RingSlot firstSlot, int64_t second,
                    RingSlot secondSlot) const;
  /// Whether they are known to be the same slot of one ring.
  bool areSame(int64_t first, RingSlot firstSlot, int64_t second,
               RingSlot secondSlot) const;

private:
  /// Of an access: the ring and the slot; a null ring where there is none.
  struct Access {
    Value ring;
    int64_t slots = 0;
    RingSlot slot;
  };
  /// A value as a slot number of rings of so many slots.
  using Symbol = std::pair<Value, int64_t>;

  int intern(Symbol symbol);
  int find(Symbol symbol) const;
  void follow(Symbol symbol);

  RingSlot getName(Symbol symbol) const;

  void addAccess(const BlockAccess &access);
  RingSlot name(Value slot, int64_t slots);

  SmallVector<Access> accesses;
  llvm::DenseMap<Operation *, RingSlot> uses;
  /// What getName found.
  mutable llvm::DenseMap<Symbol, RingSlot> names;
  /// The values that name slots, from 1 on.
  llvm::MapVector<Symbol, int> symbols;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_RINGSLOTS_H
