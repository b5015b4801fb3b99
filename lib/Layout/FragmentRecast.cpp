//===- FragmentRecast.cpp - The same bits as other elements ---------------===//
//
// Narrower elements are new registers of the thread that held the wider one;
// wider elements exist where their parts are the thread's fastest registers:
//
//     [32] of 16 bits, register = [2 : (1)], lane = [16 : (2)]
//     [64] of 8 bits,  register = [4 : (1)], lane = [16 : (4)]
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/FragmentLayout.h"

using namespace tilec;

Expected<FragmentLayout> FragmentLayout::recast(int64_t sourceBits,
                                                int64_t resultBits) const {
  if (sourceBits == resultBits)
    return *this;
  int last = getRank() - 1;
  bool splits = sourceBits > resultBits;
  int64_t ratio = splits ? sourceBits / resultBits : resultBits / sourceBits;
  Coordinate newShape = shape;
  newShape[last] = splits ? shape[last] * ratio : shape[last] / ratio;
  std::array<Digits, 3> newDigits = digits;
  if (!splits) {
    // The parts of one element are the fastest register digit.
    Digits &registers = newDigits[0];
    if (registers.empty() || registers[0].dim != last ||
        registers[0].step != 1 || registers[0].extent % ratio != 0)
      return Failure{"the " + std::to_string(ratio) +
                     " parts of an element are not in consecutive registers of "
                     "one thread"};
    registers[0] = {registers[0].extent / ratio, last, ratio};
    if (registers[0].extent == 1)
      registers.erase(registers.begin());
  }
  for (Digits &list : newDigits)
    for (Digit &digit : list)
      if (digit.dim == last)
        digit.step = splits ? digit.step * ratio : digit.step / ratio;
  if (splits)
    newDigits[0].insert(newDigits[0].begin(), {ratio, last, 1});
  return get(newShape, newDigits[0], newDigits[1], newDigits[2]);
}
