//===- BulkOperation.h - One bulk copy of one lane --------------*- C++ -*-===//
//
// What a bulk or tensor copy moves: a list of pieces, checked when the copy is
// issued (BulkIssue.cpp) and moved when it is delivered (BulkCopy.cpp), and the
// mbarriers it signals.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_ASYNC_BULKOPERATION_H
#define TILE_LIB_EMULATOR_ASYNC_BULKOPERATION_H

#include "../Machine/Machine.h"
#include "AsyncOperations.h"
#include "BulkCopy.h"

#include <cstdint>
#include <vector>

namespace tilec::emu {

/// Bytes that move together. A null source is filled by the tensor map.
struct BulkPiece {
  uint8_t *target = nullptr;
  const uint8_t *source = nullptr;
  uint32_t bytes = 0;
  Block *targetBlock = nullptr; ///< Of a shared target.
  uint32_t targetOffset = 0;
  Allocation *targetAllocation = nullptr; ///< Of a global target.
  /// Of each source byte whether it is defined; null: all are, but for those of
  /// a source in shared memory.
  const uint8_t *defined = nullptr;
  Block *sourceBlock = nullptr; ///< Of a shared source and target.
  uint32_t sourceOffset = 0;

  bool isDefined(uint32_t byte) const {
    if (sourceBlock)
      return sourceBlock->shadow.isInitialized(sourceOffset + byte, 1);
    return !defined || defined[byte];
  }
};

class BulkOperation final : public PendingOperation {
public:
  BulkOperation(Warp &warp, const Instruction &instruction)
      : PendingOperation(warp, instruction),
        info(instruction.data<BulkInfo>()) {}
  void deliver(Cluster &cluster) override;

  const BulkInfo &info;
  TensorMap map; ///< Of a tensor copy, as it was when issued.
  std::vector<BulkPiece> pieces;
  struct Signal {
    Block *block;
    uint32_t offset, bytes;
    uint32_t row;
  };
  std::vector<Signal> signals;
  uint64_t globalBytes = 0; ///< For the statistics' ideal.
};

/// Fills an operation of `lane` with its pieces and signals; `now`: it will be
/// delivered at once, so that targets get no poison. False after a report that
/// leaves nothing to wait for.
bool collectPieces(BulkOperation &operation, uint32_t lane, bool now);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_ASYNC_BULKOPERATION_H
