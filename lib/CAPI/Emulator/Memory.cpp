//===- Memory.cpp - Device memory and tensor maps, in C -------------------===//

#include "Objects.h"

#include "tile/Emulator/TensorMap.h"
#include "tile/Limits/AvailableMemory.h"

#include <algorithm>
#include <cstring>

using namespace tilec::emu;

TileEmulatorMemory *tileEmulatorMemoryCreate(void) {
  return new TileEmulatorMemory;
}

void tileEmulatorMemoryDestroy(TileEmulatorMemory *memory) { delete memory; }

uint64_t tileEmulatorMemoryAllocate(TileEmulatorMemory *memory,
                                    uint64_t sizeBytes, TileString name,
                                    uint64_t alignBytes) {
  // Beside each byte stands whether it was written.
  if (sizeBytes > UINT64_MAX / 2 || !tilec::checkMemory(2 * sizeBytes).empty())
    return 0;
  return memory->memory.allocate(sizeBytes, unwrap(name), alignBytes);
}

uint64_t tileEmulatorMemoryMap(TileEmulatorMemory *memory, void *host,
                               uint64_t sizeBytes, TileString name,
                               uint64_t alignBytes) {
  return memory->memory.map(host, sizeBytes, unwrap(name), alignBytes);
}

bool tileEmulatorMemoryRelease(TileEmulatorMemory *memory, uint64_t address) {
  return memory->memory.release(address);
}

bool tileEmulatorMemoryWrite(TileEmulatorMemory *memory, uint64_t address,
                             const void *source, uint64_t sizeBytes) {
  return memory->memory.write(address, source, sizeBytes);
}

bool tileEmulatorMemoryRead(const TileEmulatorMemory *memory, uint64_t address,
                            void *target, uint64_t sizeBytes) {
  return memory->memory.read(address, target, sizeBytes);
}

uint64_t tileEmulatorMemoryCountUnwritten(const TileEmulatorMemory *memory,
                                          uint64_t address,
                                          uint64_t sizeBytes) {
  return memory->memory.countUninitialized(address, sizeBytes);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// Which of the driver's rules is broken; an empty text where `result` is made.
static std::string encode(TileString type, int rank, uint64_t address,
                          const uint64_t *sizes, const uint64_t *stridesBytes,
                          const uint32_t *box, int swizzleBytes,
                          TensorMap &result) {
  TiledMapArguments arguments;
  if (rank < 1 || rank > 5)
    return "a tensor map has 1 to 5 dimensions, not " + std::to_string(rank);
  // Those of 4 and 6 bits, which have no name here, are numbered behind the others.
  constexpr auto last = static_cast<int>(TensorElement::TF32Ftz);
  int number = 0;
  while (number <= last &&
         unwrap(type) != getName(static_cast<TensorElement>(number)))
    ++number;
  if (number > last)
    return "a tensor map has no elements of type '" +
           std::string(unwrap(type)) + "'";
  arguments.element = static_cast<TensorElement>(number);
  constexpr int modes[] = {0, 32, 64, 128};
  const int *mode = std::find(std::begin(modes), std::end(modes), swizzleBytes);
  if (mode == std::end(modes))
    return "the swizzle is 0, 32, 64 or 128 bytes, not " +
           std::to_string(swizzleBytes);
  arguments.swizzle = static_cast<TensorSwizzle>(mode - modes);
  arguments.rank = rank;
  arguments.globalAddress = address;
  std::copy(sizes, sizes + rank, arguments.dims);
  std::copy(stridesBytes, stridesBytes + rank - 1, arguments.stridesBytes);
  std::copy(box, box + rank, arguments.box);
  return encodeTiled(arguments, result);
}

bool tileEmulatorEncodeTensorMap(TileString type, int rank, uint64_t address,
                                 const uint64_t *sizes,
                                 const uint64_t *stridesBytes,
                                 const uint32_t *box, int swizzleBytes,
                                 uint8_t map[128], TileStringCallback error,
                                 void *userData) {
  TensorMap result;
  std::string broken = encode(type, rank, address, sizes, stridesBytes, box,
                              swizzleBytes, result);
  if (broken.empty())
    std::memcpy(map, &result, sizeof result);
  else if (error)
    error(wrap(broken), userData);
  return broken.empty();
}
