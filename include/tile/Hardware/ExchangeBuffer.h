//===- ExchangeBuffer.h - The buffer between two layouts --------*- C++ -*-===//
//
// What goes from one layout to another through shared memory is written by the threads
// as one has it and read as the other does. The buffer is laid out along the dimension
// along which both access most at once; registers are put into the order of that
// dimension, which costs nothing. Rows lie so that neither access has bank conflicts,
// if a layout of these is found that does it:
//
//     dense rows                  where each lane accesses the neighbours of the last one
//     the layout for ldmatrix     SharedLayout::conflictFree
//     lines, then every p-th      offset = [32 : (0, 1), 8 : (4, 0), 4 : (1, 0)], xor = ..
//
// The XOR of 16-byte chunks goes by what follows 128 bytes: a line, or several of 64 or
// 32. If lanes step over p rows each, those rows have to be what it goes by.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_EXCHANGEBUFFER_H
#define TILE_HARDWARE_EXCHANGEBUFFER_H

#include "tile/Layout/SharedLayout.h"

namespace tilec {

/// `layout` with those registers first that hold neighbours along `dim`. Every thread
/// holds the same elements.
FragmentLayout orderRegisters(const FragmentLayout &layout, int dim);

/// The same with those first that `buffer` counts first, along whichever dimensions.
FragmentLayout orderRegisters(const FragmentLayout &layout,
                              const SharedLayout &buffer);

/// The digits of the first `count` registers of `layout`, or of fewer if those end
/// within a digit.
Digits getFirstRegisters(const FragmentLayout &layout, int64_t count);

/// Elements that one access of at most 16 bytes moves between a buffer along `dim` and
/// `layout`, whose registers may be ordered for it.
int64_t getExchangeWidth(const FragmentLayout &layout, int dim,
                         int64_t elementBits);

/// The dimension along which a buffer between the two is laid out: that along which they
/// access most at once, in both together; the last among equals. Either may be null.
int chooseExchangeDim(int rank, int64_t elementBits,
                      const FragmentLayout *written,
                      const FragmentLayout *read);

/// A layout of a buffer along `dim` with as few wavefronts as are found for the accesses
/// of the two, either of which may be null. The buffer is aligned to 1024 bytes at most.
SharedLayout chooseExchangeBuffer(const Coordinate &shape, int dim,
                                  int64_t elementBits,
                                  const FragmentLayout *written,
                                  const FragmentLayout *read);

/// Wavefronts of the first warp that writes or reads `fragment` in a buffer along `dim`;
/// `ideal` is set to the fewest that there can be.
int64_t countExchangeWavefronts(const SharedLayout &buffer, int dim,
                                const FragmentLayout &fragment, int64_t &ideal);

} // namespace tilec

#endif // TILE_HARDWARE_EXCHANGEBUFFER_H
