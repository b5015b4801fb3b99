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
