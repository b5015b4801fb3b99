//===- SpanFacts.h - Copies of bytes that lie together ----------*- C++ -*-===//
//
// `cp.async.bulk` moves bytes from an address to an address. What it asks of places is
// proved here, for the choice and again where it is carried out.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_SPANFACTS_H
#define TILE_ANALYSIS_SPANFACTS_H

#include "tile/Analysis/IndexFacts.h"
#include "tile/Hardware/BulkBoxes.h"

#include <optional>
#include <string>

namespace mlir::tile {

/// What is not known of the places in global memory of the spans of `side`, of a tile
/// of shape `tile`, as a sentence with what would state it; nothing if they lie together
/// and begin at multiples of `alignBytes`.
std::optional<std::string> findSpanObstacle(IndexFacts &facts, const Side &side,
                                            ArrayRef<int64_t> tile,
                                            const tilec::BulkBoxes &spans,
                                            int64_t alignBytes);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_SPANFACTS_H
