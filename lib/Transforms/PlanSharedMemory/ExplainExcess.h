//===- ExplainExcess.h - What would fit instead -----------------*- C++ -*-===//
//
// The error of a launch that needs more shared memory than its chip has. Each
// way out that it names was packed and fits.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PLANSHAREDMEMORY_EXPLAINEXCESS_H
#define TILE_TRANSFORMS_PLANSHAREDMEMORY_EXPLAINEXCESS_H

#include "ReusePlan.h"

namespace mlir::tile {

/// Emits the error at `launch`, which `plan` places in more bytes than `target`
/// gives a block. Its notes say which bytes are live at the peak; whether fewer
/// stages would fit, of which loop; which buffer of the peak would have to be
/// how much smaller; and which chips take the launch as it is. Fails always.
LogicalResult explainExcess(LaunchOp launch, const ArenaProblem &arena,
                            const ReusePlan &plan,
                            const tilec::GpuTarget &target);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PLANSHAREDMEMORY_EXPLAINEXCESS_H
