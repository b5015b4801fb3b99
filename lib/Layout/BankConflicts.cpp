//===- BankConflicts.cpp - What an access to shared memory costs ----------===//
//
// Shared memory has 32 banks of four bytes, each of which delivers one word a
// pass. Lanes of a group that read one word share it; a wavefront more is
// needed for each further word in a bank.
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/SharedLayout.h"

#include "Arithmetic.h"

#include <algorithm>
#include <array>
#include <cassert>

using namespace tilec;
using namespace tilec::detail;

static constexpr int64_t bankCount = 32;
static constexpr int64_t wordBytes = 4;

/// How many lanes are served together: as many as move one word a bank.
static int64_t getGroupLanes(int64_t bytesPerLane) {
  if (bytesPerLane <= 4)
    return 32;
  return bytesPerLane <= 8 ? 16 : 8;
}

int64_t tilec::countWavefronts(const std::vector<int64_t> &byteAddresses,
                               int64_t bytesPerLane) {
  assert(bytesPerLane >= 1 && bytesPerLane <= 16 && "one access of a lane");
  size_t groupLanes = getGroupLanes(bytesPerLane);
  int64_t wavefronts = 0;
  std::vector<int64_t> words;
  for (size_t begin = 0; begin < byteAddresses.size(); begin += groupLanes) {
    words.clear();
    size_t end = std::min(begin + groupLanes, byteAddresses.size());
    for (size_t lane = begin; lane < end; ++lane)
      for (int64_t word = byteAddresses[lane] / wordBytes,
                   last = (byteAddresses[lane] + bytesPerLane - 1) / wordBytes;
           word <= last; ++word)
        words.push_back(word);
    std::ranges::sort(words);
    auto repeated = std::ranges::unique(words);
    words.erase(repeated.begin(), repeated.end());
    std::array<int64_t, bankCount> load = {};
    for (int64_t word : words)
      ++load[word % bankCount];
    wavefronts += *std::ranges::max_element(load);
  }
  return wavefronts;
}

int64_t tilec::countIdealWavefronts(int64_t activeLanes, int64_t bytesPerLane) {
  return divideRoundingUp(activeLanes, getGroupLanes(bytesPerLane));
}
