//===- DeviceMemory.cpp - The device memory of the PTX emulator -----------===//
//
// See tile/Emulator/Memory.h. Addresses only grow, with at least a page of
// nothing between buffers, so the list of buffers is sorted and an address
// belongs to one buffer for ever.
//
//===----------------------------------------------------------------------===//

#include "../Definedness/Definedness.h"
#include "tile/Emulator/Memory.h"

#include <algorithm>
#include <cstdio>

namespace tilec::emu {

struct DeviceMemory::Impl {
  mutable std::mutex mutex;
  std::vector<std::unique_ptr<Allocation>> allocations;
  uint64_t next = globalBegin;

  Allocation &add(uint64_t sizeBytes, std::string_view name,
                  uint64_t alignBytes) {
    alignBytes = std::max<uint64_t>(alignBytes, 1);
    next = (next + alignBytes - 1) / alignBytes * alignBytes;
    auto allocation = std::make_unique<Allocation>();
    allocation->address = next;
    allocation->sizeBytes = sizeBytes;
    allocation->name = std::string(name);
    next += (sizeBytes + 4096 + 255) / 256 * 256;
    allocations.push_back(std::move(allocation));
    return *allocations.back();
  }

  /// The last buffer that begins at or before `address`.
  Allocation *before(uint64_t address) const {
    auto after = std::upper_bound(
        allocations.begin(), allocations.end(), address,
        [](uint64_t a, const auto &b) { return a < b->address; });
    return after == allocations.begin() ? nullptr : (after - 1)->get();
  }

