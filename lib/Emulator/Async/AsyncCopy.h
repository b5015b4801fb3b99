//===- AsyncCopy.h - Asynchronous operations complete later -----*- C++ -*-===//
//
// Operations that complete later: each has an AsyncRow that the shadow memory
// points to. Completion is one update of the row.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_ASYNC_ASYNCCOPY_H
#define TILE_LIB_EMULATOR_ASYNC_ASYNCCOPY_H

#include "../Machine/Machine.h"

namespace tilec::emu {

/// A new row of operations issued by `lanes` of `warp`.
uint32_t newRow(Warp &warp, const Instruction &instruction, uint32_t lanes);
/// Moves the data of the copies of `lanes` in a row that have not arrived.
void deliverCopies(Cluster &cluster, uint32_t row, uint32_t lanes);
/// Delivers at once (early), or leaves it for later.
bool deliversNow(Cluster &cluster);
/// Bytes that copies have not written yet read as this.
inline constexpr uint8_t poisonByte = 0xff;

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_ASYNC_ASYNCCOPY_H
