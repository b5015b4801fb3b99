//===- PartialBytes.cpp - Bytes that are defined in part ------------------===//
//
// Elements of 4 bits share a byte, and threads store one by an atomic `and` that
// clears it and an atomic `or` that sets it. The other half may never be
// written, or by another thread. So of the undefined bytes that such atomics
// touched, the bits that they define are kept here: those that `and` makes 0 and
// those that `or` makes 1. A byte whose bits are all defined is a defined one.
//
//===----------------------------------------------------------------------===//

#include "../Instructions/Handlers.h"
#include "Definedness.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace tilec::emu {

namespace {

/// A byte of the host, and the block whose shared memory it is at present.
using ByteKey = std::pair<const uint8_t *, uint64_t>;

/// The defined bits of undefined bytes. Of the process and not of a launch, as
/// launches share device memory.
struct PartialBytes {
  std::mutex mutex;
  std::map<ByteKey, uint8_t> definedBits;
};

PartialBytes &getPartialBytes() {
  static PartialBytes table;
  return table;
}

} // namespace

//===----------------------------------------------------------------------===//
// A place
//===----------------------------------------------------------------------===//

bool MemoryPlace::isDefined(uint32_t byte) const {
  if (shadow)
    return shadow->isInitialized(offset + byte, 1);
  return !flags || flags[byte];
}

void MemoryPlace::undefine(uint32_t byte) const {
  {
    PartialBytes &table = getPartialBytes();
    std::lock_guard lock(table.mutex);
    table.definedBits.erase({bytes + byte, owner});
  }
  if (shadow)
    shadow->setInitialized(offset + byte, 1, false);
  else if (flags)
    flags[byte] = 0;
}

uint8_t MemoryPlace::undefinedBits(uint32_t byte) const {
  if (isDefined(byte))
    return 0;
  PartialBytes &table = getPartialBytes();
  std::lock_guard lock(table.mutex);
  auto found = table.definedBits.find({bytes + byte, owner});
  return found == table.definedBits.end()
             ? 0xff
             : static_cast<uint8_t>(~found->second);
}

void MemoryPlace::defineBits(uint32_t byte, uint8_t bits) const {
  PartialBytes &table = getPartialBytes();
  std::lock_guard lock(table.mutex);
  // Meanwhile another thread may have written the rest.
  if (isDefined(byte))
    return;
  ByteKey key(bytes + byte, owner);
  uint8_t &defined = table.definedBits[key];
  defined |= bits;
  if (defined != 0xff)
    return;
  table.definedBits.erase(key);
  if (shadow)
    shadow->setInitialized(offset + byte, 1);
  else
    flags[byte] = 1;
}

void forgetDefinedBits(const uint8_t *begin, uint64_t size) {
  PartialBytes &table = getPartialBytes();
  std::lock_guard lock(table.mutex);
  table.definedBits.erase(table.definedBits.lower_bound({begin, 0}),
                          table.definedBits.lower_bound({begin + size, 0}));
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

void noteUndefinedBytes(Warp &warp, uint32_t lane, const UndefinedRead &read) {
  MemoryPlace place =
      findPlace(warp, lane, read.space, read.address, read.bytes);
  uint32_t &noted = warp.definedness->readBytes[lane] = 0;
  for (uint32_t byte = 0; place.bytes && byte < read.bytes; ++byte)
    noted |= uint32_t(!place.isDefined(byte)) << byte;
}

void defineBitsAtomically(Warp &warp, const Instruction &i, uint32_t mask,
                          const RegisterUse &operand,
                          const uint64_t *addresses) {
  const auto &parts = i.syntax->parts;
  bool isAnd = std::find(parts.begin(), parts.end(), "and") != parts.end();
  uint32_t size = operand.bytes;
  const uint8_t *values = valuesOf(warp, operand);
  forLanes(warp.definedness->readLanes & mask, [&](uint32_t lane) {
    MemoryPlace place = findPlace(warp, lane, i.space, addresses[lane], size);
    uint32_t undefined = warp.definedness->readBytes[lane];
    for (uint32_t byte = 0; place.bytes && byte < size; ++byte) {
      uint8_t bits = values[size_t(lane) * size + byte];
      if (undefined >> byte & 1)
        place.defineBits(byte, isAnd ? static_cast<uint8_t>(~bits) : bits);
    }
  });
}

} // namespace tilec::emu
