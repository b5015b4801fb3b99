//===- StoredValues.cpp - Stores of what memory holds ---------------------===//
//
// See StoredValues.h.
//
//===----------------------------------------------------------------------===//

#include "StoredValues.h"
#include "../Memory/Access.h"

namespace tilec::emu {

bool storesWhatIsThere(Warp &warp, const Conflict &c, int rank) {
  const PendingStore *store = c.store;
  uint32_t perBlock = warp.launch->warpsPerBlock, lane = c.later.lane;
  bool async = (c.earlier.flags | c.later.flags) & shadowAsync;
  if (!store || !c.earlierIsWrite || !c.laterIsWrite || async || lane >= 32 ||
      c.earlier.cluster != c.later.cluster ||
      c.earlier.warp / perBlock != c.later.warp / perBlock)
    return false;
  uint64_t address = store->addresses[lane];
  const uint8_t *memory = nullptr;
  if (rank >= 0)
    memory = warp.cluster->blocks[static_cast<uint32_t>(rank)]->shared +
             (address & ((1u << sharedRankShift) - 1));
  else if (Allocation *found = findAllocation(warp, address))
    memory = found->data + (address - found->address);
  for (uint32_t e = 0; memory && e < store->elements; ++e)
    if (std::memcmp(store->registers[e] + lane * store->registerBytes,
                    memory + e * store->elementBytes, store->elementBytes) != 0)
      return false;
  return memory != nullptr;
}

} // namespace tilec::emu
