//===- WgmmaOperands.h - Operands of wgmma in shared memory -----*- C++ -*-===//
//
// Stored as the canonical layouts of the PTX ISA say, by nested loops over core
// matrices, with the descriptors that name them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_EMULATOR_WGMMAOPERANDS_H
#define TILE_TEST_UNIT_EMULATOR_WGMMAOPERANDS_H

#include "TensorCoreModel.h"

namespace tilec::emu {

inline uint64_t makeDescriptor(uint32_t address, uint32_t leading,
                               uint32_t stride, uint32_t baseOffset,
                               uint32_t swizzleBytes) {
  uint64_t mode = swizzleBytes == 128  ? 1
                  : swizzleBytes == 64 ? 2
                  : swizzleBytes == 32 ? 3
                                       : 0;
  return (address >> 4) | static_cast<uint64_t>(leading >> 4) << 16 |
         static_cast<uint64_t>(stride >> 4) << 32 |
         static_cast<uint64_t>(baseOffset) << 49 | mode << 62;
}

/// An operand stored as the canonical layouts of the ISA say, built from nested
/// loops over core matrices, and the descriptor that names it.
struct StoredOperand {
  uint64_t descriptor = 0;
  std::vector<uint8_t> shared = std::vector<uint8_t>(1 << 17, 0xcd);

  void put(uint32_t address, E type, int value) {
    uint64_t bits = encode(type, value);
    std::memcpy(&shared[address], &bits, bitWidth(type) / 8);
  }
};

/// XORs the 16-byte chunk index with the row within the pattern.
inline uint32_t swizzled(uint32_t offset, uint32_t swizzleBytes) {
  switch (swizzleBytes) {
  case 128:
    return offset ^ (((offset >> 7) & 7) << 4);
  case 64:
    return offset ^ (((offset >> 7) & 3) << 4);
  case 32:
    return offset ^ (((offset >> 7) & 1) << 4);
  default:
    return offset;
  }
}

/// `at(mn, k)` for mn < extent, k < depth.
template <typename Values>
void store(StoredOperand &operand, E type, int extent, int depth, bool mnMajor,
           uint32_t swizzleBytes, uint32_t start, Values at) {
  uint32_t bytes = static_cast<uint32_t>(bitWidth(type)) / 8;
  uint32_t leading, stride;
  if (!mnMajor && swizzleBytes == 0) {
    // Core matrices of 8 x 16 bytes: K neighbours first, then mn.
    leading = 128;
    stride = 8 * static_cast<uint32_t>(depth) * bytes;
    for (int mn = 0; mn < extent; ++mn)
      for (int k = 0; k < depth; ++k) {
        uint32_t kByte = static_cast<uint32_t>(k) * bytes;
        operand.put(start + mn / 8 * stride + kByte / 16 * leading +
                        mn % 8 * 16 + kByte % 16,
                    type, at(mn, k));
      }
  } else if (!mnMajor) {
    // Rows of the swizzle's width, eight to a pattern.
    leading = 16;
    stride = 8 * swizzleBytes;
    for (int mn = 0; mn < extent; ++mn)
      for (int k = 0; k < depth; ++k)
        operand.put(start + swizzled(mn * swizzleBytes +
                                         static_cast<uint32_t>(k) * bytes,
                                     swizzleBytes),
                    type, at(mn, k));
  } else if (swizzleBytes == 0) {
    leading = 128 * static_cast<uint32_t>(extent / 8);
    stride = 128;
    for (int mn = 0; mn < extent; ++mn)
      for (int k = 0; k < depth; ++k)
        operand.put(start + k / 8 * leading + mn / 8 * stride + k % 8 * 16 +
                        mn % 8 * 2,
                    type, at(mn, k));
  } else {
    // Panels of the swizzle's width along mn, K deep.
    int panel = static_cast<int>(swizzleBytes) / 2;
    leading = swizzleBytes * static_cast<uint32_t>(depth);
    stride = 8 * swizzleBytes;
    for (int mn = 0; mn < extent; ++mn)
      for (int k = 0; k < depth; ++k)
        operand.put(
            start + mn / panel * leading +
                swizzled(k * swizzleBytes + mn % panel * 2, swizzleBytes),
            type, at(mn, k));
  }
  operand.descriptor = makeDescriptor(start, leading, stride, 0, swizzleBytes);
}

} // namespace tilec::emu

#endif // TILE_TEST_UNIT_EMULATOR_WGMMAOPERANDS_H
