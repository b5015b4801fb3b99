//===- ImageFacts.h - Boxes of an image's matrix ----------------*- C++ -*-===//
//
// A bulk tensor copy in im2col mode brings channels of one element of the kernel, of
// output positions that follow each other. Whether a `tile.im2col` is such boxes
// depends on where it begins.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_IMAGEFACTS_H
#define TILE_ANALYSIS_IMAGEFACTS_H

#include "tile/Analysis/IndexFacts.h"
#include "tile/Dialect/Tile/TileOps.h"

#include <optional>
#include <string>

namespace mlir::tile {

/// What is not known of the places of `op` that boxes of `channels` channels need,
/// as a sentence with what would state it; nothing if all is.
std::optional<std::string> findImageObstacle(IndexFacts &facts, Im2ColOp op,
                                             int64_t channels);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_IMAGEFACTS_H
