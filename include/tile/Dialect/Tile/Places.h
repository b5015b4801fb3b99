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

// Where an operation may stand; what may stand in a block, may in a kernel.
template <typename ConcreteType>
class StandsInHost : public OpTrait::TraitBase<ConcreteType, StandsInHost> {};
template <typename ConcreteType>
class StandsInBlock : public OpTrait::TraitBase<ConcreteType, StandsInBlock> {};
template <typename ConcreteType>
class StandsInIteration
    : public OpTrait::TraitBase<ConcreteType, StandsInIteration> {};
template <typename ConcreteType>
class StandsInOnce : public OpTrait::TraitBase<ConcreteType, StandsInOnce> {};
template <typename ConcreteType>
class StandsInCombiner
    : public OpTrait::TraitBase<ConcreteType, StandsInCombiner> {};

// What its regions are; those of operations without such a trait are what is
// around them.
template <typename ConcreteType>
class RegionsAreBlock
    : public OpTrait::TraitBase<ConcreteType, RegionsAreBlock> {};
template <typename ConcreteType>
class RegionsAreIteration
    : public OpTrait::TraitBase<ConcreteType, RegionsAreIteration> {};
template <typename ConcreteType>
class RegionsAreOnce : public OpTrait::TraitBase<ConcreteType, RegionsAreOnce> {
};
template <typename ConcreteType>
class RegionsAreCombiner
    : public OpTrait::TraitBase<ConcreteType, RegionsAreCombiner> {};

/// Whether an operation of the dialect says that it may stand at `place`.
bool standsIn(Operation *op, Place place);

/// The kind of place that the regions of `op` are where it stands at `outside`.
Place getPlaceInside(Operation *op, Place outside);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_PLACES_H
