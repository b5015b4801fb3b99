//===- BlockEnd.h - What must be over when a block ends ---------*- C++ -*-===//
//
// Tells the checks at the end of a block what happens before: accesses of other
// blocks, and threads that exit.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_CHECKERS_BLOCKEND_H
#define TILE_LIB_EMULATOR_CHECKERS_BLOCKEND_H

#include "../Machine/Machine.h"

namespace tilec::emu {

/// A lane of `warp` accesses the shared memory of `target`, another block.
void noteRemoteAccess(Warp &warp, const Instruction &instruction, uint32_t lane,
                      Block &target);
/// Lanes of a warp exit.
void noteExit(Warp &warp, uint32_t mask);
/// The last thread of the block has exited at `end`.
void endBlock(Warp &last, const Instruction &end);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_CHECKERS_BLOCKEND_H
