//===- IndexFacts.h - What is known of an index value -----------*- C++ -*-===//
//
// Vector width, bounds checks and copy instructions all ask the same things of
// an index expression: what divides it, in which range it lies. One analysis
// answers, fed by constants, loop bounds, argument attributes
// (`tile.divisible`, `tile.align`, `tile.dims`), `tile.assume_divisible` and
// `tile.assume`.
//
// Facts are sound lower bounds of knowledge: a divisor of 1 and a full range
// say nothing. They hold for the value as a signed number of its type: where
// arithmetic may leave the type and wrap, the range says nothing and only a
// power of two stays a divisor. The divisor of zero is
// `IndexFacts::anyDivisor`; Divisors.h tells how divisors are counted with.
//
// Three files: IndexFacts.cpp (divisors), IndexRanges.cpp, MemRefFacts.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_INDEXFACTS_H
#define TILE_ANALYSIS_INDEXFACTS_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlir::tile {

/// What is known of one memref value.
struct MemRefFacts {
  /// A divisor of the address of the element at offset zero of the view, in
  /// bytes.
  int64_t alignmentBytes = 1;
  /// The same of the allocation that the view is of.
  int64_t baseAlignmentBytes = 1;
  /// Divisors of the sizes and strides (in elements), one per dimension; of
  /// exact values where the type is static.
  SmallVector<int64_t> sizeDivisors, strideDivisors;
  /// Whether the innermost stride is 1.
  bool isInnermostContiguous = false;

  bool operator==(const MemRefFacts &) const = default;
};

/// What is known of an argument of a function that states nothing about it.
MemRefFacts getArgumentFacts(MemRefType type);

class IndexFacts {
public:
  /// Divisible by every number: zero.
  static constexpr int64_t anyDivisor = 0;

  /// Facts that hold while `launch` runs; without one, while the operations
  /// around the value in question run. What a `tile.assume_divisible` says of a
  /// memref counts only where it is certain to have been checked: not what
  /// stands in another launch, or under a condition.
  explicit IndexFacts(LaunchOp launch = {}) : launch(launch) {}
  LaunchOp getLaunch() const { return launch; }

  /// Answers from here on as if the divisors of `facts` were stated of `memref` too:
  /// what would follow. Before all other calls.
  void suppose(Value memref, const MemRefFacts &facts) {
    supposed[memref] = facts;
  }

  /// The largest number known to divide `value`.
  int64_t getDivisor(Value value);
  int64_t getDivisor(OpFoldResult value);
  /// The numbers that `value`, an integer or an index, may be: the signed
  /// bounds are what is known, the unsigned ones follow from them.
  ConstantIntRanges getRange(Value value);
  /// A constant that `value` is never above, if one is known.
  std::optional<int64_t> getUpperBound(Value value);
  /// A constant that `value` is never below, if one is known.
  std::optional<int64_t> getLowerBound(Value value);
  MemRefFacts getMemRefFacts(Value memref);

private:
  int64_t computeDivisor(Value value);
  ConstantIntRanges computeRange(Value value);
  bool isCertain(AssumeDivisibleOp assume, Value memref);
  void addAssumedSizes(Value memref, MemRefFacts &facts);
  /// What is known without the sizes that have a name in common with those of `memref`.
  MemRefFacts getOwnFacts(Value memref);

  LaunchOp launch;
  llvm::DenseMap<Value, MemRefFacts> supposed;
  llvm::DenseMap<Value, int64_t> divisors;
  llvm::DenseMap<Value, ConstantIntRanges> ranges;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_INDEXFACTS_H
