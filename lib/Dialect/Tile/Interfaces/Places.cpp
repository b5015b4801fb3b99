//===- Places.cpp - Where operations may stand ----------------------------===//

#include "tile/Dialect/Tile/Places.h"

#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::tile;

bool tile::standsIn(Operation *op, Place place) {
  switch (place) {
  case Place::Host:
    return op->hasTrait<StandsIn<Place::Host>::Impl>();
  case Place::Block:
  case Place::Kernel:
    return op->hasTrait<StandsIn<Place::Block>::Impl>();
  case Place::Iteration:
    return op->hasTrait<StandsIn<Place::Iteration>::Impl>();
  case Place::Once:
    return op->hasTrait<StandsIn<Place::Once>::Impl>();
  case Place::Combiner:
    return op->hasTrait<StandsIn<Place::Combiner>::Impl>();
  }
  llvm_unreachable("all places are listed");
}

Place tile::getPlaceInside(Operation *op, Place outside) {
  if (op->hasTrait<RegionsAre<Place::Block>::Impl>())
    return Place::Block;
  if (op->hasTrait<RegionsAre<Place::Iteration>::Impl>())
    return Place::Iteration;
  if (op->hasTrait<RegionsAre<Place::Once>::Impl>())
    return Place::Once;
  if (op->hasTrait<RegionsAre<Place::Combiner>::Impl>())
    return Place::Combiner;
  return outside;
}
