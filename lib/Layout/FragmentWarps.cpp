//===- FragmentWarps.cpp - The same tile on fewer warps -------------------===//

#include "tile/Layout/FragmentWarps.h"

#include <algorithm>

using namespace tilec;

Expected<FragmentLayout> tilec::foldWarps(const FragmentLayout &layout,
                                          int64_t warps) {
  Digits registers = layout.getDigits(HardwareDim::Register), kept;
  if (layout.getExtent(HardwareDim::Warp) % warps != 0)
    return Failure{std::to_string(warps) + " warps are no divisor of " +
                   std::to_string(layout.getExtent(HardwareDim::Warp))};
  int64_t left = warps; // that the digits behind tell apart
  for (const Digit &digit : layout.getDigits(HardwareDim::Warp)) {
    int64_t own = std::min(digit.extent, left);
    if (digit.extent % own != 0 || left % own != 0)
      return Failure{"its warps are shared out in steps of " +
                     std::to_string(digit.extent) + ", which " +
                     std::to_string(left) + " warps do not fit"};
    left /= own;
    if (own > 1)
      kept.push_back({own, digit.dim, digit.step});
    // What is replicated is held once.
    if (own < digit.extent && !digit.replicates())
      registers.push_back({digit.extent / own, digit.dim, digit.step * own});
  }
  return FragmentLayout::get(layout.getShape(), registers,
                             layout.getDigits(HardwareDim::Lane), kept);
}

/// The largest divisor of `value` that is at most `limit`.
static int64_t getDivisorUpTo(int64_t value, int64_t limit) {
  int64_t divisor = std::min(value, limit);
  while (value % divisor != 0)
    --divisor;
  return divisor;
}

Expected<FragmentLayout> tilec::spreadRegisters(const FragmentLayout &layout,
                                                int64_t registers, int dim) {
  const Digits &all = layout.getDigits(HardwareDim::Register);
  // How much of each digit stays with its thread.
  std::vector<int64_t> own(all.size(), 1);
  int64_t left = registers;
  for (bool isAlong : {true, false})
    for (size_t i = 0; i < all.size(); ++i) {
      if ((all[i].dim == dim) != isAlong)
        continue;
      own[i] = getDivisorUpTo(all[i].extent, left);
      left /= own[i];
    }
  Digits kept, warps = layout.getDigits(HardwareDim::Warp);
  for (size_t i = 0; i < all.size(); ++i) {
    const Digit &digit = all[i];
    if (own[i] > 1)
      kept.push_back({own[i], digit.dim, digit.step});
    if (own[i] < digit.extent)
      warps.push_back({digit.extent / own[i], digit.dim, digit.step * own[i]});
  }
  return FragmentLayout::get(layout.getShape(), kept,
                             layout.getDigits(HardwareDim::Lane), warps);
}
