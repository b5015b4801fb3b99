//===- TensorOperands.h - What matrix instructions share --------*- C++ -*-===//
//
// Binding vectors of registers, parsing shapes and element types, and gathering
// the whole warp at a .sync.aligned instruction.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_TENSOROPERANDS_H
#define TILE_LIB_EMULATOR_TENSOROPERANDS_H

#include "Decoder.h"
#include "tile/Emulator/Numerics.h"

namespace tilec::emu {

/// Waits until the whole warp is here. False: the handler returns `step`. Lanes
/// that are missing for good (exited, or with a false guard) are reported.
bool gatherWarp(Warp &warp, const Instruction &instruction, uint32_t mask,
                Step &step);

/// "m16n8k16"
bool parseShape(std::string_view text, int &m, int &n, int &k);
/// "f16", "e4m3", "s8", ..
bool parseElement(std::string_view text, ElementType &type);
/// Takes the next modifier as an element type, or fails.
bool takeElement(Decoder &d, ElementType &type);

/// Appends the registers of a vector operand (or a single one) to the list;
/// fails if there are not `count`. `wide`: 64 bits a register.
bool bindRegisters(Decoder &d, const Operand &operand, int count, bool wide,
                   bool isDestination);

bool decodeWmma(Decoder &d);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_TENSOROPERANDS_H
