//===- AllocationSize.h - Device memory for a buffer ------------*- C++ -*-===//

#ifndef TILE_RUNTIME_ALLOCATIONSIZE_H
#define TILE_RUNTIME_ALLOCATIONSIZE_H

#include "tile/Reference/Memory.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::tile {

/// The bytes that a buffer takes on a device. Elements narrower than a byte are
/// stored in words of 32 bits, so whole ones are there (docs/KernelABI.md).
inline uint64_t getAllocationSize(const reference::Buffer &buffer) {
  uint64_t bytes = buffer.bytes.size();
  return buffer.granuleBits < 8 ? llvm::alignTo(bytes, 4) : bytes;
}

} // namespace mlir::tile

#endif // TILE_RUNTIME_ALLOCATIONSIZE_H
