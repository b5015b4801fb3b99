//===- AvailableMemory.cpp - Whether memory suffices ---------------------===//
//
// Linux: /proc/meminfo has what can be taken without swapping; the files of a
// control group (version 2, else 1) what it may take and has taken.
//
//===----------------------------------------------------------------------===//

#include "tile/Limits/AvailableMemory.h"

#include <algorithm>
#include <fstream>
#include <limits>

using namespace tilec;

/// Below this nobody asks the system.
constexpr uint64_t smallBytes = uint64_t(16) << 20;
constexpr uint64_t noLimit = std::numeric_limits<uint64_t>::max();

/// A number that stands alone in a file; no limit for "max", or without a file.
static uint64_t readNumber(const char *path) {
  std::ifstream file(path);
  uint64_t number = 0;
  return file >> number ? number : noLimit;
}

static uint64_t getSystemBytes() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  uint64_t kibibytes = 0;
  while (file >> key) {
    if (key == "MemAvailable:" && file >> kibibytes)
      return kibibytes << 10;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return noLimit;
}

static uint64_t getGroupBytes(const char *limitPath, const char *usedPath) {
  uint64_t limit = readNumber(limitPath), used = readNumber(usedPath);
  if (limit == noLimit || used == noLimit)
    return limit;
  return limit > used ? limit - used : 0;
}

uint64_t tilec::getAvailableMemoryBytes() {
  return std::min(
      {getSystemBytes(),
       getGroupBytes("/sys/fs/cgroup/memory.max",
                     "/sys/fs/cgroup/memory.current"),
       getGroupBytes("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                     "/sys/fs/cgroup/memory/memory.usage_in_bytes")});
}

std::string tilec::checkMemory(uint64_t sizeBytes) {
  if (sizeBytes < smallBytes)
    return "";
  uint64_t available = getAvailableMemoryBytes();
  if (sizeBytes <= available)
    return "";
  return "needs " + std::to_string(sizeBytes) +
         " bytes of memory, more than the " + std::to_string(available) +
         " that are available";
}

std::string tilec::checkMemory(const std::vector<int64_t> &sizes,
                               int64_t elementBits, int64_t bytesBeside) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  // A size of zero makes an array of none, however large the others are.
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
    return "";
  int64_t bits = elementBits, total = 0;
  bool overflows = false;
  for (int64_t size : sizes)
    overflows |= __builtin_mul_overflow(bits, size, &bits);
  overflows |= __builtin_add_overflow(bits, 7, &bits);
  overflows |= __builtin_mul_overflow(bits / 8, 1 + bytesBeside, &total);
  if (overflows)
    return "needs more than " + std::to_string(most / 8) + " bytes of memory";
  return checkMemory(static_cast<uint64_t>(total));
}
