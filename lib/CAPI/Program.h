//===- Program.h - What the handle of a program is --------------*- C++ -*-===//

#ifndef TILE_LIB_CAPI_PROGRAM_H
#define TILE_LIB_CAPI_PROGRAM_H

#include "tile-c/Compile.h"
#include "tile/Pipeline/Compile.h"

struct TileProgram {
  mlir::tile::CompiledProgram program;
};

#endif // TILE_LIB_CAPI_PROGRAM_H
