//===- Cluster.h - Running blocks that see each other -----------*- C++ -*-===//
//
// The blocks of a cluster run on one OS thread (a launch without clusters has
// clusters of one block). Here is what they share, and what the scheduler
// counts to tell work from spinning.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MACHINE_CLUSTER_H
#define TILE_LIB_EMULATOR_MACHINE_CLUSTER_H

#include "../Async/AsyncOperations.h"
#include "../Checkers/SyncLocations.h"
#include "Block.h"
#include "Random.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilec::emu {

/// Strong reads without any progress in between, above which threads are taken
/// to poll: a look at a flag by all lanes of two warps is no loop yet.
inline constexpr uint64_t pollingReads = 64;

struct Cluster {
  Launch *launch = nullptr;
  uint32_t linear = 0;
  Dim3 id{0, 0, 0};
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<Warp *> warps;
  BarrierState barrier;

  // Asynchronous operations.
  std::vector<AsyncRow> rows;
  std::unordered_map<uint32_t, std::vector<CopyPiece>> copyPieces; ///< By row.
  std::deque<std::unique_ptr<PendingOperation>> pending;
  uint32_t nextMbarrierId = 1;

  // Scheduling.
  uint64_t random = 1;
  uint64_t progress = 0;      ///< Counts events that change anything.
  uint64_t seenProgress = 0;  ///< Of these, those the scheduler knows.
  uint64_t sinceProgress = 0; ///< Instructions executed since the last one.
  /// Strong reads since then: threads may wait for another cluster.
  uint64_t polls = 0;

  Statistics statistics;
  std::string output;
  SyncLocations locations; ///< In shared memory.

  uint64_t nextRandom() { return emu::nextRandom(random); }
  bool isPolling() const { return polls > pollingReads; }
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MACHINE_CLUSTER_H
