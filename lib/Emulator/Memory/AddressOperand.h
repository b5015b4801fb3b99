//===- AddressOperand.h - An address that an instruction names --*- C++ -*-===//
//
// [register + offset] of instructions that name several addresses; those with
// one keep it in the instruction itself (gatherAddresses).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MEMORY_ADDRESSOPERAND_H
#define TILE_LIB_EMULATOR_MEMORY_ADDRESSOPERAND_H

#include "../Machine/Warp.h"

#include <cstdint>

namespace tilec::emu {

struct AddressOperand {
  Ref base = noRef;
  bool wide = true; ///< The register has 64 bits, not 32.
  int64_t offset = 0;

  explicit operator bool() const { return base != noRef; }
  uint64_t of(Warp &warp, uint32_t lane) const {
    uint64_t begin =
        wide ? warp.ptr<uint64_t>(base)[lane] : warp.ptr<uint32_t>(base)[lane];
    return begin + static_cast<uint64_t>(offset);
  }
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MEMORY_ADDRESSOPERAND_H
