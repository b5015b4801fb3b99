//===- ExchangeChoice.h - How a change of layout is carried out -*- C++ -*-===//
//
// `tile.convert_layout` of fragments is registers under other names, shuffles or a way
// through shared memory, whichever is cheapest (ExchangeCost.h). The passes that
// report, plan and materialize it all ask here.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_EXCHANGECHOICE_H
#define TILE_ANALYSIS_EXCHANGECHOICE_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/ExchangeCost.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::tile {

/// What `convert` costs on its cheapest way and the other. Both of its ends have
/// layouts.
tilec::ExchangeCost getExchangeCost(ConvertLayoutOp convert,
                                    const tilec::GpuTarget &target);

/// Where `convert` would move a fragment through memory of which only slices are taken,
/// that have fewer elements together: those slices, which are moved alone. Else empty.
/// One that nothing but another change of layout uses arrives as that gives it.
SmallVector<OffsetSizeAndStrideOpInterface>
getMovedSlices(ConvertLayoutOp convert, const tilec::GpuTarget &target);

/// What a change of layout moves, and how: nothing of a slice that was moved.
struct ExchangedData {
  tilec::ExchangeCost cost;
  int64_t bytes = 0; ///< of the fragment, or of its slices that are moved alone
};
ExchangedData getExchangedData(ConvertLayoutOp convert,
                               const tilec::GpuTarget &target);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_EXCHANGECHOICE_H
