//===- AsyncOperations.cpp - Issue and delivery of operations -------------===//
//
// Rows for the shadow memory, and the queue of operations that were issued and
// not delivered.
//
//===----------------------------------------------------------------------===//

#include "AsyncOperations.h"
#include "../Instructions/Handlers.h"
#include "../Machine/Machine.h"

namespace tilec::emu {

uint32_t newRow(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  Cluster &cluster = *warp.cluster;
  AsyncRow row;
  row.warp = warp.indexInCluster;
  row.lanes = lanes;
  row.instruction = &instruction;
  cluster.rows.push_back(row);
  return static_cast<uint32_t>(cluster.rows.size() - 1);
}

void listCopyRow(Warp &warp, uint32_t row) {
  std::vector<uint32_t> &rows = warp.groups.copyRows;
  warp.cluster->rows[row].ordinal = static_cast<uint32_t>(rows.size());
  rows.push_back(row);
}

void openCopyGroups(Warp &warp, const Instruction &instruction, uint32_t mask) {
  auto &groups = warp.groups.copy;
  uint32_t without = 0;
  forLanes(mask, [&](uint32_t lane) {
    if (!groups[lane].open)
      without |= 1u << lane;
  });
  while (without) {
    uint32_t arrivals = groups[__builtin_ctz(without)].arrivals, same = 0;
    forLanes(without, [&](uint32_t lane) {
      if (groups[lane].arrivals == arrivals)
        same |= 1u << lane;
    });
    uint32_t row = newRow(warp, instruction, 0);
    listCopyRow(warp, row);
    forLanes(same, [&](uint32_t lane) { groups[lane].open = row; });
    without &= ~same;
  }
}

bool deliversNow(Cluster &cluster) {
  switch (cluster.launch->options.delivery) {
  case Delivery::Late:
    return false;
  case Delivery::Early:
    return true;
  case Delivery::Random:
    return cluster.nextRandom() & 1;
  }
  return false;
}

void issueOperation(Cluster &cluster,
                    std::unique_ptr<PendingOperation> operation, bool now) {
  if (now)
    operation->deliver(cluster);
  else
    cluster.pending.push_back(std::move(operation));
}

void deliver(Cluster &cluster, size_t index) {
  std::unique_ptr<PendingOperation> operation =
      std::move(cluster.pending[index]);
  cluster.pending.erase(cluster.pending.begin() +
                        static_cast<ptrdiff_t>(index));
  operation->deliver(cluster);
}

bool deliverOne(Cluster &cluster) {
  if (cluster.pending.empty())
    return false;
  size_t index = cluster.launch->options.seed
                     ? cluster.nextRandom() % cluster.pending.size()
                     : 0;
  deliver(cluster, index);
  return true;
}

} // namespace tilec::emu
