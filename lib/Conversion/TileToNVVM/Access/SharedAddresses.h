//===- SharedAddresses.h - Addresses in a swizzled buffer -------*- C++ -*-===//
//
// An access to shared memory is a runtime position (thread, loop index) plus a
// constant for each register. Before the XOR, a layout's offset of a sum is the
// sum of the offsets as long as no digit carries; so
//
//     address = base + f(run + low) + high        f the XOR, all in bytes
//
// where the constant splits into a multiple of the XOR's period, `high`, and
// the rest, `low`. One XOR is emitted per distinct `low`; `high` becomes the
// immediate of the access. So do bits below the XOR's base if they do not carry
// either. Where a digit might carry, the whole coordinate is computed for each
// register; and where a reshape is not one of digits, the number of the element,
// by which the address in what is reshaped is computed.
//
// Of elements narrower than a byte offsets are counted in elements. Their last
// bit is the half of the byte, and the XOR is the same one bit higher.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SHAREDADDRESSES_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SHAREDADDRESSES_H

#include "../ThreadEmitter.h"

#include <map>

namespace mlir::tile {

/// A part of a coordinate known only at run time, and what is known of it.
struct RuntimeTerm {
  Value value;                 ///< i32
  std::vector<int64_t> values; ///< all it can be; empty if unbounded
  int64_t divisor = 1;         ///< divides it where it is unbounded

  /// An upper bound of the term modulo `modulus`.
  int64_t getLargestRemainder(int64_t modulus) const;
};

/// Elements along dimension `dim` of a view that lie together in memory from
/// any multiple of the result on.
int64_t getVectorWidth(const SharedView &view, int dim);

class SharedAddresses {
public:
  /// `terms` holds for each dimension of the view what is added at run time.
  SharedAddresses(ThreadEmitter &emitter, const SharedView &view,
                  ArrayRef<SmallVector<RuntimeTerm>> terms);

  /// Coordinates past the buffer are read at 0 instead: for matrices of which
  /// an instruction reads more rows than there are.
  void clampToBuffer() { isClamped = true; }

  /// The address of `coordinate` (of the view) plus the runtime terms, emitted
  /// where the emitter stands; equal parts are shared between calls, which
  /// therefore belong to one block.
  Value getPointer(ArrayRef<int64_t> coordinate) {
    return getPlace(coordinate).pointer;
  }
  ElementPlace getPlace(ArrayRef<int64_t> coordinate);

private:
  struct DimState {
    Value runtime;                  ///< i32, in coordinates of the layout
    SmallVector<RuntimeTerm> terms; ///< the same, term by term
    SmallVector<tilec::OffsetDigit> digits; ///< by step, innermost first
  };

  bool isAdditive(const DimState &dim, int64_t constant) const;
  int64_t getConstantUnits(const DimState &dim, int64_t constant) const;
  Value getRuntimeUnits(const DimState &dim, Value coordinate);
  Value applySwizzle(Value units);
  ElementPlace getPlaceOf(Value units);
  /// The coordinate of the layout along its dimension `dim`, the runtime part and
  /// a constant.
  Value getPosition(int64_t dim, int64_t constant);
  ElementPlace getReshapedPlace(ArrayRef<int64_t> constants);

  ThreadEmitter &emitter;
  SharedView view;
  int64_t unitsPerByte, elementUnits;
  tilec::Swizzle swizzle; ///< of units
  SmallVector<DimState> dims;
  bool isClamped = false;
  Value runtimeUnits; ///< the runtime terms' offset; null for none
  bool hasRuntimeUnits = false;
  int64_t largestLowBits =
      0; ///< bound of the runtime bits below the XOR's base
  std::map<int64_t, ElementPlace> places;
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SHAREDADDRESSES_H
