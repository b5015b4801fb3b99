//===- TestTileDialect.h - Operations of another dialect --------*- C++ -*-===//

#ifndef TILE_TEST_LIB_DIALECT_TESTTILEDIALECT_H
#define TILE_TEST_LIB_DIALECT_TESTTILEDIALECT_H

#include "tile/Dialect/Tile/TileOps.h"

#include "Dialect/TestTileDialect.h.inc"

#define GET_OP_CLASSES
#include "Dialect/TestTileOps.h.inc"

#endif // TILE_TEST_LIB_DIALECT_TESTTILEDIALECT_H
