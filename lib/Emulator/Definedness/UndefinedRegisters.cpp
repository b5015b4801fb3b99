//===- UndefinedRegisters.cpp - Undefined bits of registers ---------------===//
//
// See UndefinedRegisters.h.
//
//===----------------------------------------------------------------------===//

#include "UndefinedRegisters.h"

#include <algorithm>
#include <cstring>

namespace tilec::emu {

void UndefinedRegisters::reset(uint32_t registerBytes) {
  slotOf.assign(registerBytes / 4 + 1, 0);
  slots.clear();
  freeSlots.clear();
  undefinedCount = 0;
}

UndefinedRegister &UndefinedRegisters::slot(Ref ref, uint8_t bytes) {
  uint16_t &index = slotOf[ref >> 2];
  if (index)
    return *slots[index - 1];
  if (freeSlots.empty()) {
    slots.push_back(std::make_unique<UndefinedRegister>());
    index = static_cast<uint16_t>(slots.size());
  } else {
    index = freeSlots.back();
    freeSlots.pop_back();
  }
  UndefinedRegister &found = *slots[index - 1];
  found.ref = ref;
  found.bytes = bytes;
  found.lanes = 0;
  found.bits.assign(size_t(32) * bytes, 0);
  ++undefinedCount;
  return found;
}

void UndefinedRegisters::set(Ref ref, uint8_t bytes, uint32_t lane,
                             const uint8_t *bits, uint32_t origin) {
  ref &= ~negatedBit;
  if ((ref >> 2) >= slotOf.size())
    return;
  UndefinedRegister &target = slot(ref, bytes);
  target.lanes |= 1u << lane;
  target.origins[lane] = origin;
  if (bits)
    std::memcpy(&target.bits[size_t(lane) * bytes], bits, bytes);
  else
    std::fill_n(target.bits.begin() + lane * bytes, bytes, uint8_t(0xff));
}

void UndefinedRegisters::define(Ref ref, uint32_t lanes) {
  size_t place = (ref & ~negatedBit) >> 2;
  if (place >= slotOf.size() || !slotOf[place])
    return;
  UndefinedRegister &target = *slots[slotOf[place] - 1];
  for (uint32_t left = target.lanes & lanes; left; left &= left - 1)
    std::fill_n(target.bits.begin() + __builtin_ctz(left) * target.bytes,
                target.bytes, uint8_t(0));
  target.lanes &= ~lanes;
  if (target.lanes)
    return;
  freeSlots.push_back(slotOf[place]);
  slotOf[place] = 0;
  --undefinedCount;
}

} // namespace tilec::emu
