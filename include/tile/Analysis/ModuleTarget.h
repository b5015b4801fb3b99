//===- ModuleTarget.h - The chip a module is compiled for -------*- C++ -*-===//
//
// The chip stands once, as `tile.target` on the module. This is how a pass asks
// for its row of the Hardware library.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_MODULETARGET_H
#define TILE_ANALYSIS_MODULETARGET_H

#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Hardware/GpuTarget.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::tile {

/// The row of the chip that the module around `op` is compiled for. Fails with
/// an error at `op` when no chip is set.
FailureOr<const tilec::GpuTarget *> getModuleTarget(Operation *op);

/// Whether compiled code lets the copy engine bring tiles: on chips whose
/// warpgroups multiply what it brings. Where warps multiply each for themselves,
/// copies by threads are what is tuned.
bool copiesInBulk(const tilec::GpuTarget &target);

/// An error that names both where `chip`, an option, is another chip than the
/// module's; an empty one is none.
LogicalResult verifyChip(ModuleOp module, StringRef chip);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_MODULETARGET_H
