//===- ValueMap.h - What stands for a value in a thread ---------*- C++ -*-===//
//
//     scalar           one value
//     fragment         one scalar per register of its layout
//     global memref    pointer, sizes, strides (GlobalView)
//     shared memref    base address and layout (SharedView)
//
// Values outside a fragment's shape (padding) are never observed, but computed
// with: what an operation does to elements it does to every register. In LLVM a
// branch on poison is undefined behaviour of the whole program, which then loses
// the elements too. So
//   - registers that get no element hold zero (`padding`), never poison. Not
//     frozen poison: LLVM may leave its register unwritten, and would mostly
//     choose zero itself;
//   - what decides by a value freezes it: a division its divisor, a math
//     function whose code branches its arguments, a combiner's region its
//     elements. An access asks its rows only in the shape. There poison may
//     still come from the author's operations, as by `nnan` or `nsw`.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_VALUEMAP_H
#define TILE_LIB_CONVERSION_TILETONVVM_VALUEMAP_H

#include "tile/Layout/SharedLayout.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tile {

/// A memref of global memory: the element at all-zero indices, and how to go
/// on. Only views of narrow elements keep their offset: it may end in a byte.
struct GlobalView {
  Value pointer;              ///< !llvm.ptr<1>
  Value offset;               ///< i64, elements behind the pointer; null for 0
  SmallVector<Value> sizes;   ///< i64
  SmallVector<Value> strides; ///< i64, in elements
  Value base;                 ///< the pointer without offsets
};

/// A view of a shared buffer. Coordinates of the view map to coordinates of the
/// buffer's layout: layout dim `dims[v]` = start + stride * view coordinate.
struct SharedView {
  struct LayoutDim {
    int64_t extent = 1;
    int64_t stride = 1;
    int64_t start = 0;
    Value dynamicStart;       ///< i32, added to `start`; may be null
    int64_t startDivisor = 1; ///< divides `dynamicStart`
  };
  Value base; ///< !llvm.ptr<3>, where the buffer, or its slot, begins
  /// The base is `root`, which does not change, plus numbers (i32) times bytes.
  Value root;
  SmallVector<std::pair<Value, int64_t>> rootSteps;
  tilec::OffsetDigits digits;
  tilec::Swizzle swizzle;
  int64_t elementBits = 8;
  SmallVector<LayoutDim> layoutDims;
  SmallVector<int> dims;
  /// A reshape that no digits express: the elements of `layoutDims`, in row-major
  /// order, are those of `source`, whose extents are `sourceShape`. Null where
  /// digits tell the place.
  std::shared_ptr<const SharedView> source;
  SmallVector<int64_t> sourceShape;

  /// Offsets count bytes, or elements where those are narrower.
  int64_t getUnitsPerByte() const {
    return elementBits < 8 ? 8 / elementBits : 1;
  }
  int64_t getElementUnits() const {
    return elementBits * getUnitsPerByte() / 8;
  }
};

/// Every value is bound before it is asked for. What is returned by reference
/// is valid until the next `bind`.
class ValueMap {
public:
  /// What stands for a scalar, or the registers of a fragment.
  ArrayRef<Value> getValues(Value value) const { return find(values, value); }
  Value getScalar(Value value) const { return getValues(value).front(); }
  /// Register `reg` of a fragment; a scalar is the same in every register.
  Value getElement(Value value, int64_t reg) const {
    ArrayRef<Value> all = getValues(value);
    return all[isa<RankedTensorType>(value.getType()) ? reg : 0];
  }
  const GlobalView &getGlobal(Value memref) const {
    return find(globals, memref);
  }
  const SharedView &getShared(Value memref) const {
    return find(shareds, memref);
  }

  bool isBound(Value memref) const { return globals.contains(memref); }

  void bind(Value value, Value scalar) { values[value] = {scalar}; }
  void bind(Value value, SmallVector<Value> registers) {
    values[value] = std::move(registers);
  }
  void bind(Value memref, GlobalView view) {
    globals[memref] = std::move(view);
  }
  void bind(Value memref, SharedView view) {
    shareds[memref] = std::move(view);
  }

private:
  template <typename T>
  static const T &find(const llvm::DenseMap<Value, T> &map, Value value) {
    auto found = map.find(value);
    assert(found != map.end() && "a value is bound before it is used");
    return found->second;
  }

  llvm::DenseMap<Value, SmallVector<Value>> values;
  llvm::DenseMap<Value, GlobalView> globals;
  llvm::DenseMap<Value, SharedView> shareds;
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_VALUEMAP_H
