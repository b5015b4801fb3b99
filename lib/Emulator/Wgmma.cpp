//===- Wgmma.cpp - wgmma.mma_async and its fences --------------------------===//
//
// Warpgroup matrix products. Written in steps; see TensorCore.h for values.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

namespace tilec::emu {

void registerWgmma(OpcodeTable &) {}

} // namespace tilec::emu
