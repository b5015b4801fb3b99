//===- Array.h - A value of the reference interpreter -----------*- C++ -*-===//
//
// Every scalar and fragment is an array: a fragment holds its elements in
// row-major order, a scalar holds one element, and a scalar of a
// `tile.parallel` body holds one element per iteration (or one for all, where
// it is the same). The shape is that of the IR type and is not repeated here.
//
// An element may be *poison*: read from memory that nobody wrote. Poison passes
// through arithmetic and is an error only where it reaches a store, an address,
// a condition or an atomic.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_REFERENCE_ARRAY_H
#define TILE_REFERENCE_ARRAY_H

#include "tile/Reference/Numerics.h"

#include "llvm/ADT/ArrayRef.h"

#include <limits>
#include <vector>

namespace mlir {
class Operation;
}

namespace mlir::tile::reference {

/// One byte an element: whether an iteration is active, an element poison.
using Mask = std::vector<uint8_t>;

/// Why an element is poison: the operation that read memory nobody wrote, or
/// the asynchronous copy to it that nobody had waited for.
struct PoisonOrigin {
  Operation *op = nullptr; ///< null: unknown
  bool isInFlight = false; ///< `op` is the copy
};

/// The bound of a zero whose sign the language leaves open: nothing but the
/// other zero is that near.
constexpr double signOfZero = std::numeric_limits<double>::denorm_min();

/// How far a number may be from its value, the sign of a zero apart: arithmetic
/// does not see it.
inline double getMagnitudeBound(double bound) {
  return bound == signOfZero ? 0.0 : bound;
}

struct Array {
  ElementType type;
  int64_t count = 0;
  // One of the three has `count` elements, as `type.storage()` says.
  std::vector<int64_t> integers;
  std::vector<float> floats;
  std::vector<double> doubles;
  /// Empty where no element is poison.
  Mask poison;
  /// Of some poison element.
  PoisonOrigin origin;
  /// How far a correct implementation may be from each element: absolute, never
  /// negative, infinite where nothing can be said. Empty where no element may
  /// differ.
  std::vector<double> bounds;

  Array() = default;
  /// `count` zeros.
  Array(ElementType type, int64_t count);

  static Array integer(int64_t value, unsigned bits = 64);
  static Array poisoned(ElementType type, int64_t count);

  bool isPoison(int64_t i) const { return !poison.empty() && poison[i]; }
  bool hasPoison() const;
  /// Keeps an origin that is known.
  void takeOrigin(const Array &from) {
    if (!origin.op)
      origin = from.origin;
  }
  void setPoison(int64_t i) {
    if (poison.empty())
      poison.assign(count, 0);
    poison[i] = 1;
  }

  double getBound(int64_t i) const { return bounds.empty() ? 0.0 : bounds[i]; }
  /// Zero bounds take no room while all are zero.
  void setBound(int64_t i, double bound) {
    if (bounds.empty() && bound == 0.0)
      return;
    if (bounds.empty())
      bounds.assign(count, 0.0);
    bounds[i] = bound;
  }

  /// Elements as one kind of number, whatever the storage.
  double getDouble(int64_t i) const;
  int64_t getInteger(int64_t i) const { return integers[i]; }
  /// Whether an i1 (or any integer) element is not zero.
  bool isTrue(int64_t i) const { return integers[i] != 0; }
  /// Stores a number that the type represents.
  void setDouble(int64_t i, double value);

  /// The element's bits, zero-extended, and back.
  uint64_t getBits(int64_t i) const;
  void setBits(int64_t i, uint64_t bits);

  /// Element `i` becomes element `j` of an array of the same type.
  void setFrom(int64_t i, const Array &from, int64_t j);
};

/// The elements at `positions`, in that order.
Array gather(const Array &array, llvm::ArrayRef<int64_t> positions);

/// One element repeated; an array of that size as it is.
Array broadcast(const Array &array, int64_t count);

/// `ifTrue` where the condition is not zero, else `ifFalse`. Arrays of one
/// element stand for all. Poison of the side not chosen does not count.
Array select(const Mask &condition, const Array &ifTrue, const Array &ifFalse);

/// `array` with elements converted as copies and casts do: float to float
/// rounds once, integers are truncated or extended (`isSigned`; i1 widens as 0
/// or 1 unless `i1IsSigned`).
Array convert(const Array &array, ElementType type, bool isSigned = true,
              bool i1IsSigned = false);

} // namespace mlir::tile::reference

#endif // TILE_REFERENCE_ARRAY_H
