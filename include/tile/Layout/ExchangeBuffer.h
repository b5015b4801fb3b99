//===- ExchangeBuffer.h - Memory between two layouts ------------*- C++ -*-===//
//
// The layout of a buffer through which a fragment changes threads: what lowers
// an exchange makes the buffer, and what counts the cost of one asks the same.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_EXCHANGEBUFFER_H
#define TILE_LAYOUT_EXCHANGEBUFFER_H

#include "tile/Layout/SharedLayout.h"

namespace tilec {

/// The dimension along which a buffer between the two is laid out: that of whose
/// neighbours a thread holds most, in both together; the last among equals. Either
/// may be null.
int chooseExchangeDim(int rank, const FragmentLayout *written,
                      const FragmentLayout *read);

/// With that dimension the fastest. Rows along it that both sides access one by one are dense, as
/// every XOR costs instructions; others are free of conflicts
/// (`SharedLayout::conflictFree`). Either side may be null: it is accessed element by
/// element.
SharedLayout getExchangeBuffer(const Coordinate &shape, int64_t elementBits,
                               const FragmentLayout *written,
                               const FragmentLayout *read);

} // namespace tilec

#endif // TILE_LAYOUT_EXCHANGEBUFFER_H
