//===- Additivity.cpp - Addresses as a thread's part plus a constant ------===//
//
// A thread that reads its registers from a shared buffer adds, for each
// register, a constant to one address, provided that no sum of a thread's
// coordinate and a register's carries from one digit of the offset into the
// next. The XOR comes after the sum and is the lowering's business.
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/SharedLayout.h"

#include <algorithm>
#include <cassert>

using namespace tilec;

/// The sums that the digits of `fragment` in the hardware dimensions [first,
/// last] can take along `dim`.
static std::vector<int64_t> getSums(const FragmentLayout &fragment, int dim,
                                    HardwareDim first, HardwareDim last) {
  std::vector<int64_t> sums = {0};
  for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i)
    for (const Digit &digit : fragment.getDigits(static_cast<HardwareDim>(i)))
      if (digit.dim == dim) {
        size_t count = sums.size();
        for (int64_t value = 1; value < digit.extent; ++value)
          for (size_t j = 0; j < count; ++j)
            sums.push_back(sums[j] + value * digit.step);
      }
  return sums;
}

/// Whether each digit of `fragment` along `dim` lies on one side of each
/// boundary of the chain or is cut by it into whole parts; then no sum carries
/// over it.
static bool neverCarries(const FragmentLayout &fragment, int dim,
                         const OffsetDigits &chain) {
  for (HardwareDim where :
       {HardwareDim::Register, HardwareDim::Lane, HardwareDim::Warp})
    for (const Digit &digit : fragment.getDigits(where)) {
      if (digit.dim != dim)
        continue;
      for (const OffsetDigit &boundary : chain)
        if (boundary.step % digit.step != 0 && digit.step % boundary.step != 0)
          return false;
    }
  return true;
}

/// The offset of `along` by the digits of one dimension, sorted by step. The
/// last digit is not bounded, as padding may pass it.
static int64_t getOffset(const OffsetDigits &chain, int64_t along) {
  int64_t offset = 0;
  for (const OffsetDigit &digit : chain) {
    int64_t value = along / digit.step;
    if (&digit != &chain.back())
      value %= digit.extent;
    offset += value * digit.weight;
  }
  return offset;
}

bool SharedLayout::isAdditiveOver(const FragmentLayout &fragment) const {
  assert(fragment.getRank() == getRank() && "one coordinate space");
  for (int dim = 0; dim < getRank(); ++dim) {
    OffsetDigits chain;
    for (const OffsetDigit &digit : digits)
      if (digit.dim == dim)
        chain.push_back(digit);
    std::sort(chain.begin(), chain.end(),
              [](const OffsetDigit &a, const OffsetDigit &b) {
                return a.step < b.step;
              });
    if (neverCarries(fragment, dim, chain))
      continue;
    // Carries of several boundaries may cancel: compare the offsets themselves.
    std::vector<int64_t> ofThreads =
        getSums(fragment, dim, HardwareDim::Lane, HardwareDim::Warp);
    std::vector<int64_t> ofRegisters =
        getSums(fragment, dim, HardwareDim::Register, HardwareDim::Register);
    for (int64_t a : ofThreads)
      for (int64_t b : ofRegisters)
        if (getOffset(chain, a + b) !=
            getOffset(chain, a) + getOffset(chain, b))
          return false;
  }
  return true;
}