  Allocation *range(uint64_t address, uint64_t sizeBytes) const {
    Allocation *found = before(address);
    if (!found || !found->live || address - found->address > found->sizeBytes ||
        sizeBytes > found->sizeBytes - (address - found->address))
      return nullptr;
    return found;
  }
};

/// Where the byte at `address` of a buffer lies.
static MemoryPlace placeOf(Allocation &allocation, uint64_t address) {
  uint64_t offset = address - allocation.address;
  MemoryPlace place;
  place.address = address;
  place.bytes = allocation.data + offset;
  if (!allocation.initialized.empty())
    place.flags = &allocation.initialized[offset];
  return place;
}

DeviceMemory::DeviceMemory() : impl(std::make_unique<Impl>()) {}
DeviceMemory::~DeviceMemory() = default;

uint64_t DeviceMemory::allocate(uint64_t sizeBytes, std::string_view name,
                                uint64_t alignBytes) {
  std::lock_guard<std::mutex> lock(impl->mutex);
  Allocation &a = impl->add(sizeBytes, name, alignBytes);
  // Poison: NaN as any float type, -1 as an integer.
  a.owned.assign(sizeBytes, 0xff);
  a.data = a.owned.data();
  forgetDefinedBits(a.data, sizeBytes);
  a.initialized.assign(sizeBytes, 0);
  return a.address;
}

uint64_t DeviceMemory::map(void *host, uint64_t sizeBytes,
                           std::string_view name, uint64_t alignBytes) {
  std::lock_guard<std::mutex> lock(impl->mutex);
  Allocation &a = impl->add(sizeBytes, name, alignBytes);
  a.data = static_cast<uint8_t *>(host);
  return a.address;
}

bool DeviceMemory::release(uint64_t address) {
  std::lock_guard<std::mutex> lock(impl->mutex);
  Allocation *found = impl->before(address);
  if (!found || !found->live || found->address != address)
    return false;
  found->live = false;
  found->data = nullptr;
  found->owned = {};
  found->initialized = {};
  return true;
}

bool DeviceMemory::write(uint64_t address, const void *source,
                         uint64_t sizeBytes) {
  std::lock_guard<std::mutex> lock(impl->mutex);
  Allocation *found = impl->range(address, sizeBytes);
  if (!found)
    return false;
  uint64_t offset = address - found->address;
  if (sizeBytes)
    std::memcpy(found->data + offset, source, sizeBytes);
  if (sizeBytes == found->sizeBytes)
    found->initialized.clear(); // No need to ask byte by byte.
  if (!found->initialized.empty())
    std::fill_n(found->initialized.begin() + static_cast<ptrdiff_t>(offset),
                sizeBytes, 1);
  return true;
}

bool DeviceMemory::writeBits(uint64_t address, uint8_t value, uint8_t bits) {
  std::lock_guard<std::mutex> lock(impl->mutex);
  Allocation *found = impl->range(address, 1);
  if (!found)
    return false;
  MemoryPlace place = placeOf(*found, address);
  *place.bytes = static_cast<uint8_t>((*place.bytes & ~bits) | (value & bits));
  place.defineBits(0, bits);
  return true;
}

uint8_t DeviceMemory::getInitializedBits(uint64_t address) const {
  std::lock_guard<std::mutex> lock(impl->mutex);
  Allocation *found = impl->range(address, 1);
  return found
             ? static_cast<uint8_t>(~placeOf(*found, address).undefinedBits(0))
             : 0;
}

bool DeviceMemory::read(uint64_t address, void *target,
                        uint64_t sizeBytes) const {
  std::lock_guard<std::mutex> lock(impl->mutex);
  Allocation *found = impl->range(address, sizeBytes);
  if (!found)
    return false;
  if (sizeBytes)
    std::memcpy(target, found->data + (address - found->address), sizeBytes);
  return true;
}

bool DeviceMemory::fill(uint64_t address, uint8_t value, uint64_t sizeBytes) {
  std::vector<uint8_t> bytes(sizeBytes, value);
  return write(address, bytes.data(), sizeBytes);
}

bool DeviceMemory::copy(uint64_t target, uint64_t source, uint64_t sizeBytes) {
  std::lock_guard<std::mutex> lock(impl->mutex);
  Allocation *to = impl->range(target, sizeBytes);
  Allocation *from = impl->range(source, sizeBytes);
  if (!to || !from)
    return false;
  uint64_t toOffset = target - to->address;
  uint64_t fromOffset = source - from->address;
  if (sizeBytes)
    std::memmove(to->data + toOffset, from->data + fromOffset, sizeBytes);
  forgetDefinedBits(to->data + toOffset, sizeBytes);
  if (!to->initialized.empty()) {
    if (from->initialized.empty())
      std::memset(&to->initialized[toOffset], 1, sizeBytes);
    else if (sizeBytes)
      std::memmove(&to->initialized[toOffset], &from->initialized[fromOffset],
                   sizeBytes);
  }
  return true;
}

bool DeviceMemory::forget(uint64_t address, uint64_t sizeBytes) {
  std::lock_guard<std::mutex> lock(impl->mutex);
  Allocation *found = impl->range(address, sizeBytes);
  if (!found)
    return false;
  if (found->initialized.empty())
    found->initialized.assign(found->sizeBytes, 1);
  uint64_t offset = address - found->address;
  forgetDefinedBits(found->data + offset, sizeBytes);
  std::fill_n(found->initialized.begin() + static_cast<ptrdiff_t>(offset),
              sizeBytes, 0);
  return true;
}

uint64_t DeviceMemory::countUninitialized(uint64_t address,
                                          uint64_t sizeBytes) const {
  std::lock_guard<std::mutex> lock(impl->mutex);
  Allocation *found = impl->range(address, sizeBytes);
  if (!found)
    return sizeBytes;
  if (found->initialized.empty())
    return 0;
  auto begin = found->initialized.begin() +
               static_cast<ptrdiff_t>(address - found->address);
  return static_cast<uint64_t>(
      std::count(begin, begin + static_cast<ptrdiff_t>(sizeBytes), 0));
}

Allocation *DeviceMemory::find(uint64_t address) const {
  std::lock_guard<std::mutex> lock(impl->mutex);
  Allocation *found = impl->before(address);
  if (!found || !found->live)
    return nullptr;
  uint64_t offset = address - found->address;
  bool inside = offset < found->sizeBytes || (offset == 0);
  return inside ? found : nullptr;
}

std::string DeviceMemory::describe(uint64_t address) const {
  std::lock_guard<std::mutex> lock(impl->mutex);
  char text[160];
  Allocation *found = impl->before(address);
  auto nameOf = [](const Allocation &a) {
    return a.name.empty() ? std::string("a buffer") : "buffer '" + a.name + "'";
  };
  if (found) {
    uint64_t offset = address - found->address;
    std::string name = nameOf(*found);
    if (offset < found->sizeBytes || !found->live) {
      std::snprintf(text, sizeof text, "0x%llx is %sbyte %llu of ",
                    static_cast<unsigned long long>(address),
                    found->live ? "" : "in freed memory, ",
                    static_cast<unsigned long long>(offset));
      return text + name + " of " + std::to_string(found->sizeBytes) + " bytes";
    }
    uint64_t past = offset - found->sizeBytes;
    if (past < 1u << 20) {
      std::snprintf(text, sizeof text, "0x%llx is %llu bytes past the end of ",
                    static_cast<unsigned long long>(address),
                    static_cast<unsigned long long>(past));
      return text + name + " of " + std::to_string(found->sizeBytes) + " bytes";
    }
  }
  for (const auto &a : impl->allocations)
    if (a->address > address && a->address - address < 1u << 20) {
      std::snprintf(text, sizeof text, "0x%llx is %llu bytes before ",
                    static_cast<unsigned long long>(address),
                    static_cast<unsigned long long>(a->address - address));
      return text + nameOf(*a);
    }
  std::snprintf(text, sizeof text, "0x%llx is near no buffer",
                static_cast<unsigned long long>(address));
  return text;
}

} // namespace tilec::emu
