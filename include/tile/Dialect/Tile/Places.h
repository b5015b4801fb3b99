//===- Places.h - Where operations may stand --------------------*- C++ -*-===//
//
// A tile program has kinds of places, each with its own list of operations. The
// dialect's operations say by traits where they may stand, and those with
// regions what kind of place a region is; Verify/LegalOperations.cpp lists what
// may stand where of other dialects.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_PLACES_H
#define TILE_DIALECT_TILE_PLACES_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::tile {

/// A kind of place with its own list.
enum class Place : unsigned {
  Host,      ///< a function with launches, outside of them
  Block,     ///< a launch body: each operation acts on the whole block
  Iteration, ///< a `tile.parallel` body
  Once,      ///< a `tile.once` body
  Combiner,  ///< the region of a `tile.reduce` or `tile.scan`
  Kernel,    ///< an outlined kernel: `Block` and what outlining introduced
};

/// The operation may stand at `place`; at `Block` means in a kernel too.
template <Place place>
struct StandsIn {
  template <typename ConcreteType>
  class Impl : public OpTrait::TraitBase<ConcreteType, Impl> {};
};

/// The operation's regions are of this kind; those of operations without such a
/// trait are what is around them.
template <Place place>
struct RegionsAre {
  template <typename ConcreteType>
  class Impl : public OpTrait::TraitBase<ConcreteType, Impl> {};
};

/// Whether an operation of the dialect says that it may stand at `place`.
bool standsIn(Operation *op, Place place);

/// The kind of place that the regions of `op` are where it stands at `outside`.
Place getPlaceInside(Operation *op, Place outside);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_PLACES_H
