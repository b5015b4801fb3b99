//===- ConsoleOutput.h - Launches that print --------------------*- C++ -*-===//

#ifndef TILE_ANALYSIS_CONSOLEOUTPUT_H
#define TILE_ANALYSIS_CONSOLEOUTPUT_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Whether lines of output name blocks, by the numbers of the hardware. Such a launch is
/// looked into: what it asks for beyond its results is not done where the output is in the
/// way, and no error.
bool writesToConsole(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_CONSOLEOUTPUT_H
