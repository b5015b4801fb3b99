//===- RingNumbers.h - Which use of a ring a value numbers ------*- C++ -*-===//
//
// Uses of rings are numbered by values. Two numbers can be compared where both
// are a distance from one *base*:
//
//     base + offset        base: a value, or none for constants
//
// Additions of constants are folded into the offset, and counters that a loop
// carries beside each other, with one step and starts at a known distance, have
// one of them as their base.
//
// A number means something as long as its base does. Where control enters or
// leaves a region, what was forwarded gives it a new base:
//
//     scf.for .. iter_args(%use = %c0) {      entry:      constant 3 = %use + 3
//       ..                                    back edge:  %use + 3 = %use' + 2
//       %next = arith.addi %use, %c1
//       scf.yield %next                       exit:       %use + 3 = %uses + 2
//     }
//
// and a number whose base is left behind is lost.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_RINGNUMBERS_H
#define TILE_ANALYSIS_RINGNUMBERS_H

#include "tile/Analysis/StructuredDataflow.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/ADT/SetVector.h"

#include <tuple>

namespace mlir::tile {

/// `base + offset`; constants have no base.
struct RingNumber {
  Value base;
  int64_t offset = 0;

  RingNumber operator+(int64_t distance) const {
    return {base, offset + distance};
  }
  bool operator==(const RingNumber &) const = default;
  /// Some order that is total.
  bool operator<(const RingNumber &other) const {
    return std::make_tuple(base.getAsOpaquePointer(), offset) <
           std::make_tuple(other.base.getAsOpaquePointer(), other.offset);
  }
};

/// The number that `value` is.
RingNumber getRingNumber(Value value);

/// The values that numbers of the uses of `ring` are based on, and those that
/// carry them through regions.
llvm::SetVector<Value> getNumberBases(RingOp ring);

/// What numbers become where control goes along an edge of a region branch.
class NumberEdge {
public:
  explicit NumberEdge(const RegionEdge &edge);

  /// The same number behind the edge, based on one of `bases` where the edge
  /// gives that a value. Nothing if its base is left behind.
  std::optional<RingNumber> cross(RingNumber number,
                                  const llvm::SetVector<Value> &bases) const;

  /// The values that receive a number, and which.
  ArrayRef<std::pair<Value, RingNumber>> getReceived() const {
    return received;
  }

private:
  Region *left = nullptr; ///< what control leaves, if anything
  SmallVector<std::pair<Value, RingNumber>> received;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_RINGNUMBERS_H
