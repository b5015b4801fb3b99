//===- WarpOrder.h - What a warp knows has happened -------------*- C++ -*-===//
//
// The order of a warp's execution as the race checker sees it: its clock, how
// far its lanes are ordered among each other, and what it knows of other warps.
// A lane that synchronised alone knows more than its warp; the rest is kept
// once. Ordering.h has the operations.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_CHECKERS_WARPORDER_H
#define TILE_LIB_EMULATOR_CHECKERS_WARPORDER_H

#include "VectorClock.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tilec::emu {

/// What a lane released by a fence: the fence may have been executed by several
/// lanes, but each publishes only what is ordered before itself.
struct FenceRecord {
  Knowledge known;             ///< Of the warp.
  std::vector<Knowledge> more; ///< Of `moreLanes`, in ascending order.
  uint32_t moreLanes = 0;
  uint32_t laneSyncClock = 0, clock = 0;
  std::vector<uint32_t> laneOrder;
};
struct FenceState {
  /// The last fence of each lane at each scope.
  std::array<std::array<std::shared_ptr<const FenceRecord>, 4>, 32> released;
  /// What relaxed reads of each lane have seen since its last fence.
  std::array<Knowledge, 32> seen;
  uint32_t seenLanes = 0;
};

struct WarpOrder {
  uint32_t clock = 1;
  uint32_t laneSyncClock = 0; ///< Up to here the lanes are ordered.
  Knowledge knowledge;
  /// What single lanes know beyond the warp.
  std::unique_ptr<std::array<Knowledge, 32>> laneKnowledge;
  uint32_t lanesWithKnowledge = 0;
  /// laneOrder[a * 32 + b]: clock of a up to which b knows, for partial
  /// bar.warp.sync.
  std::vector<uint32_t> laneOrder;
  /// Fences of single lanes and what their relaxed reads have seen; made at the
  /// first of these.
  std::unique_ptr<FenceState> fences;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_CHECKERS_WARPORDER_H
