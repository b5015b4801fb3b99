//===- BulkCopy.h - Decoded bulk copies -------------------------*- C++ -*-===//
//
// What the decoder of bulk and tensor copies (BulkCopyDecode.cpp) hands to the
// handlers that execute them (BulkCopy.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_ASYNC_BULKCOPY_H
#define TILE_LIB_EMULATOR_ASYNC_BULKCOPY_H

#include "../Memory/AddressOperand.h"
#include "tile/Emulator/TensorMap.h"

namespace tilec::emu {

enum class Direction : uint8_t {
  GlobalToShared,
  SharedToGlobal,
  SharedToShared,
  Prefetch
};

struct BulkInfo {
  Direction direction = Direction::GlobalToShared;
  bool tensor = false, im2col = false, multicast = false;
  bool reduces = false, onMbarrier = false;
  BulkReduction reduction = BulkReduction::Add;
  TensorElement element = TensorElement::U8; ///< Of plain reductions.
  int rank = 0;
  AddressOperand target, source, mbarrier, map;
  StateSpace mapSpace = StateSpace::Generic;
  Ref size = noRef, ctaMask = noRef;
  Ref coordinates[5] = {noRef, noRef, noRef, noRef, noRef};
  Ref offsets[3] = {noRef, noRef, noRef};
};

/// The copy; cp.async.bulk.commit_group; and wait_group, with flags for .read.
Step bulkHandler(Warp &, const Instruction &, uint32_t mask);
Step commitBulkHandler(Warp &, const Instruction &, uint32_t mask);
Step waitBulkHandler(Warp &, const Instruction &, uint32_t mask);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_ASYNC_BULKCOPY_H
