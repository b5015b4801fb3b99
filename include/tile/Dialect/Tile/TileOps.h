//===- TileOps.h - The operations of the tile dialect -----------*- C++ -*-===//

#ifndef TILE_DIALECT_TILE_TILEOPS_H
#define TILE_DIALECT_TILE_TILEOPS_H

#include "tile/Dialect/Tile/Places.h"
#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Dialect/Tile/TileInterfaces.h"
#include "tile/Dialect/Tile/TileSide.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "tile/Dialect/Tile/TileOps.h.inc"

#endif // TILE_DIALECT_TILE_TILEOPS_H
