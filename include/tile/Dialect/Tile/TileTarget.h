//===- TileTarget.h - The chip that a module is compiled for ----*- C++ -*-===//
//
// The chip is one attribute of the module, `tile.target`; this is how everybody
// reads it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_TILETARGET_H
#define TILE_DIALECT_TILE_TILETARGET_H

#include "tile/Hardware/GpuTarget.h"

#include "mlir/IR/Operation.h"

namespace mlir::tile {

/// The row of the chip that the module around `op` names in `tile.target`; null
/// where it names none, or none that is known.
const tilec::GpuTarget *getTarget(Operation *op);

/// Whether `threads` make whole warps and a block that is not too large: on the
/// module's chip, or, where no chip is set, on some known one. If not, an error
/// at `op` with the numbers.
LogicalResult verifyThreadCount(Operation *op, int64_t threads);

/// Whether `lanes` is the warp size of the module's chip, or, where no chip is
/// set, of some known one.
bool isWarpSize(Operation *op, int64_t lanes);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_TILETARGET_H
