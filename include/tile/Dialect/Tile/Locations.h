//===- Locations.h - Places of the source as people read them ---*- C++ -*-===//

#ifndef TILE_DIALECT_TILE_LOCATIONS_H
#define TILE_DIALECT_TILE_LOCATIONS_H

#include "mlir/IR/Location.h"

#include <string>

namespace mlir::tile {

/// "file.mlir:12:3"; what else the location says where that is not known.
std::string formatLocation(Location loc);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_LOCATIONS_H
