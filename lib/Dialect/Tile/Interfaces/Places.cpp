//===- Places.cpp - Where operations may stand ----------------------------===//

#include "tile/Dialect/Tile/Places.h"

#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::tile;

bool tile::standsIn(Operation *op, Place place) {
  switch (place) {
  case Place::Host:
    return op->hasTrait<StandsInHost>();
  case Place::Block:
  case Place::Kernel:
    return op->hasTrait<StandsInBlock>();
  case Place::Iteration:
    return op->hasTrait<StandsInIteration>();
  case Place::Once:
    return op->hasTrait<StandsInOnce>();
  case Place::Combiner:
    return op->hasTrait<StandsInCombiner>();
  }
  llvm_unreachable("all places are listed");
}

Place tile::getPlaceInside(Operation *op, Place outside) {
  if (op->hasTrait<RegionsAreBlock>())
    return Place::Block;
  if (op->hasTrait<RegionsAreIteration>())
    return Place::Iteration;
  if (op->hasTrait<RegionsAreOnce>())
    return Place::Once;
  if (op->hasTrait<RegionsAreCombiner>())
    return Place::Combiner;
  return outside;
}
