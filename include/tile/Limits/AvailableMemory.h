//===- AvailableMemory.h - Whether memory suffices --------------*- C++ -*-===//
//
// Sizes that a user gives (arguments, allocations of a program, files) are
// asked about before they are allocated: Linux grants more than there is and
// ends the process when it is touched. The limit is what the system says it can
// still give, swap left out, and no more than the control group of the process
// may take (containers, batch systems).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIMITS_AVAILABLEMEMORY_H
#define TILE_LIMITS_AVAILABLEMEMORY_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilec {

/// Bytes that this process can still take; the largest number where the system
/// does not say.
uint64_t getAvailableMemoryBytes();

/// Why `sizeBytes` cannot be allocated: "needs 8 bytes of memory, more than the
/// 4 that are available". Empty if they can. Cheap for small sizes.
std::string checkMemory(uint64_t sizeBytes);

/// The same for `elementBits` for each element of an array of the given sizes,
/// and `bytesBeside` for each of its bytes, however large the product is.
std::string checkMemory(const std::vector<int64_t> &sizes, int64_t elementBits,
                        int64_t bytesBeside = 0);

} // namespace tilec

#endif // TILE_LIMITS_AVAILABLEMEMORY_H
