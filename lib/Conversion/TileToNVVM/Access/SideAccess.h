//===- SideAccess.h - Addresses and bounds of a tile access -----*- C++ -*-===//
//
// One side of a load, store, copy or atomic, seen by one thread: for each
// register of a layout over the moved tile the address of its element and the
// condition under which it lies inside the memref. What does not depend on the
// register is emitted once; per register only constants are added:
//
//     coordinate = start (uniform) + thread part + register part
//     address    = base + thread part * stride + start * stride + constant
//
// The thread part comes first, so that it is invariant in every loop.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SIDEACCESS_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SIDEACCESS_H

#include "../ThreadEmitter.h"
#include "SharedAddresses.h"

namespace mlir::tile {

/// Where a memref ends in a tile that it may end in along one dimension only.
struct TileEdge {
  Value start;  ///< index, of the kernel; null for zero
  Value size;   ///< i64, of the memref
  Value thread; ///< i32, what the thread adds; null for nothing
  const tilec::FragmentLayout *layout = nullptr;
  int tileDim = 0;

  int64_t getExtent() const { return layout->getShape()[tileDim]; }
  /// What register `reg` adds.
  int64_t getPart(int64_t reg) const {
    return getRegisterCoordinate(*layout, reg)[tileDim];
  }
  bool operator==(const TileEdge &) const = default;
};

class SideAccess {
public:
  /// Fails with an error at `op` where an element type or the layout of `rows`
  /// has no lowering.
  static FailureOr<SideAccess> create(ThreadEmitter &emitter, Operation *op,
                                      const Side &side,
                                      ArrayRef<int64_t> tileShape,
                                      const tilec::FragmentLayout &layout);

  Type getElementType() const { return side.getType().getElementType(); }
  Type getMemoryType() const { return memoryType; }
  bool isShared() const { return side.isShared(); }
  /// Whether it is global memory that nobody writes, so that it does not matter who
  /// reads it when.
  bool isReadOnly() const { return emitter->isReadOnly(side.memref); }

  /// Lets threads that have nothing but padding access another element of the tile,
  /// so that no condition is left; does nothing where some must not access memory
  /// at all, where somebody writes it, or where registers of one thread end in the
  /// padding differently. Before all other calls, and only for loads.
  void clampToShape();

  /// Where the element in register `reg` lies. Emitted where the emitter
  /// stands: all calls on one object belong to one block.
  ElementPlace getPlace(int64_t reg);
  Value getPointer(int64_t reg) { return getPlace(reg).pointer; }
  /// Whether that element lies inside the memref; null if always.
  Value getInBounds(int64_t reg);
  /// Whether it lies inside memref and tile; null if always.
  Value getCondition(int64_t reg);
  /// Whether the element is one of the tile's, not padding; null if always.
  Value getInShape(int64_t reg) {
    return isClamped ? Value() : emitter->getScope().getIsInShape(*layout, reg);
  }
  /// Nothing where the memref may end in several dimensions, or where starts may be
  /// negative or sums with them wrap.
  std::optional<TileEdge> getEdge();
  /// Whether the whole tile lies inside the memref, the same for all threads;
  /// null where that is not a matter of starts and sizes, or known.
  Value getTileInBounds();
  /// From here on what is emitted runs only where `getTileInBounds` does not hold.
  void setTileOutside() {
    isOutside = llvm::count(isChecked, true) == 1;
    limits.clear();
  }
  /// The consecutive registers that one access moves; 1 until it is set.
  int64_t getWidth() const { return width; }
  /// As an operation says.
  void setWidths(int64_t newWidth, int64_t newWidthInside) {
    width = newWidth;
    widthInside = newWidthInside;
  }
  /// The same when the whole tile lies inside the memref.
  int64_t getWidthInside() const { return widthInside; }

private:
  SideAccess(ThreadEmitter &emitter, const Side &side,
             ArrayRef<int64_t> tileShape, const tilec::FragmentLayout &layout);

  LogicalResult findRows(Operation *op);
  bool hasRows(int64_t dim) const { return side.rowsDim == dim; }
  /// What the register adds along memref dimension `dim`.
  int64_t getRegisterPart(int64_t dim, int64_t reg) const;
  /// The thread's part along `dim`; null if there is none.
  const ThreadCoordinate *getThreadPart(int64_t dim);
  Value getStart(int64_t dim); ///< i64, null for zero
  /// The register of `rows` that register `reg` needs; 0 without rows.
  int64_t getRowsRegister(int64_t reg) const;
  Value getRow(int64_t rowsRegister); ///< i64

  std::pair<Value, Value> getGlobalOffsets(int64_t rowsRegister);
  Value getGlobalBase(int64_t rowsRegister);
  Value getGlobalPointer(int64_t reg);
  ElementPlace getNarrowGlobalPlace(int64_t reg);
  ElementPlace getSharedPlace(int64_t reg);
  bool isStartWithin(int64_t dim, int64_t distance) const;
  Value getLimit(Value size, Value position);
  Value getDimInBounds(int64_t dim, int64_t reg);
  Value getSize(int64_t dim);
  Value getEndInBounds(int64_t dim, Value start, int64_t extent);

  ThreadEmitter *emitter;
  Side side;
  const tilec::FragmentLayout *layout;
  SmallVector<int64_t> tileShape;
  SmallVector<int> tileDimOf;  ///< by memref dimension; -1 for none
  SmallVector<bool> isChecked; ///< by memref dimension
  std::vector<int64_t>
      rowsRenaming; ///< register of a row -> register of `rows`
  std::optional<tilec::FragmentLayout> rowLayout;
  Type memoryType;
  int64_t width = 1, widthInside = 1;
  bool isClamped = false;
  /// The one dimension that is checked ends within the tile.
  bool isOutside = false;
  std::map<int, ThreadCoordinate> clamped; ///< by tile dimension

  using Key = std::vector<int64_t>;
  std::map<int64_t, Value> rows, bases;
  std::map<int64_t, std::shared_ptr<SharedAddresses>> addresses;
  std::map<Key, Value> dynamicSteps;
  std::map<Key, ElementPlace> narrowPlaces;
  std::map<Key, Value> dimConditions;
  std::map<int64_t, Value> limits;
  std::map<std::vector<void *>, Value> conjunctions;
};

/// One asynchronous copy of `bytes` from global to shared memory; of nothing,
/// filled with zeros, where `inSource` does not hold (Copy.cpp).
void emitAsyncCopy(ThreadEmitter &emitter, Value dest, Value source,
                   int64_t bytes, Value inSource);

/// Registers, by the first of each access, that share a condition.
struct AccessGroup {
  Value condition;
  SmallVector<int64_t> registers;
};

/// Groups the accesses of `width` registers by their condition, in order of
/// first appearance, so that each condition is branched on once.
SmallVector<AccessGroup>
groupByCondition(int64_t registerCount, int64_t width,
                 llvm::function_ref<Value(int64_t)> getCondition);

/// Loads all registers of `layout`, converted to `resultType`, with `pad` (a
/// register's scalar) where the condition does not hold.
SmallVector<Value> loadRegisters(ThreadEmitter &emitter, SideAccess &access,
                                 int64_t registerCount, int64_t width,
                                 Type resultType, Value pad);

/// Stores registers of `valueType` under the access' condition and `guard`.
void storeRegisters(ThreadEmitter &emitter, SideAccess &access,
                    ArrayRef<Value> registers, int64_t width, Type valueType,
                    Value guard);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SIDEACCESS_H
