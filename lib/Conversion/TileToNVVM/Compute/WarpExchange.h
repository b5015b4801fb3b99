//===- WarpExchange.h - Registers given from lane to lane -------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_WARPEXCHANGE_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_WARPEXCHANGE_H

#include "../ThreadEmitter.h"

#include "tile/Layout/WarpExchange.h"

namespace mlir::tile {

/// The registers that `plan` makes of `registers`, those of its source; `count` of
/// them. Those that get no element are padding.
SmallVector<Value> emitWarpExchange(ThreadEmitter &emitter,
                                    const tilec::WarpExchange &plan,
                                    ArrayRef<Value> registers, int64_t count);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_WARPEXCHANGE_H
