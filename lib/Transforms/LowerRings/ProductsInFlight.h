//===- ProductsInFlight.h - Where products are waited for -------*- C++ -*-===//
//
// Products complete in the order in which they were started. So who needs one
// of them waits for all but those started later: of these it takes the fewest
// over all paths,
//
//     %p0 = gemm_async ..
//     scf.for .. iter_args(%p = %p0) {
//       %q = gemm_async ..     %p: one started since
//       ring_release %r[n - 1]           the slot that it reads: one, so that
//       scf.yield %q                     product_wait {pending = 1} is enough
//     }
//     tile.wait %p'                      none: product_wait {pending = 0}
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_LOWERRINGS_PRODUCTSINFLIGHT_H
#define TILE_TRANSFORMS_LOWERRINGS_PRODUCTSINFLIGHT_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Puts a `tile.product_wait` in front of each `tile.wait`, and of each release
/// of a slot that a product in flight may read, unless what is there has waited
/// already.
void insertProductWaits(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_LOWERRINGS_PRODUCTSINFLIGHT_H
