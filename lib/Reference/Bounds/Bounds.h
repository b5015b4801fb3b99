//===- Bounds.h - How far a correct implementation may differ ---*- C++ -*-===//
//
// Beside the value that the reference computes, an element has a *bound*: how
// far the result of a correct implementation may be from it. It is zero for all
// that the language defines exactly, and grows where the language leaves
// freedom: the order of a sum, approximate functions, fast-math flags. Every
// operation carries the bounds of its operands on. docs/Checking.md derives the
// rules and names their sources.
//
// The rules of elementwise operations stand in tables of their own, one
// function of one element each, beside the rules that compute values: a value
// never depends on a bound.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_REFERENCE_BOUNDS_H
#define TILE_LIB_REFERENCE_BOUNDS_H

#include "tile/Reference/Array.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"

#include <limits>

namespace mlir::tile::reference {

class Machine;

/// The bound of an element of which nothing can be said.
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// `bound` of a sum or an extreme that is `value`: zeros have either sign.
inline double withEitherZero(double bound, double value) {
  return value == 0.0 && bound == 0.0 ? signOfZero : bound;
}

/// A number of the reference and its bound.
struct Near {
  double value = 0, bound = 0;

  double low() const { return value - bound; }
  double high() const { return value + bound; }
  bool overlaps(const Near &other) const {
    return !(high() < other.low() || other.high() < low());
  }
};

/// |a - b|, zero for equal ones, infinities included; unbounded with a NaN.
double getDistance(double a, double b);

/// How far [low, high] reaches from `result`.
double getReach(double low, double high, double result);

/// The bound of `result`, which is a number within `error` of `exact`, rounded
/// to `type`. Zero where no rounding boundary lies that near, and no number of
/// the other sign that is rounded to zero, too.
double getRoundedBound(double exact, double error, double result,
                       ElementType type);

/// The error of x y, and of x / y: unbounded where y may be zero.
double getProductError(Near x, Near y);
double getQuotientError(Near x, Near y);

/// How far the larger (or smaller) of two numbers, as `choose` takes it, reaches
/// from `result`.
template <const double &(*choose)(const double &, const double &)>
double getExtremeReach(Near x, Near y, double result) {
  return getReach(choose(x.low(), y.low()), choose(x.high(), y.high()), result);
}

/// Half a unit in the last place, relative: 2^-24 for f32.
double getUnitRoundoff(FloatFormat format);

/// A unit in the last place of f32 or f64 around `value`.
double getUlp(double value, bool isDouble);

/// Whether `flags` promise that no such value occurs: anything may follow.
bool breaksPromise(arith::FastMathFlags flags, double value);

/// What a bound rule knows beside the elements.
struct BoundSite {
  Operation *op = nullptr;
  ElementType type;        ///< of the result
  ElementType operandType; ///< of the first operand
  arith::FastMathFlags flags = arith::FastMathFlags::none;
  /// Whether the operation may be done in another order: by its flags, or as
  /// part of a combiner.
  bool isReordered = false;

  bool has(arith::FastMathFlags flag) const {
    return bitEnumContainsAll(flags, flag);
  }
};

/// The bound of one element of the result from those of the operands.
using BoundRule = double (*)(const BoundSite &site, const Near *operands,
                             double result);

struct BoundEntry {
  BoundRule rule = nullptr;
  /// Whether the result has a bound even where the operands are exact.
  bool isApproximate = false;
};

class BoundTable {
public:
  template <typename... Ops>
  void add(BoundRule rule, bool isApproximate = false) {
    ((entries[TypeID::get<Ops>()] = {rule, isApproximate}), ...);
  }
  /// Null for operations that are not elementwise.
  const BoundEntry *find(TypeID operation) const {
    auto it = entries.find(operation);
    return it == entries.end() ? nullptr : &it->second;
  }

private:
  llvm::DenseMap<TypeID, BoundEntry> entries;
};

// One function a file.
void addFloatBounds(BoundTable &table);
void addIntegerBounds(BoundTable &table);
void addMathBounds(BoundTable &table);

/// Gives `result`, whose values are computed, the bounds that `op`'s rule
/// derives from its operands; does nothing unless bounds are tracked. The
/// elements of an operation without a rule are unbounded where an operand is
/// not exact.
void deriveBounds(Machine &machine, Operation *op, Array &result);

/// `ifTrue` or `ifFalse`, where a condition may come out either way, joins
/// both. `result` holds what was chosen.
void joinOpenChoices(const Array &condition, const Array &ifTrue,
                     const Array &ifFalse, Array &result);

} // namespace mlir::tile::reference

#endif // TILE_LIB_REFERENCE_BOUNDS_H
