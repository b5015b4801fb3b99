//===- AsyncOperations.h - Work of the asynchronous engines -----*- C++ -*-===//
//
// An asynchronous operation has a row, which the shadow memory refers to and
// which says when it is complete, and it has work, delivered later than issued:
// pieces of cp.async by row, everything else as a PendingOperation.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_ASYNC_ASYNCOPERATIONS_H
#define TILE_LIB_EMULATOR_ASYNC_ASYNCOPERATIONS_H

#include "../Checkers/VectorClock.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tilec::emu {

struct Warp;
struct Block;
struct Cluster;
struct Instruction;

/// A group of cp.async operations of some lanes, or one bulk operation.
struct AsyncRow {
  bool isBulk = false;
  bool isProduct = false; ///< Of wgmma: see WgmmaGroup.h.
  uint32_t warp = 0;      ///< Issuer, index in the cluster.
  uint32_t lanes = 0;     ///< That issued and have not waited.
  uint32_t lane = allLanes;
  uint32_t clock = 0;     ///< Of the issuer when it last waited; 0: never did.
  uint32_t readClock = 0; ///< Likewise for .read waits.
  uint32_t mbarrier = 0;  ///< Id, or 0; of products that of their warpgroup.
  uint32_t phase = 0;     ///< That completes it, or group, counted from 1.
  uint32_t ordinal = 0;   ///< In AsyncGroups::copyRows.
  const Instruction *instruction = nullptr;
  /// Of each lane when it waited, where some did so apart from others; empty if
  /// all did at `clock`.
  std::vector<uint32_t> laneClocks;

  /// Of `lane` when it waited; for several lanes of the last.
  uint32_t getClock(uint32_t lane) const {
    return lane < laneClocks.size() ? laneClocks[lane] : clock;
  }
};

/// Work of the asynchronous engines; each instruction has its own kind.
class PendingOperation {
public:
  PendingOperation(Warp &warp, const Instruction &instruction)
      : warp(warp), instruction(instruction) {}
  virtual ~PendingOperation() = default;
  /// Moves the data and signals that they have arrived.
  virtual void deliver(Cluster &cluster) = 0;

  Warp &warp;
  const Instruction &instruction;
  uint32_t row = 0; ///< Of its bulk group; 0 if an mbarrier tracks it.
};

/// A new row of operations issued by `lanes` of `warp`.
uint32_t newRow(Warp &warp, const Instruction &instruction, uint32_t lanes);
/// Lists a row among those of its issuer that read global memory.
void listCopyRow(Warp &warp, uint32_t row);
/// Gives the lanes that have no open group of cp.async a fresh one. A row completes
/// on one phase of one mbarrier: lanes that came here by different numbers of
/// arrivals, one an iteration behind the others, have rows of their own.
void openCopyGroups(Warp &warp, const Instruction &instruction, uint32_t mask);
/// Whether an operation issued now is delivered at once (early), or later.
bool deliversNow(Cluster &cluster);
/// Delivers an operation now, or leaves it pending.
void issueOperation(Cluster &cluster,
                    std::unique_ptr<PendingOperation> operation, bool now);
/// Delivers the pending operation at `index`.
void deliver(Cluster &cluster, size_t index);
/// Delivers one pending operation, with a seed any of them; false if none.
bool deliverOne(Cluster &cluster);
/// Bytes that copies have not written yet read as this.
inline constexpr uint8_t poisonByte = 0xff;

/// One cp.async of one lane, not delivered yet.
struct CopyPiece {
  Block *block;
  uint32_t offset;
  const uint8_t *source;
  uint8_t bytes, sourceBytes, lane;
  /// Of each source byte whether it is defined; null: all are.
  const uint8_t *defined = nullptr;
};

/// The groups of cp.async and of bulk copies that a warp's lanes have.
struct AsyncGroups {
  struct OfLane {
    uint32_t open = 0; ///< Row of the group not yet committed; 0: none.
    std::vector<uint32_t> committed;
    /// How often an mbarrier was made to wait for the lane's copies.
    uint32_t arrivals = 0;
  };
  std::array<OfLane, 32> copy, bulk;
  /// Rows of copies that read global memory, in order of issue.
  std::vector<uint32_t> copyRows;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_ASYNC_ASYNCOPERATIONS_H
