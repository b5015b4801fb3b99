//===- AccessCount.cpp - Wavefronts and sectors of an access --------------===//
//
// What one access of a warp costs, by the models of Statistics.h: the usual
// cases, no bank needed twice and lane after lane without gaps, are found
// first.
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include <algorithm>

namespace tilec::emu {

void countShared(Warp &warp, const uint64_t *addresses, uint32_t mask,
                 uint32_t bytes) {
  if (!warp.launch->options.statistics || !mask)
    return;
  Statistics &s = warp.cluster->statistics;
  ++s.sharedAccesses;
  s.sharedBytes += uint64_t(bytes) * __builtin_popcount(mask);
  uint32_t words = bytes <= 4 ? 1 : bytes / 4;
  uint32_t group = 32 / words < 1 ? 1 : 32 / words;
  for (uint32_t first = 0; first < 32; first += group) {
    uint32_t lanes = group == 32 ? mask : mask >> first & ((1u << group) - 1);
    if (!lanes)
      continue;
    ++s.sharedIdealWavefronts;
    // Usually no bank is needed twice.
    uint32_t banks = 0;
    bool conflict = false;
    for (uint32_t m = lanes; m; m &= m - 1) {
      uint32_t lane = first + static_cast<uint32_t>(__builtin_ctz(m));
      uint32_t word = static_cast<uint32_t>(addresses[lane] >> 2);
      uint32_t needed =
          words == 1 ? 1u << (word & 31) : ((1u << words) - 1) << (word & 31);
      conflict |= (banks & needed) != 0;
      banks |= needed;
    }
    if (!conflict) {
      ++s.sharedWavefronts;
      continue;
    }
    uint32_t distinct[32][32];
    uint8_t count[32] = {};
    uint32_t most = 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
      uint32_t lane = first + static_cast<uint32_t>(__builtin_ctz(m));
      for (uint32_t w = 0; w < words; ++w) {
        uint32_t word = static_cast<uint32_t>(addresses[lane] >> 2) + w;
        uint32_t bank = word & 31;
        bool known = false;
        for (uint32_t k = 0; k < count[bank]; ++k)
          known |= distinct[bank][k] == word;
        if (!known && count[bank] < 32)
          distinct[bank][count[bank]++] = word;
        most = std::max<uint32_t>(most, count[bank]);
      }
    }
    s.sharedWavefronts += most;
  }
}

void countGlobal(Warp &warp, const uint64_t *addresses, uint32_t mask,
                 uint32_t bytes) {
  if (!warp.launch->options.statistics || !mask)
    return;
  Statistics &s = warp.cluster->statistics;
  ++s.globalAccesses;
  s.globalBytes += uint64_t(bytes) * __builtin_popcount(mask);
  // Usually lane after lane, without gaps.
  uint32_t firstLane = static_cast<uint32_t>(__builtin_ctz(mask));
  uint64_t begin = addresses[firstLane], next = begin;
  bool contiguous = true;
  for (uint32_t m = mask; m; m &= m - 1) {
    contiguous &= addresses[__builtin_ctz(m)] == next;
    next += bytes;
  }
  if (contiguous) {
    s.globalSectors += ((next - 1) >> 5) - (begin >> 5) + 1;
    s.globalIdealSectors += (next - begin + 31) >> 5;
    return;
  }
  // Sectors with the bytes used in each.
  std::pair<uint64_t, uint32_t> sectors[128];
  uint32_t count = 0;
  for (uint32_t m = mask; m; m &= m - 1) {
    uint64_t address = addresses[__builtin_ctz(m)];
    for (uint32_t done = 0; done < bytes;) {
      uint64_t at = address + done;
      uint32_t in = at & 31, size = std::min(bytes - done, 32 - in);
      uint32_t used = size == 32 ? ~0u : ((1u << size) - 1) << in;
      uint32_t k = count;
      for (uint32_t j = count; j-- > 0;)
        if (sectors[j].first == at >> 5) {
          k = j;
          break;
        }
      if (k == count && count < 128)
        sectors[count++] = {at >> 5, 0};
      sectors[k].second |= used;
      done += size;
    }
  }
  uint64_t distinct = 0;
  for (uint32_t k = 0; k < count; ++k)
    distinct += static_cast<uint64_t>(__builtin_popcount(sectors[k].second));
  s.globalSectors += count;
  s.globalIdealSectors += (distinct + 31) / 32;
}

} // namespace tilec::emu
