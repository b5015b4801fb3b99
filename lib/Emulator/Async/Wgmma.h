//===- Wgmma.h - Products in flight and their registers ---------*- C++ -*-===//
//
// A wgmma reads its accumulator and A registers, and writes the accumulator, at
// any time between its issue and the wgmma.wait_group that retires its group.
// Other instructions must not touch them in between, and a wgmma.fence must
// stand between an access and the next wgmma of a register (the accumulator of
// consecutive wgmma of one shape needs none).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_ASYNC_WGMMA_H
#define TILE_LIB_EMULATOR_ASYNC_WGMMA_H

#include "../Machine/Machine.h"
#include "tile/Emulator/TensorCore.h"

namespace tilec::emu {

/// What a wgmma multiplies, and the predicate by which it adds to D.
struct WgmmaOperands {
  const WgmmaOp &op;
  Ref aDescriptor, bDescriptor, scale;
  Ref metadata; ///< noRef of a dense A
  uint32_t selector;
};
WgmmaOperands wgmmaOperandsOf(const Instruction &instruction);

/// What a wgmma does with its registers.
struct WgmmaRegisterUse {
  uint32_t accumulators = 0; ///< The first so many are D, the others A.
  uint32_t shape = 0;        ///< Differs for different shapes and types of D.
};
/// Checks and marks the registers of a wgmma that is issued.
void useWgmmaRegisters(Warp &warp, const Instruction &instruction,
                       const WgmmaRegisterUse &use);

/// The state of a warp, made at the first use.
WgmmaState &wgmmaStateOf(Warp &warp);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_ASYNC_WGMMA_H
