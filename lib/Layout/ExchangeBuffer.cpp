//===- ExchangeBuffer.cpp - Memory between two layouts --------------------===//

#include "tile/Layout/ExchangeBuffer.h"

#include <algorithm>

using namespace tilec;

/// Of the widest access of a thread.
static constexpr int64_t accessBits = 128;

int tilec::chooseExchangeDim(int rank, const FragmentLayout *written,
                             const FragmentLayout *read) {
  int best = rank - 1;
  int64_t bestWidth = 0;
  for (int dim = rank - 1; dim >= 0; --dim) {
    int64_t width = 0;
    for (const FragmentLayout *layout : {written, read})
      if (layout)
        width += layout->getVectorWidth(dim);
    if (width > bestWidth) {
      best = dim;
      bestWidth = width;
    }
  }
  return best;
}

/// Whether lanes hold neighbouring vectors along `dim`: what they access without
/// conflicts where rows along it are dense.
static bool areLanesNeighbours(const FragmentLayout *layout, int dim,
                               int64_t bits) {
  if (!layout)
    return true;
  int64_t neighbours = layout->getVectorWidth(dim);
  return neighbours * bits <= accessBits &&
         std::ranges::all_of(
             layout->getDigits(HardwareDim::Lane), [&](const Digit &digit) {
               return digit.replicates() ||
                      (digit.dim == dim && digit.step == neighbours);
             });
}

SharedLayout tilec::getExchangeBuffer(const Coordinate &shape,
                                      int64_t elementBits,
                                      const FragmentLayout *written,
                                      const FragmentLayout *read) {
  int rank = static_cast<int>(shape.size());
  std::vector<int> order;
  if (rank > 0)
    order.push_back(chooseExchangeDim(rank, written, read));
  for (int dim = rank - 1; dim >= 0; --dim)
    if (dim != order.front())
      order.push_back(dim);
  bool isDense = rank > 0 &&
                 shape[order.front()] * elementBits % accessBits == 0 &&
                 areLanesNeighbours(written, order.front(), elementBits) &&
                 areLanesNeighbours(read, order.front(), elementBits);
  if (isDense)
    if (auto dense = SharedLayout::linear(shape, order, 0, elementBits))
      return *dense;
  return SharedLayout::conflictFree(shape, order, elementBits);
}
