//===- BulkSpans.h - A tile as spans of bytes -------------------*- C++ -*-===//
//
// A bulk copy that knows no tensor moves bytes from one address to another. A tile is
// then *spans*, pieces that lie together in the buffer, as those of boxes do, and in
// memory too; there are no other limits to their extents.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_BULKSPANS_H
#define TILE_HARDWARE_BULKSPANS_H

#include "tile/Hardware/BulkBoxes.h"

namespace tilec {

/// The fewest spans that move a tile (see `getBulkBoxes`) with copies of `row`: of
/// whole dimensions but the outermost. `pitches` are the strides of the tensor in
/// elements, per dimension, where they are constant, else 0.
Expected<BulkBoxes> getBulkSpans(const CopyInstruction &row,
                                 const SharedLayout &buffer,
                                 const std::vector<TensorAxis> &axes,
                                 const std::vector<int64_t> &startDivisors,
                                 const std::vector<int64_t> &pitches);

} // namespace tilec

#endif // TILE_HARDWARE_BULKSPANS_H
