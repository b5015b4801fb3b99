//===- BytePairs.cpp - Operands of bytes that lie across K ---------------===//

#include "tile/Hardware/BytePairs.h"

#include <algorithm>

using namespace tilec;

/// The digits that stand for `digit` along its dimension: those below 8 move up, that of
/// 8 is the first. Empty where a digit is no part of these.
static Digits pairUp(Digit digit) {
  Digits parts;
  while (digit.extent > 1) {
    bool isBelow = digit.step < 8, isHalf = digit.step == 8;
    int64_t room = isBelow ? 8 / digit.step : isHalf ? 2 : digit.extent;
    int64_t own = std::min(digit.extent, room);
    if (digit.extent % own != 0 || (isBelow && 8 % digit.step != 0))
      return {};
    int64_t step = isBelow ? 2 * digit.step : isHalf ? 1 : digit.step;
    parts.push_back({own, digit.dim, step});
    digit.extent /= own;
    digit.step *= own;
  }
  return parts;
}

Expected<FragmentLayout> tilec::pairUp(const FragmentLayout &layout, int dim) {
  Digits paired[3];
  for (HardwareDim where :
       {HardwareDim::Register, HardwareDim::Lane, HardwareDim::Warp})
    for (const Digit &digit : layout.getDigits(where)) {
      Digits &list = paired[static_cast<int>(where)];
      if (digit.dim != dim) {
        list.push_back(digit);
        continue;
      }
      Digits parts = ::pairUp(digit);
      if (parts.empty())
        return Failure{"a digit of " + std::to_string(digit.extent) +
                       " steps of " + std::to_string(digit.step) +
                       " does not keep pairs together"};
      list.insert(list.end(), parts.begin(), parts.end());
    }
  Digits &registers = paired[static_cast<int>(HardwareDim::Register)];
  auto pair = std::ranges::find_if(registers, [&](const Digit &digit) {
    return digit.dim == dim && digit.step == 1;
  });
  if (pair != registers.end())
    std::rotate(registers.begin(), pair, std::next(pair));
  return FragmentLayout::get(layout.getShape(), registers, paired[1],
                             paired[2]);
}
