//===- Memory.h - The device memory of the PTX emulator ---------*- C++ -*-===//
//
// Buffers at emulated 64-bit addresses. Every buffer has exact bounds, with
// unmapped addresses between buffers, so that an access which leaves its buffer
// never lands in another one; freed addresses are not used again, so that a
// stale pointer is found too. Each byte knows whether it was ever written.
//
// One DeviceMemory may be used by several launches, one after the other. All
// functions may be called from several threads, except while a launch runs.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_EMULATOR_MEMORY_H
#define TILE_EMULATOR_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilec::emu {

struct Allocation;

class DeviceMemory {
public:
  DeviceMemory();
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  /// A new buffer of `sizeBytes` uninitialised bytes at an address that is a
  /// multiple of `alignBytes` (a power of two). `name` appears in reports. A
  /// buffer of zero bytes has an address too, and every access to it is out of
  /// bounds.
  uint64_t allocate(uint64_t sizeBytes, std::string_view name = "",
                    uint64_t alignBytes = 256);

  /// The caller's memory `[host, host + sizeBytes)` as a buffer, all of it
  /// initialised. `host` must outlive the buffer.
  uint64_t map(void *host, uint64_t sizeBytes, std::string_view name = "",
               uint64_t alignBytes = 256);

  /// Ends the buffer that begins at `address`; false if there is none. Later
  /// accesses to it are reported as accesses to freed memory.
  bool release(uint64_t address);

  /// Copies host bytes into one buffer and marks them initialised; false (and
  /// nothing is copied) if `[address, address + sizeBytes)` is not inside one
  /// live buffer.
  bool write(uint64_t address, const void *source, uint64_t sizeBytes);

  /// Sets those bits of a byte that are set in `bits` to the ones of `value`, and
  /// marks them initialised, as elements narrower than a byte are written; false
  /// as for `write`.
  bool writeBits(uint64_t address, uint8_t value, uint8_t bits);

  /// The bits of a byte that are initialised; none outside of the live buffers.
  uint8_t getInitializedBits(uint64_t address) const;

  /// Copies bytes of one buffer to the host; false as for `write`.
  bool read(uint64_t address, void *target, uint64_t sizeBytes) const;

  /// Sets bytes of one buffer to `value`, initialised; false as for `write`.
  bool fill(uint64_t address, uint8_t value, uint64_t sizeBytes);

  /// Copies between buffers (or inside one), initialised bytes as initialised
  /// and others, also those in part, as not; false as for `write`.
  bool copy(uint64_t target, uint64_t source, uint64_t sizeBytes);

  /// Makes bytes uninitialised again (a workspace that is reused).
  bool forget(uint64_t address, uint64_t sizeBytes);

  /// How many bytes of `[address, address + sizeBytes)` were never written, or of
  /// which bits were not; the whole size if the range is not inside one live buffer.
  uint64_t countUninitialized(uint64_t address, uint64_t sizeBytes) const;

  /// The live buffer that contains `address` (one past the end included only
  /// for empty buffers), or null.
  Allocation *find(uint64_t address) const;

  /// A sentence about where `address` lies: "0x... is 4 bytes past the end of
  /// buffer 'C' of 4096 bytes".
  std::string describe(uint64_t address) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tilec::emu

#endif // TILE_EMULATOR_MEMORY_H
