//===- ExchangeCost.h - What a change of layout costs -----------*- C++ -*-===//
//
// A fragment goes from one layout to another by shuffles, where every element stays in
// its warp, or through a buffer in shared memory. Both are counted in cycles of a
// multiprocessor, with the rates and latencies of Throughput.h:
//
//     by shuffles    shuffles and selects of all threads, those units that are busy
//                    longest + the latency of a shuffle, and of a select on either side
//     by memory      accesses and bytes of all threads, without bank conflicts + a
//                    barrier, in a loop two (the next iteration overwrites the buffer) +
//                    the latency of a load
//
// The cheaper is taken; where both cost the same shuffles are, which need no buffer.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_EXCHANGECOST_H
#define TILE_HARDWARE_EXCHANGECOST_H

#include "tile/Hardware/Throughput.h"
#include "tile/Layout/WarpExchange.h"

namespace tilec {

/// Where an exchange stands and what it moves.
struct ExchangedFragment {
  const FragmentLayout &source;
  const FragmentLayout &target;
  int64_t elementBits = 32; ///< in a register: 1 of i1
  bool isInLoop = false;
};

/// How elements are put into the words of 32 bits that shuffles move.
struct ExchangeWords {
  int64_t perElement = 1;     ///< words of an element, 2 of f64
  int64_t elementsInWord = 1; ///< 4 of i8
};
ExchangeWords getExchangeWords(int64_t elementBits);

struct ExchangeCost {
  ExchangeKind kind = ExchangeKind::Memory; ///< the cheapest way
  /// By shuffles, for each thread; both are 0 where that is not possible.
  int64_t shuffles = 0, selects = 0;
  int64_t packing = 0; ///< what puts elements into words and takes them out
  int64_t shuffleCycles = 0; ///< 0 where it is not possible
  int64_t memoryCycles = 0;
};

/// Where elements stay in their threads the kind is `None`, and the costs are those of
/// choosing registers.
ExchangeCost getExchangeCost(const GpuTarget &target,
                             const ExchangedFragment &fragment);

} // namespace tilec

#endif // TILE_HARDWARE_EXCHANGECOST_H
