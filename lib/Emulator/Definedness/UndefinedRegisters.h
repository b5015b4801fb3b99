//===- UndefinedRegisters.h - Undefined bits of registers -------*- C++ -*-===//
//
// Of one frame: which bits of which lanes of its registers are undefined, and
// where each came from. Registers that are defined cost one entry of an index.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_DEFINEDNESS_UNDEFINEDREGISTERS_H
#define TILE_LIB_EMULATOR_DEFINEDNESS_UNDEFINEDREGISTERS_H

#include "../Decode/Instruction.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tilec::emu {

struct UndefinedRegister {
  Ref ref = noRef;
  uint8_t bytes = 0;  ///< Of a lane; 0: a predicate, which `lanes` says all of.
  uint32_t lanes = 0; ///< With an undefined bit.
  /// Of each lane: an index into WarpDefinedness::origins.
  std::array<uint32_t, 32> origins{};
  std::vector<uint8_t> bits; ///< 1: undefined; in the layout of the register.

  const uint8_t *bitsOf(uint32_t lane) const {
    return bits.data() + lane * bytes;
  }
};

class UndefinedRegisters {
public:
  /// All registers of a frame of so many bytes are defined.
  void reset(uint32_t registerBytes);
  bool empty() const { return undefinedCount == 0; }
  /// Null if all of the register is defined.
  const UndefinedRegister *find(Ref ref) const {
    size_t place = (ref & ~negatedBit) >> 2;
    return place < slotOf.size() && slotOf[place]
               ? slots[slotOf[place] - 1].get()
               : nullptr;
  }
  /// The undefined bits of one lane become these (`bytes` of them, null: all;
  /// the lane's bit of a predicate).
  void set(Ref ref, uint8_t bytes, uint32_t lane, const uint8_t *bits,
           uint32_t origin);
  /// All bits of these lanes are defined.
  void define(Ref ref, uint32_t lanes);

private:
  UndefinedRegister &slot(Ref ref, uint8_t bytes);

  std::vector<uint16_t> slotOf; ///< By ref / 4: index + 1; 0: defined.
  std::vector<std::unique_ptr<UndefinedRegister>> slots;
  std::vector<uint16_t> freeSlots;
  size_t undefinedCount = 0;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DEFINEDNESS_UNDEFINEDREGISTERS_H
