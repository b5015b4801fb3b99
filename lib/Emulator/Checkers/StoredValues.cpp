//===- StoredValues.cpp - Stores of what memory holds ---------------------===//
//
// See StoredValues.h.
//
//===----------------------------------------------------------------------===//

#include "StoredValues.h"
#include "../Memory/Access.h"

namespace tilec::emu {

static thread_local const PendingStore *storing = nullptr;

StoringScope::StoringScope(const PendingStore &store) { storing = &store; }
StoringScope::~StoringScope() { storing = nullptr; }

bool storesWhatIsThere(Warp &warp, const Conflict &c, int rank) {
  uint32_t perBlock = warp.launch->warpsPerBlock, lane = c.later.lane;
  bool async = (c.earlier.flags | c.later.flags) & shadowAsync;
  if (!storing || !c.earlierIsWrite || !c.laterIsWrite || async || lane >= 32 ||
      c.earlier.cluster != c.later.cluster ||
      c.earlier.warp / perBlock != c.later.warp / perBlock)
    return false;
  uint64_t address = storing->addresses[lane];
  const uint8_t *memory = nullptr;
  if (rank >= 0)
    memory = warp.cluster->blocks[static_cast<uint32_t>(rank)]->shared +
             (address & ((1u << sharedRankShift) - 1));
  else if (Allocation *found = findAllocation(warp, address))
    memory = found->data + (address - found->address);
  for (uint32_t e = 0; memory && e < storing->elements; ++e)
    if (std::memcmp(storing->registers[e] + lane * storing->registerBytes,
                    memory + e * storing->elementBytes,
                    storing->elementBytes) != 0)
      return false;
  return memory != nullptr;
}

} // namespace tilec::emu
